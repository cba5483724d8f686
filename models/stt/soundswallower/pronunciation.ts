// Pronunciations of words: CMU's dictionary as packaged with soundswallower, and letter-to-sound rules for other words.
// All decoders of a worker share one copy, because a decoder that loads its own takes 180 ms more.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { phoneWord } from './other-speech.ts';

/** ARPAbet phones separated by spaces, e.g. "HH AH L OW". */
export type Pronunciation = string;

/** Returns the phones of a word that is not in the dictionary. */
export type LetterToSound = (word: string) => string[];

const MAX_GUESSES = 5_000;

export class Lexicon {
  readonly #text: string;
  /** Each word's pronunciations, as offsets of lines in `#text`. */
  readonly #index: Map<string, number[]>;
  readonly #guesses = new Map<string, Pronunciation | null>();
  readonly #letterToSound: LetterToSound;
  readonly #phones: ReadonlySet<string>;

  /** @param modelPath folder of soundswallower's acoustic model: dict.txt and phoneset.json */
  constructor(modelPath: string, letterToSound: LetterToSound) {
    this.#letterToSound = letterToSound;
    this.#text = readFileSync(join(modelPath, 'dict.txt'), 'latin1');
    this.#index = indexWords(this.#text);
    this.#phones = new Set(this.#pronunciationsOfAll(PHONE_SAMPLE));
  }

  has(word: string): boolean {
    return this.#index.has(word);
  }

  /**
   * The pronunciations of a word, best first: the dictionary's, else one guessed from its letters.
   * @param word lower case, letters and apostrophes
   * @returns empty when nothing can be guessed; the word must then stay out of the grammar
   */
  lookUp(word: string): Pronunciation[] {
    const phones = phoneWord(word);
    if (phones !== null) return [phones];
    const lines = this.#index.get(word);
    if (lines) return lines.map((at) => this.#lineAt(at));
    const known = this.#guesses.get(word);
    if (known !== undefined) return known ? [known] : [];
    const guess = this.#guess(word);
    if (this.#guesses.size < MAX_GUESSES) this.#guesses.set(word, guess);
    return guess ? [guess] : [];
  }

  #guess(word: string): Pronunciation | null {
    const possessive = word.endsWith("'s") ? this.lookUp(word.slice(0, -2))[0] : null;
    if (possessive) return `${possessive} Z`;
    const phones = this.#letterToSound(word);
    return phones.length > 0 && phones.every((phone) => this.#phones.has(phone)) ? phones.join(' ') : null;
  }

  #lineAt(offset: number): Pronunciation {
    const end = this.#text.indexOf('\n', offset);
    return this.#text.slice(offset, end === -1 ? undefined : end).trim();
  }

  #pronunciationsOfAll(words: readonly string[]): string[] {
    return words.flatMap((word) => (this.#index.get(word) ?? []).flatMap((at) => this.#lineAt(at).split(' ')));
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

/** For each word, where its pronunciations begin; `word(2)` is another one of `word`. */
function indexWords(text: string): Map<string, number[]> {
  const index = new Map<string, number[]>();
  for (let line = 0; line < text.length; ) {
    const end = text.indexOf('\n', line);
    const space = text.indexOf(' ', line);
    if (!text.startsWith(';;', line) && space > line && (end === -1 || space < end)) {
      const word = text.slice(line, space).replace(/\(\d+\)$/, '');
      const offsets = index.get(word);
      if (offsets) offsets.push(space + 1);
      else index.set(word, [space + 1]);
    }
    if (end === -1) break;
    line = end + 1;
  }
  return index;
}
