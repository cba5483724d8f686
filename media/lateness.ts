// Counts how often something is too late. Only two counters, because it runs for every packet of every call.

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

  /** Counts items that were due but never came. */
  noteMissed(count: number): void {
    this.#count += count;
    this.#late += count;
  }

  /** The counts since the last `take`. */
  take(): LateCount {
    const taken = { count: this.#count, late: this.#late };
    this.#count = 0;
    this.#late = 0;
    return taken;
  }
}
