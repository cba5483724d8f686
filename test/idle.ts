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
  let before = new Map<string, number>();
  let givingWayMs = 0;
  return () => {
    const now = yielding();
    for (const [pid, ms] of now) givingWayMs += ms - (before.get(pid) ?? ms);
    before = now;
    const times = cpus().map(({ times }) => times);
    return {
      atMs: performance.now(),
      idleMs: givingWayMs + times.reduce((sum, { idle }) => sum + idle, 0),
      totalMs: times.reduce((sum, each) => sum + each.user + each.nice + each.sys + each.irq + each.idle, 0),
    };
  };
}

/** By process that runs only where no other would, its time, ms; elsewhere than on Linux none is known. */
function yielding(): Map<string, number> {
  const found = new Map<string, number>();
  const pids = process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  for (const pid of pids) {
    try {
      const ms = yieldingMs(readFileSync(`/proc/${pid}/stat`, 'utf8'));
      if (ms !== null) found.set(pid, ms);
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
}

/** Fields of /proc/PID/stat (man 5 proc), counted behind the name; SCHED_IDLE (man 7 sched). */
const [USER_TICKS, SYSTEM_TICKS, POLICY] = [11, 12, 38];
const SCHED_IDLE = '5';
const TICK_MS = 10;

/** @returns the processor time of a process under SCHED_IDLE, ms; null: of another */
export function yieldingMs(stat: string): number | null {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[POLICY] === SCHED_IDLE ? (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * TICK_MS : null;
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
