// The numbers of accounts: their campaigns and their release. A release waits for the running calls of the number; the
// inventory row, if there is one, changes its owner in the same transaction.

import { type Insertable, type Selectable, sql } from 'kysely';
import type { Flag } from '../../schema/columns.ts';
import type { PhoneNumberTable } from '../../schema/lines/phone-numbers.ts';
import type { Db } from '../../schema.ts';
import { newId } from '../../shared/id.ts';
import { compiledStatement } from '../../statements/compiled-statement.ts';
import { newestPage } from '../newest-page.ts';
import { noteRecorded, noteReleased } from './carrier-orders.ts';
import { claimFromInventory, findNumberInUse, retireInInventory } from './inventory.ts';

export type PhoneNumberRow = Selectable<PhoneNumberTable>;

interface NumberListQuery {
  campaignId?: string;
  limit: number;
  offset: number;
}

/** The account's numbers, newest first, without those being released. */
export async function listPhoneNumbers(
  db: Db,
  accountId: string,
  { campaignId, limit, offset }: NumberListQuery,
): Promise<{ rows: PhoneNumberRow[]; total: number }> {
  let matching = db.selectFrom('phoneNumbers').where('accountId', '=', accountId).where('status', '=', 'active');
  if (campaignId !== undefined) matching = matching.where('campaignId', '=', campaignId);
  return newestPage(matching.selectAll(), { limit, offset });
}

/** One number that is neither released nor being released; null for a foreign or missing one. */
export async function getPhoneNumber(db: Db, accountId: string, id: string): Promise<PhoneNumberRow | null> {
  const row = await db
    .selectFrom('phoneNumbers')
    .selectAll()
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('status', '=', 'active')
    .executeTakeFirst();
  return row ?? null;
}

interface NewPhoneNumber {
  /** Set for a purchase: its charge names the number's id before the number exists. */
  id?: string;
  phoneNumber: string;
  country: string | null;
  areaCode: string | null;
  type: PhoneNumberTable['type'];
  capabilities: readonly string[];
  /** Dollars a month. */
  monthlyCost: number;
  campaignId: string | null;
  trunkId: string | null;
  nowMs: number;
}

/**
 * Gives a number to an account, with its inventory row and its order at a carrier if it has them. Call it in a
 * transaction. Returns null, and writes nothing, when another account holds or has reserved the number.
 */
