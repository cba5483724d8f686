// A virtual clock: when a test advances it, due callbacks run in order of time, then of arming. Nothing sleeps.
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

  /** Steps the wall clock, like an operator or NTP; does not run callbacks. */
  stepWall(byMs: number): void {
    this.#wallOffsetMs += byMs;
  }

  /** Number of pending callbacks. */
  get pending(): number {
    return this.#entries.length;
  }

  /** When the next callback is due; Infinity: none is pending. */
  get nextAtMs(): number {
    return this.#entries[0]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  /** Runs `run` at `atMs`; a time in the past runs on the next advance. Returns a cancel function. */
  at(atMs: number, run: () => void): () => void {
    const entry = { atMs, run };
    let low = 0;
    let high = this.#entries.length;
    // Entries of the same time keep their order of arming.
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

  /** @throws {Error} after 1,000,000 callbacks: something re-arms itself endlessly. */
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
