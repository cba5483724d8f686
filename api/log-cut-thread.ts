// The thread that cuts a write-ahead log which has grown long: copying a few hundred MB into the database takes a
// second, for which neither the API's thread nor the engine's writer may stop.
import { parentPort, workerData } from 'node:worker_threads';
import { checkpoint, openDatabase } from '../db/sqlite.ts';
import { cutLog } from './calls/erase.ts';

/** For a moment in which nobody else writes or reads. */
const WAIT_MS = 5_000;

const db = openDatabase((workerData as { databasePath: string }).databasePath, { synchronous: 'NORMAL' });
try {
  // Copies without keeping writers out; what they have added meanwhile is little, and copied by the cut.
  await checkpoint(db);
  await cutLog(db, WAIT_MS);
} finally {
  await db.destroy();
  parentPort?.close();
}