export async function createPhoneNumber(
  db: Db,
  accountId: string,
  number: NewPhoneNumber,
): Promise<PhoneNumberRow | null> {
  if (await findNumberInUse(db, number.phoneNumber)) return null;
  if ((await claimFromInventory(db, accountId, number.phoneNumber, number.nowMs)) === 'taken') return null;
  await noteRecorded(db, accountId, number.phoneNumber, number.nowMs);
  return db
    .insertInto('phoneNumbers')
    .values({
      id: number.id ?? newId('pn'),
      accountId,
      phoneNumber: number.phoneNumber,
      country: number.country,
      areaCode: number.areaCode,
      type: number.type,
      capabilities: JSON.stringify(number.capabilities),
      monthlyCost: number.monthlyCost,
      campaignId: number.campaignId,
      isActive: 1,
      status: 'active',
      trunkId: number.trunkId,
      createdAt: number.nowMs,
      releasedAt: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The number of the demo, unless somebody has it already. */
export async function insertDemoNumber(db: Db, number: Insertable<PhoneNumberTable>): Promise<void> {
  await db
    .insertInto('phoneNumbers')
    .values(number)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Moves a number to a campaign. `campaign-active`: it stays in another campaign that is SCHEDULED or RUNNING. Call it
 * in a transaction.
 */
export async function assignNumber(
  db: Db,
  accountId: string,
  id: string,
  campaignId: string,
): Promise<'assigned' | 'missing' | 'campaign-active'> {
  const row = await db
    .selectFrom('phoneNumbers')
    .leftJoin('campaigns', (join) =>
      join.onRef('campaigns.id', '=', 'phoneNumbers.campaignId').on('campaigns.deletedAt', 'is', null),
    )
    .select(['phoneNumbers.campaignId', 'campaigns.status as campaignStatus'])
    .where('phoneNumbers.id', '=', id)
    .where('phoneNumbers.accountId', '=', accountId)
    .where('phoneNumbers.status', '=', 'active')
    .executeTakeFirst();
  if (!row) return 'missing';
  if (row.campaignId === campaignId) return 'assigned';
  if (row.campaignStatus === 'RUNNING' || row.campaignStatus === 'SCHEDULED') return 'campaign-active';
  await db
    .updateTable('phoneNumbers')
    .set({ campaignId })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .execute();
  return 'assigned';
}

export interface NumberChanges {
  /** Only null: `assignNumbers` puts a number into a campaign. */
  campaignId?: null;
  isActive?: Flag;
  /** JSON. */
  routes?: string;
}

/** Changes an active number; activating it lifts a suspension for unpaid months. */
export async function updatePhoneNumber(
  db: Db,
  accountId: string,
  id: string,
  changes: NumberChanges,
): Promise<PhoneNumberRow | null> {
  const values = { ...changes, ...(changes.isActive === 1 ? { suspendedAt: null } : {}) };
  if (Object.keys(values).length === 0) return getPhoneNumber(db, accountId, id);
  const row = await db
    .updateTable('phoneNumbers')
    .set(values)
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('status', '=', 'active')
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Suspends a number whose monthly charge failed for a week. */
export async function suspendPhoneNumber(db: Db, accountId: string, id: string, nowMs: number): Promise<void> {
  await db
    .updateTable('phoneNumbers')
    .set({ isActive: 0, suspendedAt: nowMs })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('status', '=', 'active')
    .execute();
}

/** The carrier is about to be asked to take an active number back. */
export async function noteReleaseAsked(db: Db, accountId: string, id: string, nowMs: number): Promise<void> {
  await db
    .updateTable('phoneNumbers')
    .set({ releaseAskedAt: nowMs })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('status', '=', 'active')
    .execute();
}

/** The carrier has not taken the number back that it was asked for at `askedAtMs`; a later question stays. */
export async function noteReleaseRefused(db: Db, accountId: string, id: string, askedAtMs: number): Promise<void> {
  await db
    .updateTable('phoneNumbers')
    .set({ releaseAskedAt: null })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('releaseAskedAt', '=', askedAtMs)
    .execute();
}

/** Over all accounts, active numbers that a carrier was asked to take back before `beforeMs`, and has not answered. */
export async function unansweredReleases(
  db: Db,
  beforeMs: number,
  limit: number,
): Promise<Array<Pick<PhoneNumberRow, 'id' | 'accountId' | 'phoneNumber'> & { releaseAskedAt: number }>> {
  return db
    .selectFrom('phoneNumbers')
    .select(['id', 'accountId', 'phoneNumber'])
    .select((eb) => eb.ref('releaseAskedAt').$notNull().as('releaseAskedAt'))
    .where('releaseAskedAt', '<=', beforeMs)
    .where('status', '=', 'active')
    .orderBy('releaseAskedAt')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/**
 * Begins the release of a number: `released` at once without running calls, else `releasing` until `finishReleases`.
 * Call it in a transaction. Null for a foreign or missing number.
 */
export async function releasePhoneNumber(
  db: Db,
  accountId: string,
  id: string,
  nowMs: number,
): Promise<{ id: string; phoneNumber: string; status: 'releasing' | 'released' } | null> {
  const row = await db
    .updateTable('phoneNumbers')
    .set({ status: 'releasing', campaignId: null, isActive: 0, releaseAskedAt: null })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('status', '=', 'active')
    .returning(['id', 'phoneNumber'])
    .executeTakeFirst();
  if (!row) return null;
  await noteReleased(db, accountId, row.phoneNumber, nowMs);
  const finished = await finishReleases(db, nowMs);
  return { ...row, status: finished.includes(row.phoneNumber) ? 'released' : 'releasing' };
}

/** The literal lets SQLite use the partial index of numbers being released, which is nearly always empty. */
const finishNumberReleases = compiledStatement((db, { nowMs }: { nowMs: number }) =>
  db
    .updateTable('phoneNumbers')
    .set({ status: 'released', releasedAt: nowMs })
    .where('status', '=', sql.lit('releasing' as const))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('calls')
            .select('calls.id')
            .whereRef('calls.phoneNumberId', '=', 'phoneNumbers.id')
            .where('calls.endedAt', 'is', null),
        ),
      ),
    )
    .returning('phoneNumber'),
);

/**
 * Finishes, over all accounts, every release whose calls have ended, and retires the numbers in the inventory. Cheap
 * when nothing is being released (an empty partial index). Runs in the transaction that ends a call, and in a job after
 * crashes. Returns the released phone numbers.
 */
export async function finishReleases(db: Db, nowMs: number): Promise<string[]> {
  const released = await finishNumberReleases(db, { nowMs });
  const phoneNumbers = released.map((row) => row.phoneNumber);
  if (phoneNumbers.length > 0) await retireInInventory(db, phoneNumbers, nowMs);
  return phoneNumbers;
}

/** Active numbers that cost something, over all accounts, in the order of their ids: a page of the daily billing. */
export async function listBillableNumbers(
  db: Db,
  { afterId, limit }: { afterId: string; limit: number },
): Promise<Array<PhoneNumberRow & { timezone: string }>> {
  return db
    .selectFrom('phoneNumbers')
    .innerJoin('accounts', 'accounts.id', 'phoneNumbers.accountId')
    .selectAll('phoneNumbers')
    .select('accounts.timezone')
    .where('phoneNumbers.status', '=', 'active')
    .where('phoneNumbers.suspendedAt', 'is', null)
    .where('phoneNumbers.monthlyCost', '>', 0)
    .where('phoneNumbers.id', '>', afterId)
    .orderBy('phoneNumbers.id')
    .limit(limit)
    .execute();
}
