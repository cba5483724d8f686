// One soundswallower decoder in its own WebAssembly instance, so that a fault costs one utterance. It is created
// without a dictionary, in 33 ms instead of 200: a grammar's words are added from the shared lexicon when the grammar
// is set. It gets a grammar as an automaton (automaton.ts), by functions of the library that its class does not offer.
import createModule from 'soundswallower';
import { joinSamples } from '../../../media/frame.ts';
import type { Path, ScoredPhone } from './evidence.ts';
import type { DecodedWords } from './grammar.ts';
import { type NativeLibrary, setAutomaton } from './native-automaton.ts';
import { NoiseFloor } from './noise-floor.ts';
import { phoneWord, withoutOtherSpeech } from './other-speech.ts';
import type { Lexicon } from './pronunciation.ts';
import { type NativeFrontEnd, setMean } from './spectral-mean.ts';

export const DECODER_RATE_HZ = 8_000;
/**
 * How unlikely a reading may become before it is given up. Of 144 phrases and 48 sentences outside of the grammar,
 * `wide` lets 1 of the sentences pass for a phrase. `narrow` takes half the time, hears the phrases as well, and lets
 * 7 pass, because the sequence of phones that explains them (other-speech.ts) is given up early. The decoder's other
 * means cost words: with every second frame alone (`ds`) it understood 53 clean phrases of 72 in place of 67, with at
 * most 500 states at a time (`maxhmmpf`) 66, in no less time.
 */
const BEAMS = {
  wide: { beam: 1e-80, wbeam: 1e-60, pbeam: 1e-80 },
  narrow: { beam: 1e-48, wbeam: 1e-35, pbeam: 1e-48 },
} as const;
export type Beam = keyof typeof BEAMS;
/** A decoder with more words is replaced, because its dictionary only grows. */
const MAX_WORDS = 3_000;
/** Most pronunciations of a word ("read", "the"); more are not worth their cost. */
const MAX_PRONUNCIATIONS = 3;
/** A word that may follow a whole phrase. A spoken one takes 150 ms or more. */
const HASTY_END = /(?<=.) (and|or|but)$/;
const HASTY_SECONDS = 0.14;
/** The mean is taken from so much of the beginning: half of it is sound before the voice was noticed. */
const BEGINNING_SAMPLES = 0.5 * DECODER_RATE_HZ;
const INT16_SCALE = 1 / 32_768;
const FRAMES_PER_S = 100;
/** The library's logarithms are to this base: 1.0001. */
const LOG_BASE = Math.log(1.0001);

interface Segment {
  t: string;
  /** 1.0001 to the power of the segment's score: the shorter it is, the higher. */
  p: number;
  /** Beginning and duration, s. */
  b: number;
  d: number;
  w?: Segment[];
}

interface NativeDecoder extends NativeFrontEnd {
  initialize(): Promise<unknown>;
  start(): void;
  stop(): void;
  process_audio(pcm: Float32Array, noSearch?: boolean, fullUtterance?: boolean): number;
  get_text(): string;
  /** Level 0: words; 1: their phones in `w`, by another pass over the sound. */
  get_alignment(options?: { align_level?: number }): Segment;
  add_words(...words: Array<[string, string]>): void;
  delete(): void;
}

export class GrammarDecoder {
  readonly #native: NativeDecoder;
  readonly #library: NativeLibrary;
  readonly #lexicon: Lexicon;
  readonly #known = new Set<string>();
  #grammarKey = '';
  #beam: Beam = 'wide';
  #isStarted = false;
  /** Held back until its mean can be told; null once the library hears the utterance. */
  #beginning: Int16Array[] | null = null;
  #floor = new NoiseFloor();

  private constructor(native: NativeDecoder, library: NativeLibrary, lexicon: Lexicon) {
    this.#native = native;
    this.#library = library;
    this.#lexicon = lexicon;
  }

  /**
   * @param modelPath absolute path of the acoustic model
   * @param comparable scores of different grammars for the same sound can be compared, which costs time: a frame is
   * measured by all states of the model then, else by those that the grammar has in use
   */
  static async create(modelPath: string, lexicon: Lexicon, comparable = false): Promise<GrammarDecoder> {
    const module = await freeInstance();
    // If the dictionary's file does not exist, the package starts with an empty one.
    const config = {
      hmm: modelPath,
      dict: `${modelPath}/none`,
      samprate: DECODER_RATE_HZ,
      loglevel: 'FATAL',
      compallsen: comparable,
      ...BEAMS.wide,
    };
    // The package's types leave out what its class does not use itself.
    const library = module as unknown as NativeLibrary & { Decoder: new (settings: typeof config) => NativeDecoder };
    const native = new library.Decoder(config);
    await native.initialize();
    return new GrammarDecoder(native, library, lexicon);
  }

  get grammarKey(): string {
    return this.#grammarKey;
  }

  get isWornOut(): boolean {
    return this.#known.size > MAX_WORDS;
  }

