// The built-in recogniser: soundswallower's 8 kHz telephone model, with a grammar built from the business and the
// dialogue's state. All calls of a worker share its decoders.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { joinSamples } from '../../../media/frame.ts';
import { Resampler } from '../../../media/resample.ts';
import { FliteTts } from '../../tts/flite/flite.ts';
import type { Expectation, PolledSttEngine, PolledSttOptions, PolledSttSession, SttResult } from '../stt.ts';
import { DECODER_RATE_HZ, type GrammarDecoder } from './decoder.ts';
import { DecoderPool } from './decoder-pool.ts';
import { buildGrammar, type Grammar } from './grammar.ts';
import { judged, SENTENCE_SAMPLES } from './judgement.ts';
import { Lexicon } from './pronunciation.ts';
import type { SpareTime } from './spare-time.ts';
import { VoicingMeter } from './voicing.ts';

const WARM_DECODERS = 2;
/** Most audio that waits while all decoders are busy: 15 s; then the oldest is dropped. */
const MAX_WAITING_SAMPLES = 15 * DECODER_RATE_HZ;
const MAX_GRAMMARS = 256;
/** On busy cores the decoder is late, and its partial lacks the last words: the whole sentence is worth the wait. */
const PATIENCE_MS = 3_000;

/** The folder of the acoustic model that comes with the package. */
export function soundswallowerModelPath(): string {
  return join(dirname(createRequire(import.meta.url).resolve('soundswallower')), 'model', 'en-us');
}

class SoundswallowerSession implements PolledSttSession {
  readonly #pool: DecoderPool;
  readonly #grammarFor: (expects: Expectation) => Grammar;
  readonly #resampler: Resampler | null;
  readonly #voicing = new VoicingMeter();
  #decoder: GrammarDecoder | null = null;
  #last: GrammarDecoder | null = null;
  #expects: Expectation = 'anything';
  #withdraw: (() => void) | null = null;
  #waiting: Int16Array[] = [];
  #waitingSamples = 0;
  #ready: Promise<void> = Promise.resolve();
  #failure: unknown = null;
  #isClosed = false;
  /** All of the utterance while it is short enough to be measured. */
  #heard: Int16Array[] = [];
  #heardSamples = 0;
  /** The words of the previous partial text. */
  #lastWords: string[] = [];

  constructor(pool: DecoderPool, sampleRateHz: number, grammarFor: (expects: Expectation) => Grammar) {
    this.#pool = pool;
    this.#grammarFor = grammarFor;
    this.#resampler = sampleRateHz === DECODER_RATE_HZ ? null : new Resampler(sampleRateHz, DECODER_RATE_HZ);
  }

  begin(expects: Expectation): void {
    this.cancel();
    this.#voicing.reset();
    this.#expects = expects;
    this.#failure = null;
    this.#lastWords = [];
    this.#heard = [];
    this.#heardSamples = 0;
    const grammar = this.#grammarFor(expects);
    const free = this.#pool.take(grammar, this.#last);
    if (free) {
      this.#startOn(free, grammar);
      return;
    }
    this.#ready = new Promise((resolve) => {
      this.#withdraw = this.#pool.wait((decoder) => {
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
    this.#keep(audio);
    if (this.#decoder) {
      this.#decode(audio);
      return;
    }
    if (!this.#withdraw) return;
    this.#waiting.push(audio.slice());
    this.#waitingSamples += audio.length;
    while (this.#waitingSamples > MAX_WAITING_SAMPLES) this.#waitingSamples -= this.#waiting.shift()?.length ?? 0;
  }

  /** The words that two consecutive partials have in common: first guesses are mostly wrong. */
  partial(): string {
    const words = (this.#guard((decoder) => decoder.text()) ?? '').split(' ');
    const changed = words.findIndex((word, at) => word !== this.#lastWords[at]);
    this.#lastWords = words;
    return words.slice(0, changed === -1 ? words.length : changed).join(' ');
  }

  /** @throws the decoder's error during this utterance */
  async finish(): Promise<SttResult> {
    await this.#ready;
    const heard = this.#guard((decoder) => decoder.finish());
    if (this.#failure) throw this.#failure;
    this.#release();
    if (!heard?.text) return { text: '', confidence: 0, understood: false };
    return judged(heard, {
      expects: this.#expects,
      voicedMs: this.#voicing.voicedMs,
      samples: this.#heardSamples,
      likelihood: () => this.#pool.likelihood(joinSamples(this.#heard), heard.text),
    });
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
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.cancel();
    this.#last = null;
    this.#pool.leave();
  }

  #keep(audio: Int16Array): void {
    this.#heardSamples += audio.length;
    if (this.#heardSamples <= SENTENCE_SAMPLES) this.#heard.push(audio.slice());
    else this.#heard = [];
  }

  #startOn(decoder: GrammarDecoder, grammar: Grammar): void {
    this.#decoder = decoder;
    this.#guard((taken) => {
      taken.useGrammar(grammar, this.#pool.beam);
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

  /** Runs `action` on the decoder. A throwing decoder is replaced, and the utterance fails at `finish`. */
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

export class SoundswallowerStt implements PolledSttEngine {
  readonly name = 'soundswallower';
  readonly freeText = false;
  readonly givesPartials = true;
  readonly languages = ['en'];
  readonly patienceMs = PATIENCE_MS;
  readonly #pool: DecoderPool;
  readonly #lexicon: Lexicon;
  readonly #flite: FliteTts;
  readonly #grammars = new Map<string, Grammar>();

  private constructor(pool: DecoderPool, lexicon: Lexicon, flite: FliteTts) {
    this.#pool = pool;
    this.#lexicon = lexicon;
    this.#flite = flite;
  }

  static async create(warmDecoders = WARM_DECODERS, spareTime?: SpareTime): Promise<SoundswallowerStt> {
    const modelPath = soundswallowerModelPath();
    // flite gives pronunciations of unknown words, and is loaded for such a word only.
    const flite = new FliteTts();
    const lexicon = new Lexicon(modelPath, (word) => flite.waysToSay(word));
    const pool = new DecoderPool(modelPath, lexicon, undefined, spareTime);
    await pool.warm(warmDecoders);
    return new SoundswallowerStt(pool, lexicon, flite);
  }

  /** Resolves when short words can be measured. Calls do not wait for it. */
  prepared(): Promise<void> {
    return this.#pool.prepared();
  }

  async open(options: PolledSttOptions): Promise<PolledSttSession> {
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
    // Sets the first grammar while the phone still rings, so that it is ready for the caller's first words.
    await this.#pool.enter(grammarFor('anything'));
    return new SoundswallowerSession(this.#pool, options.sampleRateHz, grammarFor);
  }

  async close(): Promise<void> {
    this.#pool.close();
    await this.#flite.close();
  }
}

/** Default export: the factory that the worker loads. */
export default async function createSoundswallower(
  _environment: Record<string, string | undefined> = {},
): Promise<PolledSttEngine> {
  return SoundswallowerStt.create();
}
