// Moves the recordings and documents of DATA_DIR to the object store. Each file is compared there by length and SHA-256
// before a row names it; what is there already is not sent again, so a run that was stopped goes on where it was.

import { unlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { onDisk, STORED } from '../../../db/domain/calls/recording-state.ts';
import { HOUR_MS } from '../../../db/domain/hours/durations.ts';
import {
  claimRecording,
  type RecordingRow,
  recordingsOfCalls,
  storeRecording,
} from '../../../db/queries/calls/ended/recordings.ts';
import { addFileDeletions, endFileDeletion, isStoreKey } from '../../../db/queries/files/deletions.ts';
import { documentsAfter, movePortDocument, type PortDocumentRow } from '../../../db/queries/numbers/port-orders.ts';
import { diskIdOf } from '../../../db/shared/files/disk-id.ts';
import { contentTypeOf, type Files, FilesError, hashFile } from '../../../db/shared/files/files.ts';
import { LocalFiles } from '../../../db/shared/files/local-files.ts';
import type { ApiContext } from '../../context.ts';
import { type Command, print, readArguments, UsageError } from '../command.ts';
import { forEachFile, inBatches, neededStore, refuseFailures } from './work.ts';

const FOLDER = 'recordings/';
const LOOKED_UP = 200;
/** No document of 10 MiB that makes progress takes as long. */
const UPLOAD_MAX_MS = 2 * HOUR_MS;

export const filesPush: Command = {
  name: 'files push',
  usage: `files push
  moves recordings and documents of DATA_DIR to the object store, compares each, and goes on where an earlier run was
  stopped; the service may run. A running engine removes stored recordings from the disk, documents go at once`,
  async run(args, context) {
    if (readArguments(args, {}).positionals.length > 0) throw new UsageError('push takes no arguments');
    const store = await neededStore(context);
    const local = new LocalFiles(context.config.dataDir);
    const recordings = await forEachFile('recordings', recordingsOnDisk(context, local), (file) =>
      pushRecording(context, store, local, file),
    );
    const documents = await forEachFile('documents', documentsOnDisk(context), (file) =>
      pushDocument(context, store, file),
    );
    print(`recordings: ${recordings.done} stored, ${recordings.skipped} had nothing to store`);
    print(`documents: ${documents.done} stored, ${documents.skipped} had nothing to store`);
    refuseFailures({ ...recordings, failed: recordings.failed + documents.failed });
  },
};

interface RecordingFile {
  name: string;
  row: RecordingRow | undefined;
}

const callIdOf = (name: string): string => name.slice(0, name.lastIndexOf('.'));

async function* recordingsOnDisk({ read }: ApiContext, local: LocalFiles): AsyncGenerator<RecordingFile> {
  let names: string[] = [];
  const withRows = async (): Promise<RecordingFile[]> => {
    const rows = await recordingsOfCalls(read, names.map(callIdOf));
    return names.map((name) => ({ name, row: rows.get(callIdOf(name)) }));
  };
  for await (const { key } of local.list(FOLDER)) {
    if (!/\.(wav|mp3)$/.test(key)) continue;
    names.push(key.slice(FOLDER.length));
    if (names.length < LOOKED_UP) continue;
    yield* await withRows();
    names = [];
  }
  yield* await withRows();
}

async function pushRecording(
  { db, config, now }: ApiContext,
  store: Files,
  local: LocalFiles,
  { name, row }: RecordingFile,
): Promise<'done' | 'skipped'> {
  const isWanted =
    row !== undefined && row.endedAt !== null && row.recordingPath !== null && basename(row.recordingPath) === name;
  if (!isWanted || row.recordingState === STORED) return 'skipped';
  const state = row.recordingState ?? onDisk(diskIdOf(config.recordingsDir));
  if (!(await claimRecording(db, { callId: row.id, state }))) return 'skipped';
  const key = FOLDER + name;
  const bytes = await putAndCompare(store, key, local.pathOf(key));
  if (await storeRecording(db, { callId: row.id, key, bytes })) return 'done';
  await addFileDeletions(db, [key], { nowMs: now() });
  return 'skipped';
}

/** Sends what is not there yet, and returns its length. @throws {FilesError} if the store has something else then */
async function putAndCompare(store: Files, key: string, path: string): Promise<number> {
  const own = await hashFile(path);
  const isThere = async (): Promise<boolean> => {
    const facts = await store.head(key);
    return facts?.bytes === own.bytes && facts.sha256 === own.sha256;
  };
  if (!(await isThere())) {
    await store.put(key, path, contentTypeOf(key));
    if (!(await isThere())) throw new FilesError('broken', 'the object store has something else than was sent');
  }
  return own.bytes;
}

async function* documentsOnDisk({ read }: ApiContext): AsyncGenerator<PortDocumentRow & { name: string }> {
  for await (const row of inBatches((afterId, limit) => documentsAfter(read, afterId, limit))) {
    yield { ...row, name: basename(row.path) };
  }
}

async function pushDocument(
  { db, now }: ApiContext,
  store: Files,
  { id, path, name }: PortDocumentRow & { name: string },
): Promise<'done' | 'skipped'> {
  if (isStoreKey(path)) return 'skipped';
  const key = `port-documents/${name}`;
  // Noted first: a document that is replaced or deleted meanwhile leaves no file behind.
  await addFileDeletions(db, [key], { nowMs: now(), dueAt: now() + UPLOAD_MAX_MS });
  await putAndCompare(store, key, path);
  const isMoved = await db.transaction().execute(async (trx) => {
    const moved = await movePortDocument(trx, { id, from: path, to: key });
    if (moved) await endFileDeletion(trx, key);
    else await addFileDeletions(trx, [key], { nowMs: now() });
    return moved;
  });
  if (isMoved) await unlink(path);
  return isMoved ? 'done' : 'skipped';
}
