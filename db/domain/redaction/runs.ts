// Rows of digits in what people say, in digits or in words, and where in the text each comes from.
import { type NumberLexicon, numberLexicon } from './number-words.ts';

export interface Run {
  /** Digits, capital letters that were spelled, and a leading `+`. */
  text: string;
  /** Of each character: where what it comes from begins and ends in the text. */
  at: Array<{ start: number; end: number }>;
  /** The text between its first and its last character, as it was written. */
  isPlain: boolean;
}

interface Token {
  /** Lower case, without marks. */
  word: string;
  start: number;
  end: number;
}

/** Characters that may stand between two parts of one number. */
const JOINT = /^[\s\-–.,/()'’_]{0,4}$/;
/** A longer row is taken in parts, so that the time for it grows with its length and no faster. */
const ROW_MAX = 200;
/** Said between digits and without a meaning, so many in a row. */
const FILLERS_MAX = 2;

/** Lower case, without marks: "zéro" and "zero" are one word. The length stays, so that places in the text do. */
export function plainText(text: string): string {
  return [...text]
    .map((char) => {
      const plain = char
        .normalize('NFD')
        .replace(/\p{M}+/gu, '')
        .toLowerCase();
      return plain.length === char.length ? plain : char;
    })
    .join('');
}

const tokensOf = (text: string): Token[] =>
  Array.from(plainText(text).matchAll(/\p{L}+|\d+|\+/gu), ({ 0: word, index }) => ({
    word,
    start: index,
    end: index + word.length,
  }));

/**
 * Rows of digits, the longest possible ones. `spells`: with letters that are said alone or stand among digits, as in an
 * IBAN.
 */
export function digitRuns(text: string, languages: readonly string[], spells = false): Run[] {
  const lexicon = numberLexicon(languages);
  const tokens = tokensOf(text);
  const runs: Run[] = [];
  let run: Run = { text: '', at: [], isPlain: true };
  let [lastEnd, fillers, repeat] = [0, 0, 1];
  const close = (): void => {
    if (run.text !== '') runs.push(run);
    run = { text: '', at: [], isPlain: true };
    [fillers, repeat] = [0, 1];
  };
  for (let i = 0; i < tokens.length; ) {
    const token = tokens[i] as Token;
    if (run.text !== '' && (run.text.length >= ROW_MAX || !JOINT.test(text.slice(lastEnd, token.start)))) close();
    const times = lexicon.repeats.get(token.word);
    if (times !== undefined) {
      repeat = times;
      lastEnd = token.end;
      i++;
      continue;
    }
    const part = partAt(text, tokens, i, lexicon, spells);
    if (part === null) {
      const isFiller = run.text !== '' && lexicon.fillers.has(token.word) && ++fillers <= FILLERS_MAX;
      if (!isFiller) close();
      lastEnd = token.end;
      i++;
      continue;
    }
    const { value, count } = part;
    const end = (tokens[i + count - 1] as Token).end;
    const said = repeat > 1 && value.length === 1 ? value.repeat(repeat) : value;
    run.text += said;
    // Of written digits each has its place; a word stands for all of its own.
    const isWritten = value.length === end - token.start && said === value;
    for (let k = 0; k < said.length; k++)
      run.at.push(isWritten ? { start: token.start + k, end: token.start + k + 1 } : { start: token.start, end });
    run.isPlain &&= isWritten;
    [lastEnd, fillers, repeat] = [end, 0, 1];
    i += count;
  }
  close();
  return runs;
}

/** The number that the tokens from here on stand for; null: no part of a number. */
function partAt(
  text: string,
  tokens: readonly Token[],
  i: number,
  { phrases, longest }: NumberLexicon,
  spells: boolean,
): { value: string; count: number } | null {
  const token = tokens[i] as Token;
  if (/^\d/.test(token.word)) return { value: token.word, count: 1 };
  if (token.word === '+' || token.word === 'plus') return { value: '+', count: 1 };
  for (let count = Math.min(longest, tokens.length - i); count > 0; count--) {
    const words = tokens.slice(i, i + count);
    if (words.some(({ word }) => /^[\d+]/.test(word))) continue;
    if (words.some(({ start }, at) => at > 0 && !/^[\s-]$/.test(text[start - 1] ?? ''))) continue;
    const value = phrases.get(words.map(({ word }) => word).join(' '));
    if (value !== undefined) return { value, count };
  }
  if (!spells) return null;
  // Not the s of "s'il".
  if (/['’]/.test(text[token.end] ?? '')) return null;
  const isSpelled = token.word.length === 1 || /^[A-Z]{2,6}$/.test(text.slice(token.start, token.end));
  return isSpelled && /^[a-z]+$/.test(token.word) ? { value: token.word.toUpperCase(), count: 1 } : null;
}
