// Counts the signals that ask a process to stop. A service manager sends SIGTERM to every process at once and the
// supervisor passes its own on, so repeats within a second are one signal.

const SAME_SIGNAL_MS = 1_000;

export class StopSignals {
  readonly #monotonicMs: () => number;
  #countedAtMs = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** 1 for the first signal, 2 for one that comes later; null for a repeat of the one before. */
  receive(): number | null {
    const nowMs = this.#monotonicMs();
    if (nowMs - this.#countedAtMs < SAME_SIGNAL_MS) return null;
    this.#countedAtMs = nowMs;
    return ++this.#count;
  }
}
