// The live feed: an append-only table from which the API serves live views and recovery rebuilds a transcript after a
// crash.

import type { TranscriptEntry } from '../../../records/resources.ts';
import type { CallFeedTable } from '../../../schema/calls.ts';
import type { Db } from '../../../schema.ts';
import { compiledStatement } from '../../../statements/compiled-statement.ts';

/** One row; only `endCall` writes `ended`. */
export async function addFeed(
  db: Db,
  row: {
    accountId: string;
    callId: string;
    type: 'transcript' | 'state' | 'latency' | 'ended';
    data: unknown;
    nowMs: number;
  },
): Promise<void> {
  const { data, nowMs, ...of } = row;
  await insertFeed(db, { ...of, data: JSON.stringify(data), createdAt: nowMs });
}

type FeedRow = { [K in 'accountId' | 'callId' | 'type' | 'data' | 'createdAt']: CallFeedTable[K] };

const insertFeed = compiledStatement((db, row: FeedRow) =>
  db.insertInto('callFeed').values({
    accountId: row.accountId,
    callId: row.callId,
    type: row.type,
    data: row.data,
    createdAt: row.createdAt,
  }),
);

/** The transcript so far, from the feed. */
export async function feedTranscript(db: Db, callId: string): Promise<TranscriptEntry[]> {
  const rows = await db
    .selectFrom('callFeed')
    .select('data')
    .where('callId', '=', callId)
    .where('type', '=', 'transcript')
    .orderBy('seq')
    .execute();
  // A continued turn is written again, whole, with the same start: the last entry counts.
  const entries = new Map<string, TranscriptEntry>();
  for (const row of rows) {
    const entry = JSON.parse(row.data) as TranscriptEntry;
    entries.set(`${entry.speaker} ${entry.line ?? ''} ${entry.timestamp}`, entry);
  }
  return [...entries.values()].sort((a, b) => a.timestamp - b.timestamp);
}

/** Adds entries that live views show while the call runs; recovery rebuilds a lost transcript from them. */
export async function appendFeed(
  db: Db,
  args: { accountId: string; callId: string; type: 'transcript' | 'state' | 'latency'; data: unknown; nowMs: number },
): Promise<void> {
  await addFeed(db, args);
}

/** Feed rows older than a day are deleted in batches. */
export async function pruneFeed(db: Db, args: { beforeMs: number; limit: number }): Promise<number> {
  const old = await db
    .selectFrom('callFeed')
    .select('seq')
    .where('createdAt', '<', args.beforeMs)
    .orderBy('createdAt')
    .limit(args.limit)
    .execute();
  if (old.length === 0) return 0;
  await db
    .deleteFrom('callFeed')
    .where(
      'seq',
      'in',
      old.map((row) => row.seq),
    )
    .execute();
  return old.length;
}
