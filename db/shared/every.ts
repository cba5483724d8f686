// Repeats an action, in the engine on its clock and in the API on timers of its own.

export interface Timer {
  /** Fires once after `delayMs`. The returned function cancels it and is always safe to call. */
  after(delayMs: number, fire: () => void): () => void;
}

/** Runs `action` every `intervalMs`, first after one interval; the returned function stops it. */
export function every(timer: Timer, intervalMs: number, action: () => void): () => void {
  let cancel: () => void;
  const wait = (): void => {
    cancel = timer.after(intervalMs, () => {
      wait();
      action();
    });
  };
  wait();
  return () => cancel();
}

/** Timers that do not keep the process running. */
export const backgroundTimer: Timer = {
  after(delayMs, fire) {
    const timer = setTimeout(fire, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
