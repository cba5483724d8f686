// Reads web pages on threads with limited time and memory.
import { Worker } from 'node:worker_threads';
import type { PageRead, PageTask } from './page-thread.ts';

/** A page of 2 MiB takes half a second, the thread's start another half. */
const READ_WITHIN_MS = 5_000;
const HEAP_MIB = 128;

/** The contents of the page; null if it cannot be read within the limits. */
export function readPage(task: PageTask): Promise<PageRead | null> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./page-thread.ts', import.meta.url), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    });
    const settle = (read: PageRead | null) => {
      clearTimeout(timer);
      resolve(read);
      void worker.terminate();
    };
    const timer = setTimeout(() => settle(null), READ_WITHIN_MS);
    worker.once('message', (read: PageRead) => settle(read));
    worker.once('error', () => settle(null));
    worker.once('exit', () => settle(null));
  });
}
