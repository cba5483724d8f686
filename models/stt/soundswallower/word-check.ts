// The decoders that try whether a short utterance was really these words (evidence.ts): one takes the words alone, the
// other any sequence of phones. Both hear the whole utterance at once, so that the mean of its spectrum, which a stream
// has to guess at its beginning, is its own.
import type { Automaton } from './automaton.ts';
import { GrammarDecoder } from './decoder.ts';
import { evidenceOf, likelihoodOf } from './evidence.ts';
import type { DecodedWords } from './grammar.ts';
import { PHONE_WORDS } from './other-speech.ts';
import type { Lexicon } from './pronunciation.ts';

/** Negative logarithm of the share that each phone has after any other: about 1 of 39. */
const PHONE_COST = 4;

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
const YES_OR_NO: DecodedWords = {
  key: 'yes or no',
  words: [...YES, ...NO],
  automaton: () => ({
    states: 2,
    start: 0,
    final: 1,
    arcs: [...YES, ...NO].map((word) => ({ from: 0, to: 1, word, cost: 0 })),
  }),
};

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
   * How likely it is that the sound is these words, 0..1. Takes about a tenth of the audio's duration.
   * @param samples PCM16 at 8 kHz, the whole utterance @throws the decoder's error
   */
  likelihood(samples: Int16Array, text: string): number {
    if (this.#isOtherAnswer(samples, text)) return 0;
    this.#words.useGrammar(onlyThese(text.split(' ')));
    const words = this.#words.decodeWhole(samples, true);
    const free = this.#phones.decodeWhole(samples, false);
    const evidence = words === null || free === null ? null : evidenceOf(words, free);
    return evidence === null ? 0 : likelihoodOf(evidence);
  }

  /** A "yes" that sounds more like a "no", or the other way round, when it must be one of them. */
  #isOtherAnswer(samples: Int16Array, text: string): boolean {
    const others = YES.includes(text) ? NO : NO.includes(text) ? YES : null;
    if (others === null) return false;
    this.#words.useGrammar(YES_OR_NO);
    return others.includes(this.#words.decodeText(samples));
  }

  delete(): void {
    this.#words.delete();
    this.#phones.delete();
  }
}

function onlyThese(words: readonly string[]): DecodedWords {
  const arcs: Automaton['arcs'] = words.map((word, at) => ({ from: at, to: at + 1, word, cost: 0 }));
  const automaton: Automaton = { states: words.length + 1, start: 0, final: words.length, arcs };
  return { key: words.join(' '), words, automaton: () => automaton };
}
