// How often something is later than it may be. Two counters, because it is noted for every packet of every call.

export interface LateCount {
  count: number;
  late: number;
}

export class Lateness {
  readonly #limitMs: number;
  #count = 0;
  #late = 0;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  note(ms: number): void {
    this.#count++;
    if (ms > this.#limitMs) this.#late++;
  }

  /** For what was due and did not come at all. */
  noteMissed(count: number): void {
    this.#count += count;
    this.#late += count;
  }

  /** Since the last call. */
  take(): LateCount {
    const taken = { count: this.#count, late: this.#late };
    this.#count = 0;
    this.#late = 0;
    return taken;
  }
}
