// Whisper's log-mel spectrogram of the last 8 s, the input that Smart Turn v3 was trained on: 80 Slaney mels, windows
// of 25 ms every 10 ms. The steps and their order are those of transformers' WhisperFeatureExtractor(chunk_length=8)
// with do_normalize.
import { TURN_END_RATE_HZ, TURN_END_SECONDS } from './turn-end.ts';

export const MELS = 80;
export const FRAMES = 800;

const SAMPLES = TURN_END_RATE_HZ * TURN_END_SECONDS;
const WINDOW = 400;
const HOP = 160;
const BINS = WINDOW / 2 + 1;
const RADICES = [4, 4, 5, 5];
const VARIANCE_FLOOR = 1e-7;
const POWER_FLOOR = 1e-10;
/** Values are clipped at this distance below the loudest one, in powers of ten. */
const DYNAMIC_RANGE = 8;

/** One radix of the transform: for each of `groups` and each output, the coefficients of all inputs. */
interface Stage {
  radix: number;
  groups: number;
  stride: number;
  re: Float64Array;
  im: Float64Array;
}

/** One triangle of the mel scale: weights of the bins from `first` on. */
interface MelFilter {
  first: number;
  weights: Float64Array;
}

const HANN = Float64Array.from({ length: WINDOW }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / WINDOW));
const STAGES = stagesOf(WINDOW, RADICES);
const FILTERS = melFilters();

/** Row by row, one mel a row: [80, 800]. `samples` at 16 kHz; fewer than 8 s are padded with silence at the front. */
export function logMel(samples: Int16Array): Float32Array {
  const padded = reflected(normalized(lastSeconds(samples)));
  const mels = new Float32Array(MELS * FRAMES);
  const power = [new Float64Array(BINS), new Float64Array(BINS)] as const;
  let loudest = Number.NEGATIVE_INFINITY;
  const silence = WINDOW / 2 + Math.max(0, SAMPLES - samples.length);
  for (let frame = 0; frame < FRAMES; frame += 2) {
    // All frames within the silence at the front equal the first: a short turn costs less.
    if (frame > 0 && frame * HOP + HOP + WINDOW <= silence) {
      for (let at = frame; at < mels.length; at += FRAMES) mels.copyWithin(at, at - frame, at - frame + 2);
      continue;
    }
    powerOfTwo(padded, frame * HOP, power);
    for (const [n, bins] of power.entries()) {
      for (let mel = 0; mel < MELS; mel++) {
        const value = Math.log10(Math.max(POWER_FLOOR, weighed(bins, FILTERS[mel] as MelFilter)));
        mels[mel * FRAMES + frame + n] = value;
        if (value > loudest) loudest = value;
      }
    }
  }
  for (let n = 0; n < mels.length; n++) mels[n] = (Math.max(mels[n] as number, loudest - DYNAMIC_RANGE) + 4) / 4;
  return mels;
}

function lastSeconds(samples: Int16Array): Float64Array {
  const audio = new Float64Array(SAMPLES);
  const kept = samples.subarray(Math.max(0, samples.length - SAMPLES));
  const at = SAMPLES - kept.length;
  for (let n = 0; n < kept.length; n++) audio[at + n] = (kept[n] as number) / 32_768;
  return audio;
}

/** Zero mean and unit variance. */
function normalized(audio: Float64Array): Float64Array {
  let sum = 0;
  for (const sample of audio) sum += sample;
  const mean = sum / audio.length;
  let squares = 0;
  for (const sample of audio) squares += (sample - mean) ** 2;
  const scale = 1 / Math.sqrt(squares / audio.length + VARIANCE_FLOOR);
  return audio.map((sample) => (sample - mean) * scale);
}

/** Half a window before and after, mirrored at the ends, so that frames are centred on multiples of the hop. */
function reflected(audio: Float64Array): Float64Array {
  const margin = WINDOW / 2;
  const padded = new Float64Array(audio.length + 2 * margin);
  padded.set(audio, margin);
  for (let n = 1; n <= margin; n++) {
    padded[margin - n] = audio[n] as number;
    padded[margin + audio.length - 1 + n] = audio[audio.length - 1 - n] as number;
  }
  return padded;
}

let re = new Float64Array(WINDOW);
let im = new Float64Array(WINDOW);
let nextRe = new Float64Array(WINDOW);
let nextIm = new Float64Array(WINDOW);

