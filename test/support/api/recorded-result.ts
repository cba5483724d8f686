// A result of a run as an engine leaves it behind, with the recording of its conversation.
import { keepRecording } from '../../../db/queries/test-runs/recordings.ts';
import type { TestResultTable } from '../../../db/schema/test-suites.ts';
import type { Db } from '../../../db/schema.ts';
import { newId } from '../../../db/shared/id.ts';

/** `words` are in its conversation and its recording. */
export async function recordedResult(
  db: Db,
  of: Pick<TestResultTable, 'accountId' | 'callId' | 'caseId'> & { words: string; runId?: string; createdAt?: number },
): Promise<string> {
  const { accountId, callId, caseId, words, runId = newId('run'), createdAt = 0 } = of;
  const id = newId('trs');
  const transcript = JSON.stringify([{ role: 'caller', text: words, turn: null }]);
  await db
    .insertInto('testResults')
    .values({
      ...({ kind: 'simulation', status: 'PASSED', recording: 'mp3' } as const),
      ...{ id, accountId, runId, caseId, callId, caseName: 'Kept', position: 0, definition: '{}' },
      ...{ checks: '[]', transcript, error: null, attempts: 1, claimedBy: null, claimUntil: null, durationMs: 1 },
    })
    .execute();
  const audio = Buffer.from(words);
  await keepRecording(db, { resultId: id, accountId, runId, bytes: audio.length, createdAt, audio });
  return id;
}
