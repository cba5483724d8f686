// Whether there is time for work that makes results better and later. On a machine that others keep busy, a result that
// comes too late is worth less than a doubtful one in time: once the work has taken too long, it rests for a while.

/** Takes 0.1-0.2 s on an idle core. A caller waits for it. */
const TOO_LONG_MS = 300;
const REST_MS = 10_000;

export class SpareTime {
  readonly #tooLongMs: number;
  #restsUntilMs = Number.NEGATIVE_INFINITY;

  /** @param tooLongMs infinite: there is always time */
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
