// The built-in recogniser: soundswallower's 8 kHz telephone model with a grammar made from the business and the dialogue's
// state. Its decoders are shared by all calls of a worker: one is taken while a caller speaks and given back afterwards.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Resampler } from '../../media/resample.ts';
import { FliteTts } from '../tts/flite.ts';
import { DECODER_RATE_HZ, GrammarDecoder } from './decoder.ts';
import { buildGrammar, type Grammar } from './grammar.ts';
import { Lexicon } from './pronunciation.ts';
import type { Expectation, SttEngine, SttResult, SttSession, SttSessionOptions } from './stt.ts';
import { VoicingMeter } from './voicing.ts';

/** Speech outside the grammar is forced onto some phrase; a confidence under this gives it away (see decoder.ts). */
export const UNDERSTOOD_CONFIDENCE = 0.83;
/** Shorter than any spoken word's vowel. */
const MIN_VOICED_MS = 60;
const WARM_DECODERS = 2;
/** 35 MB each; one carries about 10 callers' worth of time, so more would only wait for the core. */
const MAX_DECODERS = 16;
/** Audio that waits while all decoders are taken: 15 s, then the oldest goes. */
const MAX_WAITING_SAMPLES = 15 * DECODER_RATE_HZ;
const MAX_GRAMMARS = 256;

/** Folder of the model that comes with the package. */
export function soundswallowerModelPath(): string {
  return join(dirname(createRequire(import.meta.url).resolve('soundswallower')), 'model', 'en-us');
}

class DecoderPool {
  readonly #modelPath: string;
  readonly #lexicon: Lexicon;
  readonly #idle: GrammarDecoder[] = [];
  readonly #waiting: Array<{ grammar: Grammar; take: (decoder: GrammarDecoder) => void }> = [];
  #count = 0;

  constructor(modelPath: string, lexicon: Lexicon) {
    this.#modelPath = modelPath;
    this.#lexicon = lexicon;
  }

  async warm(count: number): Promise<void> {
    for (let n = 0; n < count; n++) this.#idle.push(await this.#make());
  }

  /** A decoder with the grammar, preferring `preferred`, then one that holds it already; null when none is free. */
  take(grammar: Grammar, preferred: GrammarDecoder | null): GrammarDecoder | null {
    const choice =
      this.#idle.find((decoder) => decoder === preferred && decoder.grammarKey === grammar.key) ??
      this.#idle.find((decoder) => decoder.grammarKey === grammar.key) ??
      this.#idle[0];
    if (!choice) return null;
    this.#idle.splice(this.#idle.indexOf(choice), 1);
    return choice;
  }

  /** Calls back when a decoder is free; returns a function that withdraws the wish. */
  wait(grammar: Grammar, take: (decoder: GrammarDecoder) => void): () => void {
    const wish = { grammar, take };
    this.#waiting.push(wish);
    if (this.#count < MAX_DECODERS)
      void this.#make().then(
        (decoder) => this.give(decoder),
        () => undefined,
      );
    return () => {
      const at = this.#waiting.indexOf(wish);
      if (at >= 0) this.#waiting.splice(at, 1);
    };
  }

  give(decoder: GrammarDecoder): void {
    if (decoder.isWornOut) {
      this.drop(decoder);
      return;
    }
    const wish = this.#waiting.shift();
    if (wish) wish.take(decoder);
    else this.#idle.push(decoder);
  }

  /** A decoder that failed or has grown too large goes; another takes its place. */
  drop(decoder: GrammarDecoder): void {
    this.#count--;
    try {
      decoder.delete();
    } catch {
      // Its instance trapped before: the garbage collector takes the memory.
    }
    void this.#make().then(
      (made) => this.give(made),
      () => undefined,
    );
  }

  close(): void {
    for (const decoder of this.#idle.splice(0)) decoder.delete();
  }

  async #make(): Promise<GrammarDecoder> {
    this.#count++;
    try {
      return await GrammarDecoder.create(this.#modelPath, this.#lexicon);
    } catch (error) {
      this.#count--;
      throw error;
    }
  }
}

class SoundswallowerSession implements SttSession {
  readonly #pool: DecoderPool;
  readonly #grammarFor: (expects: Expectation) => Grammar;
  readonly #resampler: Resampler | null;
  readonly #voicing = new VoicingMeter();
  #decoder: GrammarDecoder | null = null;
  #last: GrammarDecoder | null = null;
  #withdraw: (() => void) | null = null;
  #waiting: Int16Array[] = [];
  #waitingSamples = 0;
  #ready: Promise<void> = Promise.resolve();
  #failure: unknown = null;

  constructor(pool: DecoderPool, sampleRateHz: number, grammarFor: (expects: Expectation) => Grammar) {
    this.#pool = pool;
    this.#grammarFor = grammarFor;
    this.#resampler = sampleRateHz === DECODER_RATE_HZ ? null : new Resampler(sampleRateHz, DECODER_RATE_HZ);
  }

