// Compares the rows with the object store, both ways: files that a row names and the store lacks, and files that no row
// names, which no erasure would find.
import { recordingsOfCalls, storedRecordings } from '../../../db/queries/calls/ended/recordings.ts';
import { isStoreKey } from '../../../db/queries/files/deletions.ts';
import { documentsAfter } from '../../../db/queries/numbers/port-orders.ts';
import { type Files, FilesError } from '../../../db/shared/files/files.ts';
import type { ApiContext } from '../../context.ts';
import { type Command, CommandFailed, print, readArguments } from '../command.ts';
import { forEachFile, inBatches, neededStore } from './work.ts';

const LOOKED_UP = 200;
const RECORDINGS = 'recordings/';

export const filesVerify: Command = {
  name: 'files verify',
  usage: `files verify [--delete-unnamed]
  looks for recordings and documents that the object store lacks or has in another length, and for recordings there
  that no call names; --delete-unnamed deletes those. A recording that is just being stored counts as named`,
  async run(args, context) {
    const isDeleting = readArguments(args, { 'delete-unnamed': { type: 'boolean' } }).values['delete-unnamed'] === true;
    const store = await neededStore(context);
    const named = await forEachFile('files', filesOfRows(context), async ({ name, bytes }) => {
      const facts = await store.head(name);
      if (facts === null) throw new FilesError('missing', 'the object store does not have it');
      if (facts.bytes !== bytes) throw new FilesError('broken', `has ${facts.bytes} bytes and not ${bytes}`);
      return 'done';
    });
    let unnamed = 0;
    for await (const key of unnamedRecordings(context, store)) {
      unnamed++;
      if (isDeleting) await store.delete(key);
      print(`${key}: no call names it${isDeleting ? ', deleted' : ''}`);
    }
    print(`${named.done} files are right, ${named.failed} are missing or wrong, ${unnamed} were named by nothing`);
    if (named.failed + (isDeleting ? 0 : unnamed) > 0) throw new CommandFailed('the rows and the object store differ');
  },
};

async function* filesOfRows({ read }: ApiContext): AsyncGenerator<{ name: string; bytes: number | null }> {
  const recordings = inBatches((afterId, limit) => storedRecordings(read, { afterId, limit }));
  for await (const { recordingKey, recordingBytes } of recordings) {
    if (recordingKey !== null) yield { name: recordingKey, bytes: recordingBytes };
  }
  const documents = inBatches((afterId, limit) => documentsAfter(read, afterId, limit));
  for await (const { path, bytes } of documents) if (isStoreKey(path)) yield { name: path, bytes };
}

async function* unnamedRecordings({ read }: ApiContext, store: Files): AsyncGenerator<string> {
  let keys: string[] = [];
  const unnamed = async (): Promise<string[]> => {
    const idOf = (key: string): string => key.slice(RECORDINGS.length, key.lastIndexOf('.'));
    const rows = await recordingsOfCalls(read, keys.map(idOf));
    return keys.filter((key) => {
      const row = rows.get(idOf(key));
      // Without a key, but not erased: it is on its way.
      return row === undefined || row.erasedAt !== null || (row.recordingKey !== null && row.recordingKey !== key);
    });
  };
  for await (const { key } of store.list(RECORDINGS)) {
    keys.push(key);
    if (keys.length < LOOKED_UP) continue;
    yield* await unnamed();
    keys = [];
  }
  yield* await unnamed();
}
