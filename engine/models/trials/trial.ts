// Tests settings that an ADMIN has typed and not saved: loads the engine beside the running ones and lets it say or
// hear one sentence, or hear and answer it. A few run at a time: calls come first.
import type { MessagePort } from 'node:worker_threads';
import {
  CASCADE,
  environmentWith,
  type ModelKind,
  type ModelValues,
  type WorkerModel,
} from '../../../db/domain/model-settings.ts';
import {
  type ModelTrial,
  TRIAL_CONTEXT,
  TRIAL_MS,
  type TrialOutcome,
  type TrialWish,
} from '../../../db/domain/model-trial.ts';
import { messageOf } from '../../../db/domain/unexpected.ts';
import { unseal } from '../../../db/shared/secrets/secret-box.ts';
import type { Environment } from '../../../db/shared/settings/environment.ts';
import { trustedEngine } from '../../../models/sherpa/probe.ts';
import { ModelWorker } from '../../../models/workers/model-worker.ts';
import { type Clock, sleep } from '../../clock.ts';
import { readEngineName } from '../../config.ts';
import type { EngineChoice } from '../choices.ts';
import { askDialogue } from './dialogue.ts';
import { hearSentence, SENTENCE, sayOnPort, sentenceIn } from './speech.ts';
import { answerSentence } from './speech-to-speech.ts';

const MAX_AT_A_TIME = 2;

interface ModelTrialsOptions {
  environment: Environment;
  dataDir: string;
  secretKey: Buffer;
  clock: Clock;
}

export class ModelTrials {
  readonly #options: ModelTrialsOptions;
  #running = 0;
  /** The sample that recognisers and speech-to-speech models hear. */
  #sample: Promise<Int16Array> | null = null;

  constructor(options: ModelTrialsOptions) {
    this.#options = options;
  }

  /** `sealed`: the kind and its values. @throws Error when too many tests run */
  async run(sealed: string): Promise<ModelTrial> {
    if (this.#running >= MAX_AT_A_TIME) throw new Error('too many tests are running');
    this.#running++;
    try {
      return await this.#try(sealed);
    } finally {
      this.#running--;
    }
  }

  async #try(sealed: string): Promise<ModelTrial> {
    const { secretKey, environment, dataDir } = this.#options;
    const { kind, values, language, spokenBy } = JSON.parse(unseal(secretKey, TRIAL_CONTEXT, sealed)) as {
      kind: ModelKind;
      values: ModelValues;
    } & TrialWish;
    const merged = environmentWith(kind, values, environment);
    try {
      const choice = { name: readEngineName(kind, merged, dataDir), environment: merged };
      const wish = { language, spokenBy };
      const second = kind === 'llm' && choice.name === 'openai' ? fallbackAlone(merged) : null;
      const [outcome, fallback] = await Promise.all([
        this.#limited(choice.name, (signal) => this.#outcome(kind, choice, wish, signal)),
        second && this.#limited('openai', (signal) => askDialogue('openai', second, signal)),
      ]);
      const sentence = kind === 'stt' || kind === 'tts' ? sentenceIn(language ?? 'en') : SENTENCE;
      return withoutKeys({ ...outcome, sentence, fallback }, merged);
    } catch (error) {
      return withoutKeys({ ...failed(kind, messageOf(error)), sentence: null, fallback: null }, merged);
    }
  }

