// Requests of the API as the engine takes them: claimed durably, answered, or expired when not taken in time.

import type { EngineRequestKind, EngineRequestTable } from '../schema/processes.ts';
import { newId } from '../shared/id.ts';
import type { Db } from '../sqlite.ts';
import { endUndialledCall } from './call-life.ts';

export type ClaimedRequest = Pick<EngineRequestTable, 'id' | 'accountId' | 'kind' | 'callId' | 'payload' | 'createdAt'>;

/**
 * Takes open requests for this engine. A `dial` becomes a durable attempt here, before its INVITE: after a crash it counts
 * as made and is never sent again.
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

/** The answer to a request, for the API that waits for it. */
export async function finishRequest(db: Db, args: { id: string; result: unknown; nowMs: number }): Promise<void> {
  await db
    .updateTable('engineRequests')
    .set({ doneAt: args.nowMs, result: JSON.stringify(args.result) })
    .where('id', '=', args.id)
    .execute();
}

/** A request not taken in time ends FAILED (`expired`) and is never carried out. Either process may call it. */
export async function expireRequests(db: Db, args: { nowMs: number; limit: number }): Promise<number> {
  const late = await db
    .selectFrom('engineRequests')
    .select(['id', 'kind', 'callId'])
    .where('claimedAt', 'is', null)
    .where('doneAt', 'is', null)
    .where('expiresAt', '<=', args.nowMs)
    .limit(args.limit)
    .execute();
  for (const request of late) {
    await finishRequest(db, { id: request.id, result: { error: 'expired' }, nowMs: args.nowMs });
    if (request.callId !== null && (request.kind === 'dial' || request.kind === 'web-call')) {
      await endUndialledCall(db, { callId: request.callId, endReason: 'expired', nowMs: args.nowMs });
    }
  }
  return late.length;
}
