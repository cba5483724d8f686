// Reads web pages on threads with limited time and memory.
import { onLimitedThread } from '../../threads/limited-thread.ts';
import type { PageRead, PageTask } from './page-thread.ts';

/** A page of 2 MiB takes half a second, the thread's start another half; a PDF has more to unpack. */
const LIMITS = {
  html: { withinMs: 5_000, heapMib: 128, bufferMib: 128 },
  pdf: { withinMs: 10_000, heapMib: 256, bufferMib: 256 },
};

/** The contents of the page; null if it cannot be read within the limits. */
export async function readPage(task: PageTask): Promise<PageRead | null> {
  const read = await onLimitedThread<PageRead>(new URL('./page-thread.ts', import.meta.url), task, LIMITS[task.format]);
  return 'value' in read ? read.value : null;
}
