// A circuit breaker: keeps a failing engine from costing every call its deadline. After some failures in a row the
// engine is not used for a while, then tried once.

const FAILURES = 2;
const REST_MS = 15_000;

export class Breaker {
  readonly #nowMs: () => number;
  #failures = 0;
  #closedAgainAtMs = 0;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** True while the engine must not be used. The first caller that sees false again is the trial. */
  get isOpen(): boolean {
    if (this.#failures < FAILURES) return false;
    if (this.#nowMs() < this.#closedAgainAtMs) return true;
    // One trial at a time: the next failure or success decides.
    this.#closedAgainAtMs = this.#nowMs() + REST_MS;
    return false;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(): void {
    this.#failures++;
    this.#closedAgainAtMs = this.#nowMs() + REST_MS;
  }
}
