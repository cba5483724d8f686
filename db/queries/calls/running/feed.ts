// The live feed: an append-only table from which the API serves live views, and from which the transcript of a call
// that its process lost is made again.

import type { TranscriptEntry } from '../../../records/resources.ts';
import type { CallFeedTable } from '../../../schema/calls.ts';
import type { Db } from '../../../schema.ts';
import { compiledStatement, runText } from '../../../statements/compiled-statement.ts';

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
  return transcriptOf(rows);
}

/** Of entries of a transcript, in the order in which they were written: each turn once, by its first word. */
function transcriptOf(rows: ReadonlyArray<Pick<CallFeedTable, 'data'>>): TranscriptEntry[] {
  // A continued turn is written again, whole, with the same start: the last entry counts.
  const entries = new Map<string, TranscriptEntry>();
  for (const row of rows) {
    const entry = JSON.parse(row.data) as TranscriptEntry;
    entries.set(`${entry.speaker} ${entry.line ?? ''} ${entry.timestamp}`, entry);
  }
  return [...entries.values()].sort((a, b) => a.timestamp - b.timestamp);
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

/** Adds an entry that live views show while the call runs. */
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
