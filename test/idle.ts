// How busy the machine is, for whoever begins one thing more only where it has time for it.
import { cpus } from 'node:os';

/** One thing that began shows by then in what the machine does, ms. */
const WINDOW_MS = 2_500;
/** Of all cores: a service that begins takes one of two, and speech that is made and heard in real time the rest. */
const MOST_BUSY = 0.5;

export interface Sample {
  atMs: number;
  /** Of all cores since the machine began, ms. */
  idleMs: number;
  totalMs: number;
}

function sampleNow(): Sample {
  const times = cpus().map(({ times }) => times);
  return {
    atMs: performance.now(),
    idleMs: times.reduce((sum, { idle }) => sum + idle, 0),
    totalMs: times.reduce((sum, each) => sum + each.user + each.nice + each.sys + each.irq + each.idle, 0),
  };
}

/** @returns whether the machine has had room since the last answer; false where that was just now */
export function watchRoom(sample: () => Sample = sampleNow): () => boolean {
  let since = sample();
  return () => {
    const now = sample();
    if (now.atMs - since.atMs < WINDOW_MS) return false;
    const idle = (now.idleMs - since.idleMs) / Math.max(1, now.totalMs - since.totalMs);
    since = now;
    return 1 - idle < MOST_BUSY;
  };
}