/**
 * The power spectra of the frames at `at` and one hop later, by one complex transform: symmetry separates the two.
 */
function powerOfTwo(audio: Float64Array, at: number, [first, second]: readonly [Float64Array, Float64Array]): void {
  for (let n = 0; n < WINDOW; n++) {
    const weight = HANN[n] as number;
    re[n] = (audio[at + n] as number) * weight;
    im[n] = (audio[at + HOP + n] as number) * weight;
  }
  for (const stage of STAGES) transform(stage);
  for (let bin = 0; bin < BINS; bin++) {
    const mirror = (WINDOW - bin) % WINDOW;
    const [a, b] = [re[bin] as number, im[bin] as number];
    const [c, d] = [re[mirror] as number, im[mirror] as number];
    first[bin] = ((a + c) ** 2 + (b - d) ** 2) / 4;
    second[bin] = ((b + d) ** 2 + (c - a) ** 2) / 4;
  }
}

/**
 * One pass of a mixed-radix Stockham transform from `re` and `im` into the other pair; then the pairs are swapped.
 */
function transform({ radix, groups, stride, re: cos, im: sin }: Stage): void {
  for (let group = 0; group < groups; group++) {
    for (let out = 0; out < radix; out++) {
      const row = (group * radix + out) * radix;
      for (let n = 0; n < stride; n++) {
        let sumRe = 0;
        let sumIm = 0;
        for (let k = 0; k < radix; k++) {
          const from = n + stride * (group + groups * k);
          const x = re[from] as number;
          const y = im[from] as number;
          const c = cos[row + k] as number;
          const s = sin[row + k] as number;
          sumRe += x * c - y * s;
          sumIm += x * s + y * c;
        }
        const to = n + stride * (radix * group + out);
        nextRe[to] = sumRe;
        nextIm[to] = sumIm;
      }
    }
  }
  [re, nextRe] = [nextRe, re];
  [im, nextIm] = [nextIm, im];
}

function stagesOf(size: number, radices: readonly number[]): Stage[] {
  let stride = 1;
  return radices.map((radix) => {
    const groups = size / stride / radix;
    const angles = Float64Array.from({ length: groups * radix * radix }, (_, index) => {
      const k = index % radix;
      const out = Math.floor(index / radix) % radix;
      const group = Math.floor(index / radix / radix);
      return (-2 * Math.PI * ((stride * group * out + (out * k * size) / radix) % size)) / size;
    });
    const stage = { radix, groups, stride, re: angles.map(Math.cos), im: angles.map(Math.sin) };
    stride *= radix;
    return stage;
  });
}

function weighed(bins: Float64Array, { first, weights }: MelFilter): number {
  let sum = 0;
  for (let n = 0; n < weights.length; n++) sum += (bins[first + n] as number) * (weights[n] as number);
  return sum;
}

/** Triangles of equal area, evenly spaced on Slaney's mel scale from 0 Hz to the Nyquist frequency. */
function melFilters(): MelFilter[] {
  const top = toMel(TURN_END_RATE_HZ / 2);
  const edges = Array.from({ length: MELS + 2 }, (_, n) => toHz((top * n) / (MELS + 1)));
  return Array.from({ length: MELS }, (_, mel) => {
    const [low = 0, centre = 0, high = 0] = edges.slice(mel, mel + 3);
    const weights = Float64Array.from({ length: BINS }, (_, bin) => {
      const hz = (bin * TURN_END_RATE_HZ) / WINDOW;
      const height = Math.min((hz - low) / (centre - low), (high - hz) / (high - centre));
      return (Math.max(0, height) * 2) / (high - low);
    });
    const first = Math.max(
      0,
      weights.findIndex((weight) => weight > 0),
    );
    return { first, weights: weights.slice(first, weights.findLastIndex((weight) => weight > 0) + 1) };
  });
}

/** Linear up to 1 kHz, logarithmic above. */
function toMel(hz: number): number {
  return hz < 1_000 ? (3 * hz) / 200 : 15 + (27 * Math.log(hz / 1_000)) / Math.log(6.4);
}

function toHz(mel: number): number {
  return mel < 15 ? (200 * mel) / 3 : 1_000 * Math.exp((Math.log(6.4) / 27) * (mel - 15));
}
