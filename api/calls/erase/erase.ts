// DELETE /calls/:id: erases the personal data of a call from the database, its files, and the write-ahead log.

import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { diskOf, isOnDiskOnly, STORED } from '../../../db/domain/calls/recording-state.ts';
import { messageOf } from '../../../db/domain/unexpected.ts';
import { eraseCalls } from '../../../db/queries/calls/ended/erasure.ts';
import { getScheduled } from '../../../db/queries/calls/scheduled.ts';
import type { CallResource } from '../../../db/records/call-record.ts';
import type { CallTable } from '../../../db/schema/call-columns.ts';
import type { Db } from '../../../db/schema.ts';
import { knownDiskId } from '../../../db/shared/files/disk-id.ts';
import { type Files, FilesError } from '../../../db/shared/files/files.ts';
import { truncateLog } from '../../../db/upkeep.ts';
import { audit } from '../../audit/business-log.ts';
import type { ApiContext } from '../../context.ts';
import { refused } from '../../frame/errors.ts';
import { fromEngine, fromStore, storeDown } from '../../frame/files.ts';
import { deleteOnDisk, type EngineDisks } from '../recording/engine-disks.ts';
import { callRow, readCall } from '../service.ts';

/** Longest wait of an answer for the truncation of the log; otherwise the next checkpoints overwrite it. */
const LOG_WAIT_MS = 2_000;
const LOG_POLL_MS = 25;
/** Longest wait of an answer for a recording that is on its way to the object store. */
const STORE_WAIT_MS = 5_000;
const STORE_POLL_MS = 100;

/** @throws {ApiError} 409 while the call runs */
export async function eraseCall(
  context: ApiContext,
  actor: { accountId: string; userId: string },
  id: string,
): Promise<CallResource> {
  const { db, config } = context;
  const { accountId } = actor;
  if ((await getScheduled(context.read, accountId, id)) !== null)
    throw refused('CALL_RUNNING', 'Call has not begun: cancel it first, by POST /calls/:id/end');
  const row = await whenStored(context, await callRow(db, accountId, id));
  if (row.endedAt === null) throw refused('CALL_RUNNING', 'Call has not ended');
  if (row.erasedAt === null) {
    const disks: Disks = { ...context, recordingsDir: config.recordingsDir };
    // Files first: after a crash in between, or while one who has them is away, the call can be erased again.
    await fromStore(context, 'Recording', () => removeStored(context.files, row));
    await fromEngine(context, 'Recording', () => removeElsewhere(disks, row));
    await removeRecording(config.recordingsDir, row);
    await db.transaction().execute(async (trx) => {
      const nowMs = context.now();
      for (const { businessId } of await eraseCalls(trx, accountId, { callIds: [id], nowMs })) {
        await audit(trx, actor, businessId, 'call-erased', { callId: { from: id, to: null } }, nowMs);
      }
    });
    // An MP3 may have been finished in the meantime; from now on the engine removes a finished MP3 itself, and looks
    // at its start and each day for files of erased calls.
    await removeRecording(config.recordingsDir, row);
    await removeElsewhere(disks, row).catch((error: unknown) =>
      context.log.warn({ callId: id, reason: messageOf(error) }, 'an engine may have an MP3 of an erased call'),
    );
    if (!(await cutLog(db, LOG_WAIT_MS))) context.log.warn('could not truncate the write-ahead log: it is in use');
  }
  return readCall(db, accountId, id);
}

/**
 * Waits a moment for a recording that is just being stored: once the file is in the object store, its deletion there is
 * certain. @throws {ApiError} 503 if that takes longer
 */
async function whenStored({ db, files }: ApiContext, row: CallTable): Promise<CallTable> {
  const deadlineMs = performance.now() + STORE_WAIT_MS;
  let latest = row;
  while (files.kind === 's3' && latest.endedAt !== null && isOnDiskOnly(latest.recordingState)) {
    if (performance.now() >= deadlineMs) throw storeDown('The recording is not stored yet');
    await delay(STORE_POLL_MS);
    latest = await callRow(db, row.accountId, row.id);
  }
  return latest;
}

type StoredCall = Pick<CallTable, 'recordingState' | 'recordingKey'>;

/**
 * Deletes a call's recording in the object store, all versions of it.
 * @throws {FilesError} while that is not certain
 */
export async function removeStored(files: Files, { recordingState, recordingKey }: StoredCall): Promise<void> {
  if (files.kind === 's3') {
    if (isOnDiskOnly(recordingState)) throw new FilesError('unreachable', 'a recording is not stored yet');
    if (recordingKey !== null) await files.delete(recordingKey);
  } else if (recordingState === STORED) {
    throw new FilesError('refused', 'a recording is in an object store, and S3_ENDPOINT is not set');
  }
}

interface Disks extends EngineDisks {
  recordingsDir: string;
}

/**
 * Deletes a call's recording on the disk of an engine on another machine.
 * @throws {FilesError} while that is not certain
 */
export async function removeElsewhere(
  disks: Disks,
  { id, recordingState }: Pick<CallTable, 'id' | 'recordingState'>,
): Promise<void> {
  const disk = diskOf(recordingState);
  if (disk !== null && disk !== knownDiskId(disks.recordingsDir)) await deleteOnDisk(disks, disk, id);
}

/** Removes a call's files by the engine's names for them. */
export async function removeRecording(
  recordingsDir: string,
  call: { id: string; recordingPath: string | null },
): Promise<void> {
  const names = new Set([`${call.id}.wav`, `${call.id}.mp3`]);
  if (call.recordingPath !== null) names.add(basename(call.recordingPath));
  for (const name of names) await rm(join(recordingsDir, name), { force: true });
}

/** Truncates the write-ahead log as soon as no other connection uses it; false if that takes too long. */
export async function cutLog(db: Db, withinMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    if (await truncateLog(db)) return true;
    if (performance.now() >= deadlineMs) return false;
    await delay(LOG_POLL_MS);
  }
}
