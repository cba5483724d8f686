// Decides which calls are admitted: a place for each (`admission.ts`), behind a gate that closes while the engine is
// late (`overload.ts`) and that limits a rush before it is (`growth.ts`). Its thresholds are in `limits.ts`.
import type { Logger } from 'pino';
import { type Clock, every } from '../clock.ts';
import { type Admission, createAdmission } from './admission.ts';
import { LOOK_MS } from './limits.ts';
import { type LatenessSample, Overload } from './overload.ts';

interface LoadOptions {
  maxCalls: number;
  /** Number of calls that the cores carry without engines. */
  mediaCalls: number;
  /** False: the engine reports that it is late, but accepts calls all the same. */
  refusesWhenLate: boolean;
  /** The longest audio that waits for a recogniser, ms. */
  sttBacklogMs(): number;
  /** The longest delay of the control thread since the last reading, ms. */
  takeDelayMs(): number;
  /** The share of the cores' time that audio took since the last reading, 0 to 1. */
  takeAudioShare(): number;
  clock: Clock;
  log: Pick<Logger, 'warn' | 'info'>;
}

interface Load {
  admission: Admission;
  /** New calls are refused for now, because the running ones come too late. */
  readonly isClosed: boolean;
  /** Takes a shard's counts since its last sample. */
  sample(shardIndex: number, sample: LatenessSample): void;
  /** Starts the checks; the returned function stops them. */
  start(): () => void;
}

export function createLoad({ refusesWhenLate, clock, ...options }: LoadOptions): Load {
  const overload = new Overload({
    ...options,
    maxCalls: () => admission.maxCalls,
    nowMs: () => clock.monotonicMs(),
  });
  const admission: Admission = createAdmission(options.maxCalls, refusesWhenLate ? overload : undefined);
  return {
    admission,
    get isClosed() {
      return refusesWhenLate && overload.isLate && overload.room(admission.active) === 0;
    },
    sample: (shardIndex, sample) => overload.sample(shardIndex, sample),
    start: () => every(clock, LOOK_MS, () => overload.judge(admission.active)),
  };
}
