// Follows how far the database's clock is ahead of this machine's.
import { type AskSkew, ClockSkew } from '../../db/clock-skew.ts';
import { type Clock, every } from '../clock.ts';

const ASK_EVERY_MS = 10_000;
const LOOK_EVERY_MS = 1_000;
/** The clock was set, or the machine was paused, and its monotonic clock with it: only the database knows which. */
const STEP_MS = 500;

export interface Skew {
  /** The engine's clock: the machine's, or the database's where that of the machine is wrong. */
  readonly clock: Clock;
  /** Ms that the database's clock is ahead of this one. */
  readonly ms: number;
  /** Ms that it is ahead of the machine's. */
  readonly machineMs: number;
  stop(): void;
}

/** `clock`: the machine's. */
export async function watchSkew(ask: AskSkew, clock: Clock): Promise<Skew> {
  const skew = new ClockSkew(ask, clock);
  await skew.ask();
  let askedAtMs = clock.monotonicMs();
  const stop = every(clock, LOOK_EVERY_MS, () => {
    if (clock.monotonicMs() - askedAtMs < ASK_EVERY_MS && Math.abs(skew.stepMs) < STEP_MS) return;
    askedAtMs = clock.monotonicMs();
    // The database is away: the last answer stays.
    skew.ask().catch(() => undefined);
  });
  return {
    clock: {
      nowMs: () => clock.nowMs() + skew.correctionMs,
      monotonicMs: () => clock.monotonicMs(),
      after: (delayMs, fire) => clock.after(delayMs, fire),
    },
    get ms() {
      return skew.ms - skew.correctionMs;
    },
    get machineMs() {
      return skew.ms;
    },
    stop,
  };
}
