// Leaves a FreeSWITCH alone that has failed a call. A server that hangs keeps its connections and has the fewest
// channels of all: without a breaker each new call would go to it first.
import type { Clock } from '../../../../clock.ts';

const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;

export class HostBreaker {
  readonly #clock: Clock;
  /** 0: the last call worked. */
  #pauseMs = 0;
  #failedAtMs = 0;
  #untilMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls go elsewhere, as long as there is another server. */
  get isOpen(): boolean {
    return this.#clock.monotonicMs() < this.#untilMs;
  }

  /** Returns true if it was closed before. */
  failed(): boolean {
    const nowMs = this.#clock.monotonicMs();
    const wasClosed = this.#pauseMs === 0;
    // Calls that fail side by side are one failure.
    const isAnother = wasClosed || nowMs - this.#failedAtMs >= this.#pauseMs;
    if (isAnother) this.#pauseMs = wasClosed ? FIRST_PAUSE_MS : Math.min(this.#pauseMs * 2, MAX_PAUSE_MS);
    this.#failedAtMs = nowMs;
    this.#untilMs = nowMs + this.#pauseMs;
    return wasClosed;
  }

  worked(): void {
    this.#pauseMs = 0;
    this.#untilMs = 0;
  }

  /** A call is about to try it. Until the outcome is known, the next calls go elsewhere if it has failed before. */
  tried(): void {
    if (this.#pauseMs > 0) this.#untilMs = this.#clock.monotonicMs() + this.#pauseMs;
  }
}
