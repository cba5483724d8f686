// A small model may say the same sentences over and over until its answer is cut by length: minutes of it on a
// telephone. An answer that has come back to what it said already says nothing new any more.

/** Shorter ones ("Thank you so much.") may well be said twice. */
const MIN_WORDS = 5;
/** One sentence may be said again for emphasis, or as a list's refrain. */
const MOST_AGAIN = 2;
const END = /[.!?…\n]/;

/** Watches one answer as it is streamed. */
export class Repeats {
  #sentence = '';
  readonly #said = new Set<string>();
  #again = 0;

  /** @returns whether the answer goes round in a circle; it stays so */
  push(text: string): boolean {
    for (const character of text) {
      this.#sentence += character;
      if (END.test(character)) this.#ended();
    }
    return this.#again >= MOST_AGAIN;
  }

  #ended(): void {
    const words = this.#sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    this.#sentence = '';
    if (words.length < MIN_WORDS) return;
    const key = words.join(' ');
    if (this.#said.has(key)) this.#again++;
    this.#said.add(key);
  }
}
