// Thread priorities: models yield, the built-in recogniser less than others, audio does not. At nice 19 model workers
// delay the 20 ms pacer by at most about 2 ms, otherwise by 8 ms. Audio threads are raised if the system permits it, to
// real time if `chrt` exists: where the kernel groups tasks by session, nice counts only within a session, and it does
// not decide which thread runs first.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const MODEL_NICE = 19;
/** A quarter of a core that a thread of usual priority wants, too (sched(7): each step is worth a factor of 1.25). */
const SHARING_NICE = 5;
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
 * Levels of SCHED_RR: the higher one runs first, and both before everything else. The kernel keeps 5 % of a core for
 * other threads.
 */
const REAL_TIME_LEVELS = { audio: 2, vad: 1 } as const;

export type AudioPriority = 'real-time' | 'nice' | 'usual';

/**
 * Sets the calling thread (not the process) to real time, or at least to nice -15, if the process may. Linux only.
 * @returns the priority reached; a missing right or program is not an error
 */
export function raiseThreadPriority(task: keyof typeof REAL_TIME_LEVELS, wantsRealTime: boolean): AudioPriority {
  if (!setThreadNice(AUDIO_NICE)) return 'usual';
  if (!wantsRealTime) return 'nice';
  // Threads and processes that this thread starts get the usual priority.
  const options = ['--reset-on-fork', '--rr', '--pid', String(REAL_TIME_LEVELS[task])];
  const { status } = spawnSync('chrt', [...options, String(threadId())], { stdio: 'ignore' });
  return status === 0 ? 'real-time' : 'nice';
}

/**
 * Sets the calling thread (not the process) to nice 5: for work that somebody waits for and whose amount others choose.
 * It never stands still, as it may at nice 19 on a busy machine. Linux only.
 * @returns whether it was done
 */
export function sharePriority(): boolean {
  return setThreadNice(SHARING_NICE);
}

function setThreadNice(nice: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const tid = threadId();
    if (!Number.isInteger(tid) || tid <= 0) return false;
    setPriority(tid, nice);
    return true;
  } catch {
    return false;
  }
}

function threadId(): number {
  return Number.parseInt(readFileSync('/proc/thread-self/stat', 'utf8'), 10);
}
