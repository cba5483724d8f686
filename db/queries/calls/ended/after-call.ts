// The remaining work for an ended call and its result: its summary by the model, its recording as MP3.
import type { TranscriptEntry } from '../../../records/resources.ts';
import type { CallTable } from '../../../schema/call-columns.ts';
import type { Db } from '../../../schema.ts';

interface AfterCallWork {
  accountId: string;
  isAnswered: boolean;
  transcript: TranscriptEntry[];
  tags: string[];
  /** The WAV named in the row; null if it names none or an MP3. */
  wavPath: string | null;
  /** Where the recording is: db/domain/calls/recording-state.ts. */
  recordingState: string | null;
  wantsMp3: boolean;
}

/** Null for a running or missing call. */
export async function afterCallWork(db: Db, callId: string): Promise<AfterCallWork | null> {
  const row = await db
    .selectFrom('calls')
    .leftJoin('campaigns', 'campaigns.id', 'calls.campaignId')
    .select([
      'calls.accountId',
      'calls.answeredAt',
      'calls.transcript',
      'calls.tags',
      'calls.recordingPath',
      'calls.recordingFormat',
      'calls.recordingState',
      'campaigns.recordingFormat as wanted',
    ])
    .where('calls.id', '=', callId)
    .where('calls.endedAt', 'is not', null)
    .executeTakeFirst();
  if (!row) return null;
  return {
    accountId: row.accountId,
    isAnswered: row.answeredAt !== null,
    transcript: JSON.parse(row.transcript) as TranscriptEntry[],
    tags: JSON.parse(row.tags) as string[],
    wavPath: row.recordingFormat === 'wav' ? row.recordingPath : null,
    recordingState: row.recordingState,
    wantsMp3: row.wanted === 'mp3',
  };
}

/**
 * Calls since `sinceMs` whose WAV should have become an MP3, oldest first: left over from a stop or a crash. `state`
 * is that of recordings on this disk; those on another engine's are left to it.
 */
export function unencodedCalls(
  db: Db,
  sinceMs: number,
  limit: number,
  state: string | null,
): Promise<Array<{ id: string; accountId: string }>> {
  return db
    .selectFrom('campaigns')
    .innerJoin('calls', (join) =>
      join.onRef('calls.accountId', '=', 'campaigns.accountId').onRef('calls.campaignId', '=', 'campaigns.id'),
    )
    .select(['calls.id', 'calls.accountId'])
    .where('campaigns.recordingFormat', '=', 'mp3')
    .where('calls.startedAt', '>=', sinceMs)
    .where('calls.endedAt', 'is not', null)
    .where('calls.recordingFormat', '=', 'wav')
    .where('calls.recordingState', state === null ? 'is' : '=', state)
    .orderBy('calls.startedAt')
    .limit(limit)
    .execute();
}

/** The model's summary, sentiment and tags replace the rule-based ones after the call, silently. */
export async function replaceSummary(
  db: Db,
  args: { callId: string; summary: string; sentiment: CallTable['sentiment']; tags: string[] },
): Promise<void> {
  await db
    .updateTable('calls')
    .set({ summary: args.summary, sentiment: args.sentiment, tags: JSON.stringify(args.tags) })
    .where('id', '=', args.callId)
    .where('erasedAt', 'is', null)
    .execute();
}

/**
 * Stores the path of the MP3, which replaces the WAV, or null if the recording is lost. False if the call has been
 * erased: the caller must then remove the file.
 */
export async function replaceRecording(
  db: Db,
  args: { callId: string; path: string | null; format: 'wav' | 'mp3' },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('calls')
    .set({ recordingPath: args.path, recordingFormat: args.format })
    .where('id', '=', args.callId)
    .where('erasedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
