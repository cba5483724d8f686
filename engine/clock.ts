// The engine's clock. All code on the control thread that waits, measures or takes a timestamp uses this interface, so
// a test can run a whole call, or the 32 seconds of a SIP transaction, instantly.

export { every } from '../db/shared/every.ts';

export interface Clock {
  /** Wall clock, ms since the epoch: for stored or displayed times. It may step forward or back. */
  nowMs(): number;
  /** Ms since an arbitrary moment; never steps. For durations, deadlines and pace. */
  monotonicMs(): number;
  /** Fires once after `delayMs`. The returned function cancels it and is always safe to call. */
  after(delayMs: number, fire: () => void): () => void;
}

/** Longer delays overflow Node's 32-bit timers, which then fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, fire) {
    // The pacer re-arms its timer at every tick: a short delay costs the timer and its cancel, nothing more.
    if (delayMs <= TIMER_MAX_MS) {
      const short = setTimeout(fire, delayMs);
      return () => clearTimeout(short);
    }
    let timer: NodeJS.Timeout;
    const wait = (remainingMs: number): void => {
      const stepMs = Math.min(remainingMs, TIMER_MAX_MS);
      timer = setTimeout(() => (remainingMs > stepMs ? wait(remainingMs - stepMs) : fire()), stepMs);
    };
    wait(delayMs);
    return () => clearTimeout(timer);
  },
};

/**
 * For whoever waits for packets: what has arrived is heard before a timer fires. A process that was held up would
 * otherwise repeat requests, or give calls up, whose answers lie in its sockets.
 */
export const arrivalsFirst = (clock: Clock): Clock => ({
  nowMs: () => clock.nowMs(),
  monotonicMs: () => clock.monotonicMs(),
  after(delayMs, fire) {
    let afterArrivals: NodeJS.Immediate | undefined;
    const stop = clock.after(delayMs, () => {
      afterArrivals = setImmediate(fire);
    });
    return () => {
      stop();
      clearImmediate(afterArrivals);
    };
  },
});

export function sleep(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.after(delayMs, resolve));
}
