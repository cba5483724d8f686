// The places that tests by voice may use: those that no call and no other test has, beyond what is kept for callers.
// A test takes none of `MAX_CALLS`, so that the admission does not know of it; here it is counted.
import { type Clock, sleep } from '../clock.ts';
import type { Admission } from '../load/admission.ts';

/** A free place is looked for so often. */
const LOOK_EVERY_MS = 1_000;

export class TestPlaces {
  readonly #admission: Pick<Admission, 'room'>;
  readonly #clock: Clock;
  #taken = 0;

  constructor(admission: Pick<Admission, 'room'>, clock: Clock) {
    this.#admission = admission;
    this.#clock = clock;
  }

  /** Waits for a place, and returns what gives it back; null: `signal` was aborted before. */
  async take(signal: AbortSignal): Promise<(() => void) | null> {
    while (this.#admission.room('campaign') <= this.#taken) {
      if (signal.aborted) return null;
      await sleep(this.#clock, LOOK_EVERY_MS);
    }
    if (signal.aborted) return null;
    this.#taken++;
    return () => {
      this.#taken--;
    };
  }
}
