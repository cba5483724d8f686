// Time as the engine sees it. Everything on the control thread that waits, measures or stamps does so on this interface,
// so that a test moves a whole call, or the 32 seconds of a SIP transaction, in no time.

export interface Clock {
  /** Wall clock, ms since the epoch: for what is stored or shown. It may step forward or back. */
  nowMs(): number;
  /** Ms since an arbitrary moment; never steps. For durations, deadlines and pace. */
  monotonicMs(): number;
  /** Fires once after `delayMs`; the returned function cancels it, at any time and as often as one likes. */
  after(delayMs: number, fire: () => void): () => void;
}

/** Longer delays overflow the 32 bits of Node's timers, which then fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, fire) {
    // The pacer asks for the next 5 ms again and again: a short delay costs the timer and its cancel, nothing more.
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

/** Resolves after `delayMs`. */
export function sleep(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.after(delayMs, resolve));
}

/** Runs `action` again and again, first after `intervalMs`; the returned function ends it. */
export function every(clock: Clock, intervalMs: number, action: () => void): () => void {
  let cancel: () => void;
  const wait = (): void => {
    cancel = clock.after(intervalMs, () => {
      wait();
      action();
    });
  };
  wait();
  return () => cancel();
}
