// Thread priorities: models yield, audio does not. At nice 19 model workers delay the 20 ms pacer by at most about 2 ms, and
// by 8 ms otherwise. Threads that carry audio are raised if the system permits it.
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const MODEL_NICE = 19;
/** Needs CAP_SYS_NICE, which root has. */
const AUDIO_NICE = -15;

/**
 * Sets the calling thread (not the process) to nice 19. Linux only, where setpriority(2) takes a thread id.
 * @returns whether it was done
 */
export function lowerThreadPriority(): boolean {
  return setThreadNice(MODEL_NICE);
}

/**
 * Sets the calling thread (not the process) to nice -15, if the process may. Linux only.
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
