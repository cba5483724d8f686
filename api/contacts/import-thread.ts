// Checks and writes the contacts of large requests, one request after the other, on its own connection.
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../db/domain/unexpected.ts';
import { openDatabase } from '../../db/sqlite.ts';
import { type ContactImport, type ImportOutcome, importContacts } from './merge.ts';

export interface ImportRequest extends ContactImport {
  id: number;
}

export type ImportReply =
  | { id: number; ok: true; outcome: ImportOutcome }
  /** `code` is SQLite's, if the database failed. */
  | { id: number; ok: false; message: string; code: unknown };

const db = openDatabase((workerData as { databasePath: string }).databasePath);

async function run({ id, ...contacts }: ImportRequest): Promise<ImportReply> {
  try {
    return { id, ok: true, outcome: await importContacts(db, contacts) };
  } catch (error) {
    return { id, ok: false, message: messageOf(error), code: (error as { code?: unknown }).code };
  }
}

let last = Promise.resolve();
parentPort?.on('message', (request: ImportRequest) => {
  last = last.then(async () => parentPort?.postMessage(await run(request)));
});