  async #limited(engine: string, run: (signal: AbortSignal) => Promise<TrialOutcome>): Promise<TrialOutcome> {
    const { clock } = this.#options;
    const abort = new AbortController();
    const limit = sleep(clock, TRIAL_MS).then(() => {
      abort.abort();
      return failed(engine, `it did not answer within ${TRIAL_MS / 1_000} s`);
    });
    const outcome = run(abort.signal).catch((error: unknown) => failed(engine, messageOf(error)));
    return Promise.race([outcome, limit]);
  }

  async #outcome(kind: ModelKind, choice: EngineChoice, wish: TrialWish, signal: AbortSignal): Promise<TrialOutcome> {
    const { clock } = this.#options;
    if (kind === 'llm') {
      const {
        LLM_FALLBACK_BASE_URL: _,
        LLM_FALLBACK_API_KEY: __,
        LLM_FALLBACK_MODEL: ___,
        ...first
      } = choice.environment;
      return askDialogue(choice.name, first, signal);
    }
    if (kind === 'speech-to-speech') return this.#answer(choice, signal);
    const { refusal } = await trustedEngine(kind, choice.name, choice.environment);
    if (refusal !== null) return failed(choice.name, refusal);
    const { language = 'en-US' } = wish;
    const sample = kind === 'stt' ? await this.#said(wish, choice) : null;
    return this.#withWorker(kind, choice, signal, async (worker, port) => {
      if (sample !== null) return hearSentence(port, choice.name, sample, worker.engine, clock, language);
      const voiceId = worker.engine.voices?.[0]?.id ?? '';
      const { outcome } = await sayOnPort(port, choice.name, sentenceIn(language), voiceId, clock);
      return outcome;
    });
  }

  async #answer(choice: EngineChoice, signal: AbortSignal): Promise<TrialOutcome> {
    if (choice.name === CASCADE)
      return failed(CASCADE, 'no speech-to-speech model is chosen: there is nothing to test');
    const sample = await this.#spokenSample();
    return this.#withWorker('speech-to-speech', choice, signal, (_, port) =>
      answerSentence(port, choice.name, sample, this.#options.clock),
    );
  }

  /** By the voice that is to speak the language, else the built-in English sentence. */
  async #said({ language, spokenBy }: TrialWish, { environment }: EngineChoice): Promise<Int16Array> {
    if (language === undefined || spokenBy === undefined) return this.#spokenSample();
    const { refusal } = await trustedEngine('tts', spokenBy, environment);
    if (refusal !== null) throw new Error(refusal);
    const { signal } = new AbortController();
    return this.#withWorker('tts', { name: spokenBy, environment }, signal, async (worker, port) => {
      const voiceId = worker.engine.voices?.[0]?.id ?? '';
      return (await sayOnPort(port, spokenBy, sentenceIn(language), voiceId, this.#options.clock)).samples;
    });
  }

  #spokenSample(): Promise<Int16Array> {
    this.#sample ??= this.#withWorker(
      'tts',
      { name: 'flite', environment: {} },
      new AbortController().signal,
      async (_, port) => (await sayOnPort(port, 'flite', SENTENCE, 'flite-slt', this.#options.clock)).samples,
    ).catch((error: unknown) => {
      this.#sample = null;
      throw error;
    });
    return this.#sample;
  }

  /** A worker that ends with the test, also when it gets ready too late. */
  async #withWorker<T>(
    kind: WorkerModel,
    { name, environment }: EngineChoice,
    signal: AbortSignal,
    use: (worker: ModelWorker, port: MessagePort) => Promise<T>,
  ): Promise<T> {
    let onLost: (error: Error) => void = () => {};
    const lost = new Promise<never>((_, reject) => {
      onLost = reject;
    });
    lost.catch(() => undefined);
    const worker = await ModelWorker.start({ kind, engine: name, environment, onLost });
    const stop = (): void => void worker.stop();
    signal.addEventListener('abort', stop);
    const port = worker.connect();
    try {
      if (signal.aborted) throw new Error('cancelled');
      return await Promise.race([use(worker, port), lost]);
    } finally {
      signal.removeEventListener('abort', stop);
      port.close();
      stop();
    }
  }
}

/** The environment in which the fallback model is the only one; null where there is none. */
function fallbackAlone(environment: Environment): Environment | null {
  const { LLM_FALLBACK_BASE_URL: url, LLM_FALLBACK_API_KEY: key, LLM_FALLBACK_MODEL: model, ...rest } = environment;
  if (!url?.trim() && !key?.trim() && !model?.trim()) return null;
  // A second model of the same server needs only its name.
  const server = url?.trim() || key?.trim() ? { OPENAI_BASE_URL: url, OPENAI_API_KEY: key } : {};
  return { ...rest, ...server, OPENAI_MODEL: model };
}

function failed(engine: string, error: string): TrialOutcome {
  return { engine, error, firstMs: null, totalMs: null, text: null, audioBytes: null };
}

/** A server's words may repeat the key. */
function withoutKeys<T extends ModelTrial>(trial: T, environment: Environment): T {
  const keys = Object.entries(environment).flatMap(([name, value]) =>
    /_API_KEY$/.test(name) && value !== undefined && value.trim().length > 3 ? [value.trim()] : [],
  );
  const clean = (outcome: TrialOutcome): TrialOutcome => ({
    ...outcome,
    error: outcome.error && keys.reduce((text, key) => text.replaceAll(key, '[key]'), outcome.error),
    text: outcome.text && keys.reduce((text, key) => text.replaceAll(key, '[key]'), outcome.text),
  });
  return { ...trial, ...clean(trial), fallback: trial.fallback && clean(trial.fallback) };
}