  /** Sets the grammar and the beam unless they are set already. Takes 30 ms, 10-100 ms more with new words. */
  useGrammar(grammar: DecodedWords, beam: Beam = 'wide'): void {
    if (grammar.key === this.#grammarKey && beam === this.#beam) return;
    const added: Array<[string, string]> = [];
    for (const word of grammar.words) {
      if (this.#known.has(word)) continue;
      const ways = this.#lexicon.lookUp(word).slice(0, MAX_PRONUNCIATIONS);
      ways.forEach((way, index) => {
        added.push([index === 0 ? word : `${word}(${index + 1})`, way]);
      });
      this.#known.add(word);
    }
    this.#grammarKey = '';
    if (added.length > 0) this.#native.add_words(...added);
    // A search reads them when it is made, which is when it gets its grammar.
    for (const [name, width] of Object.entries(BEAMS[beam])) this.#native.set_config(name, width);
    this.#beam = beam;
    setAutomaton(this.#library, this.#native.cdecoder, grammar.automaton());
    this.#grammarKey = grammar.key;
  }

  start(): void {
    this.#beginning = [];
    this.#floor = new NoiseFloor();
  }

  /** Decodes PCM16 mono at 8 kHz, any length. Takes about 0.06-0.1 of the audio's duration. */
  write(samples: Int16Array): void {
    const sound = this.#floor.under(samples);
    if (this.#beginning === null) {
      this.#native.process_audio(toFloats(sound));
      return;
    }
    this.#beginning.push(sound);
    if (this.#beginning.reduce((sum, { length }) => sum + length, 0) >= BEGINNING_SAMPLES) this.#hearBeginning();
  }

  /** Empty as long as the beginning is held back. */
  text(): string {
    return this.#isStarted ? cleanText(this.#native.get_text()) : '';
  }

  /** Ends the utterance. `confidence` is 0..1. */
  finish(): { text: string; confidence: number } {
    this.#hearBeginning();
    this.#native.stop();
    this.#isStarted = false;
    const text = cleanText(this.#native.get_text());
    if (!text) return { text: '', confidence: 0 };
    const segments = this.#native.get_alignment().w ?? [];
    return { text: withoutHastyEnd(text, segments), confidence: confidenceOf(segments) };
  }

  /**
   * Decodes a whole utterance at once. `byPhone`: the words are taken apart into phones; else each is one.
   * @returns null where the grammar finds no way through the sound
   */
  decodeWhole(samples: Int16Array, byPhone: boolean): Path | null {
    this.#native.start();
    this.#native.process_audio(toFloats(samples), false, true);
    this.#native.stop();
    const text = this.#native.get_text();
    if (!text) return null;
    const words = this.#native.get_alignment({ align_level: byPhone ? 1 : 0 }).w ?? [];
    const phones = words.filter(({ t }) => isSpoken(t)).flatMap((word) => (byPhone ? (word.w ?? []) : [word]));
    return { text: cleanText(text), phones: phones.map(scoredPhone) };
  }

  cancel(): void {
    this.#beginning = null;
    if (!this.#isStarted) return;
    this.#isStarted = false;
    this.#native.stop();
  }

  delete(): void {
    this.#native.delete();
  }

  #hearBeginning(): void {
    if (this.#beginning === null) return;
    const beginning = toFloats(joinSamples(this.#beginning));
    this.#beginning = null;
    setMean(this.#library, this.#native, beginning);
    this.#native.start();
    this.#isStarted = true;
    this.#native.process_audio(beginning);
  }
}

/**
 * An instance of the library that the garbage collector can free. Each adds listeners to the process when it is made,
 * which would keep it and its 32 MB for as long as the thread lives.
 */
function freeInstance(): ReturnType<typeof createModule> {
  const events = ['uncaughtException', 'unhandledRejection'];
  const before = events.map((event) => process.rawListeners(event));
  const making = createModule();
  for (const [at, event] of events.entries()) {
    for (const listener of process.rawListeners(event)) {
      if (!before[at]?.includes(listener)) process.removeListener(event, listener as () => void);
    }
  }
  return making;
}

function toFloats(samples: Int16Array): Float32Array {
  const pcm = new Float32Array(samples.length);
  for (let n = 0; n < samples.length; n++) pcm[n] = (samples[n] ?? 0) * INT16_SCALE;
  return pcm;
}

/** Silences and noises are in brackets. */
const isSpoken = (word: string): boolean => !/^[<[(]/.test(word);

function scoredPhone({ t, p, b, d }: Segment): ScoredPhone {
  return {
    phone: phoneWord(t) ?? t,
    startFrame: Math.round(b * FRAMES_PER_S),
    frames: Math.round(d * FRAMES_PER_S),
    score: Math.log(p) / LOG_BASE,
  };
}

/**
 * The mean of the lowest word's and the duration-weighted mean score, since forced words lower both. It says nothing of
 * an utterance of a word or two (evidence.ts), whose score is high because it is short. Over
 * 90 phrases of the grammar and 60 other sentences in three voices it separates better than either alone (at 0.83: 97 %
 * of the phrases kept, 13 % of the others passed).
 */
function confidenceOf(segments: readonly Segment[]): number {
  const words = segments.filter(({ t }) => isSpoken(t));
  let lowest = 1;
  let weighted = 0;
  let duration = 0;
  for (const { p, d } of words) {
    lowest = Math.min(lowest, p);
    weighted += p * d;
    duration += d;
  }
  return duration > 0 ? (lowest + weighted / duration) / 2 : 0;
}

/** Removes a final word of the shortest possible length: it was a breath. */
function withoutHastyEnd(text: string, segments: readonly Segment[]): string {
  const last = segments.findLast(({ t }) => isSpoken(t));
  return last !== undefined && last.d < HASTY_SECONDS ? text.replace(HASTY_END, '') : text;
}

/** Removes silences, noises and the numbers of alternative pronunciations. */
function cleanText(text: string | null): string {
  return withoutOtherSpeech(text ?? '')
    .replace(/<\/?s(il)?>|\[\w+\]/gi, ' ')
    .replace(/\(\d+\)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
