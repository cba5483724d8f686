// How late something is, as a percentile since the last reading: counted in steps of half a millisecond, because it is noted for
// every packet of every call.

const STEP_MS = 0.5;
const STEPS = 1_000;

export class Lateness {
  readonly #counts = new Uint32Array(STEPS + 1);
  #total = 0;

  note(ms: number): void {
    const step = Math.floor(ms / STEP_MS);
    const at = Math.max(0, Math.min(STEPS, step));
    this.#counts[at] = (this.#counts[at] as number) + 1;
    this.#total++;
  }

  /** The 99th percentile of what was noted since the last call, ms rounded up to a step; 0 where nothing was. */
  takeP99(): number {
    // As many may be later.
    let above = Math.floor(this.#total / 100);
    let at = this.#total === 0 ? -1 : STEPS;
    for (; at >= 0 && above >= (this.#counts[at] as number); at--) above -= this.#counts[at] as number;
    this.#counts.fill(0);
    this.#total = 0;
    return (at + 1) * STEP_MS;
  }
}
