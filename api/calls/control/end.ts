// Ends calls: at a client's request, or because no engine took them in time.

import { setTimeout as delay } from 'node:timers/promises';
import { endUndialledCall } from '../../../db/queries/calls/life.ts';
import { insertEngineRequest, withdrawCallRequest } from '../../../db/queries/engine/engine-requests.ts';
import { listEngines } from '../../../db/queries/engine/engines.ts';
import type { CallResource } from '../../../db/records/call-record.ts';
import { expireRequests, hasLateRequests } from '../../../db/rules/engine-claims.ts';
import { transact } from '../../../db/scope.ts';
import type { ApiContext } from '../../context.ts';
import { engineDown, refused } from '../../frame/errors.ts';
import { notRunning } from '../../peers/engines.ts';
import { cancelScheduled } from '../place/scheduled.ts';
import { callRow, readCall } from '../service.ts';

/** Longest wait of the answer for the engine's end of the call. */
const END_WAIT_MS = 2_000;
/** Interval of reading the row, shorter than the duration of a BYE. */
const END_POLL_MS = 20;
const END_EXPIRES_MS = 30_000;
const EXPIRED_PER_RUN = 200;

/** @throws {ApiError} 409 for a call that has ended, 503 while no engine holds it */
export async function endCall(context: ApiContext, accountId: string, id: string): Promise<CallResource> {
  const nowMs = context.now();
  const ended = await transact(context.db, { calls: [id] }, async (trx) => {
    if (await cancelScheduled(trx, accountId, id, nowMs)) return true;
    const row = await callRow(trx, accountId, id);
    if (row.endedAt !== null) throw refused('CALL_ENDED', 'Call has ended');
    // A call that no engine has taken yet is ended here and never dialled.
    if (await withdrawCallRequest(trx, accountId, id, nowMs, 'cancelled')) {
      return endUndialledCall(trx, { callId: id, endReason: 'api', nowMs });
    }
    const engines = await listEngines(trx);
    const owner = engines.find((engine) => engine.id === row.engineId);
    // A call of an engine that has ended is closed by its successor.
    const engine = owner ?? engines[0];
    const reason =
      engine === undefined ? 'The engine has not started yet' : notRunning(engine, nowMs + context.skewMs());
    if (reason !== null) throw engineDown(reason);
    await insertEngineRequest(trx, accountId, {
      kind: 'end-call',
      callId: id,
      target: owner?.id ?? null,
      payload: { callId: id },
      nowMs,
      expiresAt: nowMs + END_EXPIRES_MS,
    });
    return false;
  });
  for (let waited = 0; !ended && waited < END_WAIT_MS; waited += END_POLL_MS) {
    await delay(END_POLL_MS);
    if ((await callRow(context.read, accountId, id)).endedAt !== null) break;
  }
  return readCall(context.read, accountId, id);
}

/** Ends calls that no engine took in time as FAILED; no engine takes them afterwards. Returns their number. */
export async function expireCalls(context: ApiContext): Promise<number> {
  const nowMs = context.now();
  if (!(await hasLateRequests(context.read, nowMs))) return 0;
  const expired = await context.db.transaction().execute((tx) => expireRequests(tx, { nowMs, limit: EXPIRED_PER_RUN }));
  for (const { callId, reason } of expired) context.log.warn({ callId, reason }, 'no engine took the call in time');
  return expired.length;
}
