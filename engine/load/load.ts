// Which calls are let in: a place for each (`admission.ts`), behind a gate that is closed while the engine is late
// (`overload.ts`) and that holds a rush back before it is (`growth.ts`). One policy; its thresholds are in `limits.ts`.
import type { Logger } from 'pino';
import { type Clock, every } from '../clock.ts';
import { type Admission, createAdmission } from './admission.ts';
import { LOOK_MS } from './limits.ts';
import { type LatenessSample, Overload } from './overload.ts';

export interface LoadOptions {
  maxCalls: number;
  /** What the cores carry without engines. */
  mediaCalls: number;
  /** False: the engine tells that it is late, and takes calls all the same. */
  refusesWhenLate: boolean;
  /** The longest audio that waits for a recogniser, ms. */
  sttBacklogMs(): number;
  /** The longest that the thread which leads the calls was held up since it was asked last, ms. */
  takeDelayMs(): number;
  /** The share of the cores' time that audio took since it was asked last, 0 to 1. */
  takeAudioShare(): number;
  clock: Clock;
  log: Pick<Logger, 'warn' | 'info'>;
}

export interface Load {
  admission: Admission;
  /** Takes a shard's counts since its last sample. */
  sample(shardIndex: number, sample: LatenessSample): void;
  /** Begins to judge; the returned function stops it. */
  start(): () => void;
}

export function createLoad({ refusesWhenLate, clock, ...options }: LoadOptions): Load {
  const overload = new Overload({ ...options, nowMs: () => clock.monotonicMs() });
  const admission = createAdmission(options.maxCalls, refusesWhenLate ? overload : undefined);
  return {
    admission,
    sample: (shardIndex, sample) => overload.sample(shardIndex, sample),
    start: () => every(clock, LOOK_MS, () => overload.judge(admission.active)),
  };
}
