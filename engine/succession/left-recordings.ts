// Recordings that a killed engine left: repaired up to the last second that was written, or removed where empty.
import { rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Logger } from 'pino';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { OpenCallRow } from '../../db/queries/calls/running/orphans.ts';
import type { Db } from '../../db/schema.ts';
import { recoverRecording } from '../../media/recorder.ts';
import { WAV_HEADER_BYTES } from '../../media/wav.ts';
import { silenceCutOff } from './private-recordings.ts';

/**
 * Removes recordings without audio: a crash ended their calls before any audio was written. `names`: the files of
 * earlier engines; list them before the first call.
 */
export async function removeEmptyRecordings(recordingsDir: string, names: readonly string[]): Promise<void> {
  for (const name of names.filter((each) => each.endsWith('.wav'))) {
    const path = join(recordingsDir, name);
    const size = await stat(path).then(
      (file) => file.size,
      () => Number.POSITIVE_INFINITY,
    );
    if (size <= WAV_HEADER_BYTES) await rm(path, { force: true });
  }
}

/** The recording up to the last second before the crash, or null. */
export async function repairedRecording(
  { id, recordingPath }: OpenCallRow['call'],
  { recordingsDir, read, log }: { recordingsDir: string; read: Db; log: Logger },
): Promise<{ path: string; durationMs: number } | null> {
  // DATA_DIR may have moved since the path was stored, or the path was lost in the write of the answer.
  const path = join(recordingsDir, basename(recordingPath ?? `${id}.wav`));
  try {
    const recording = await recoverRecording(path);
    if (recording === null || !(await silenceCutOff(id, path, { read, log }))) return null;
    return { path, durationMs: recording.durationMs };
  } catch (error) {
    log.warn({ callId: id, error: messageOf(error) }, 'could not repair a recording: set aside');
    return null;
  }
}
