// Finds the end of a voice by its loudness. A neural VAD reports speech for 50-250 ms after the last sound, longest in
// noise, and a person who answered would wait that much longer. So the VAD detects speech, and loudness finds its end.
import { frameSamples } from '../../media/frame.ts';

const FRAME_SAMPLES = frameSamples(8_000);
/** Loud is 4 dB above the noise … */
const OVER_NOISE = 1.6;
/** … and at most 24 dB below the peak of the speech. */
const UNDER_PEAK = 0.063;
/** The threshold stays 6 dB below the peak: a higher floor is the speech itself. */
const NEAREST_TO_PEAK = 0.5;
/** The floor is the quietest frame. It rises by 6 dB in 7 s, to follow a line that becomes noisy. */
const FLOOR_RISE = 1.002;
/** The peak falls by 6 dB in 3 s. */
const PEAK_FALL = 0.9954;

export class Loudness {
  readonly #frame = new Int16Array(FRAME_SAMPLES);
  #filled = 0;
  #frames = 0;
  #floor = Number.POSITIVE_INFINITY;
  #peak = 0;
  /** End of the last loud frame, in samples since the start; -1 before the first. */
  lastLoudSample = -1;
  /** Loud frames in a row up to now. */
  run = 0;

  /** Takes PCM16 mono at 8 kHz, any length. */
  write(samples: Int16Array): void {
    for (let from = 0; from < samples.length; ) {
      const count = Math.min(FRAME_SAMPLES - this.#filled, samples.length - from);
      this.#frame.set(samples.subarray(from, from + count), this.#filled);
      this.#filled += count;
      from += count;
      if (this.#filled === FRAME_SAMPLES) this.#step();
    }
  }

  #step(): void {
    this.#filled = 0;
    this.#frames++;
    let energy = 0;
    for (const sample of this.#frame) energy += sample * sample;
    const rms = Math.sqrt(energy / FRAME_SAMPLES);
    this.#floor = Math.min(Math.max(1, rms), this.#floor * FLOOR_RISE);
    this.#peak = Math.max(rms, this.#peak * PEAK_FALL);
    const threshold = Math.min(
      Math.max(this.#floor * OVER_NOISE, this.#peak * UNDER_PEAK),
      this.#peak * NEAREST_TO_PEAK,
    );
    this.run = rms > threshold ? this.run + 1 : 0;
    if (this.run > 0) this.lastLoudSample = this.#frames * FRAME_SAMPLES;
  }
}
