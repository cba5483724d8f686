// Noise suppression for one call's audio by RNNoise (Valin, "A Hybrid DSP/Deep Learning Approach to Real-Time Full-Band
// Speech Enhancement", 2018) in WebAssembly. The network works at 48 kHz in frames of 10 ms, so the audio is resampled
// both ways.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Resampler } from './resample.ts';

const RATE_HZ = 48_000;
const FRAME_SAMPLES = 480;
const BYTES_PER_FLOAT = 4;

/** The exports of the package's rnnoise.wasm 0.2.1, whose names its linker shortened. */
interface RnnoiseExports {
  /** Its memory, which does not grow. */
  c: WebAssembly.Memory;
  /** Runs the constructors, once. */
  d(): void;
  /** rnnoise_create(model): a state; 0 is the built-in model. */
  f(model: number): number;
  /** malloc */
  g(bytes: number): number;
  /** rnnoise_destroy(state) */
  h(state: number): void;
  /** rnnoise_process_frame(state, out, in): the probability of speech. */
  j(state: number, out: number, input: number): number;
}

let loaded: { exports: RnnoiseExports; buffer: number } | null = null;

/** One instance per thread. @throws Error if the package is missing or is another build */
function rnnoise(): { exports: RnnoiseExports; buffer: number } {
  if (loaded) return loaded;
  const folder = dirname(createRequire(import.meta.url).resolve('@jitsi/rnnoise-wasm/package.json'));
  const module = new WebAssembly.Module(readFileSync(join(folder, 'dist', 'rnnoise.wasm')));
  const memory = (): Uint8Array => new Uint8Array(exports.c.buffer);
  const instance = new WebAssembly.Instance(module, {
    a: {
      // emscripten_resize_heap: refused, as every call needs the same few kilobytes.
      a: () => 0,
      // emscripten_memcpy_big
      b: (to: number, from: number, bytes: number) => memory().copyWithin(to, from, from + bytes),
    },
  });
  const exports = instance.exports as unknown as RnnoiseExports;
  exports.d();
  loaded = { exports, buffer: exports.g(FRAME_SAMPLES * BYTES_PER_FLOAT) };
  return loaded;
}

/** Suppresses noise in one stream of PCM16 mono. The output is `delaySamples` late. */
export class Denoiser {
  readonly delaySamples: number;
  readonly #rnnoise = rnnoise();
  readonly #state: number;
  readonly #up: Resampler;
  readonly #down: Resampler;
  /** At 48 kHz, until a frame is complete. */
  readonly #waiting = new Int16Array(RATE_HZ / 10);
  #waitingSamples = 0;
  /** Output at the stream's own rate. */
  #ready: Int16Array;
  #readySamples: number;
  #isClosed = false;

  /** @throws Error if RNNoise cannot be loaded, or has no memory for another stream */
  constructor(sampleRateHz: number) {
    this.#state = this.#rnnoise.exports.f(0);
    if (this.#state === 0) throw new Error('RNNoise has no memory for another call');
    this.#up = new Resampler(sampleRateHz, RATE_HZ);
    this.#down = new Resampler(RATE_HZ, sampleRateHz);
    this.#ready = new Int16Array(sampleRateHz / 10);
    // One frame of delay, so that every block gets its full length of output.
    this.delaySamples = Math.ceil((FRAME_SAMPLES * sampleRateHz) / RATE_HZ);
    this.#readySamples = this.delaySamples;
  }

  /** Replaces `samples`, at most 50 ms, by the same number of earlier samples without noise. */
  process(samples: Int16Array): void {
    if (this.#isClosed) return;
    const upper = this.#waiting.subarray(this.#waitingSamples);
    this.#waitingSamples += this.#up.process(samples, upper);
    let done = 0;
    for (; done + FRAME_SAMPLES <= this.#waitingSamples; done += FRAME_SAMPLES)
      this.#suppress(this.#waiting.subarray(done, done + FRAME_SAMPLES));
    const clean = this.#ready.subarray(this.#readySamples);
    this.#readySamples += this.#down.process(this.#waiting.subarray(0, done), clean);
    this.#waiting.copyWithin(0, done, this.#waitingSamples);
    this.#waitingSamples -= done;
    const taken = Math.min(samples.length, this.#readySamples);
    samples.fill(0, 0, samples.length - taken);
    samples.set(this.#ready.subarray(0, taken), samples.length - taken);
    this.#ready.copyWithin(0, taken, this.#readySamples);
    this.#readySamples -= taken;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#rnnoise.exports.h(this.#state);
  }

  #suppress(frame: Int16Array): void {
    const { exports, buffer } = this.#rnnoise;
    const floats = new Float32Array(exports.c.buffer, buffer, FRAME_SAMPLES);
    for (let n = 0; n < FRAME_SAMPLES; n++) floats[n] = frame[n] ?? 0;
    exports.j(this.#state, buffer, buffer);
    for (let n = 0; n < FRAME_SAMPLES; n++) frame[n] = Math.max(-32_768, Math.min(32_767, Math.round(floats[n] ?? 0)));
  }
}
