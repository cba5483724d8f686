// Open calls that an engine has left: which they are, and which engine has them from now on.

import type { Resumption } from '../../../domain/calls/timeline.ts';
import { addEvent } from '../../../outbox.ts';
import type { CallTable } from '../../../schema/call-columns.ts';
import type { Db } from '../../../schema.ts';
import { callRecord, type EventRedaction } from '../life.ts';

/**
 * Another engine goes on with the call (`call.resumed`). False if the call has ended, or is no longer that engine's.
 */
export async function takeOverCall(
  db: Db,
  args: { callId: string; from: string; to: string; resumption: Resumption; nowMs: number } & EventRedaction,
): Promise<boolean> {
  if (!(await takeOrphan(db, args))) return false;
  const { callId, resumption, nowMs } = args;
  const call = await callRecord(db, callId, args.eventRedaction);
  if (call === null) return false;
  const data = { ...call.record, resumption };
  await addEvent(db, {
    accountId: call.accountId,
    type: 'call.resumed',
    subjectId: callId,
    // Of several resumptions while it rang, each is at 0.
    dedupe: String(nowMs),
    data,
    nowMs,
  });
  return true;
}

/** This engine has the call of another one from now on. False if it has ended, or is no longer that engine's. */
export async function takeOrphan(
  db: Db,
  { callId, from, to }: { callId: string; from: string; to: string },
): Promise<boolean> {
  const taken = await takeOrphans(db, { calls: [{ callId, from }], to });
  return taken.length > 0;
}

/** The same of many at once; returns the ids of those that are this engine's now. */
export async function takeOrphans(
  db: Db,
  { calls, to }: { calls: ReadonlyArray<{ callId: string; from: string }>; to: string },
): Promise<string[]> {
  const taken: string[] = [];
  for (const [from, left] of Map.groupBy(calls, (call) => call.from)) {
    const rows = await db
      .updateTable('calls')
      .set({ engineId: to })
      .where(
        'id',
        'in',
        left.map(({ callId }) => callId),
      )
      .where('engineId', '=', from)
      .where('endedAt', 'is', null)
      .returning('id')
      .execute();
    taken.push(...rows.map(({ id }) => id));
  }
  return taken;
}

export interface OpenCallRow {
  call: Pick<
    CallTable,
    | 'id'
    | 'engineId'
    | 'accountId'
    | 'campaignId'
    | 'contactId'
    | 'direction'
    | 'medium'
    | 'answeredAt'
    | 'recordingPath'
    | 'recordingState'
    | 'startedAt'
  >;
  dialogs: Array<{ leg: string; dialog: string }>;
}

/** Calls that engines left open when they ended, with the dialogs that are needed to end them. */
export async function listOrphanedCalls(
  db: Db,
  args: {
    engineId: string;
    limit: number;
    /** If set: the open calls of this engine instead. */
    own?: boolean;
  },
): Promise<OpenCallRow[]> {
  const calls = await db
    .selectFrom('calls')
    .select([
      'id',
      'engineId',
      'accountId',
      'campaignId',
      'contactId',
      'direction',
      'medium',
      'answeredAt',
      'recordingPath',
      'recordingState',
      'startedAt',
    ])
    .where('endedAt', 'is', null)
    .where('engineId', 'is not', null)
    .where('engineId', args.own ? '=' : '!=', args.engineId)
    .$if(args.own !== true, (query) =>
      query.where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('engines')
              .select('engines.id')
              .whereRef('engines.id', '=', 'calls.engineId')
              .where('engines.state', 'in', ['starting', 'up', 'draining']),
          ),
        ),
      ),
    )
    // A call that an engine was given and has not taken is placed anew, or expires (db/rules/engine-claims.ts).
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('engineRequests')
            .select('engineRequests.id')
            .whereRef('engineRequests.callId', '=', 'calls.id')
            .where('engineRequests.kind', '=', 'dial')
            .where('engineRequests.claimedAt', 'is', null)
            .where('engineRequests.doneAt', 'is', null),
        ),
      ),
    )
    .limit(args.limit)
    .execute();
  const dialogs = calls.length
    ? await db
        .selectFrom('callDialogs')
        .selectAll()
        .where(
          'callId',
          'in',
          calls.map((call) => call.id),
        )
        .execute()
    : [];
  return calls.map((call) => ({ call, dialogs: dialogs.filter((dialog) => dialog.callId === call.id) }));
}
