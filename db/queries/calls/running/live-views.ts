// Which running calls somebody watches, as the API says, and what is being said on them, as the engine answers. A row
// ends with its call, or a minute after the last view of it.
import type { TranscriptEntry } from '../../../records/resources.ts';
import type { Db } from '../../../schema.ts';

const KEPT_MS = 60_000;

/** The call is watched until `untilMs`; nothing happens if it has ended. */
export async function watchCall(db: Db, accountId: string, callId: string, untilMs: number): Promise<void> {
  await db
    .insertInto('liveViews')
    .columns(['callId', 'accountId', 'watchedUntil'])
    .expression(
      db
        .selectFrom('calls')
        .select((eb) => ['id', 'accountId', eb.val(untilMs).as('watchedUntil')])
        .where('id', '=', callId)
        .where('accountId', '=', accountId)
        .where('endedAt', 'is', null),
    )
    .onConflict((conflict) => conflict.column('callId').doUpdateSet({ watchedUntil: untilMs }))
    .execute();
}

/** The watched calls of all accounts. */
export function watchedCalls(db: Db, nowMs: number): Promise<Array<{ callId: string; watchedUntil: number }>> {
  return db.selectFrom('liveViews').select(['callId', 'watchedUntil']).where('watchedUntil', '>', nowMs).execute();
}

/** Replaces the words that are being said on the call; nothing happens if nobody watches it. */
export async function writeWords(
  db: Db,
  args: { accountId: string; callId: string; words: readonly TranscriptEntry[] },
): Promise<void> {
  await db
    .updateTable('liveViews')
    .set((eb) => ({ words: JSON.stringify(args.words), version: eb('version', '+', 1) }))
    .where('callId', '=', args.callId)
    .where('accountId', '=', args.accountId)
    .execute();
}

interface WordsOfCall {
  callId: string;
  /** Changes with the words. */
  version: number;
  words: TranscriptEntry[];
}

/** The words of these calls, where some were told. */
export async function wordsOf(db: Db, callIds: readonly string[]): Promise<WordsOfCall[]> {
  if (callIds.length === 0) return [];
  const rows = await db
    .selectFrom('liveViews')
    .select(['callId', 'version', 'words'])
    .where('callId', 'in', callIds)
    .where('words', 'is not', null)
    .execute();
  return rows.map(({ callId, version, words }) => ({
    callId,
    version,
    words: JSON.parse(words ?? '[]') as TranscriptEntry[],
  }));
}

/** The call has ended, or is erased. */
export async function deleteViews(db: Db, callIds: readonly string[]): Promise<void> {
  await db.deleteFrom('liveViews').where('callId', 'in', callIds).execute();
}

/** Removes the rows that nobody has renewed for a minute. */
export async function pruneViews(db: Db, { nowMs }: { nowMs: number }): Promise<void> {
  const old = await db
    .selectFrom('liveViews')
    .select('callId')
    .where('watchedUntil', '<', nowMs - KEPT_MS)
    .execute();
  if (old.length > 0)
    await deleteViews(
      db,
      old.map(({ callId }) => callId),
    );
}
