// CMU's pronouncing dictionary as it is on the disk: a text in the order of its words, in which a word is looked up by
// halving. A table of its 134,000 words took a sixth of a recogniser's start to fill; a Map of them takes 17 MB.
// Format: one pronunciation a line, `word PHONE PHONE …`; `word(2)` is another one of `word`; `;;` begins a comment.

/** ARPAbet phones separated by spaces, e.g. "HH AH L OW". */
export type Pronunciation = string;

/** Halving ends here, and so far around it is read: neighbours may change places, as "stilton" and "stilted". */
const NEAR_CHARS = 512;

export class Dictionary {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** In the dictionary's order; empty for a word that is not listed. @param word lower case, letters and apostrophes */
  pronunciations(word: string): Pronunciation[] {
    const ways: Pronunciation[] = [];
    const place = this.#placeOf(word);
    let end = Math.min(this.#text.length, place + 2 * NEAR_CHARS);
    for (let start = this.#lineStart(Math.max(0, place - NEAR_CHARS)); start < end; ) {
      const lineEnd = this.#lineEnd(start);
      const phones = this.#phonesOf(word, start, lineEnd);
      if (phones !== null) {
        ways.push(phones);
        end = Math.min(this.#text.length, lineEnd + NEAR_CHARS);
      }
      start = lineEnd + 1;
    }
    return ways;
  }

  /** At most `NEAR_CHARS` before the word's first line. */
  #placeOf(word: string): number {
    let [from, to] = [0, this.#text.length];
    while (to - from > NEAR_CHARS) {
      const middle = this.#lineStart((from + to) >>> 1);
      if (middle <= from) return from;
      if (wordAt(this.#text, middle) < word) from = middle;
      else to = middle;
    }
    return from;
  }

  /** Null: the line is another word's, or a comment. */
  #phonesOf(word: string, start: number, end: number): Pronunciation | null {
    if (!this.#text.startsWith(word, start) || this.#text.startsWith(';;', start)) return null;
    const after = this.#text[start + word.length];
    if ((after !== ' ' && after !== '(') || wordAt(this.#text, start) !== word) return null;
    const space = this.#text.indexOf(' ', start);
    return space === -1 || space > end ? null : this.#text.slice(space + 1, end).trim();
  }

  #lineStart(at: number): number {
    return at === 0 ? 0 : this.#text.lastIndexOf('\n', at - 1) + 1;
  }

  #lineEnd(start: number): number {
    const end = this.#text.indexOf('\n', start);
    return end === -1 ? this.#text.length : end;
  }
}

function wordAt(text: string, start: number): string {
  return text.slice(start, text.indexOf(' ', start)).replace(/\(\d+\)$/, '');
}
