// A virtual clock: what is due runs in order of time, then of arming, when the test advances it. Nothing sleeps.

interface Entry {
  atMs: number;
  order: number;
  run: () => void;
}

export class VirtualClock {
  #nowMs: number;
  #order = 0;
  #entries: Entry[] = [];

  constructor(startMs = 0) {
    this.#nowMs = startMs;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** How many callbacks are still to come. */
  get pending(): number {
    return this.#entries.length;
  }

  /** Runs `run` when the clock reaches `atMs` (at once on the next advance where that lies in the past). Returns a cancel. */
  at(atMs: number, run: () => void): () => void {
    const entry = { atMs, order: this.#order++, run };
    this.#entries.push(entry);
    return () => {
      this.#entries = this.#entries.filter((each) => each !== entry);
    };
  }

  after(delayMs: number, run: () => void): () => void {
    return this.at(this.#nowMs + delayMs, run);
  }

  advance(byMs: number): void {
    this.advanceTo(this.#nowMs + byMs);
  }

  /** @throws {Error} after 1,000,000 callbacks: a loop that arms itself without end. */
  advanceTo(untilMs: number): void {
    for (let ran = 0; ; ran++) {
      if (ran > 1_000_000) throw new Error('the virtual clock runs in a circle');
      const due = this.#entries
        .filter((entry) => entry.atMs <= untilMs)
        .reduce<Entry | null>(
          (first, each) =>
            first === null || each.atMs < first.atMs || (each.atMs === first.atMs && each.order < first.order)
              ? each
              : first,
          null,
        );
      if (due === null) break;
      this.#entries = this.#entries.filter((each) => each !== due);
      this.#nowMs = Math.max(this.#nowMs, due.atMs);
      due.run();
    }
    this.#nowMs = Math.max(this.#nowMs, untilMs);
  }
}
