// Finds the beep of an answering machine: one stable tone of 440-2000 Hz. A bank of Goertzel filters analyses each 20
// ms frame. Two tones at once (DTMF, ringback, busy) put at most half of the energy into one filter, and a voice does
// not hold its pitch.
import { frameSamples } from '../../media/frame.ts';

const RATE_HZ = 8_000;
/** They make the filters 50 Hz wide. */
const FRAME_SAMPLES = frameSamples(RATE_HZ);
/** Lower than any beep, so that the low notes of a melody are recognised as well. */
const LOWEST_HZ = 240;
const HIGHEST_HZ = 2_040;
const STEP_HZ = 20;
/** A single 425 Hz tone is a European ringback or busy signal. */
const BEEP_FROM_HZ = 436;
const BEEP_TO_HZ = 2_010;
/** Least share of a frame's energy within one filter. A clean tone reaches 0.9 and more. */
const PURITY = 0.75;
/** -38 dBFS. */
const MIN_RMS = 410;
/** Beeps last 150 ms to 1.5 s; longer tones are ringback, dial tone or fax. */
const MIN_FRAMES = 6;
const MAX_FRAMES = 100;
/** The tone may drift this far from its first frequency. */
const DRIFT_HZ = 25;
/** A pitch that moves less than this from frame to frame is no voice. */
const STEADY_HZ = 6;
/** Its level must stay within 4 dB; the two tones of a ringback beat. */
const LEVEL_RATIO = 1.6;
/** A vowel may resemble a tone for a moment. A longer tone that is followed by another is a note of a melody. */
const NOTE_FRAMES = 4;
/** Frames that may be missing in the middle, by packet loss. */
const MAX_GAP_FRAMES = 2;

interface Beep {
  /** Samples at 8 kHz since the detector was made. */
  startSample: number;
  endSample: number;
  frequencyHz: number;
}

interface Tone {
  startSample: number;
  frames: number;
  gap: number;
  frequencyHz: number;
  rms: number;
  isSteady: boolean;
  /** The tone follows another one without a pause, as in a melody. */
  isMelody: boolean;
}

/** 2·cos(2πf/fs) for each filter. */
const COEFFICIENTS = Float64Array.from(
  { length: Math.floor((HIGHEST_HZ - LOWEST_HZ) / STEP_HZ) + 1 },
  (_, index) => 2 * Math.cos((2 * Math.PI * (LOWEST_HZ + index * STEP_HZ)) / RATE_HZ),
);

export class BeepDetector {
  readonly #frame = new Float32Array(FRAME_SAMPLES);
  #filled = 0;
  #samples = 0;
  #tone: Tone | null = null;
  #lastHz: number | null = null;
  /** Number of 20 ms frames with a steady pitch: tones and the notes of instruments. */
  steadyFrames = 0;
  /** Steady frames in a row up to now. */
  steadyRun = 0;

  /**
   * Takes PCM16 mono at 8 kHz, any length; about 20 µs per frame.
   * @returns the beeps that ended within these samples
   */
  write(samples: Int16Array): Beep[] {
    const beeps: Beep[] = [];
    for (const sample of samples) {
      this.#frame[this.#filled++] = sample;
      if (this.#filled < FRAME_SAMPLES) continue;
      this.#filled = 0;
      this.#samples += FRAME_SAMPLES;
      const beep = this.#step();
      if (beep) beeps.push(beep);
    }
    return beeps;
  }

  #step(): Beep | null {
    const heard = toneOf(this.#frame);
    const isSteady = heard !== null && this.#lastHz !== null && Math.abs(heard.frequencyHz - this.#lastHz) <= STEADY_HZ;
    this.steadyFrames += isSteady ? 1 : 0;
    this.steadyRun = isSteady ? this.steadyRun + 1 : 0;
    this.#lastHz = heard?.frequencyHz ?? null;
    const tone = this.#tone;
    if (heard && tone && Math.abs(heard.frequencyHz - tone.frequencyHz) <= DRIFT_HZ) {
      tone.frames += 1 + tone.gap;
      tone.gap = 0;
      const ratio = heard.rms > tone.rms ? heard.rms / tone.rms : tone.rms / heard.rms;
      if (ratio > LEVEL_RATIO && tone.frames > 2) tone.isSteady = false;
      if (tone.frames === 2) tone.rms = heard.rms;
      return null;
    }
    if (!heard && tone && tone.gap < MAX_GAP_FRAMES) {
      tone.gap++;
      return null;
    }
    const isMelody = heard !== null && tone !== null && tone.frames >= NOTE_FRAMES;
    const ended = tone && !isMelody ? this.#end(tone) : null;
    this.#tone = heard
      ? {
          startSample: this.#samples - FRAME_SAMPLES,
          frames: 1,
          gap: 0,
          frequencyHz: heard.frequencyHz,
          rms: heard.rms,
          isSteady: true,
          isMelody,
        }
      : null;
    return ended;
  }

  #end(tone: Tone): Beep | null {
    const isBeep =
      tone.isSteady &&
      !tone.isMelody &&
      tone.frames >= MIN_FRAMES &&
      tone.frames <= MAX_FRAMES &&
      tone.frequencyHz >= BEEP_FROM_HZ &&
      tone.frequencyHz <= BEEP_TO_HZ;
    if (!isBeep) return null;
    const { startSample, frames, frequencyHz } = tone;
    return { startSample, endSample: startSample + frames * FRAME_SAMPLES, frequencyHz };
  }
}

/** The tone that holds most of a frame's energy; null when none does. */
function toneOf(frame: Float32Array): { frequencyHz: number; rms: number } | null {
  let energy = 0;
  for (const sample of frame) energy += sample * sample;
  const rms = Math.sqrt(energy / frame.length);
  if (rms < MIN_RMS) return null;
  let best = -1;
  let bestPower = 0;
  const powers = new Float64Array(COEFFICIENTS.length);
  for (const [index, coefficient] of COEFFICIENTS.entries()) {
    let s1 = 0;
    let s2 = 0;
    for (const sample of frame) {
      const s0 = sample + coefficient * s1 - s2;
      s2 = s1;
      s1 = s0;
    }
    const power = s1 * s1 + s2 * s2 - coefficient * s1 * s2;
    powers[index] = power;
    if (power <= bestPower) continue;
    bestPower = power;
    best = index;
  }
  // A sine's power in its own filter is energy · N / 2.
  if (bestPower / ((energy * frame.length) / 2) < PURITY) return null;
  // The peak of a parabola through three filters is more precise than their spacing.
  const left = powers[best - 1] ?? bestPower;
  const right = powers[best + 1] ?? bestPower;
  const bend = left - 2 * bestPower + right;
  const shift = bend === 0 ? 0 : (0.5 * (left - right)) / bend;
  return { frequencyHz: LOWEST_HZ + (best + Math.max(-0.5, Math.min(0.5, shift))) * STEP_HZ, rms };
}
