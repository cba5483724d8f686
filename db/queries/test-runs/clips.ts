// The audio of calls that are kept as tests: the caller's sentences, each the property of its case, and gone with the
// call that it is from.
import type { TestClipTable } from '../../schema/test-suites.ts';
import type { Db } from '../../schema.ts';

export async function insertClips(db: Db, rows: readonly TestClipTable[]): Promise<void> {
  // One after the other: together they are more than a statement may have.
  for (const row of rows) await db.insertInto('testClips').values(row).execute();
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
      const bytes = Uint8Array.from(audio);
      return [position, { sampleRateHz, samples: new Int16Array(bytes.buffer, 0, bytes.length >> 1) }];
    }),
  );
}

/** In a transaction: an erased call's words are in no case and no result any more. */
export async function forgetKeptCalls(db: Db, callIds: readonly string[]): Promise<void> {
  if (callIds.length === 0) return;
  const kept = await db.selectFrom('testClips').select('caseId').distinct().where('callId', 'in', callIds).execute();
  const caseIds = kept.map(({ caseId }) => caseId);
  if (caseIds.length === 0) return;
  await db.deleteFrom('testResults').where('caseId', 'in', caseIds).execute();
  await db.deleteFrom('testClips').where('caseId', 'in', caseIds).execute();
  await db.deleteFrom('testCases').where('id', 'in', caseIds).execute();
}
