// Shared parts of the commands for files: the object store that they need, several files at once, and a bar.
import { SingleBar } from 'cli-progress';
import { messageOf } from '../../../db/domain/unexpected.ts';
import type { Files } from '../../../db/shared/files/files.ts';
import type { ApiContext } from '../../context.ts';
import { CommandFailed, print } from '../command.ts';

const AT_ONCE = 4;
/** Names of files that failed, which are printed; the rest is a number. */
const TOLD_MAX = 20;

/** @throws {CommandFailed} without one, or if it cannot be used */
export async function neededStore({ files }: ApiContext): Promise<Files> {
  if (files.kind === 'local') throw new CommandFailed('no object store is configured: set S3_ENDPOINT (docs/files.md)');
  await files.check().catch((error: unknown) => {
    throw new CommandFailed(messageOf(error));
  });
  return files;
}

interface Tally {
  done: number;
  /** Nothing was to be done. */
  skipped: number;
  failed: number;
}

/** `done`: it was moved or is right; `skipped`: there was nothing to do. An error is told, and the rest goes on. */
export async function forEachFile<F extends { name: string }>(
  what: string,
  files: AsyncIterable<F>,
  work: (file: F) => Promise<'done' | 'skipped'>,
): Promise<Tally> {
  const tally: Tally = { done: 0, skipped: 0, failed: 0 };
  const bar = process.stderr.isTTY
    ? new SingleBar({ format: `${what} {value} files, {done} done, {failed} failed`, clearOnComplete: true })
    : null;
  bar?.start(0, 0, { ...tally });
  const iterator = files[Symbol.asyncIterator]();
  const worker = async (): Promise<void> => {
    for (;;) {
      const next = await iterator.next();
      if (next.done) return;
      try {
        tally[await work(next.value)]++;
      } catch (error) {
        tally.failed++;
        if (tally.failed <= TOLD_MAX) print(`${next.value.name}: ${messageOf(error)}`);
      }
      bar?.update(tally.done + tally.skipped + tally.failed, { ...tally });
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  } finally {
    bar?.stop();
  }
  return tally;
}

/** @throws {CommandFailed} if a file failed */
export function refuseFailures({ failed }: Tally): void {
  if (failed > 0) throw new CommandFailed(`${failed} ${failed === 1 ? 'file' : 'files'} failed: run the command again`);
}

const BATCH = 200;

/** Rows by the order of their ids, batch after batch. */
export async function* inBatches<R extends { id: string }>(
  read: (afterId: string, limit: number) => Promise<R[]>,
): AsyncGenerator<R> {
  for (let afterId = ''; ; ) {
    const rows = await read(afterId, BATCH);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    afterId = last.id;
  }
}
