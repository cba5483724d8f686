// The thread of one sweep: the API's own thread never waits for it.
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../../../db/database.ts';
import { openFiles } from '../../../db/shared/files/open-files.ts';
import type { StoreSettings } from '../../../db/shared/settings/environment.ts';
import { restAfter, sweepCalls } from './sweep.ts';

export interface SweepTask {
  database: string;
  recordingsDir: string;
  dataDir: string;
  store: StoreSettings | null;
  secretKey: Uint8Array;
  nowMs: number;
}

const { database, secretKey, ...task } = workerData as SweepTask;
let isStopped = false;
parentPort?.on('message', () => {
  isStopped = true;
});
const files = await openFiles(task);
const db = openDatabase(database, { synchronous: 'NORMAL' });
try {
  const erased = await sweepCalls(db, {
    ...task,
    secretKey: Buffer.from(secretKey),
    files,
    now: () => Date.now(),
    rest: restAfter,
    isStopped: () => isStopped,
  });
  parentPort?.postMessage(erased);
} finally {
  await db.destroy();
  await files.close();
  parentPort?.close();
}
