// The tone by which a caller hears that somebody listens: two beeps, soft enough to talk over, mixed into what the
// caller hears anyway.

const HZ = 440;
/** -26 dBFS: audible beside speech, and not startling. */
const AMPLITUDE = 1_640;
const BEEP_MS = 180;
const GAP_MS = 120;
const LENGTH_MS = 2 * BEEP_MS + GAP_MS;
/** Without it the beginning of a beep clicks. */
const RAMP_MS = 8;

export class NoticeTone {
  readonly #rateHz: number;
  #position = 0;

  constructor(rateHz: number) {
    this.#rateHz = rateHz;
  }

  /** Adds the next piece to a frame. True once it is over. */
  mixInto(frame: Int16Array): boolean {
    for (let i = 0; i < frame.length; i++, this.#position++) {
      const atMs = (this.#position * 1000) / this.#rateHz;
      const level = AMPLITUDE * envelope(atMs);
      if (level === 0) continue;
      const sample = level * Math.sin((2 * Math.PI * HZ * this.#position) / this.#rateHz);
      frame[i] = Math.max(-32_768, Math.min(32_767, Math.round((frame[i] as number) + sample)));
    }
    return (this.#position * 1000) / this.#rateHz >= LENGTH_MS;
  }
}

/** 0 to 1. */
function envelope(atMs: number): number {
  const inBeepMs = atMs < BEEP_MS ? atMs : atMs - BEEP_MS - GAP_MS;
  if (inBeepMs < 0 || inBeepMs >= BEEP_MS) return 0;
  return Math.min(1, inBeepMs / RAMP_MS, (BEEP_MS - inBeepMs) / RAMP_MS);
}
