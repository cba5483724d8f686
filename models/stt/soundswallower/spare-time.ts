// Whether there is time for work that makes results better and later. On a machine that others keep busy, a result that
// comes too late is worth less than a doubtful one in time: once the work has taken too long, it is left out for a
// while.

/** A caller waits for it. */
const TOO_LONG_MS = 500;
const REST_MS = 5_000;

export class SpareTime {
  readonly #tooLongMs: number;
  #restsUntilMs = Number.NEGATIVE_INFINITY;

  constructor(tooLongMs = TOO_LONG_MS) {
    this.#tooLongMs = tooLongMs;
  }

  has(nowMs: number): boolean {
    return nowMs >= this.#restsUntilMs;
  }

  spent(fromMs: number, toMs: number): void {
    if (toMs - fromMs > this.#tooLongMs) this.#restsUntilMs = toMs + REST_MS;
  }
}
