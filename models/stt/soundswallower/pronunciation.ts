// Pronunciations of words: CMU's dictionary as packaged with soundswallower, and letter-to-sound rules for other words.
// All decoders of a worker share one copy, because a decoder that loads its own takes 180 ms more.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Dictionary, type Pronunciation } from './dictionary.ts';
import { phoneWord, pronounced } from './other-speech.ts';

/** Returns the phones of a word that is not in the dictionary: each way that people may say it, the likeliest first. */
type LetterToSound = (word: string) => string[][];

const MAX_GUESSES = 5_000;

export class Lexicon {
  readonly #dictionary: Dictionary;
  readonly #guesses = new Map<string, Pronunciation[]>();
  readonly #letterToSound: LetterToSound;
  readonly #phones: ReadonlySet<string>;

  /** @param modelPath folder of soundswallower's acoustic model: dict.txt and phoneset.json */
  constructor(modelPath: string, letterToSound: LetterToSound) {
    this.#letterToSound = letterToSound;
    this.#dictionary = new Dictionary(readFileSync(join(modelPath, 'dict.txt'), 'latin1'));
    this.#phones = new Set(this.#pronunciationsOfAll(PHONE_SAMPLE));
  }

  has(word: string): boolean {
    return this.#dictionary.pronunciations(word).length > 0;
  }

  /**
   * The pronunciations of a word, best first: the dictionary's, else those guessed from its letters.
   * @param marked lower case, letters and apostrophes, with the mark of other speech or without
   * @returns empty when nothing can be guessed; the word must then stay out of the grammar
   */
  lookUp(marked: string): Pronunciation[] {
    const phones = phoneWord(marked);
    if (phones !== null) return [phones];
    const word = pronounced(marked);
    const listed = this.#dictionary.pronunciations(word);
    if (listed.length > 0) return listed;
    const known = this.#guesses.get(word);
    if (known !== undefined) return known;
    const guessed = this.#guess(word);
    if (this.#guesses.size < MAX_GUESSES) this.#guesses.set(word, guessed);
    return guessed;
  }

  #guess(word: string): Pronunciation[] {
    const possessive = word.endsWith("'s") ? this.lookUp(word.slice(0, -2))[0] : null;
    if (possessive) return [`${possessive} Z`];
    const ways = this.#letterToSound(word).filter((way) => way.length > 0);
    return ways.filter((way) => way.every((phone) => this.#phones.has(phone))).map((way) => way.join(' '));
  }

  #pronunciationsOfAll(words: readonly string[]): string[] {
    return words.flatMap((word) => this.#dictionary.pronunciations(word)).flatMap((way) => way.split(' '));
  }
}

/** Words that together use all 39 phones of the model. */
const PHONE_SAMPLE = [
  'father',
  'cat',
  'cut',
  'law',
  'cow',
  'hide',
  'be',
  'cheese',
  'dee',
  'thee',
  'ed',
  'hurt',
  'ate',
  'fee',
  'green',
  'he',
  'it',
  'eat',
  'gee',
  'key',
  'lee',
  'me',
  'knee',
  'ping',
  'oat',
  'toy',
  'pee',
  'read',
  'sea',
  'she',
  'tea',
  'theta',
  'hood',
  'two',
  'vee',
  'we',
  'yield',
  'zee',
  'seizure',
];
