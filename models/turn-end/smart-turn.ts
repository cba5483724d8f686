// Smart Turn v3: the encoder of Whisper tiny with a classifier, 8 MB of int8 weights, 23 languages. It hears the end of
// the caller's turn and answers how likely it is that the turn is over. Source: github.com/pipecat-ai/smart-turn
// (BSD-2-Clause).
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { modelsDirOf } from '../install/local-models.ts';
import { SMART_TURN } from '../install/weights.ts';
import { FRAMES, logMel, MELS } from './log-mel.ts';
import type { TurnEndModel } from './turn-end.ts';

const INPUT = 'input_features';

export class SmartTurn implements TurnEndModel {
  readonly #session: InferenceSession;
  readonly #output: string;

  private constructor(session: InferenceSession, output: string) {
    this.#session = session;
    this.#output = output;
  }

  /**
   * Loads the downloaded weights to run on one thread: onnxruntime's default pool spins and delays the media pacer.
   * @throws when the file is missing or contains another model
   */
  static async load(environment: Record<string, string | undefined>): Promise<SmartTurn> {
    const path = join(modelsDirOf(environment), SMART_TURN.name, SMART_TURN.file);
    const session = await InferenceSession.create(path, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      logSeverityLevel: 3,
    });
    const { inputNames, outputNames } = session;
    const [output] = outputNames;
    if (inputNames.join() !== INPUT || output === undefined) {
      await session.release();
      throw new TypeError(`${SMART_TURN.file} is no Smart Turn v3: it takes ${inputNames.join()}, not ${INPUT}`);
    }
    return new SmartTurn(session, output);
  }

  async judge(samples: Int16Array, signal?: AbortSignal): Promise<number> {
    const features = new Tensor('float32', logMel(samples), [1, MELS, FRAMES]);
    signal?.throwIfAborted();
    const result = await this.#session.run({ [INPUT]: features });
    const values = result[this.#output]?.data;
    const [likelihood = Number.NaN] = values instanceof Float32Array && values.length === 1 ? values : [];
    if (!(likelihood >= 0 && likelihood <= 1)) throw new TypeError('the turn-end model answered without a likelihood');
    return likelihood;
  }

  async release(): Promise<void> {
    await this.#session.release();
  }
}