  begin(expects: Expectation): void {
    this.cancel();
    this.#voicing.reset();
    this.#failure = null;
    const grammar = this.#grammarFor(expects);
    const free = this.#pool.take(grammar, this.#last);
    if (free) {
      this.#startOn(free, grammar);
      return;
    }
    this.#ready = new Promise((resolve) => {
      this.#withdraw = this.#pool.wait(grammar, (decoder) => {
        this.#withdraw = null;
        this.#startOn(decoder, grammar);
        for (const samples of this.#waiting.splice(0)) this.#decode(samples);
        this.#waitingSamples = 0;
        resolve();
      });
    });
  }

  write(samples: Int16Array): void {
    const audio = this.#resampler ? this.#resample(this.#resampler, samples) : samples;
    this.#voicing.write(audio);
    if (this.#decoder) {
      this.#decode(audio);
      return;
    }
    if (!this.#withdraw) return;
    this.#waiting.push(audio.slice());
    this.#waitingSamples += audio.length;
    while (this.#waitingSamples > MAX_WAITING_SAMPLES) this.#waitingSamples -= this.#waiting.shift()?.length ?? 0;
  }

  partial(): string {
    return this.#guard((decoder) => decoder.text()) ?? '';
  }

  /** @throws what the decoder threw during this utterance */
  async finish(): Promise<SttResult> {
    await this.#ready;
    const heard = this.#guard((decoder) => decoder.finish());
    if (this.#failure) throw this.#failure;
    this.#release();
    if (!heard?.text) return { text: '', confidence: 0, understood: false };
    return {
      ...heard,
      understood: heard.confidence >= UNDERSTOOD_CONFIDENCE && this.#voicing.voicedMs >= MIN_VOICED_MS,
    };
  }

  cancel(): void {
    this.#withdraw?.();
    this.#withdraw = null;
    this.#waiting = [];
    this.#waitingSamples = 0;
    this.#ready = Promise.resolve();
    this.#guard((decoder) => decoder.cancel());
    this.#release();
  }

  close(): void {
    this.cancel();
    this.#last = null;
  }

  #startOn(decoder: GrammarDecoder, grammar: Grammar): void {
    this.#decoder = decoder;
    this.#guard((taken) => {
      taken.useGrammar(grammar);
      taken.start();
    });
  }

  #decode(samples: Int16Array): void {
    this.#guard((decoder) => decoder.write(samples));
  }

  #release(): void {
    if (!this.#decoder) return;
    this.#last = this.#decoder;
    this.#decoder = null;
    this.#pool.give(this.#last);
  }

  /** Runs on the decoder; one that throws is replaced, and the utterance fails at `finish`. */
  #guard<Result>(action: (decoder: GrammarDecoder) => Result): Result | null {
    if (!this.#decoder) return null;
    try {
      return action(this.#decoder);
    } catch (error) {
      this.#failure = error;
      this.#pool.drop(this.#decoder);
      this.#decoder = null;
      return null;
    }
  }

  #resample(resampler: Resampler, samples: Int16Array): Int16Array {
    const out = new Int16Array(resampler.maxOutput(samples.length));
    return out.subarray(0, resampler.process(samples, out));
  }
}

export class SoundswallowerStt implements SttEngine {
  readonly name = 'soundswallower';
  readonly freeText = false;
  readonly #pool: DecoderPool;
  readonly #lexicon: Lexicon;
  readonly #grammars = new Map<string, Grammar>();

  private constructor(pool: DecoderPool, lexicon: Lexicon) {
    this.#pool = pool;
    this.#lexicon = lexicon;
  }

  static async create(warmDecoders = WARM_DECODERS, modelPath = soundswallowerModelPath()): Promise<SoundswallowerStt> {
    // flite knows how unknown words sound; its 17 MB are compiled only when such a word turns up.
    let flite: FliteTts | null = null;
    const lexicon = new Lexicon(modelPath, (word) => {
      flite ??= new FliteTts();
      return flite.phones(word);
    });
    const pool = new DecoderPool(modelPath, lexicon);
    await pool.warm(warmDecoders);
    return new SoundswallowerStt(pool, lexicon);
  }

  async open(options: SttSessionOptions): Promise<SttSession> {
    const vocabulary = JSON.stringify(options.vocabulary);
    const grammarFor = (expects: Expectation): Grammar => {
      const key = `${expects} ${vocabulary}`;
      const known = this.#grammars.get(key);
      if (known) return known;
      const made = buildGrammar(options.vocabulary, expects, (word) => this.#lexicon.lookUp(word).length > 0);
      if (this.#grammars.size >= MAX_GRAMMARS) {
        const [oldest] = this.#grammars.keys();
        if (oldest !== undefined) this.#grammars.delete(oldest);
      }
      this.#grammars.set(key, made);
      return made;
    };
    // Sets the first grammar while the phone still rings, so that the caller's first words find it there.
    const first = grammarFor('anything');
    const decoder = this.#pool.take(first, null);
    if (decoder) {
      try {
        decoder.useGrammar(first);
        this.#pool.give(decoder);
      } catch (error) {
        this.#pool.drop(decoder);
        throw error;
      }
    }
    return new SoundswallowerSession(this.#pool, options.sampleRateHz, grammarFor);
  }

  async close(): Promise<void> {
    this.#pool.close();
  }
}

/** Default export: the factory that the worker loads. */
export default async function createSoundswallower(
  _environment: Record<string, string | undefined> = {},
): Promise<SttEngine> {
  return SoundswallowerStt.create();
}
