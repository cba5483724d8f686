// Searches words in the raw bytes of files, like a person with access to the disk.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The words found in any file below `directory`, each with the file's name. */
export function leftovers(directory: string, words: readonly string[]): string[] {
  const sought = new Sought(words);
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const found = sought.in(readFileSync(join(entry.parentPath, entry.name)));
      return found.map((word) => `${entry.name}: ${word}`);
    });
}

/** Finds hundreds of words, of two bytes or more each, in one pass over a file. */
class Sought {
  /** By their bytes, as Latin-1. */
  readonly #words: ReadonlyMap<string, string>;
  /** By the first two bytes of a word: how long the words are that begin with them. */
  readonly #lengths: Array<Set<number> | undefined> = new Array(0x10000).fill(undefined);

  constructor(words: readonly string[]) {
    this.#words = new Map(words.map((word) => [Buffer.from(word).toString('latin1'), word]));
    for (const bytes of this.#words.keys()) {
      const first = (bytes.charCodeAt(0) << 8) | bytes.charCodeAt(1);
      const lengths = this.#lengths[first] ?? new Set();
      this.#lengths[first] = lengths.add(bytes.length);
    }
  }

  in(file: Buffer): string[] {
    const found = new Set<string>();
    for (let at = 0, first = 0; at < file.length; at++) {
      first = ((first << 8) | (file[at] ?? 0)) & 0xffff;
      for (const length of this.#lengths[first] ?? []) {
        const word = this.#words.get(file.toString('latin1', at - 1, at - 1 + length));
        if (word !== undefined) found.add(word);
      }
    }
    return [...found];
  }
}
