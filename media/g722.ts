// G.722 at 64 kbit/s (ITU-T G.722): 16 kHz audio is split into two bands of 8 kHz by a quadrature mirror filter, and
// each band is coded by adaptive prediction, with 6 bits for the lower band and 2 for the higher. One byte stands for
// two samples. Block names in capitals are those of the Recommendation.
//
//   samples ─► QMF ─┬─► low band  ─► quantise ─► 6 bits ─┬─► byte    each band predicts its next sample from what the
//                   └─► high band ─► quantise ─► 2 bits ─┘           decoder will have, so both ends stay in step

/** Samples that one byte stands for. */
export const G722_SAMPLES_PER_BYTE = 2;

const QMF_TAPS = 24;
const QMF = Int32Array.of(3, -11, 12, 32, -210, 951, 3876, -805, 362, -156, 53, -11);
// Samples of history before the newest pair.
const QMF_HISTORY = QMF_TAPS - 2;

// Tables of the Recommendation: decision levels, codes, inverse quantisers, logarithmic scale factors.
const DECISIONS_LOW = Int32Array.of(
  ...[0, 35, 72, 110, 150, 190, 233, 276, 323, 370, 422, 473, 530, 587, 650, 714, 786, 858, 940, 1023, 1121, 1219],
  ...[1339, 1458, 1612, 1765, 1980, 2195, 2557, 2919],
);
const NEGATIVE_LOW = Uint8Array.of(
  ...[0, 63, 62, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6],
  ...[5, 4],
);
const POSITIVE_LOW = Uint8Array.from({ length: 31 }, (_, level) => (level === 0 ? 0 : 62 - level));
const INVERSE_LOW_6 = Int32Array.of(
  ...[-136, -136, -136, -136, -24808, -21904, -19008, -16704, -14984, -13512, -12280, -11192, -10232, -9360, -8576],
  ...[-7856, -7192, -6576, -6000, -5456, -4944, -4464, -4008, -3576, -3168, -2776, -2400, -2032, -1688, -1360, -1040],
  ...[-728, 24808, 21904, 19008, 16704, 14984, 13512, 12280, 11192, 10232, 9360, 8576, 7856, 7192, 6576, 6000, 5456],
  ...[4944, 4464, 4008, 3576, 3168, 2776, 2400, 2032, 1688, 1360, 1040, 728, 432, 136, -432, -136],
);
const INVERSE_LOW_4 = Int32Array.of(
  ...[0, -20456, -12896, -8968, -6288, -4240, -2584, -1200, 20456, 12896, 8968, 6288, 4240, 2584, 1200, 0],
);
const INVERSE_HIGH = Int32Array.of(-7408, -1616, 7408, 1616);
const SCALE_STEP_LOW = Int32Array.of(-60, 3042, 1198, 538, 334, 172, 58, -30, 3042, 1198, 538, 334, 172, 58, -30, -60);
const SCALE_STEP_HIGH = Int32Array.of(798, -214, 798, -214);
const INVERSE_LOG = Int32Array.of(
  ...[2048, 2093, 2139, 2186, 2233, 2282, 2332, 2383, 2435, 2489, 2543, 2599, 2656, 2714, 2774, 2834, 2896, 2960, 3025],
  ...[3091, 3158, 3228, 3298, 3371, 3444, 3520, 3597, 3676, 3756, 3838, 3922, 4008],
);

const MAX_SCALE_LOW = 18432;
const MAX_SCALE_HIGH = 22528;
const HIGH_DECISION = 564;

function saturate(value: number): number {
  return value > 32767 ? 32767 : value < -32768 ? -32768 : value;
}

/** The low band's reconstruction has 15 bits. */
function limit(value: number): number {
  return value > 16383 ? 16383 : value < -16384 ? -16384 : value;
}

// Where a band's state lies in its array: prediction, its part from the zeros, quantiser scale, logarithmic scale; then
// the newest two of the reconstructed signal, of the partly reconstructed one and of the poles; then six zeros, six
// differences.
const PREDICTION = 0;
const ZERO_PART = 1;
const SCALE = 2;
const LOG_SCALE = 3;
const R1 = 4;
const R2 = 5;
const P1 = 6;
const P2 = 7;
const A1 = 8;
const A2 = 9;
const B = 10;
const D = 16;
const BAND_WORDS = 22;
const ZEROS = 6;

function newBand(scale: number): Int32Array {
  const band = new Int32Array(BAND_WORDS);
  band[SCALE] = scale;
  return band;
}

