// Names for the built-in voice, whose own rules read all letters as English: from a table of names as people say them
// (names.txt), else by the spelling of their language. The voice takes their sounds as additions to its dictionary.
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { soundsBySpelling } from './name-spellings.ts';

const NAME = /(?<![\p{L}'’])\p{Lu}\p{Ll}{2,30}(?![\p{L}])/gu;
/** Letters that lose more than an accent. */
const FOLDED: Readonly<Record<string, string>> = { ł: 'l', Ł: 'L', ø: 'o', Ø: 'O', ß: 'ss', æ: 'ae', œ: 'oe', đ: 'd' };

/** Without accents, which the voice would spell: "René" was read as "R, E, N, E". */
export const withoutAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[łŁøØßæœđ]/g, (letter) => FOLDED[letter] ?? letter);

/** Lines for `-add_lex`, one for each name of the text that the voice would read wrongly; '' for none. */
export function namesAsSaid(text: string): string {
  const lines = new Set<string>();
  for (const [name] of text.matchAll(NAME)) {
    const word = name.toLowerCase();
    const sounds = table().get(word) ?? soundsBySpelling(word, () => isEnglish(word));
    if (sounds) lines.add(`${word} : ${sounds}\n`);
  }
  return [...lines].join('');
}

let names: ReadonlyMap<string, string> | null = null;

function table(): ReadonlyMap<string, string> {
  names ??= new Map(
    readFileSync(new URL('./names.txt', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const space = line.indexOf(' ');
        return [line.slice(0, space), line.slice(space + 1)] as const;
      }),
  );
  return names;
}

/** CMU's dictionary, of which the voice has an older release: in the order of its words, and halved on the disk. */
const DICTIONARY = join(dirname(createRequire(import.meta.url).resolve('soundswallower')), 'model/en-us/dict.txt');
const BLOCK_BYTES = 4_096;

function isEnglish(word: string): boolean {
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
    return `\n${read(Math.max(0, from - BLOCK_BYTES / 2))}`.includes(`\n${word} `);
  } finally {
    closeSync(file);
  }
}
