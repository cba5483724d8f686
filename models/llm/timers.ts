// Time for what waits for a model's server: a test passes its own, so that it need not sleep.

export interface Timers {
  /** Milliseconds of a monotonic clock. */
  nowMs(): number;
  /** Fires once; the answer cancels it. */
  after(delayMs: number, fire: () => void): () => void;
}

export const systemTimers: Timers = {
  nowMs: () => performance.now(),
  after(delayMs, fire) {
    const timer = setTimeout(fire, delayMs);
    return () => clearTimeout(timer);
  },
};
