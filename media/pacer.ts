// The clock of all audio in a thread: one drift-corrected timer, every 20 ms on a grid, at which all its calls tick. A
// tick has two halves: first every call sends, then sockets are read, then every call takes its caller's frame. All
// calls tick together, because a tick costs more than the calls in it, and so that the VAD gets windows of many calls
// at once (decision 0013). Missed ticks are never made up by bursts: a call gets their number and decides (it sends
// nothing for them, and catches up on the caller's audio).

import { FRAME_MS } from './frame.ts';
import { Lateness } from './lateness.ts';

// Millisecond timers fire up to this much early. Another wait would make the tick a whole millisecond late.
const EARLY_MS = 0.6;
// A packet that leaves later can be heard: the next one is due.
const LATE_MS = FRAME_MS;
// 5,000 intervals are 1 s of 100 calls: enough for percentiles, and sorted in 1 ms.
const MAX_SAMPLES = 5000;

export interface PacerClock {
  /** Monotonic milliseconds. */
  monotonicMs(): number;
  /** Fires once after `delayMs`; returns a function that cancels. */
  after(delayMs: number, fire: () => void): () => void;
}

export interface PacedCall {
  /** Sends one frame. `missed`: ticks due since the last one that did not happen; normally 0. */
  send(nowMs: number, missed: number): void;
  /** Takes the caller's frame of the same tick. Not called if the call has left in between. */
  hear(nowMs: number): void;
  /** One of the two threw; the call was removed from the pacer. */
  fault(error: unknown): void;
}

interface PacingFigures {
  calls: number;
  /** Deviation from 20 ms of the interval between two sent frames of a call. */
  errorP50Ms: number;
  errorP99Ms: number;
  errorMaxMs: number;
}

interface Seat {
  call: PacedCall;
  /** When it last sent; NaN before the first tick. */
  lastMs: number;
  /** It has sent in this tick but not yet taken its caller's frame. */
  isDeaf: boolean;
  /** Number of its last tick. */
  lastTick: number;
}

export class Pacer {
  /**
   * Time from a frame's due time to its sending; frames never sent count as late. A call's first frame does not count.
   */
  readonly sendLateness = new Lateness(LATE_MS);
  readonly #clock: PacerClock;
  readonly #afterIo: (callback: () => void) => void;
  readonly #seats = new Map<PacedCall, Seat>();
  readonly #errors = new Float64Array(MAX_SAMPLES);
  readonly #onHeard: () => void;
  readonly #phaseMs: number;
  #errorCount = 0;
  /** The last tick, by its number on the grid. */
  #tick = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | null = null;

  /**
   * `afterIo` runs its callback once pending socket data was read, as `setImmediate` does. `onHeard` is called when all
   * calls of a tick have taken their frames. Ticks come `phaseMs` after the multiples of 20 ms of `clock`.
   */
  constructor(clock: PacerClock, afterIo: (callback: () => void) => void, onHeard: () => void = () => {}, phaseMs = 0) {
    this.#clock = clock;
    this.#afterIo = afterIo;
    this.#onHeard = onHeard;
    this.#phaseMs = phaseMs;
  }

  get calls(): number {
    return this.#seats.size;
  }

  /** Ticks `call` every 20 ms from now on. */
  join(call: PacedCall): void {
    if (this.#seats.has(call)) return;
    const nowMs = this.#clock.monotonicMs();
    // Ticks before a call's first tick do not count as missed, nor those while the thread was blocked.
    const lastTick = Math.max(this.#tick, this.#tickAt(nowMs));
    if (!this.#cancel) {
      this.#tick = lastTick;
      this.#arm(nowMs);
    }
    this.#seats.set(call, { call, lastMs: Number.NaN, lastTick, isDeaf: false });
  }

  leave(call: PacedCall): void {
    if (!this.#seats.delete(call) || this.#seats.size > 0) return;
    this.#cancel?.();
    this.#cancel = null;
  }

  /** The figures since they were last taken. */
  takeFigures(): PacingFigures {
    const sorted = this.#errors.slice(0, Math.min(this.#errorCount, MAX_SAMPLES)).sort();
    this.#errorCount = 0;
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return { calls: this.#seats.size, errorP50Ms: at(0.5), errorP99Ms: at(0.99), errorMaxMs: sorted.at(-1) ?? 0 };
  }

  #tickAt(nowMs: number): number {
    return Math.floor((nowMs - this.#phaseMs) / FRAME_MS);
  }

  #dueMs(tick: number): number {
    return this.#phaseMs + tick * FRAME_MS;
  }

  #arm(nowMs: number): void {
    const dueMs = this.#dueMs(this.#tick + 1);
    this.#cancel?.();
    this.#cancel = this.#clock.after(Math.max(0, dueMs - nowMs), () => this.#run());
  }

  #run(): void {
    if (!this.#cancel) return;
    const current = this.#tickAt(this.#clock.monotonicMs() + EARLY_MS);
    if (current > this.#tick) {
      this.#tick = current;
      this.#send(current);
      // Packets waiting in the sockets are read first; otherwise they would be concealed now and arrive too late.
      this.#afterIo(() => this.#hear());
    }
    if (this.#seats.size > 0) this.#arm(this.#clock.monotonicMs());
    else this.#cancel = null;
  }

  #send(tick: number): void {
    for (const seat of this.#seats.values()) {
      if (seat.lastTick >= tick) continue;
      const missed = tick - seat.lastTick - 1;
      const nowMs = this.#clock.monotonicMs();
      seat.lastTick = tick;
      if (!Number.isNaN(seat.lastMs)) {
        this.sendLateness.note(nowMs - this.#dueMs(tick));
        this.sendLateness.noteMissed(missed);
        this.#note(Math.abs(nowMs - seat.lastMs - FRAME_MS));
      }
      seat.lastMs = nowMs;
      seat.isDeaf = true;
      try {
        seat.call.send(nowMs, missed);
      } catch (error) {
        this.#expel(seat.call, error);
      }
    }
  }

  #hear(): void {
    for (const seat of this.#seats.values()) {
      if (!seat.isDeaf) continue;
      seat.isDeaf = false;
      try {
        seat.call.hear(seat.lastMs);
      } catch (error) {
        this.#expel(seat.call, error);
      }
    }
    this.#onHeard();
  }

  #expel(call: PacedCall, error: unknown): void {
    this.leave(call);
    call.fault(error);
  }

  // A ring of the newest intervals; older ones are overwritten.
  #note(errorMs: number): void {
    this.#errors[this.#errorCount % MAX_SAMPLES] = errorMs;
    this.#errorCount++;
  }
}
