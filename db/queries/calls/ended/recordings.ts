// Where the recordings of ended calls are: on an engine's disk, or in the object store.
import { type ExpressionBuilder, sql } from 'kysely';
import { LOST, STORED } from '../../../domain/calls/recording-state.ts';
import type { CallTable } from '../../../schema/call-columns.ts';
import type { Db, Schema } from '../../../schema.ts';
import { addFileDeletions } from '../../files/deletions.ts';

/** As the index `calls_unstored` says it: a parameter in its place would not use it. */
const isUnstored = (_: ExpressionBuilder<Schema, 'calls'>) =>
  sql<boolean>`recording_state <> 'stored' and recording_state <> 'lost'`;

export interface UnstoredRecording {
  id: string;
  accountId: string;
  recordingPath: string;
  /** The call ended with its engine: nobody may have finished the file. */
  isCutOff: boolean;
}

/** Recordings of ended calls that are on this disk only, oldest first. */
export async function unstoredRecordings(
  db: Db,
  { state, limit }: { state: string; limit: number },
): Promise<UnstoredRecording[]> {
  const rows = await db
    .selectFrom('calls')
    .select(['id', 'accountId', 'recordingPath', 'endReason'])
    .where(isUnstored)
    .where('recordingState', '=', state)
    .where('endedAt', 'is not', null)
    .where('recordingPath', 'is not', null)
    .where('erasedAt', 'is', null)
    .orderBy('startedAt')
    .limit(limit)
    .execute();
  return rows.flatMap(({ recordingPath, endReason, ...row }) =>
    recordingPath === null ? [] : [{ ...row, recordingPath, isCutOff: endReason === 'crash' }],
  );
}

/** How many recordings of ended calls wait for the object store, on the disk of one engine or (null) of any. */
export async function waitingRecordings(
  db: Db,
  state: string | null,
): Promise<{ count: number; oldestAt: number | null }> {
  const row = await db
    .selectFrom('calls')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('endedAt').as('oldestAt')])
    .where(isUnstored)
    .$if(state !== null, (query) => query.where('recordingState', '=', state))
    .where('endedAt', 'is not', null)
    .where('recordingPath', 'is not', null)
    .where('erasedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return { count: Number(row.count), oldestAt: row.oldestAt ?? null };
}

/** The recording is in the object store. False if the call has been erased: the caller must delete it there. */
export async function storeRecording(db: Db, args: { callId: string; key: string; bytes: number }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('calls')
    .set({ recordingState: STORED, recordingKey: args.key, recordingBytes: args.bytes })
    .where('id', '=', args.callId)
    .where('erasedAt', 'is', null)
    .where('recordingPath', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The recording was lost before it was stored: the call names none any more. */
export async function loseRecording(db: Db, args: { callId: string }): Promise<void> {
  await db
    .updateTable('calls')
    .set({ recordingState: LOST, recordingPath: null, recordingFormat: null })
    .where('id', '=', args.callId)
    .where('erasedAt', 'is', null)
    .execute();
}

/** Of these calls, those whose file on the disk is needed no more, and why. */
export async function settledRecordings(db: Db, callIds: readonly string[]): Promise<Map<string, 'stored' | 'erased'>> {
  if (callIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('calls')
    .select(['id', 'erasedAt'])
    .where('id', 'in', callIds)
    .where((eb) => eb.or([eb('recordingState', '=', STORED), eb('erasedAt', 'is not', null)]))
    .execute();
  return new Map(rows.map(({ id, erasedAt }) => [id, erasedAt === null ? 'stored' : 'erased']));
}

export type RecordingRow = Pick<
  CallTable,
  'id' | 'endedAt' | 'erasedAt' | 'recordingPath' | 'recordingState' | 'recordingKey' | 'recordingBytes'
>;

const RECORDING_COLUMNS = [
  'id',
  'endedAt',
  'erasedAt',
  'recordingPath',
  'recordingState',
  'recordingKey',
  'recordingBytes',
] as const;

export async function recordingsOfCalls(db: Db, callIds: readonly string[]): Promise<Map<string, RecordingRow>> {
  if (callIds.length === 0) return new Map();
  const rows = await db.selectFrom('calls').select(RECORDING_COLUMNS).where('id', 'in', callIds).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Recordings in the object store, by the ids of their calls. */
export function storedRecordings(
  db: Db,
  { afterId, limit }: { afterId: string; limit: number },
): Promise<RecordingRow[]> {
  return db
    .selectFrom('calls')
    .select(RECORDING_COLUMNS)
    .where('recordingState', '=', STORED)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** From now on an erasure waits until the recording is stored. False if it is not there to be stored. */
export async function claimRecording(db: Db, args: { callId: string; state: string }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('calls')
    .set({ recordingState: args.state })
    .where('id', '=', args.callId)
    .where('erasedAt', 'is', null)
    .where('recordingPath', 'is not', null)
    .where((eb) => eb.or([eb('recordingState', 'is', null), eb('recordingState', '!=', STORED)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The recording is on the disk again, and its file in the store to be deleted. False if the call has been erased. */
export async function takeBackRecording(
  db: Db,
  args: { callId: string; key: string; path: string; state: string | null; nowMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('calls')
    .set({ recordingState: args.state, recordingKey: null, recordingBytes: null, recordingPath: args.path })
    .where('id', '=', args.callId)
    .where('recordingKey', '=', args.key)
    .where('erasedAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await addFileDeletions(db, [args.key], { nowMs: args.nowMs });
  return true;
}

/** The disks with recordings of ended calls that are not in the object store. */
export async function disksWithRecordings(db: Db): Promise<Array<{ state: string; count: number }>> {
  const rows = await db
    .selectFrom('calls')
    .select(({ fn }) => ['recordingState as state', fn.countAll<number>().as('count')])
    .where(isUnstored)
    .where('endedAt', 'is not', null)
    .where('recordingPath', 'is not', null)
    .groupBy('recordingState')
    .orderBy('recordingState')
    .execute();
  return rows.flatMap(({ state, count }) => (state === null ? [] : [{ state, count: Number(count) }]));
}

/** The disk is gone for good: calls with recordings there name none any more. Returns their number. */
export async function loseDisk(db: Db, state: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('calls')
    .set({ recordingState: LOST, recordingPath: null, recordingFormat: null })
    .where('recordingState', '=', state)
    .where('endedAt', 'is not', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
