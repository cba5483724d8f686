// A virtual clock: what is due runs in order of time, then of arming, when the test advances it. Nothing sleeps.
import type { Clock } from '../../engine/clock.ts';

interface Entry {
  atMs: number;
  run: () => void;
}

export class VirtualClock implements Clock {
  #nowMs: number;
  #wallOffsetMs = 0;
  #entries: Entry[] = [];

  constructor(startMs = 0) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return Math.floor(this.#nowMs) + this.#wallOffsetMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  /** Steps the wall clock, as an operator or NTP does; nothing becomes due by it. */
  stepWall(byMs: number): void {
    this.#wallOffsetMs += byMs;
  }

  /** How many callbacks are still to come. */
  get pending(): number {
    return this.#entries.length;
  }

  /** Runs `run` when the clock reaches `atMs` (at once on the next advance where that lies in the past). Returns a cancel. */
  at(atMs: number, run: () => void): () => void {
    const entry = { atMs, run };
    let low = 0;
    let high = this.#entries.length;
    // The newest comes last among those of one time.
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.atMs ?? 0) <= atMs) low = middle + 1;
      else high = middle;
    }
    this.#entries.splice(low, 0, entry);
    return () => {
      const index = this.#entries.indexOf(entry);
      if (index >= 0) this.#entries.splice(index, 1);
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
      const due = this.#entries[0];
      if (due === undefined || due.atMs > untilMs) break;
      this.#entries.shift();
      this.#nowMs = Math.max(this.#nowMs, due.atMs);
      due.run();
    }
    this.#nowMs = Math.max(this.#nowMs, untilMs);
  }
}
