// Recordings of simulations: what was said and heard in a case of a run, as an MP3 of both sides. An account keeps the
// newest ones; each goes with its result.
import type { TestRecordingTable } from '../../schema/test-suites.ts';
import type { Db } from '../../schema.ts';

/** Of an account, together: seven hours. */
const BYTES_KEPT = 100_000_000;

/** In a transaction. The oldest of the account go where they are too long together. */
export async function keepRecording(db: Db, row: TestRecordingTable, bytesKept = BYTES_KEPT): Promise<void> {
  await db.insertInto('testRecordings').values(row).execute();
  const kept = await db
    .selectFrom('testRecordings')
    .select(['resultId', 'bytes'])
    .where('accountId', '=', row.accountId)
    .orderBy('createdAt', 'desc')
    .orderBy('resultId', 'desc')
    .execute();
  let total = 0;
  for (const { resultId, bytes } of kept) {
    total += bytes;
    if (total <= bytesKept) continue;
    await db.updateTable('testResults').set({ recording: null }).where('id', '=', resultId).execute();
    await db.deleteFrom('testRecordings').where('resultId', '=', resultId).execute();
  }
}

export const findRecordingOfResult = (
  db: Db,
  accountId: string,
  resultId: string,
): Promise<TestRecordingTable | undefined> =>
  db
    .selectFrom('testRecordings')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('resultId', '=', resultId)
    .executeTakeFirst();
