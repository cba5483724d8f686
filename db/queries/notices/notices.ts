// Notices that wait to be told: taken from the events by a cursor, and put into messages, group by group.
import { sql } from 'kysely';
import type { BusinessTable } from '../../schema/businesses.ts';
import type { NoticeTable } from '../../schema/notices.ts';
import type { EventTable } from '../../schema/webhooks.ts';
import type { Db } from '../../schema.ts';

const CURSOR = 'notices';
/** The events that notices are made of. */
const TYPES = ['call.ended', 'call.analysed', 'appointment.scheduled', 'appointment.changed'];

/** The last event whose notices are made. */
export async function noticePosition(db: Db): Promise<number> {
  const row = await db.selectFrom('cursors').select('value').where('name', '=', CURSOR).executeTakeFirst();
  return row?.value ?? 0;
}

export async function moveNoticePosition(tx: Db, value: number): Promise<void> {
  await tx
    .insertInto('cursors')
    .values({ name: CURSOR, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

export type TellingBusiness = Pick<
  BusinessTable,
  'id' | 'accountId' | 'name' | 'timezone' | 'notify' | 'notifySealed' | 'outputs' | 'criteria'
>;

const TELLING = ['id', 'accountId', 'name', 'timezone', 'notify', 'notifySealed', 'outputs', 'criteria'] as const;

/** Businesses of all accounts that tell somebody; mostly few. */
export async function tellingBusinesses(db: Db): Promise<Map<string, TellingBusiness>> {
  const rows = await db
    .selectFrom('businesses')
    .select(TELLING)
    // As the index says it, without a parameter.
    .where(sql<boolean>`notify <> '[]'`)
    .where('deletedAt', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export function tellingBusiness(db: Db, accountId: string, id: string): Promise<TellingBusiness | undefined> {
  return db
    .selectFrom('businesses')
    .select(TELLING)
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
}

type EventRow = Pick<EventTable, 'accountId' | 'type' | 'subjectId' | 'data' | 'createdAt'> & { seq: number };

/** Events of these accounts that may be told of, after `from` and up to `upTo`. */
export function eventsToTell(
  db: Db,
  accountIds: readonly string[],
  { from, upTo }: { from: number; upTo: number },
): Promise<EventRow[]> {
  if (accountIds.length === 0) return Promise.resolve([]);
  return toldOf(db).where('seq', '>', from).where('seq', '<=', upTo).where('accountId', 'in', accountIds).execute();
}

/** The newest events of the calls and appointments, oldest first. */
export function eventsOfSubjects(db: Db, accountId: string, subjectIds: readonly string[]): Promise<EventRow[]> {
  if (subjectIds.length === 0) return Promise.resolve([]);
  return toldOf(db).where('accountId', '=', accountId).where('subjectId', 'in', subjectIds).execute();
}

/** Events of which somebody may be told, oldest first. */
const toldOf = (db: Db) =>
  db
    .selectFrom('events')
    .select(['seq', 'accountId', 'type', 'subjectId', 'data', 'createdAt'])
    .where('type', 'in', TYPES)
    .orderBy('seq');

/** Of each call: its business, how it ended, and what its campaign wants of it. */
export async function callsOf(tx: Db, callIds: readonly string[]) {
  if (callIds.length === 0) return [];
  return tx
    .selectFrom('calls')
    .leftJoin('campaigns', 'campaigns.id', 'calls.campaignId')
    .select(['calls.id', 'calls.accountId', 'calls.businessId', 'calls.erasedAt'])
    .select(['calls.direction', 'calls.answeredAt', 'calls.outcome', 'calls.medium'])
    .select(['campaigns.outputs', 'campaigns.criteria'])
    .where('calls.id', 'in', callIds)
    .execute();
}

/** Calls back that were promised on these calls. */
export async function callbacksOf(db: Db, accountId: string, callIds: readonly string[]) {
  if (callIds.length === 0) return [];
  return db
    .selectFrom('scheduledCalls')
    .select(['inCallId', 'scheduledAt', 'reason'])
    .where('accountId', '=', accountId)
    .where('requestedBy', '=', 'agent')
    .where('inCallId', 'in', callIds)
    .execute();
}

/** Whose rules a notice follows: a business, or an alert rule, which has rules of the same form. */
export type Teller = Pick<BusinessTable, 'id' | 'accountId' | 'name' | 'timezone' | 'notify' | 'notifySealed'> & {
  /** Of an alert rule, that of its calls; null: of all. */
  businessId: string | null;
};

/** `id`: of either. */
export async function findTeller(db: Db, accountId: string, id: string): Promise<Teller | undefined> {
  if (!id.startsWith('alr_')) {
    const business = await tellingBusiness(db, accountId, id);
    return business && { ...business, businessId: business.id };
  }
  return db
    .selectFrom('alertRules')
    .select(['id', 'accountId', 'name', 'timezone', 'notify', 'notifySealed', 'businessId'])
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** A second notice of the same thing for the same recipient is dropped. */
export async function insertNotice(tx: Db, notice: NoticeTable): Promise<void> {
  await tx
    .insertInto('notices')
    .values(notice)
    .onConflict((conflict) => conflict.columns(['businessId', 'target', 'kind', 'subjectId']).doNothing())
    .execute();
}

/** How long the notice of an ended call waits for the results that are wanted of it. */
export const RESULTS_WAIT_MS = 60_000;

/** Has what waits for the results of a call go now. */
export async function hastenNotices(tx: Db, callId: string, nowMs: number): Promise<void> {
  await tx
    .updateTable('notices')
    .set({ dueAt: nowMs })
    .where('callId', '=', callId)
    .where('messageId', 'is', null)
    .where((eb) => eb('dueAt', '=', eb('createdAt', '+', RESULTS_WAIT_MS)))
    .execute();
}

export interface DueGroup {
  accountId: string;
  businessId: string;
  target: string;
}

/** Recipients with notices that are due, the longest due first. */
export async function dueGroups(db: Db, nowMs: number, limit: number): Promise<DueGroup[]> {
  return db
    .selectFrom('notices')
    .select(['accountId', 'businessId', 'target'])
    .where('messageId', 'is', null)
    .where('dueAt', '<=', nowMs)
    .groupBy(['accountId', 'businessId', 'target'])
    .orderBy((eb) => eb.fn.min('dueAt'))
    .limit(limit)
    .execute();
}

/** Puts what is due for a recipient into a message; returns what it tells of. */
export async function takeDue(
  tx: Db,
  { businessId, target }: DueGroup,
  messageId: string,
  nowMs: number,
): Promise<Pick<NoticeTable, 'kind' | 'subjectId' | 'callId'>[]> {
  return tx
    .updateTable('notices')
    .set({ messageId })
    .where('businessId', '=', businessId)
    .where('target', '=', target)
    .where('messageId', 'is', null)
    .where('dueAt', '<=', nowMs)
    .returning(['kind', 'subjectId', 'callId'])
    .execute();
}

/** Has the due notices of a recipient wait. */
export async function holdNotices(tx: Db, { businessId, target }: DueGroup, nowMs: number, untilMs: number) {
  await tx
    .updateTable('notices')
    .set({ dueAt: untilMs })
    .where('businessId', '=', businessId)
    .where('target', '=', target)
    .where('messageId', 'is', null)
    .where('dueAt', '<=', nowMs)
    .execute();
}

/** Forgets what waits for a recipient whom the business tells no more. */
export async function dropNotices(tx: Db, { businessId, target }: DueGroup): Promise<void> {
  await tx
    .deleteFrom('notices')
    .where('businessId', '=', businessId)
    .where('target', '=', target)
    .where('messageId', 'is', null)
    .execute();
}

/** Notices of a message, oldest first. */
export function noticesOf(
  db: Db,
  messageId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<NoticeTable[]> {
  return db
    .selectFrom('notices')
    .selectAll()
    .where('messageId', '=', messageId)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** The language of the business's newest agent, BCP 47; null if it has none. */
export async function languageOfBusiness(db: Db, accountId: string, businessId: string): Promise<string | null> {
  const row = await db
    .selectFrom('campaigns')
    .innerJoin('agents', 'agents.id', 'campaigns.agentId')
    .select('agents.language')
    .where('campaigns.accountId', '=', accountId)
    .where('campaigns.businessId', '=', businessId)
    .where('campaigns.deletedAt', 'is', null)
    .orderBy('campaigns.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.language ?? null;
}
