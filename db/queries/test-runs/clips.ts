// The audio of calls that are kept as tests: the caller's sentences, each the property of its case, and gone with the
// call that it is from.
import { sql } from 'kysely';
import type { TestClipTable } from '../../schema/test-suites.ts';
import type { Db } from '../../schema.ts';
import { deleteResultsOfCalls } from './runs.ts';

export async function insertClips(db: Db, rows: readonly TestClipTable[]): Promise<void> {
  // One after the other: together they are more than a statement may have.
  for (const row of rows) await db.insertInto('testClips').values(row).execute();
}

/** Of the account's cases, together. */
export async function clipBytes(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('testClips')
    // The length stands beside the audio, which is not read.
    .select(sql<number | null>`sum(length(audio))`.as('bytes'))
    .where('accountId', '=', accountId)
    .where('suiteId', 'in', db.selectFrom('testSuites').select('id').where('accountId', '=', accountId))
    .executeTakeFirstOrThrow();
  return Number(row.bytes ?? 0);
}

interface Clip {
  sampleRateHz: number;
  samples: Int16Array;
}

/** By their position in the case's script. */
export async function clipsOfCase(db: Db, accountId: string, caseId: string): Promise<Map<number, Clip>> {
  const rows = await db
    .selectFrom('testClips')
    .select(['position', 'sampleRateHz', 'audio'])
    .where('accountId', '=', accountId)
    .where('caseId', '=', caseId)
    .execute();
  return new Map(
    rows.map(({ position, sampleRateHz, audio }) => {
      const bytes = new Uint8Array(audio);
      return [position, { sampleRateHz, samples: new Int16Array(bytes.buffer, 0, bytes.length >> 1) }];
    }),
  );
}

/** In a transaction: an erased call's words and voice are in no case, no result and no recording any more. */
export async function forgetKeptCalls(db: Db, callIds: readonly string[], nowMs: number): Promise<void> {
  if (callIds.length === 0) return;
  // By their own column: the case may be deleted, and the call's words be in its results still.
  await deleteResultsOfCalls(db, callIds, nowMs);
  for (const table of ['testClips', 'testCases'] as const)
    await db.deleteFrom(table).where('callId', 'in', callIds).execute();
}
