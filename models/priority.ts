// Who may wait for whom: model workers step back (at nice 19 they delay the 20 ms pacer by at most about 2 ms where they
// would cost it 8), and the threads that carry audio step forward where the system lets them.
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const MODEL_NICE = 19;
/** Needs CAP_SYS_NICE (root has it). */
const AUDIO_NICE = -15;

/**
 * Sets the calling thread (not the process) to nice 19. Linux only: there a thread id is a valid argument of setpriority(2).
 * @returns whether it was done
 */
export function lowerThreadPriority(): boolean {
  return setThreadNice(MODEL_NICE);
}

/**
 * Sets the calling thread to nice -15, where the process may.
 * @returns whether it was done
 */
export function raiseThreadPriority(): boolean {
  return setThreadNice(AUDIO_NICE);
}

function setThreadNice(nice: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const tid = Number.parseInt(readFileSync('/proc/thread-self/stat', 'utf8'), 10);
    if (!Number.isInteger(tid) || tid <= 0) return false;
    setPriority(tid, nice);
    return true;
  } catch {
    return false;
  }
}
