// Cuts a long write-ahead log of SQLite: the engine's writer counts only its own commits and may checkpoint too slowly.
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';

/**
 * About 60,000 pages. An import of a million contacts writes 4 GB to the log, and its own commits do not checkpoint.
 */
const LOG_BYTES_MAX = 256 * 1024 * 1024;

/** Truncates the log if it is longer, on a thread of its own. */
export async function cutLongLog(database: string, bytesMax = LOG_BYTES_MAX): Promise<void> {
  // Null with PostgreSQL, which keeps its log by itself.
  const log = await stat(`${database}-wal`).catch(() => null);
  if (log === null || log.size <= bytesMax) return;
  const worker = new Worker(new URL('./log-cut-thread.ts', import.meta.url), { workerData: { database } });
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
}
