// The ledger: the costs of numbers and minutes, and the state of each payment. An entry is `pending` from before the
// provider's request until its outcome is known; `attendedUntil` keeps settlement away while a request works on it.
import type { Selectable, Updateable } from 'kysely';
import type { ChargeTable } from '../../schema/lines/phone-numbers.ts';
import type { Db } from '../../schema.ts';
import { newId } from '../../shared/id.ts';

export type ChargeRow = Selectable<ChargeTable>;
interface NewCharge {
  kind: ChargeTable['kind'];
  phoneNumber: string | null;
  /** Dollars. */
  amount: number;
  status: 'recorded' | 'pending';
  /** At most one entry of a purpose is not failed. */
  purpose: string;
  idempotencyKey: string | null;
  failingSince: number | null;
  phoneNumberId: string | null;
  campaignId: string | null;
  isPurchase: boolean;
  attendedUntil: number;
  nowMs: number;
}

/** Writes an entry; null if one of the same purpose, or another purchase of the number, prevents it. */
export async function addCharge(db: Db, accountId: string, charge: NewCharge): Promise<ChargeRow | null> {
  const row = await db
    .insertInto('charges')
    .values({
      id: newId('chg'),
      accountId,
      kind: charge.kind,
      phoneNumber: charge.phoneNumber,
      amount: charge.amount,
      currency: 'usd',
      status: charge.status,
      paymentIntentId: null,
      attempts: 0,
      purpose: charge.purpose,
      idempotencyKey: charge.idempotencyKey,
      failingSince: charge.failingSince,
      createdAt: charge.nowMs,
      settledAt: charge.status === 'recorded' ? charge.nowMs : null,
      phoneNumberId: charge.phoneNumberId,
      campaignId: charge.campaignId,
      isPurchase: charge.isPurchase ? 1 : 0,
      isUndone: 0,
      attendedUntil: charge.attendedUntil,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** The account's entries, newest first. */
export async function listCharges(
  db: Db,
  accountId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ChargeRow[]; total: number }> {
  const rows = await db
    .selectFrom('charges')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await db
    .selectFrom('charges')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}

/** The unfinished purchase of a number, of any account. */
export async function findPendingPurchase(db: Db, phoneNumber: string): Promise<ChargeRow | null> {
  const row = await db
    .selectFrom('charges')
    .selectAll()
    .where('phoneNumber', '=', phoneNumber)
    .where('status', '=', 'pending')
    .where('isPurchase', '=', 1)
    .executeTakeFirst();
  return row ?? null;
}

/** The account's latest purchase under a client's idempotency key since `sinceMs`. */
export async function findPurchaseByKey(
  db: Db,
  accountId: string,
  idempotencyKey: string,
  sinceMs: number,
): Promise<ChargeRow | null> {
  const row = await db
    .selectFrom('charges')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('idempotencyKey', '=', idempotencyKey)
    .where('isPurchase', '=', 1)
    .where('createdAt', '>=', sinceMs)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Takes over an abandoned pending entry; null if a request works on it or it is settled. */
export async function attendCharge(
  db: Db,
  accountId: string,
  id: string,
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): Promise<ChargeRow | null> {
  const row = await db
    .updateTable('charges')
    .set({ attendedUntil: untilMs })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('status', '=', 'pending')
    .where('attendedUntil', '<=', nowMs)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

type ChargeProgress = Pick<
  Updateable<ChargeTable>,
  'paymentIntentId' | 'attempts' | 'isUndone' | 'attendedUntil' | 'idempotencyKey'
>;

/** Records the progress of a pending entry before the provider's next step. */
export async function updateCharge(db: Db, accountId: string, id: string, progress: ChargeProgress): Promise<void> {
  await db
    .updateTable('charges')
    .set(progress)
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('status', '=', 'pending')
    .execute();
}

/** Ends a pending entry. False when it is no longer pending. */
export async function settleCharge(
  db: Db,
  accountId: string,
  id: string,
  status: 'paid' | 'refunded' | 'failed',
  { nowMs, failingSince }: { nowMs: number; failingSince?: number },
): Promise<boolean> {
  const result = await db
    .updateTable('charges')
    .set({ status, settledAt: nowMs, attendedUntil: 0, ...(failingSince === undefined ? {} : { failingSince }) })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return Number(result.numUpdatedRows) > 0;
}

/** Abandoned pending entries of all accounts, oldest first, after a given one. */
export async function listUnattendedCharges(
  db: Db,
  { nowMs, afterId, limit }: { nowMs: number; afterId: string; limit: number },
): Promise<ChargeRow[]> {
  return db
    .selectFrom('charges')
    .selectAll()
    .where('status', '=', 'pending')
    .where('attendedUntil', '<=', nowMs)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** The entries of one purpose, oldest first: failed ones, and at most one that is not. */
export async function listChargesOf(db: Db, accountId: string, purpose: string): Promise<ChargeRow[]> {
  return db
    .selectFrom('charges')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('purpose', '=', purpose)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** The unpaid charges of an owned number, oldest first: the last entry of each purpose. */
export async function listUnpaidCharges(db: Db, accountId: string, phoneNumberId: string): Promise<ChargeRow[]> {
  const rows = await db
    .selectFrom('charges')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('phoneNumberId', '=', phoneNumberId)
    .where('isPurchase', '=', 0)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  const settled = new Set(
    rows.filter(({ status }) => status === 'paid' || status === 'recorded').map(({ purpose }) => purpose),
  );
  const unpaid = rows.filter(({ status, purpose }) => status !== 'refunded' && !settled.has(purpose));
  return [...new Map(unpaid.map((row) => [row.purpose, row])).values()];
}

/** The account's customer at the payment provider. */
export async function billingCustomer(db: Db, accountId: string): Promise<string | null> {
  const row = await db
    .selectFrom('accounts')
    .select('billingCustomerId')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row?.billingCustomerId ?? null;
}

/** Makes a paid entry pending again, within the transaction that paid it: its number was given to another account. */
export async function reopenCharge(db: Db, accountId: string, id: string, attendedUntil: number): Promise<void> {
  await db
    .updateTable('charges')
    .set({ status: 'pending', settledAt: null, attendedUntil })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('status', '=', 'paid')
    .execute();
}

/**
 * Stores the account's customer in place of `replaced` (null: none); returns the stored one, which differs if another
 * request was faster.
 */
export async function keepBillingCustomer(
  db: Db,
  accountId: string,
  customerId: string,
  replaced: string | null,
): Promise<string> {
  await db
    .updateTable('accounts')
    .set({ billingCustomerId: customerId })
    .where('id', '=', accountId)
    .where('billingCustomerId', replaced === null ? 'is' : '=', replaced)
    .execute();
  return (await billingCustomer(db, accountId)) ?? customerId;
}

/** Accounts that allow overage and used minutes in `month` or later, in the order of their ids. */
export async function listOverageAccounts(
  db: Db,
  { month, afterId, limit }: { month: string; afterId: string; limit: number },
): Promise<
  Array<{ id: string; plan: 'STARTER' | 'PRO' | 'ENTERPRISE'; timezone: string; month: string; seconds: number }>
> {
  return db
    .selectFrom('accountUsageNow')
    .innerJoin('accounts', 'accounts.id', 'accountUsageNow.accountId')
    .select(['accounts.id', 'accounts.plan', 'accounts.timezone', 'accountUsageNow.month', 'accountUsageNow.seconds'])
    .where('accounts.overageEnabled', '=', 1)
    .where('accountUsageNow.month', '=', month)
    .where('accounts.id', '>', afterId)
    .orderBy('accounts.id')
    .limit(limit)
    .execute();
}

/** Turns overage off for an account that did not pay for it. */
export async function disableOverage(db: Db, accountId: string): Promise<void> {
  await db.updateTable('accounts').set({ overageEnabled: 0 }).where('id', '=', accountId).execute();
}

/** After a start, entries of earlier processes count as abandoned. */
export async function unattendCharges(db: Db): Promise<void> {
  await db.updateTable('charges').set({ attendedUntil: 0 }).where('status', '=', 'pending').execute();
}

/** Time of a job's last run, ms; null: never. */
export async function lastJobRun(db: Db, name: string): Promise<number | null> {
  const row = await db.selectFrom('jobs').select('lastRunAt').where('name', '=', name).executeTakeFirst();
  return row?.lastRunAt ?? null;
}

/** Notes that a job ran. */
export async function noteJobRun(db: Db, name: string, nowMs: number): Promise<void> {
  await db
    .insertInto('jobs')
    .values({ name, lastRunAt: nowMs })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ lastRunAt: nowMs }))
    .execute();
}
