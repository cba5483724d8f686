// CMU's pronouncing dictionary in memory: its text, and a table of where each word's lines are. A Map of its 134,000
// words takes 17 MB; this takes 1.
// Format: one pronunciation a line, `word PHONE PHONE …`; `word(2)` is another one of `word`; `;;` begins a comment.

/** ARPAbet phones separated by spaces, e.g. "HH AH L OW". */
export type Pronunciation = string;

const EMPTY = -1;
/** Of the table's places so many are taken, at most: the rest keeps searches short. */
const FULL_SHARE = 0.6;

export class Dictionary {
  readonly #text: string;
  /** Open addressing by the word's hash: where a line begins. Each pronunciation of a word has a place of its own. */
  readonly #lines: Int32Array;

  constructor(text: string) {
    this.#text = text;
    const starts = [...lineStarts(text)];
    const size = 2 ** Math.ceil(Math.log2(starts.length / FULL_SHARE + 1));
    this.#lines = new Int32Array(size).fill(EMPTY);
    for (const start of starts) this.#add(start);
  }

  /** In the dictionary's order; empty for a word that is not listed. @param word lower case, letters and apostrophes */
  pronunciations(word: string): Pronunciation[] {
    const ways: Pronunciation[] = [];
    for (let place = this.#firstPlace(word); ; place = this.#next(place)) {
      const start = this.#lines[place] ?? EMPTY;
      if (start === EMPTY) return ways;
      if (!this.#isOf(start, word)) continue;
      const end = this.#text.indexOf('\n', start);
      ways.push(this.#text.slice(this.#text.indexOf(' ', start) + 1, end === -1 ? undefined : end).trim());
    }
  }

  #add(start: number): void {
    let place = this.#firstPlace(wordAt(this.#text, start));
    while (this.#lines[place] !== EMPTY) place = this.#next(place);
    this.#lines[place] = start;
  }

  #isOf(start: number, word: string): boolean {
    if (!this.#text.startsWith(word, start)) return false;
    const after = this.#text[start + word.length];
    return (after === ' ' || after === '(') && wordAt(this.#text, start) === word;
  }

  #firstPlace(word: string): number {
    let hash = 0x811c9dc5;
    for (let n = 0; n < word.length; n++) hash = Math.imul(hash ^ word.charCodeAt(n), 0x01000193);
    // FNV's low bits alone spread short words badly.
    return (hash ^ (hash >>> 15)) & (this.#lines.length - 1);
  }

  #next(place: number): number {
    return (place + 1) & (this.#lines.length - 1);
  }
}

function wordAt(text: string, start: number): string {
  return text.slice(start, text.indexOf(' ', start)).replace(/\(\d+\)$/, '');
}

function* lineStarts(text: string): Generator<number> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const space = text.indexOf(' ', start);
    if (!text.startsWith(';;', start) && space > start && (end === -1 || space < end)) yield start;
    if (end === -1) return;
    start = end + 1;
  }
}
