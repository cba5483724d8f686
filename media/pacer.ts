// The clock of all audio in a thread: one drift-corrected timer at t0 + n·5 ms. Calls are spread over four slots, so each
// call ticks every 20 ms and their work does not fall together. A tick has two halves: first every call of the slot sends, then
// sockets are read, then every call takes what its caller sent. Missed ticks are never made up by bursts: the call gets their
// number and decides what to do (it sends nothing for them, and catches up on the caller's audio).

import { FRAME_MS } from './frame.ts';
import { Lateness } from './lateness.ts';

const SLOT_MS = 5;
const SLOTS = FRAME_MS / SLOT_MS;
// Millisecond timers fire up to this much early. Waiting again would make the tick late by a whole millisecond.
const EARLY_MS = 0.6;
// A packet that leaves later is noticed: the next one is due.
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
  /** Sends one frame. `missed` is how many ticks were due since the last one and did not come; normally 0. */
  send(nowMs: number, missed: number): void;
  /** Takes the caller's frame of the same tick. Not called for a call that has left in between. */
  hear(nowMs: number): void;
  /** One of both threw; the call has left the pacer. */
  fault(error: unknown): void;
}

export interface PacingFigures {
  calls: number;
  /** Distance of the interval between two frames sent by a call from 20 ms. */
  errorP50Ms: number;
  errorP99Ms: number;
  errorMaxMs: number;
}

interface Seat {
  call: PacedCall;
  /** When it last sent; NaN before the first tick. */
  lastMs: number;
  /** It has sent and not heard yet. */
  isDeaf: boolean;
  /** Grid index (n of t0 + n·5 ms) of its last tick. */
  lastTick: number;
}

export class Pacer {
  /** From the time a frame was due to its sending; frames that were never sent are late. A call's first frame does not count. */
  readonly sendLateness = new Lateness(LATE_MS);
  readonly #clock: PacerClock;
  readonly #afterIo: (callback: () => void) => void;
  readonly #slots: Seat[][] = Array.from({ length: SLOTS }, () => []);
  readonly #seats = new Map<PacedCall, { slot: Seat[]; seat: Seat }>();
  readonly #errors = new Float64Array(MAX_SAMPLES);
  readonly #onHeard: () => void;
  #errorCount = 0;
  #t0 = 0;
  #tick = 0;
  #cancel: (() => void) | null = null;

  /**
   * `afterIo` runs its callback once pending socket data has been read, as `setImmediate` does. `onHeard` is called when all
   * calls of a tick have heard.
   */
  constructor(clock: PacerClock, afterIo: (callback: () => void) => void, onHeard: () => void = () => {}) {
    this.#clock = clock;
    this.#afterIo = afterIo;
    this.#onHeard = onHeard;
  }

  get calls(): number {
    return this.#seats.size;
  }

  /** Ticks `call` every 20 ms from now on, in the emptiest slot. */
  join(call: PacedCall): void {
    if (this.#seats.has(call)) return;
    const nowMs = this.#clock.monotonicMs();
    if (!this.#cancel) {
      this.#t0 = nowMs;
      this.#tick = 0;
      this.#arm(nowMs);
    }
    let emptiest = 0;
    for (let i = 1; i < SLOTS; i++) {
      if ((this.#slots[i] as Seat[]).length < (this.#slots[emptiest] as Seat[]).length) emptiest = i;
    }
    // One tick before its first, so that no tick before it counts as missed, and none while the thread was blocked.
    const current = Math.max(this.#tick, Math.floor((nowMs - this.#t0) / SLOT_MS));
    let lastTick = current - SLOTS + 1;
    while (((lastTick % SLOTS) + SLOTS) % SLOTS !== emptiest) lastTick++;
    const seat: Seat = { call, lastMs: Number.NaN, lastTick, isDeaf: false };
    const slot = this.#slots[emptiest] as Seat[];
    slot.push(seat);
    this.#seats.set(call, { slot, seat });
  }

  leave(call: PacedCall): void {
    const found = this.#seats.get(call);
    if (!found) return;
    this.#seats.delete(call);
    const index = found.slot.indexOf(found.seat);
    if (index >= 0) found.slot.splice(index, 1);
    if (this.#seats.size === 0) {
      this.#cancel?.();
      this.#cancel = null;
    }
  }

  /** The figures since they were last taken. */
  takeFigures(): PacingFigures {
    const sorted = this.#errors.slice(0, Math.min(this.#errorCount, MAX_SAMPLES)).sort();
    this.#errorCount = 0;
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return { calls: this.#seats.size, errorP50Ms: at(0.5), errorP99Ms: at(0.99), errorMaxMs: sorted.at(-1) ?? 0 };
  }

  #arm(nowMs: number): void {
    const dueMs = this.#t0 + (this.#tick + 1) * SLOT_MS;
    this.#cancel = this.#clock.after(Math.max(0, dueMs - nowMs), () => this.#run());
  }

  #run(): void {
    if (!this.#cancel) return;
    const nowMs = this.#clock.monotonicMs();
    const current = Math.floor((nowMs - this.#t0 + EARLY_MS) / SLOT_MS);
    if (current > this.#tick) {
      // After a long block each slot still runs only once, the one that waited longest first.
      const first = Math.max(this.#tick + 1, current - SLOTS + 1);
      this.#tick = current;
      let sent = 0;
      for (let tick = first; tick <= current; tick++) sent += this.#send(tick);
      // Packets that wait in the sockets are read first, or they would be concealed now and arrive too late.
      if (sent > 0) this.#afterIo(() => this.#hear(first, current));
    }
    if (this.#seats.size > 0) this.#arm(this.#clock.monotonicMs());
    else this.#cancel = null;
  }

  /** How many calls were to send. */
  #send(tick: number): number {
    const slot = this.#slots[tick % SLOTS] as Seat[];
    const due = slot.length;
    for (let i = slot.length - 1; i >= 0; i--) {
      const seat = slot[i];
      if (!seat) continue;
      const missed = Math.max(0, (tick - seat.lastTick) / SLOTS - 1);
      const nowMs = this.#clock.monotonicMs();
      seat.lastTick = tick;
      if (!Number.isNaN(seat.lastMs)) {
        this.sendLateness.note(nowMs - this.#t0 - tick * SLOT_MS);
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
    return due;
  }

  #hear(first: number, last: number): void {
    for (let tick = first; tick <= last; tick++) {
      const slot = this.#slots[tick % SLOTS] as Seat[];
      for (let i = slot.length - 1; i >= 0; i--) {
        const seat = slot[i];
        if (!seat?.isDeaf) continue;
        seat.isDeaf = false;
        try {
          seat.call.hear(seat.lastMs);
        } catch (error) {
          this.#expel(seat.call, error);
        }
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
