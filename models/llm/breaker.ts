// Remembers that something is down, so that its time-out is not paid on every turn; now and then one turn tries it
// again.

/** Failures in a row after which it counts as down. */
const FAILURES_UNTIL_DOWN = 2;
/** Then one turn tries it again. */
const DOWN_MS = 30_000;

export class Breaker {
  readonly #nowMs: () => number;
  #failures = 0;
  #downUntilMs: number | null = null;

  /** `nowMs`: a monotonic clock. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get isOpen(): boolean {
    return this.#downUntilMs !== null && this.#nowMs() < this.#downUntilMs;
  }

  /** Whether the next turn goes to it. After a while down, one does. */
  mayTry(): boolean {
    if (this.#downUntilMs === null) return true;
    if (this.isOpen) return false;
    this.#downUntilMs = this.#nowMs() + DOWN_MS;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#downUntilMs = null;
  }

  /** `isFinal`: it will fail alike next time. */
  failed(isFinal = false): void {
    this.#failures++;
    if (isFinal || this.#failures >= FAILURES_UNTIL_DOWN) this.#downUntilMs = this.#nowMs() + DOWN_MS;
  }
}
