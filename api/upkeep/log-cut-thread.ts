// The thread that truncates a long write-ahead log: copying a few hundred MB into the database takes a second, and
// neither the API's thread nor the engine's writer may wait that long.
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../../db/database.ts';
import { checkpoint } from '../../db/upkeep.ts';
import { cutLog } from '../calls/erase/erase.ts';

/** Longest wait for a moment without other readers and writers. */
const WAIT_MS = 5_000;

const db = openDatabase((workerData as { database: string }).database, { synchronous: 'NORMAL' });
try {
  // Copies most pages without blocking writers; the truncation then copies the few pages added in the meantime.
  await checkpoint(db);
  await cutLog(db, WAIT_MS);
} finally {
  await db.destroy();
  parentPort?.close();
}
