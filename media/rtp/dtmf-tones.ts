// Keys heard as tones in the caller's audio (ITU-T Q.23), for peers that agreed on no telephone events. Eight Goertzel
// filters over blocks of 12.75 ms. A block counts if one low and one high tone stand out of their groups, have about
// the same level and are nearly all that is heard: people's voices rarely do that, and not in three blocks in a row.

const LOW_HZ = [697, 770, 852, 941] as const;
const HIGH_HZ = [1_209, 1_336, 1_477, 1_633] as const;
/** By low and high tone. */
const KEYS = ['123A', '456B', '789C', '*0#D'] as const;

const BLOCK_SECONDS = 102 / 8_000;
/** -38 dBm0 for each tone, as root mean square of 16-bit samples; telephones send -10 to -20. */
const MIN_TONE_RMS = 200;
/** A long line weakens the high tone by up to 8 dB; a telephone sends it up to 4 dB stronger. */
const MAX_LOW_OVER_HIGH = 10 ** 0.8;
const MAX_HIGH_OVER_LOW = 10 ** 0.4;
/** 8 dB above each other tone of its group. */
const PEAK = 10 ** 0.8;
/** Share of both tones in all that is heard: 0.80 of two that are 1.5 % off pitch, as Q.24 allows. */
const MIN_SHARE = 0.78;
/** Blocks of one key in a row: tones of 51 ms and more are heard, wherever their blocks begin. */
const BLOCKS_OF_KEY = 3;
/** Blocks without it, until the same key is pressed again: 40 ms, as Q.24 asks. Lost packets are concealed before. */
const BLOCKS_OF_PAUSE = 3;

export class DtmfTones {
  readonly #coefficients: Float64Array;
  readonly #blockSamples: number;
  /** Two a filter. */
  readonly #states = new Float64Array(16);
  readonly #powers = new Float64Array(8);
  #energy = 0;
  #samples = 0;
  #candidate: string | null = null;
  #blocks = 0;
  /** The key that is held; null between keys. */
  #held: string | null = null;
  #missing = 0;

  constructor(sampleRateHz: number) {
    this.#blockSamples = Math.round(sampleRateHz * BLOCK_SECONDS);
    this.#coefficients = Float64Array.from(
      [...LOW_HZ, ...HIGH_HZ],
      (hz) => 2 * Math.cos((2 * Math.PI * hz) / sampleRateHz),
    );
  }

  /** The key that begins in these samples; null if none does. */
  hear(samples: Int16Array): string | null {
    let key: string | null = null;
    for (const sample of samples) {
      this.#energy += sample * sample;
      for (let at = 0; at < 8; at++) {
        const next =
          sample + (this.#coefficients[at] ?? 0) * (this.#states[2 * at] ?? 0) - (this.#states[2 * at + 1] ?? 0);
        this.#states[2 * at + 1] = this.#states[2 * at] ?? 0;
        this.#states[2 * at] = next;
      }
      if (++this.#samples === this.#blockSamples) key = this.#follow(this.#blockKey()) ?? key;
    }
    return key;
  }

  /** The key of the block that is full. */
  #blockKey(): string | null {
    const powers = this.#powers;
    for (let at = 0; at < 8; at++) {
      const one = this.#states[2 * at] ?? 0;
      const two = this.#states[2 * at + 1] ?? 0;
      // A pure tone of amplitude a has a²n²/4 here, and a²n/2 of energy.
      powers[at] = (one * one + two * two - (this.#coefficients[at] ?? 0) * one * two) * (2 / this.#blockSamples);
    }
    const energy = this.#energy;
    this.#states.fill(0);
    this.#energy = 0;
    this.#samples = 0;
    const low = peakIn(powers, 0);
    const high = peakIn(powers, 4);
    if (low < 0 || high < 0) return null;
    const lowPower = powers[low] ?? 0;
    const highPower = powers[high] ?? 0;
    if (Math.min(lowPower, highPower) < MIN_TONE_RMS ** 2 * this.#blockSamples) return null;
    if (lowPower > highPower * MAX_LOW_OVER_HIGH || highPower > lowPower * MAX_HIGH_OVER_LOW) return null;
    if (lowPower + highPower < MIN_SHARE * energy) return null;
    return KEYS[low]?.[high - 4] ?? null;
  }

  #follow(key: string | null): string | null {
    this.#blocks = key === this.#candidate ? this.#blocks + 1 : 1;
    this.#candidate = key;
    if (this.#held !== null) {
      this.#missing = key === this.#held ? 0 : this.#missing + 1;
      if (this.#missing >= BLOCKS_OF_PAUSE) this.#held = null;
    }
    if (key === null || key === this.#held || this.#blocks < BLOCKS_OF_KEY) return null;
    this.#held = key;
    this.#missing = 0;
    return key;
  }
}

/** The tone that stands out of its group of four; -1 if none does. */
function peakIn(powers: Float64Array, from: number): number {
  let peak = from;
  for (let at = from + 1; at < from + 4; at++) if ((powers[at] ?? 0) > (powers[peak] ?? 0)) peak = at;
  for (let at = from; at < from + 4; at++) {
    if (at !== peak && (powers[at] ?? 0) * PEAK > (powers[peak] ?? 0)) return -1;
  }
  return peak;
}
