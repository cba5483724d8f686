// Moves recordings and documents from the object store back to DATA_DIR: before one machine does without the store.
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isPostgres } from '../../../db/database.ts';
import { onDisk } from '../../../db/domain/calls/recording-state.ts';
import { storedRecordings, takeBackRecording } from '../../../db/queries/calls/ended/recordings.ts';
import { addFileDeletions, isStoreKey } from '../../../db/queries/files/deletions.ts';
import { documentsAfter, movePortDocument } from '../../../db/queries/numbers/port-orders.ts';
import { diskIdOf } from '../../../db/shared/files/disk-id.ts';
import { type Files, FilesError, hashFile } from '../../../db/shared/files/files.ts';
import type { ApiContext } from '../../context.ts';
import { documentsFolder } from '../../port-in/document-files.ts';
import { deleteNotedFiles } from '../../upkeep/file-deletions.ts';
import { stagingPrefix } from '../../upkeep/leftovers.ts';
import { type Command, print, readArguments, UsageError } from '../command.ts';
import { forEachFile, inBatches, neededStore, refuseFailures } from './work.ts';

export const filesPull: Command = {
  name: 'files pull',
  usage: `files pull
  moves recordings and documents from the object store to DATA_DIR, compares each, and deletes it in the store. What a
  running engine records meanwhile goes to the store again: unset S3_ENDPOINT then, and restart`,
  async run(args, context) {
    if (readArguments(args, {}).positionals.length > 0) throw new UsageError('pull takes no arguments');
    const store = await neededStore(context);
    const { db, config, read, now } = context;
    // A killed command's folder is removed by the next start, and each hour.
    // Machines that share a database must know whose disk it is on.
    const state = isPostgres(config.database) ? onDisk(diskIdOf(config.recordingsDir)) : null;
    const staging = await mkdtemp(join(config.dataDir, stagingPrefix('restore')));
    const recordings = await forEachFile('recordings', recordingsInStore(context), async ({ id, key }) => {
      const path = join(config.recordingsDir, basename(key));
      await fetchTo(store, key, path, staging);
      const isTaken = await db
        .transaction()
        .execute((trx) => takeBackRecording(trx, { callId: id, key, path, state, nowMs: now() }));
      // Erased meanwhile.
      if (!isTaken) await rm(path, { force: true });
      return isTaken ? 'done' : 'skipped';
    });
    const rows = inBatches((afterId, limit) => documentsAfter(read, afterId, limit));
    const documents = await forEachFile('documents', named(rows), async ({ id, path: key }) => {
      if (!isStoreKey(key)) return 'skipped';
      const path = join(documentsFolder(context), basename(key));
      await fetchTo(store, key, path, staging);
      const isMoved = await db.transaction().execute(async (trx) => {
        const moved = await movePortDocument(trx, { id, from: key, to: path });
        if (moved) await addFileDeletions(trx, [key], { nowMs: now() });
        return moved;
      });
      if (!isMoved) await rm(path, { force: true });
      return isMoved ? 'done' : 'skipped';
    });
    await rm(staging, { recursive: true, force: true });
    while ((await deleteNotedFiles(context)) > 0);
    print(`recordings: ${recordings.done} moved to DATA_DIR`);
    print(`documents: ${documents.done} moved to DATA_DIR, ${documents.skipped} were there`);
    refuseFailures({ ...recordings, failed: recordings.failed + documents.failed });
  },
};

async function* recordingsInStore({ read }: ApiContext): AsyncGenerator<{ id: string; name: string; key: string }> {
  for await (const { id, recordingKey: key } of inBatches((afterId, limit) =>
    storedRecordings(read, { afterId, limit }),
  )) {
    if (key !== null) yield { id, name: key, key };
  }
}

async function* named<R extends { id: string }>(rows: AsyncIterable<R>): AsyncGenerator<R & { name: string }> {
  for await (const row of rows) yield { ...row, name: row.id };
}

/** @throws {FilesError} if what came is not what the store says */
async function fetchTo(store: Files, key: string, path: string, staging: string): Promise<void> {
  const facts = await store.head(key);
  if (facts === null) throw new FilesError('missing', 'the object store does not have it');
  const draft = join(staging, basename(path));
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    const { body } = await store.get(key);
    await pipeline(body, createWriteStream(draft, { mode: 0o600, flush: true }));
    const got = await hashFile(draft);
    if (got.bytes !== facts.bytes || (facts.sha256 !== null && facts.sha256 !== got.sha256)) {
      throw new FilesError('broken', 'what came is not what was stored');
    }
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
