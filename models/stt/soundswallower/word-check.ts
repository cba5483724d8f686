// The decoders that try whether a short utterance was really these words (evidence.ts): one takes the words alone, or a
// few words that stand alone most often, and one any sequence of phones. Both hear the whole utterance at once, so that
// the mean of its spectrum, which a stream has to guess at its beginning, is its own.
import type { Automaton } from './automaton.ts';
import { DECODER_RATE_HZ, GrammarDecoder } from './decoder.ts';
import { evidenceOf, likelihoodOf, type Path } from './evidence.ts';
import type { DecodedWords } from './grammar.ts';
import { PHONE_WORDS } from './other-speech.ts';
import type { Lexicon } from './pronunciation.ts';

/** Negative logarithm of the share that each phone has after any other: about 1 of 39. */
const PHONE_COST = 4;
const BLOCK = DECODER_RATE_HZ / 100;
/** Silence is cut off up to this much: more of it, or digital silence, would shift the mean of the spectrum. */
const MARGIN_BLOCKS = 12;
/** A block so far under the loudest one is silence. */
const SILENT = 10 ** -1.5;

const ANY_PHONES: DecodedWords = {
  key: 'any phones',
  words: PHONE_WORDS,
  automaton: () => ({
    states: 2,
    start: 0,
    final: 1,
    arcs: [
      ...PHONE_WORDS.map((word) => ({ from: 0, to: 0, word, cost: PHONE_COST })),
      { from: 0, to: 1, word: null, cost: 0 },
    ],
  }),
};

/** Answers that must never be exchanged. */
const YES: readonly string[] = ['yes', 'yeah', 'yep'];
const NO: readonly string[] = ['no', 'nope'];
const LONE_WORDS: readonly string[] = [...YES, ...NO, 'stop', 'okay', 'hello', 'wait'];
const ONE_OF_THEM: DecodedWords = {
  key: 'lone words',
  words: LONE_WORDS,
  automaton: () => ({
    states: 2,
    start: 0,
    final: 1,
    arcs: LONE_WORDS.map((word) => ({ from: 0, to: 1, word, cost: 0 })),
  }),
};

/** A less likely guess tells less than what the grammar found, or than nothing. */
const LEAST_GUESS = 0.45;

export interface Tried {
  text: string;
  /** How likely it is that the sound is this text, 0..1. */
  likelihood: number;
  /** The grammar had found something else, or nothing. */
  isGuess: boolean;
}

export class WordCheck {
  readonly #words: GrammarDecoder;
  readonly #phones: GrammarDecoder;

  private constructor(words: GrammarDecoder, phones: GrammarDecoder) {
    this.#words = words;
    this.#phones = phones;
  }

  static async create(modelPath: string, lexicon: Lexicon): Promise<WordCheck> {
    const words = await GrammarDecoder.create(modelPath, lexicon, true);
    const phones = await GrammarDecoder.create(modelPath, lexicon, true);
    phones.useGrammar(ANY_PHONES);
    return new WordCheck(words, phones);
  }

  /** Its dictionary has grown too large. */
  get isWornOut(): boolean {
    return this.#words.isWornOut;
  }

  /**
   * Tries the words that the grammar found, and where they are unlikely one that stands alone most often. Takes a tenth
   * of the audio's duration, two tenths for a second attempt.
   * @param samples PCM16 at 8 kHz, the whole utterance @param text empty where the grammar found nothing
   * @param likely likelihood from which on no second attempt is made @throws the decoder's error
   */
  try(samples: Int16Array, text: string, likely: number): Tried {
    const sound = withoutMargins(samples);
    const free = this.#phones.decodeWhole(sound, false);
    const own = { text, likelihood: text === '' ? 0 : this.#likelihood(sound, text, free), isGuess: false };
    const isAnswer = YES.includes(text) || NO.includes(text);
    if (own.likelihood >= likely && !isAnswer) return own;
    this.#words.useGrammar(ONE_OF_THEM);
    const lone = this.#words.decodeText(sound);
    if (isOpposite(text, lone)) return { ...own, likelihood: 0 };
    if (own.likelihood >= likely || lone === '' || LONE_WORDS.includes(text)) return own;
    const other = { text: lone, likelihood: this.#likelihood(sound, lone, free), isGuess: true };
    return other.likelihood > Math.max(own.likelihood, LEAST_GUESS) ? other : own;
  }

  #likelihood(sound: Int16Array, text: string, free: Path | null): number {
    this.#words.useGrammar(onlyThese(text.split(' ')));
    const words = this.#words.decodeWhole(sound, true);
    const evidence = words === null || free === null ? null : evidenceOf(words, free);
    return evidence === null ? 0 : likelihoodOf(evidence);
  }

  delete(): void {
    this.#words.delete();
    this.#phones.delete();
  }
}

/** A "yes" that sounds more like a "no", or the other way round. */
const isOpposite = (text: string, other: string): boolean =>
  (YES.includes(text) && NO.includes(other)) || (NO.includes(text) && YES.includes(other));

/** The sound, and 120 ms of the silence on both sides. */
export function withoutMargins(samples: Int16Array): Int16Array {
  const blocks = Math.floor(samples.length / BLOCK);
  const levels = Array.from({ length: blocks }, (_, at) => {
    let energy = 0;
    for (const sample of samples.subarray(at * BLOCK, (at + 1) * BLOCK)) energy += sample * sample;
    return Math.sqrt(energy / BLOCK);
  });
  const least = Math.max(...levels) * SILENT;
  const first = levels.findIndex((level) => level > least);
  const last = levels.findLastIndex((level) => level > least);
  if (first < 0) return samples;
  return samples.subarray(Math.max(0, first - MARGIN_BLOCKS) * BLOCK, (last + 1 + MARGIN_BLOCKS) * BLOCK);
}

function onlyThese(words: readonly string[]): DecodedWords {
  const arcs: Automaton['arcs'] = words.map((word, at) => ({ from: at, to: at + 1, word, cost: 0 }));
  const automaton: Automaton = { states: words.length + 1, start: 0, final: words.length, arcs };
  return { key: words.join(' '), words, automaton: () => automaton };
}
