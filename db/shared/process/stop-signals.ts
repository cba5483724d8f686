// Counts the signals that ask a process to stop. A service manager sends SIGTERM to every process, and the supervisor
// also passes on its own, so repeats within a second count as one signal.

const SAME_SIGNAL_MS = 1_000;

export class StopSignals {
  readonly #monotonicMs: () => number;
  #countedAtMs = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** 1 for the first signal, 2 for a later one; null for a repeat of the previous one. */
  receive(): number | null {
    const nowMs = this.#monotonicMs();
    if (nowMs - this.#countedAtMs < SAME_SIGNAL_MS) return null;
    this.#countedAtMs = nowMs;
    return ++this.#count;
  }
}
