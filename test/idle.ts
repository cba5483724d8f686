// How busy the machine is, for whoever begins one thing more only where it has time for it.
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** One thing that began shows by then in what the machine does, ms. */
const WINDOW_MS = 2_500;
/** Of all cores: a service that begins takes one of two, and speech that is made and heard in real time the rest. */
const MOST_BUSY = 0.5;

export interface Sample {
  atMs: number;
  /** Of all cores since the machine began, and of processes since the first sample that give way to any other, ms. */
  idleMs: number;
  totalMs: number;
}

function sampler(): () => Sample {
  let before = yieldingMs();
  let givingWayMs = 0;
  return () => {
    const now = yieldingMs();
    // Where one has ended that nobody under SCHED_IDLE waited for, its time is gone.
    givingWayMs += Math.max(0, now - before);
    before = now;
    const times = cpus().map(({ times }) => times);
    return {
      atMs: performance.now(),
      idleMs: givingWayMs + times.reduce((sum, { idle }) => sum + idle, 0),
      totalMs: times.reduce((sum, each) => sum + each.user + each.nice + each.sys + each.irq + each.idle, 0),
    };
  };
}

/** Of the processes that run only where no other would, all time, ms; elsewhere than on Linux none is known. */
function yieldingMs(): number {
  const pids = process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return pids.reduce((sum, pid) => {
    try {
      return sum + yieldedMs(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      // It has ended meanwhile.
      return sum;
    }
  }, 0);
}

/** Fields of /proc/PID/stat (man 5 proc), counted behind the name: its own time and that of ended children. */
const TICKS = [11, 12, 13, 14];
const POLICY = 38;
const SCHED_IDLE = '5';
const TICK_MS = 10;

/** @returns the processor time of a process under SCHED_IDLE and of its children that have ended, ms; 0 of another */
export function yieldedMs(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[POLICY] === SCHED_IDLE ? TICKS.reduce((sum, at) => sum + Number(fields[at]), 0) * TICK_MS : 0;
}

/** @returns whether the machine has had room since the last answer; false where that was just now */
export function watchRoom(sample: () => Sample = sampler()): () => boolean {
  let since = sample();
  return () => {
    const now = sample();
    if (now.atMs - since.atMs < WINDOW_MS) return false;
    const idle = (now.idleMs - since.idleMs) / Math.max(1, now.totalMs - since.totalMs);
    since = now;
    return 1 - idle < MOST_BUSY;
  };
}
