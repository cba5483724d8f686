// The API's side of its requests to the engine: the requests, whether they were taken, and the feeds of running calls.

import type { CallFeedTable } from '../../schema/calls.ts';
import type { EngineRequestKind, EngineRequestTable } from '../../schema/processes.ts';
import type { Db } from '../../schema.ts';
import { newId } from '../../shared/id.ts';
import { runText } from '../../statements/compiled-statement.ts';

/** Inserts a request, in the transaction of the change that needs it; returns its id. */
export async function insertEngineRequest(
  db: Db,
  accountId: string,
  request: {
    kind: EngineRequestKind;
    callId: string | null;
    /** The engine that is to carry it out; by default any. */
    target?: string | null;
    payload: unknown;
    nowMs: number;
    expiresAt: number;
  },
): Promise<string> {
  const id = newId('req');
  await db
    .insertInto('engineRequests')
    .values({
      id,
      accountId,
      kind: request.kind,
      callId: request.callId,
      target: request.target ?? null,
      payload: JSON.stringify(request.payload),
      createdAt: request.nowMs,
      expiresAt: request.expiresAt,
      claimedAt: null,
      claimedBy: null,
      doneAt: null,
      result: null,
    })
    .execute();
  return id;
}

export function getEngineRequest(db: Db, accountId: string, id: string): Promise<EngineRequestTable | undefined> {
  return db
    .selectFrom('engineRequests')
    .selectAll()
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
}

/** Deletes a request that nobody waits for any more, with what it asked. */
export async function forgetEngineRequest(db: Db, accountId: string, id: string): Promise<void> {
  await db.deleteFrom('engineRequests').where('id', '=', id).where('accountId', '=', accountId).execute();
}

/** Withdraws the request that would begin a call; false when the engine has claimed it. */
export async function withdrawCallRequest(
  db: Db,
  accountId: string,
  callId: string,
  nowMs: number,
  result: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('engineRequests')
    .set({ doneAt: nowMs, result: JSON.stringify({ error: result }) })
    .where('callId', '=', callId)
    .where('accountId', '=', accountId)
    .where('kind', 'in', ['dial', 'web-call'])
    .where('claimedAt', 'is', null)
    .where('doneAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Number of requested calls that no engine has taken: they count against its capacity. */
export async function pendingCallRequests(db: Db, nowMs: number): Promise<number> {
  const { total } = await db
    .selectFrom('engineRequests')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('claimedAt', 'is', null)
    .where('doneAt', 'is', null)
    .where('kind', 'in', ['dial', 'web-call'])
    .where('expiresAt', '>=', nowMs)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** The call's feed after `afterSeq`, oldest first, at most `limit` entries. */
export function callFeed(
  db: Db,
  accountId: string,
  callId: string,
  afterSeq: number,
  limit: number,
): Promise<Array<Pick<CallFeedTable, 'type' | 'data'> & { seq: number }>> {
  return db
    .selectFrom('callFeed')
    .select(['seq', 'type', 'data'])
    .where('callId', '=', callId)
    .where('accountId', '=', accountId)
    .where('seq', '>', afterSeq)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

export type FeedEntry = Pick<CallFeedTable, 'callId' | 'type' | 'data'> & { seq: number };

/**
 * Entries of these calls' feeds, each call's after its own `seq`, at most `limit`: one read for all live views. Calls
 * are written side by side, so one may get an entry below another's; within a call they come in order.
 */
export function feedsAfter(db: Db, seqs: ReadonlyMap<string, number>, limit: number): Promise<FeedEntry[]> {
  return runText<FeedEntry>(
    db,
    'feeds-after',
    ({ members }) =>
      `select call_feed.seq, call_feed.call_id as "callId", call_feed.type, call_feed.data
       from ${members('?')} as watched cross join call_feed
       where call_feed.call_id = watched.key and call_feed.seq > cast(watched.value as bigint)
       order by call_feed.seq limit ?`,
    [JSON.stringify(Object.fromEntries(seqs)), limit],
  );
}

/** The newest entry of the call's feed; 0 if there is none. */
export async function newestFeedSeq(db: Db, callId: string): Promise<number> {
  const row = await db
    .selectFrom('callFeed')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .where('callId', '=', callId)
    .executeTakeFirst();
  return Number(row?.seq ?? 0);
}

/** The account's latest request to download a model's weights. */
export function latestModelDownload(db: Db, accountId: string, name: string): Promise<EngineRequestTable | undefined> {
  return db
    .selectFrom('engineRequests')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('kind', '=', 'model-download')
    .where('payload', '=', JSON.stringify({ name }))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Whether a client has asked for the end of the call, whatever became of that. */
export async function isEndAsked(db: Db, { callId }: { callId: string }): Promise<boolean> {
  const row = await db
    .selectFrom('engineRequests')
    .select('id')
    .where('callId', '=', callId)
    .where('kind', '=', 'end-call')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
