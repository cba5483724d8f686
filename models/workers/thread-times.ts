// The CPU time of a process's threads by name (`thread-name.ts`), as Linux counts it.
import { readdirSync, readFileSync } from 'node:fs';

/** A tick of `utime` and `stime` (proc_pid_stat(5)): USER_HZ is 100 on every Linux. */
const TICK_MS = 10;

interface ThreadTime {
  tid: number;
  name: string;
  /** Since the thread's start, in steps of 10 ms. */
  cpuMs: number;
}

/** @throws if there is no process `pid`, or no /proc */
export function threadTimes(pid: number | 'self'): ThreadTime[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((tid) => {
    const stat = statOf(`/proc/${pid}/task/${tid}/stat`);
    if (stat === null) return [];
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const cpuMs = (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    return { tid: Number(tid), name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')), cpuMs };
  });
}

/** Null: the thread has ended since it was listed. */
function statOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
