// Calls that are to be placed at a time (db/rules/scheduling.ts). A row is deleted in the transaction that writes its
// call, so each becomes a call once.
import { sql } from 'kysely';
import { type CallResource, callResource } from '../../records/call-record.ts';
import { isoTime } from '../../records/resources.ts';
import { ringingCall } from '../../schema/call-columns.ts';
import type { ScheduledCallTable } from '../../schema/calls.ts';
import type { Db } from '../../schema.ts';

export interface ScheduledCall extends Omit<CallResource, 'status'> {
  status: 'SCHEDULED';
  scheduled: {
    at: string;
    by: ScheduledCallTable['requestedBy'];
    /** The call in which the agent was asked for it. */
    inCallId: string | null;
    reason: string | null;
    problem: string | null;
  };
}

type ListedRow = ScheduledCallTable & { callerName: string | null };

/** As clients read it: a call that has not begun. `startedAt` is the time for which it is scheduled. */
export function scheduledResource(row: ListedRow): ScheduledCall {
  const { scheduledAt: nowMs, variables, metadata, inCallId, reason, problem } = row;
  const call = ringingCall({
    ...row,
    contactId: null,
    direction: 'outbound',
    medium: 'sip',
    forwardedFrom: null,
    trunkId: null,
    engineId: null,
    variables: variables ?? '{}',
    metadata: metadata ?? '{}',
    nowMs,
  });
  return {
    ...callResource(call),
    status: 'SCHEDULED',
    scheduled: { at: isoTime(nowMs), by: row.requestedBy, inCallId, reason, problem },
  };
}

/** With the name of the campaign's contact of that number. */
const listed = (db: Db, accountId: string) =>
  db
    .selectFrom('scheduledCalls')
    .leftJoin('contacts', (join) =>
      join
        .onRef('contacts.campaignId', '=', 'scheduledCalls.campaignId')
        .onRef('contacts.phoneNumber', '=', 'scheduledCalls.toNumber'),
    )
    .selectAll('scheduledCalls')
    .select('contacts.name as callerName')
    .where('scheduledCalls.accountId', '=', accountId);

interface ScheduledFilter {
  businessId?: string | undefined;
  campaignId?: string | undefined;
  agentId?: string | undefined;
  phoneNumberId?: string | undefined;
  fromMs?: number | undefined;
  toMs?: number | undefined;
}

const EQUAL = ['businessId', 'campaignId', 'agentId', 'phoneNumberId'] as const;

/** One page of an account's, and how many match. */
export async function listScheduled(
  db: Db,
  accountId: string,
  filter: ScheduledFilter,
  page: { limit: number; offset: number; order: 'asc' | 'desc' },
): Promise<{ records: ScheduledCall[]; total: number }> {
  let matching = listed(db, accountId);
  for (const name of EQUAL) {
    const value = filter[name];
    if (value !== undefined) matching = matching.where(`scheduledCalls.${name}`, '=', value);
  }
  if (filter.fromMs !== undefined) matching = matching.where('scheduledCalls.scheduledAt', '>=', filter.fromMs);
  if (filter.toMs !== undefined) matching = matching.where('scheduledCalls.scheduledAt', '<=', filter.toMs);
  const rows = await matching
    .orderBy('scheduledCalls.scheduledAt', page.order)
    .orderBy('scheduledCalls.id', page.order)
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await matching
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { records: rows.map(scheduledResource), total: Number(total) };
}

export async function getScheduled(db: Db, accountId: string, id: string): Promise<ScheduledCall | null> {
  const row = await listed(db, accountId).where('scheduledCalls.id', '=', id).executeTakeFirst();
  return row === undefined ? null : scheduledResource(row);
}

/** How many wait. */
export async function countScheduled(db: Db, accountId: string): Promise<number> {
  const { total } = await db
    .selectFrom('scheduledCalls')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/**
 * Scheduled calls whose time has come, the longest due first: `each` of an account at most, so that nobody's backlog
 * keeps the others' waiting.
 */
export async function dueScheduled(
  db: Db,
  nowMs: number,
  { each, limit }: { each: number; limit: number },
): Promise<ScheduledCallTable[]> {
  const inTurn = db
    .selectFrom('scheduledCalls')
    .selectAll()
    .select(sql<number>`row_number() over (partition by account_id order by next_try_at, id)`.as('turn'))
    .where('nextTryAt', '<=', nowMs)
    .as('due');
  const rows = await db
    .selectFrom(inTurn)
    .selectAll()
    .where('turn', '<=', each)
    .orderBy('turn')
    .orderBy('nextTryAt')
    .limit(limit)
    .execute();
  return rows.map(({ turn: _, ...row }) => row);
}

/** Takes it out of the list: whoever gets the row writes its call. Undefined: it is gone. */
export function takeScheduled(db: Db, accountId: string, id: string): Promise<ScheduledCallTable | undefined> {
  return db
    .deleteFrom('scheduledCalls')
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .returningAll()
    .executeTakeFirst();
}

/** There was no room for one of a campaign's: those that are due are all tried again then. */
export async function putOffScheduled(
  db: Db,
  {
    accountId,
    campaignId,
    nextTryAt,
    problem,
  }: Pick<ScheduledCallTable, 'accountId' | 'campaignId' | 'nextTryAt' | 'problem'>,
  nowMs: number,
): Promise<void> {
  await db
    .updateTable('scheduledCalls')
    .set({ nextTryAt, problem })
    .where('accountId', '=', accountId)
    .where('campaignId', '=', campaignId)
    .where('nextTryAt', '<=', nowMs)
    .execute();
}
