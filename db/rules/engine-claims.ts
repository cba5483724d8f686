// The engine's side of the API's requests: claims them durably, answers them, or expires late ones.

import { endUndialledCall } from '../queries/calls/life.ts';
import type { EngineRequestKind, EngineRequestTable } from '../schema/processes.ts';
import type { Db } from '../schema.ts';
import { newId } from '../shared/id.ts';

export type ClaimedRequest = Pick<EngineRequestTable, 'id' | 'accountId' | 'kind' | 'callId' | 'payload' | 'createdAt'>;

/**
 * Claims open requests for this engine. A `dial` becomes a durable attempt here, before its INVITE: after a crash it
 * counts as made and is never dialled again.
 */
export async function claimRequests(
  db: Db,
  args: { engineId: string; nowMs: number; limit: number; kinds?: EngineRequestKind[] },
): Promise<ClaimedRequest[]> {
  const open = await db
    .selectFrom('engineRequests')
    .select(['id', 'accountId', 'kind', 'callId', 'payload', 'createdAt'])
    .where('claimedAt', 'is', null)
    .where('doneAt', 'is', null)
    .where('expiresAt', '>', args.nowMs)
    .$if(args.kinds !== undefined, (query) => query.where('kind', 'in', args.kinds ?? []))
    .orderBy('createdAt')
    .limit(args.limit)
    .execute();
  for (const request of open) {
    await db
      .updateTable('engineRequests')
      .set({ claimedAt: args.nowMs, claimedBy: args.engineId })
      .where('id', '=', request.id)
      .execute();
    if (request.callId === null || (request.kind !== 'dial' && request.kind !== 'web-call')) continue;
    const call = await db
      .updateTable('calls')
      .set({ engineId: args.engineId })
      .where('id', '=', request.callId)
      .where('endedAt', 'is', null)
      .returning(['campaignId', 'contactId', 'toNumber'])
      .executeTakeFirst();
    if (call && request.kind === 'dial') {
      await db
        .insertInto('dialAttempts')
        .values({
          id: newId('att'),
          accountId: request.accountId,
          callId: request.callId,
          campaignId: call.campaignId,
          contactId: call.contactId,
          toNumber: call.toNumber,
          trunkId: null,
          claimedAt: args.nowMs,
          endedAt: null,
          outcome: null,
        })
        .execute();
    }
  }
  return open;
}

/** Stores the answer to a request, for the waiting API. */
export async function finishRequest(db: Db, args: { id: string; result: unknown; nowMs: number }): Promise<void> {
  await db
    .updateTable('engineRequests')
    .set({ doneAt: args.nowMs, result: JSON.stringify(args.result) })
    .where('id', '=', args.id)
    .execute();
}

/** A call that no engine took, or no browser joined, in time. */
export interface ExpiredCall {
  callId: string;
  reason: 'expired' | 'not_joined';
}

/**
 * Ends the requests that no engine took in time, oldest first, and ends their calls as FAILED; they are never carried
 * out. Both processes may call it, in a transaction: the first call does the work.
 */
export async function expireRequests(db: Db, args: { nowMs: number; limit: number }): Promise<ExpiredCall[]> {
  const late = await lateRequests(db, args.nowMs)
    .select(['id', 'kind', 'callId'])
    .orderBy('createdAt')
    .limit(args.limit)
    .execute();
  const calls: ExpiredCall[] = [];
  for (const { id, kind, callId } of late) {
    const reason = kind === 'web-call' ? 'not_joined' : 'expired';
    await finishRequest(db, { id, result: { error: reason }, nowMs: args.nowMs });
    if (callId === null || (kind !== 'dial' && kind !== 'web-call')) continue;
    const end = { callId, endReason: reason, nowMs: args.nowMs } as const;
    if (await endUndialledCall(db, end)) calls.push({ callId, reason });
  }
  return calls;
}

const lateRequests = (db: Db, nowMs: number) =>
  db
    .selectFrom('engineRequests')
    .where('claimedAt', 'is', null)
    .where('doneAt', 'is', null)
    .where('expiresAt', '<', nowMs);

/** Whether `expireRequests` would find anything: a read without the write lock. */
export async function hasLateRequests(db: Db, nowMs: number): Promise<boolean> {
  return (await lateRequests(db, nowMs).select('id').limit(1).executeTakeFirst()) !== undefined;
}
