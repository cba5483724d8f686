// Streaming sample-rate conversion between the rates of a call: 8 and 16 kHz (telephone, browser), 22.05 and 24 kHz
// (voices). A polyphase FIR for every rational ratio: a Kaiser-windowed sinc, cut off at 0.95 of the lower Nyquist
// frequency.

// 20 zero crossings per side and beta 6.5 give 68 dB of stop band and, at 8 kHz, a pass band up to 3,385 Hz: the whole
// telephone band.
const ZERO_CROSSINGS = 20;
const KAISER_BETA = 6.5;
const PASS_BAND = 0.95;

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

function bessel0(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; k < 40; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

interface Filter {
  up: number;
  down: number;
  taps: number;
  /** `up` phases of `taps` coefficients each, newest sample last. */
  coefficients: Float32Array;
}

const filters = new Map<string, Filter>();

function filterFor(fromHz: number, toHz: number): Filter {
  const divisor = gcd(fromHz, toHz);
  const up = toHz / divisor;
  const down = fromHz / divisor;
  const key = `${up}/${down}`;
  const known = filters.get(key);
  if (known) return known;
  // In units of input samples: the sinc is stretched if the output rate is the lower one.
  const cutoff = Math.min(1, up / down) * PASS_BAND;
  const halfWidth = Math.ceil(ZERO_CROSSINGS / cutoff);
  const taps = 2 * halfWidth;
  const coefficients = new Float32Array(up * taps);
  const norm = bessel0(KAISER_BETA);
  for (let phase = 0; phase < up; phase++) {
    let sum = 0;
    for (let tap = 0; tap < taps; tap++) {
      const t = tap - halfWidth + 1 - phase / up;
      const edge = t / halfWidth;
      const window = Math.abs(edge) >= 1 ? 0 : bessel0(KAISER_BETA * Math.sqrt(1 - edge * edge)) / norm;
      const x = Math.PI * t * cutoff;
      const value = (x === 0 ? 1 : Math.sin(x) / x) * cutoff * window;
      coefficients[phase * taps + tap] = value;
      sum += value;
    }
    // Every phase passes DC with gain 1, so a constant stays constant.
    for (let tap = 0; tap < taps; tap++)
      coefficients[phase * taps + tap] = (coefficients[phase * taps + tap] as number) / sum;
  }
  const filter = { up, down, taps, coefficients };
  filters.set(key, filter);
  return filter;
}

/**
 * Converts one stream of 16-bit samples from `fromHz` to `toHz`. Blocks may have any length; over the stream the number
 * of output samples follows the ratio exactly. The group delay is half the filter, `delayInputSamples`. Streams share
 * coefficients.
 */
export class Resampler {
  readonly delayInputSamples: number;
  readonly #filter: Filter;
  #buffer: Float32Array;
  #filled: number;
  #phase = 0;
  readonly #identity: boolean;

  /** @throws {RangeError} when a rate is not a positive integer */
  constructor(fromHz: number, toHz: number) {
    if (!Number.isInteger(fromHz) || !Number.isInteger(toHz) || fromHz <= 0 || toHz <= 0) {
      throw new RangeError(`sample rates must be positive integers, got ${fromHz} and ${toHz}`);
    }
    this.#identity = fromHz === toHz;
    this.#filter = filterFor(fromHz, toHz);
    this.delayInputSamples = this.#identity ? 0 : this.#filter.taps / 2;
    this.#buffer = new Float32Array(this.#filter.taps * 2 + 2048);
    this.#filled = this.#filter.taps - 1;
  }

  /** The most samples that `process` writes for `inputSamples`. */
  maxOutput(inputSamples: number): number {
    return this.#identity ? inputSamples : Math.ceil((inputSamples * this.#filter.up) / this.#filter.down) + 1;
  }

  /**
   * Converts `input` into `out`, which needs room for `maxOutput(input.length)`. Returns the number of samples written.
   */
  process(input: Int16Array, out: Int16Array): number {
    if (this.#identity) {
      out.set(input);
      return input.length;
    }
    const { up, down, taps, coefficients } = this.#filter;
    this.#append(input);
    const buffer = this.#buffer;
    let position = Math.floor(this.#phase / up);
    let phase = this.#phase % up;
    let written = 0;
    while (position + taps <= this.#filled) {
      let sum = 0;
      const base = phase * taps;
      for (let tap = 0; tap < taps; tap++)
        sum += (buffer[position + tap] as number) * (coefficients[base + tap] as number);
      out[written++] = sum > 32767 ? 32767 : sum < -32768 ? -32768 : Math.round(sum);
      phase += down;
      position += Math.floor(phase / up);
      phase %= up;
    }
    const used = Math.min(position, this.#filled);
    buffer.copyWithin(0, used, this.#filled);
    this.#filled -= used;
    // If the ratio skips past the buffered samples, the rest is skipped in the next block.
    this.#phase = phase + (position - used) * up;
    return written;
  }

  /** Like `process`, into a new array of the exact length. */
  convert(input: Int16Array): Int16Array {
    const out = new Int16Array(this.maxOutput(input.length));
    return out.subarray(0, this.process(input, out));
  }

  #append(input: Int16Array): void {
    const needed = this.#filled + input.length;
    if (needed > this.#buffer.length) {
      const grown = new Float32Array(needed + 2048);
      grown.set(this.#buffer.subarray(0, this.#filled));
      this.#buffer = grown;
    }
    for (let i = 0; i < input.length; i++) this.#buffer[this.#filled + i] = input[i] as number;
    this.#filled = needed;
  }
}
