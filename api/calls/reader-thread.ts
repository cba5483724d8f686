// Runs slow reads of calls (several filters together, pages deep in one busy day) on a separate thread with a read-only
// connection, so the API's thread never waits for more than a page.

import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { CallFilter } from '../../db/queries/calls/counts.ts';
import { countCalls, pageOfCalls } from '../../db/queries/calls/pages.ts';
import { openDatabase } from '../../db/sqlite.ts';

export interface ReadRequest {
  id: number;
  accountId: string;
  filter: CallFilter;
  limit: number;
  offset: number;
  /** Null: count first. */
  total: number | null;
}

export type ReadReply =
  | { id: number; ok: true; records: string; total: number }
  | { id: number; ok: false; message: string };

const db = openDatabase((workerData as { databasePath: string }).databasePath, { readonly: true });

async function read(request: ReadRequest): Promise<ReadReply> {
  const { id, accountId, filter, limit, offset } = request;
  try {
    const total = request.total ?? (await countCalls(db, accountId, filter));
    const records = offset >= total ? '' : await pageOfCalls(db, accountId, filter, { limit, offset, total });
    return { id, ok: true, records, total };
  } catch (error) {
    return { id, ok: false, message: messageOf(error) };
  }
}

let last = Promise.resolve();
parentPort?.on('message', (request: ReadRequest) => {
  // One after the other: they share a connection.
  last = last.then(async () => parentPort?.postMessage(await read(request)));
});
