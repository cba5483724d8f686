// How often callers' turns end after the last words said, from a language's table (words/ends-*.ts). It grades
// the words that the hand-made tables do not know: "to early" goes on, "tomorrow afternoon" does not.
import type { TurnEnds, TurnWords } from './words/turn-words.ts';

interface Counted {
  words: ReadonlyMap<string, number>;
  pairs: ReadonlyMap<string, number>;
}

const counted = new WeakMap<TurnEnds, Counted>();

/** Log odds of an end beside unknown words; 0 where nothing is known, as for a word alone. */
export function endsAfter(said: readonly string[], words: TurnWords): number {
  const { ends } = words;
  const last = said.at(-1);
  const before = said.at(-2);
  if (last === undefined || before === undefined) return 0;
  const { words: single, pairs } = tablesOf(ends);
  return pairs.get(`${numbered(before, words)} ${numbered(last, words)}`) ?? single.get(last) ?? 0;
}

function numbered(word: string, { digits, numbers }: TurnWords): string {
  return /\d/.test(word) || Object.hasOwn(digits, word) || numbers.includes(word) ? '0' : word;
}

function tablesOf(ends: TurnEnds): Counted {
  const known = counted.get(ends);
  if (known !== undefined) return known;
  const made = { words: entriesOf(ends.words, ' '), pairs: entriesOf(ends.pairs, ', ') };
  counted.set(ends, made);
  return made;
}

const entriesOf = (rows: TurnEnds['words'], separator: string): ReadonlyMap<string, number> =>
  new Map(rows.flatMap(([odds, entries]) => entries.split(separator).map((entry) => [entry, odds] as const)));
