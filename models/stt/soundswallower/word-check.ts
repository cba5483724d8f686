// The decoders that measure whether the sound of a short utterance is that of its words (evidence.ts): one takes these
// words alone, one any sequence of phones. Both hear the whole utterance at once, so that the mean of its spectrum,
// which a stream has to guess at its beginning, is its own.
import type { Automaton } from './automaton.ts';
import { DECODER_RATE_HZ, GrammarDecoder } from './decoder.ts';
import { evidenceOf, likelihoodOf } from './evidence.ts';
import type { DecodedWords } from './grammar.ts';
import { NoiseFloor } from './noise-floor.ts';
import { PHONE_WORDS } from './other-speech.ts';
import type { Lexicon } from './pronunciation.ts';
import { NO, YES } from './yes-no.ts';

/** Negative logarithm of the share that each phone has after any other: about 1 of 39. */
const PHONE_COST = 4;
const BLOCK = DECODER_RATE_HZ / 100;
/** Silence is cut off up to this much, because it would shift the mean of the spectrum. */
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

/** Phrases for which these must not be taken. */
interface Sides {
  own: readonly string[];
  others: readonly string[];
}
/** "Yes" and "no" must never be exchanged, and a "no" that is told as "wow" lets the agent go on (decision 92). */
const SIDES: Readonly<Record<string, Sides>> = {
  ...Object.fromEntries(YES.map((text) => [text, { own: YES, others: NO }])),
  ...Object.fromEntries(NO.map((text) => [text, { own: NO, others: YES }])),
  wow: { own: ['wow'], others: ['no'] },
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
    phones.useGrammar(ANY_PHONES, 'narrow');
    return new WordCheck(words, phones);
  }

  /** Its dictionary has grown too large. */
  get isWornOut(): boolean {
    return this.#words.isWornOut;
  }

  /**
   * How likely the sound is these words, 0..1; 0 where it sounds more like words for which they must not be taken.
   * Takes a quarter of the sound's duration.
   * @param samples PCM16 at 8 kHz, the whole utterance @throws the decoder's error
   */
  likelihood(samples: Int16Array, text: string): number {
    const sound = new NoiseFloor().under(withoutMargins(samples));
    const { own, others } = (Object.hasOwn(SIDES, text) && SIDES[text]) || { own: [text], others: [] };
    this.#words.useGrammar(oneOf([...own, ...others]), 'narrow');
    const words = this.#words.decodeWhole(sound, true);
    if (words === null || others.includes(words.text)) return 0;
    const free = this.#phones.decodeWhole(sound, false);
    const evidence = free === null ? null : evidenceOf(words, free);
    return evidence === null ? 0 : likelihoodOf(evidence);
  }

  delete(): void {
    this.#words.delete();
    this.#phones.delete();
  }
}

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

function oneOf(phrases: readonly string[]): DecodedWords {
  const arcs: Automaton['arcs'][number][] = [];
  let states = 2;
  for (const phrase of phrases) {
    const words = phrase.split(' ');
    let from = 0;
    for (const [at, word] of words.entries()) {
      const to = at === words.length - 1 ? 1 : states++;
      arcs.push({ from, to, word, cost: 0 });
      from = to;
    }
  }
  const words = phrases.flatMap((phrase) => phrase.split(' '));
  return { key: phrases.join('|'), words, automaton: () => ({ states, start: 0, final: 1, arcs }) };
}
