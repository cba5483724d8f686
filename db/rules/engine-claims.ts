// The engine's side of the API's requests: claims them durably, answers them, or expires late ones.

import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { endUndialledCall } from '../queries/calls/life.ts';
import type { EngineRequestKind, EngineRequestTable } from '../schema/processes.ts';
import type { Db, Schema } from '../schema.ts';
import { newId } from '../shared/id.ts';

export type ClaimedRequest = Pick<
  EngineRequestTable,
  'id' | 'accountId' | 'kind' | 'callId' | 'target' | 'payload' | 'createdAt'
>;

/** A call that was given to an engine is dialled within so long, or never. */
export const GIVEN_EXPIRES_MS = 10_000;
/** An engine takes what it is given within milliseconds; one that has not within two seconds is cut off, or gone. */
const TAKEN_WITHIN_MS = 2_000;

/**
 * A call without an engine waits for the one that places calls; anything else without one, for the first. A call that
 * was given to an engine which takes none any more, or does not take it, is placed anew: nobody has dialled what nobody
 * has claimed.
 */
const isFor =
  (engineId: string, places: boolean, nowMs: number) =>
  (eb: ExpressionBuilder<Schema, 'engineRequests'>): Expression<SqlBool> => {
    const own = eb('target', '=', engineId);
    const free = eb('target', 'is', null);
    if (!places) return eb.or([own, eb.and([free, eb('kind', '!=', 'dial')])]);
    const leaving = eb
      .selectFrom('engines')
      .select('engines.id')
      .where('engines.state', 'in', ['draining', 'stopped', 'dead']);
    const isLate = eb('expiresAt', '<', nowMs + GIVEN_EXPIRES_MS - TAKEN_WITHIN_MS);
    return eb.or([own, free, eb.and([eb('kind', '=', 'dial'), eb.or([isLate, eb('target', 'in', leaving)])])]);
  };

/**
 * Claims open requests for this engine: its own, and those that any engine may take. A `dial` becomes a durable
 * attempt here, before its INVITE: after a crash it counts as made and is never dialled again.
 */
export async function claimRequests(
  db: Db,
  args: {
    engineId: string;
    nowMs: number;
    limit: number;
    kinds?: EngineRequestKind[];
    /** Whether it takes calls that have no engine yet. */
    places: boolean;
  },
): Promise<ClaimedRequest[]> {
  const found = await db
    .selectFrom('engineRequests')
    .select(['id', 'accountId', 'kind', 'callId', 'target', 'payload', 'createdAt'])
    .where('claimedAt', 'is', null)
    .where('doneAt', 'is', null)
    .where('expiresAt', '>', args.nowMs)
    .where(isFor(args.engineId, args.places, args.nowMs))
    .$if(args.kinds !== undefined, (query) => query.where('kind', 'in', args.kinds ?? []))
    .orderBy('createdAt')
    .limit(args.limit)
    .execute();
  const claimed: ClaimedRequest[] = [];
  for (const row of found) {
    const request = { ...row, target: row.target === args.engineId ? row.target : null };
    const { numUpdatedRows } = await db
      .updateTable('engineRequests')
      .set({
        claimedAt: args.nowMs,
        claimedBy: args.engineId,
        ...(request.target === row.target ? {} : { target: null }),
      })
      .where('id', '=', request.id)
      .where('claimedAt', 'is', null)
      .where('doneAt', 'is', null)
      .executeTakeFirst();
    // Withdrawn meanwhile, or another engine was faster.
    if (numUpdatedRows === 0n) continue;
    claimed.push(request);
    if (request.callId === null || (request.kind !== 'dial' && request.kind !== 'web-call')) continue;
    // A call that was given to this engine is its own already, and has its attempt.
    if (request.kind === 'dial' && request.target !== null) continue;
    const call = await db
      .updateTable('calls')
      .set({ engineId: args.engineId })
      .where('id', '=', request.callId)
      .where('endedAt', 'is', null)
      .returning(['campaignId', 'contactId', 'toNumber'])
      .executeTakeFirst();
    // One that was given to another engine has its attempt.
    if (call && request.kind === 'dial' && !(await hasAttempt(db, request.callId))) {
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
  return claimed;
}

/** Whether `claimRequests` might find anything: a read without the write lock. */
export async function hasOpenRequests(
  db: Db,
  { engineId, places, nowMs }: { engineId: string; places: boolean; nowMs: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('engineRequests')
    .select('id')
    .where('claimedAt', 'is', null)
    .where('doneAt', 'is', null)
    .where(isFor(engineId, places, nowMs))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Calls that this engine has claimed to dial, and that may still be dialled. */
export function claimedDials(db: Db, args: { engineId: string; nowMs: number }): Promise<ClaimedRequest[]> {
  return db
    .selectFrom('engineRequests')
    .select(['id', 'accountId', 'kind', 'callId', 'target', 'payload', 'createdAt'])
    .where('kind', '=', 'dial')
    .where('claimedBy', '=', args.engineId)
    .where('doneAt', 'is', null)
    .where('expiresAt', '>', args.nowMs)
    .execute();
}

async function hasAttempt(db: Db, callId: string): Promise<boolean> {
  const attempt = await db
    .selectFrom('dialAttempts')
    .select('id')
    .where('callId', '=', callId)
    .limit(1)
    .executeTakeFirst();
  return attempt !== undefined;
}

/** Gives a call that was claimed here to another engine, which finds it as a request of its own. */
export async function giveRequest(
  db: Db,
  args: { id: string; callId: string; engineId: string; expiresAt: number },
): Promise<void> {
  await db
    .updateTable('engineRequests')
    .set({ target: args.engineId, claimedAt: null, claimedBy: null, expiresAt: args.expiresAt })
    .where('id', '=', args.id)
    .where('doneAt', 'is', null)
    .execute();
  await db
    .updateTable('calls')
    .set({ engineId: args.engineId })
    .where('id', '=', args.callId)
    .where('endedAt', 'is', null)
    .execute();
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
interface ExpiredCall {
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
