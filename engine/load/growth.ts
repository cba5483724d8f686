// Limits how fast the number of calls may grow beyond a proven load. Lateness shows only after some seconds
// (`overload.ts`), and calls that came meanwhile are already in. So calls are accepted freely up to a number that was
// carried in time; beyond it only a few per second, slowly enough for lateness to follow. When lateness shows, the
// number falls below the number of calls at that time, and for a while growth is much slower, because each call too
// many makes all calls late.

import { BELIEVED_SHARE, CAREFUL_MS, CAREFUL_SHARE, PROOF_LOOKS, SHARE_A_SECOND, STEP_BACK } from './limits.ts';

export class Growth {
  readonly #perSecond: number;
  readonly #nowMs: () => number;
  #carried: number;
  /** Number of calls at the last looks, the newest last. */
  #looks: number[] = [];
  #wasLate = false;
  #carefulUntilMs = Number.NEGATIVE_INFINITY;
  /** Calls that may begin beyond the proven number, at `#atMs`. */
  #tokens: number;
  #atMs: number;

  /** `mediaCalls`: the number of calls that the cores carry without engines. */
  constructor(mediaCalls: number, nowMs: () => number) {
    this.#carried = Math.floor(mediaCalls * BELIEVED_SHARE);
    this.#perSecond = Math.max(1, mediaCalls * SHARE_A_SECOND);
    this.#nowMs = nowMs;
    this.#tokens = this.#perSecond;
    this.#atMs = nowMs();
  }

  /** Calls that may begin now beside `activeCalls`. */
  room(activeCalls: number): number {
    this.#refill();
    return Math.max(0, this.#carried - activeCalls) + Math.floor(this.#tokens);
  }

  /** A call begins beside `activeCalls`. */
  begin(activeCalls: number): void {
    this.#refill();
    if (activeCalls >= this.#carried) this.#tokens = Math.max(0, this.#tokens - 1);
  }

  /** To be called twice a second. */
  judge(activeCalls: number, isLate: boolean): void {
    const becameLate = isLate && !this.#wasLate;
    this.#wasLate = isLate;
    if (becameLate) this.#carried = Math.floor(activeCalls * STEP_BACK);
    if (isLate) {
      this.#refill();
      this.#carefulUntilMs = this.#nowMs() + CAREFUL_MS;
    }
    this.#looks = isLate ? [] : [...this.#looks, activeCalls].slice(-PROOF_LOOKS);
    if (this.#looks.length === PROOF_LOOKS) this.#carried = Math.max(this.#carried, Math.min(...this.#looks));
  }

  #refill(): void {
    const nowMs = this.#nowMs();
    const perSecond = this.#perSecond * (nowMs < this.#carefulUntilMs ? CAREFUL_SHARE : 1);
    this.#tokens = Math.min(Math.max(1, perSecond), this.#tokens + ((nowMs - this.#atMs) / 1_000) * perSecond);
    this.#atMs = nowMs;
  }
}
