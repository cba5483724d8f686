// Measures voiced speech by its periodicity. A grammar recogniser finds a word in any noise ("bye" in white noise, with
// a posterior of 0.93), so an utterance without voice must be rejected by its sound.

const RATE_HZ = 8_000;
const FRAME_SAMPLES = 240;
const HOP_SAMPLES = 160;
/** The pitch of voices, 70-400 Hz, as lags at 8 kHz. */
const MIN_LAG = RATE_HZ / 400;
const MAX_LAG = Math.floor(RATE_HZ / 70);
/** Least normalised autocorrelation of a voiced frame; white noise stays below 0.3. */
const PERIODIC = 0.55;
/** -52 dBFS. */
const MIN_RMS = 80;

export class VoicingMeter {
  readonly #frame = new Float32Array(FRAME_SAMPLES);
  #filled = 0;
  #voicedFrames = 0;

  /** Total voiced time, in steps of 20 ms. */
  get voicedMs(): number {
    return (this.#voicedFrames * HOP_SAMPLES * 1_000) / RATE_HZ;
  }

  reset(): void {
    this.#filled = 0;
    this.#voicedFrames = 0;
  }

  /** Takes PCM16 mono at 8 kHz, any length; about 10 µs for 20 ms. */
  write(samples: Int16Array): void {
    for (const sample of samples) {
      this.#frame[this.#filled++] = sample;
      if (this.#filled < FRAME_SAMPLES) continue;
      if (isVoiced(this.#frame)) this.#voicedFrames++;
      this.#frame.copyWithin(0, HOP_SAMPLES);
      this.#filled = FRAME_SAMPLES - HOP_SAMPLES;
    }
  }
}

/** Whether a 30 ms frame repeats itself at a lag of the pitch range. */
function isVoiced(frame: Float32Array): boolean {
  let energy = 0;
  for (const sample of frame) energy += sample * sample;
  if (energy < MIN_RMS * MIN_RMS * frame.length) return false;
  for (let lag = MIN_LAG; lag <= MAX_LAG; lag++) {
    let product = 0;
    let early = 0;
    let late = 0;
    for (let n = lag; n < frame.length; n++) {
      const a = frame[n] as number;
      const b = frame[n - lag] as number;
      product += a * b;
      early += b * b;
      late += a * a;
    }
    if (product > PERIODIC * Math.sqrt(early * late)) return true;
  }
  return false;
}
