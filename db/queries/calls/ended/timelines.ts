// Timelines of calls: written at the call's end, and measured again on its recording.

import type { CallTimeline } from '../../../domain/calls/timeline.ts';
import type { CallLatency } from '../../../records/resources.ts';
import type { Db } from '../../../schema.ts';

export async function addTimeline(
  db: Db,
  accountId: string,
  { callId, timeline }: { callId: string; timeline: CallTimeline },
): Promise<void> {
  await db
    .insertInto('callTimelines')
    .values({ callId, accountId, data: JSON.stringify(timeline) })
    .execute();
}

/** Null for a call without a timeline. */
export async function findTimeline(db: Db, accountId: string, callId: string): Promise<CallTimeline | null> {
  const row = await db
    .selectFrom('callTimelines')
    .select('data')
    .where('callId', '=', callId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return row ? (JSON.parse(row.data) as CallTimeline) : null;
}

/** Replaces the timeline of the line by the timeline of the recording, without an event. `latency` null: unchanged. */
export async function replaceTimeline(
  db: Db,
  args: { accountId: string; callId: string; latency: CallLatency | null; timeline: CallTimeline },
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('callTimelines')
    .set({ data: JSON.stringify(args.timeline) })
    .where('callId', '=', args.callId)
    .where('accountId', '=', args.accountId)
    .executeTakeFirst();
  // An erased call has none.
  if (numUpdatedRows === 0n || args.latency === null) return;
  await db
    .updateTable('calls')
    .set({ latency: JSON.stringify(args.latency) })
    .where('id', '=', args.callId)
    .where('accountId', '=', args.accountId)
    .where('erasedAt', 'is', null)
    .execute();
}