/** LOGSC and SCALE: adapts the quantiser to the code just sent. `shift`: 8 in the low band, 10 in the high. */
function adaptScale(band: Int32Array, step: number, max: number, shift: number): void {
  const moved = (Math.imul(band[LOG_SCALE] as number, 127) >> 7) + step;
  const log = moved < 0 ? 0 : moved > max ? max : moved;
  band[LOG_SCALE] = log;
  const mantissa = INVERSE_LOG[(log >> 6) & 31] as number;
  const exponent = shift - (log >> 11);
  band[SCALE] = (exponent < 0 ? mantissa << -exponent : mantissa >> exponent) << 2;
}

/** Block 4: adapts the predictor to the quantised difference `d`, and predicts the band's next sample. */
function predict(band: Int32Array, d: number): void {
  const r = saturate((band[PREDICTION] as number) + d);
  const p = saturate((band[ZERO_PART] as number) + d);
  const a1 = band[A1] as number;
  const a2 = band[A2] as number;
  const r1 = band[R1] as number;
  const sameAsLast = (p ^ (band[P1] as number)) >= 0;
  const sameAsSecond = (p ^ (band[P2] as number)) >= 0;
  // UPPOL2
  const a1Scaled = saturate(a1 << 2);
  const turned = sameAsLast ? Math.min(32767, -a1Scaled) : a1Scaled;
  let pole2 = (turned >> 7) + (sameAsSecond ? 128 : -128) + (Math.imul(a2, 32512) >> 15);
  pole2 = pole2 > 12288 ? 12288 : pole2 < -12288 ? -12288 : pole2;
  // UPPOL1
  const bound = 15360 - pole2;
  let pole1 = (sameAsLast ? 192 : -192) + (Math.imul(a1, 32640) >> 15);
  pole1 = pole1 > bound ? bound : pole1 < -bound ? -bound : pole1;
  // UPZERO, DELAYA and FILTEZ, from the oldest difference to the newest
  const step = d === 0 ? 0 : 128;
  let zeroPart = 0;
  for (let i = ZEROS - 1; i >= 0; i--) {
    const old = band[D + i] as number;
    const moved = (Math.imul(band[B + i] as number, 32640) >> 15) + ((old ^ d) >= 0 ? step : -step);
    band[B + i] = moved;
    const next = i === 0 ? d : (band[D + i - 1] as number);
    band[D + i] = next;
    zeroPart += Math.imul(moved, saturate(next + next)) >> 15;
  }
  zeroPart = saturate(zeroPart);
  // FILTEP and PREDIC
  const polePart = saturate((Math.imul(pole1, saturate(r + r)) >> 15) + (Math.imul(pole2, saturate(r1 + r1)) >> 15));
  band[R2] = r1;
  band[R1] = r;
  band[P2] = band[P1] as number;
  band[P1] = p;
  band[A1] = pole1;
  band[A2] = pole2;
  band[ZERO_PART] = zeroPart;
  band[PREDICTION] = saturate(polePart + zeroPart);
}

