// The API's side of its requests to the engine: the requests, and whether they were taken.

import type { EngineRequestKind, EngineRequestTable } from '../../schema/processes.ts';
import type { Db } from '../../schema.ts';
import { newId } from '../../shared/id.ts';

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