/** QUANTL: the first level whose decision value exceeds `distance`. */
function lowLevel(distance: number, scale: number): number {
  let from = 1;
  let to = 30;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (distance < Math.imul(DECISIONS_LOW[middle] as number, scale) >> 12) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Makes room for `samples` behind the history, which is kept. */
function withRoom(window: Int32Array<ArrayBuffer>, samples: number): Int32Array<ArrayBuffer> {
  if (QMF_HISTORY + samples <= window.length) return window;
  const wider = new Int32Array(QMF_HISTORY + samples);
  wider.set(window.subarray(0, QMF_HISTORY));
  return wider;
}

/** One direction of a call. Its state depends on all earlier samples. */
export class G722Encoder {
  readonly #low = newBand(32);
  readonly #high = newBand(8);
  #window = new Int32Array(QMF_HISTORY);

  /**
   * Encodes `samples` (16 kHz, an even number of them) into `out` from `outOffset`, one byte for two samples.
   * @returns the number of bytes
   */
  encode(samples: Int16Array, out: Uint8Array, outOffset = 0): number {
    this.#window = withRoom(this.#window, samples.length);
    const window = this.#window;
    window.set(samples, QMF_HISTORY);
    const bytes = samples.length >> 1;
    for (let i = 0; i < bytes; i++) out[outOffset + i] = this.#encodePair(window, i * 2);
    window.copyWithin(0, bytes * 2, bytes * 2 + QMF_HISTORY);
    return bytes;
  }

  #encodePair(window: Int32Array, at: number): number {
    let odd = 0;
    let even = 0;
    for (let tap = 0; tap < 12; tap++) {
      odd += Math.imul(window[at + 2 * tap] as number, QMF[tap] as number);
      even += Math.imul(window[at + 2 * tap + 1] as number, QMF[11 - tap] as number);
    }
    return (this.#encodeHigh((even - odd) >> 14) << 6) | this.#encodeLow((even + odd) >> 14);
  }

  #encodeLow(sample: number): number {
    const band = this.#low;
    const scale = band[SCALE] as number;
    const difference = saturate(sample - (band[PREDICTION] as number));
    const level = lowLevel(difference < 0 ? ~difference : difference, scale);
    const code = (difference < 0 ? NEGATIVE_LOW[level] : POSITIVE_LOW[level]) as number;
    // The predictor uses only the upper 4 bits, because the lower 2 may be lost on the way (modes 2 and 3).
    const coarse = code >> 2;
    const quantised = Math.imul(scale, INVERSE_LOW_4[coarse] as number) >> 15;
    adaptScale(band, SCALE_STEP_LOW[coarse] as number, MAX_SCALE_LOW, 8);
    predict(band, quantised);
    return code;
  }

  #encodeHigh(sample: number): number {
    const band = this.#high;
    const scale = band[SCALE] as number;
    const difference = saturate(sample - (band[PREDICTION] as number));
    const far = (difference < 0 ? ~difference : difference) >= Math.imul(HIGH_DECISION, scale) >> 12;
    const code = difference < 0 ? (far ? 0 : 1) : far ? 2 : 3;
    const quantised = Math.imul(scale, INVERSE_HIGH[code] as number) >> 15;
    adaptScale(band, SCALE_STEP_HIGH[code] as number, MAX_SCALE_HIGH, 10);
    predict(band, quantised);
    return code;
  }
}

/** One direction of a call. Its state depends on all earlier codes; after a loss it resynchronises by itself. */
export class G722Decoder {
  readonly #low = newBand(32);
  readonly #high = newBand(8);
  #window = new Int32Array(QMF_HISTORY);

  /**
   * Decodes `count` bytes of `codes` from `codesOffset` into the first samples of `out`, 16-bit linear at 16 kHz.
   * @returns the number of samples, twice that of the bytes
   */
  decode(codes: Uint8Array, codesOffset: number, count: number, out: Int16Array): number {
    const samples = count * G722_SAMPLES_PER_BYTE;
    this.#window = withRoom(this.#window, samples);
    const window = this.#window;
    for (let i = 0; i < count; i++) {
      const code = codes[codesOffset + i] as number;
      const low = this.#decodeLow(code & 0x3f);
      const high = this.#decodeHigh(code >> 6);
      const at = i * 2;
      window[at + QMF_HISTORY] = low + high;
      window[at + QMF_HISTORY + 1] = low - high;
      let first = 0;
      let second = 0;
      for (let tap = 0; tap < 12; tap++) {
        second += Math.imul(window[at + 2 * tap] as number, QMF[tap] as number);
        first += Math.imul(window[at + 2 * tap + 1] as number, QMF[11 - tap] as number);
      }
      out[at] = saturate(first >> 11);
      out[at + 1] = saturate(second >> 11);
    }
    window.copyWithin(0, samples, samples + QMF_HISTORY);
    return samples;
  }

  #decodeLow(code: number): number {
    const band = this.#low;
    const scale = band[SCALE] as number;
    const sample = limit((band[PREDICTION] as number) + (Math.imul(scale, INVERSE_LOW_6[code] as number) >> 15));
    const coarse = code >> 2;
    const quantised = Math.imul(scale, INVERSE_LOW_4[coarse] as number) >> 15;
    adaptScale(band, SCALE_STEP_LOW[coarse] as number, MAX_SCALE_LOW, 8);
    predict(band, quantised);
    return sample;
  }

  #decodeHigh(code: number): number {
    const band = this.#high;
    const quantised = Math.imul(band[SCALE] as number, INVERSE_HIGH[code] as number) >> 15;
    const sample = limit((band[PREDICTION] as number) + quantised);
    adaptScale(band, SCALE_STEP_HIGH[code] as number, MAX_SCALE_HIGH, 10);
    predict(band, quantised);
    return sample;
  }
}
