// The names of letters as words. flite drops the rest behind most single letters ("P, L, four" sounds like "peel
// four"), and keeps it behind any word: "pea, ell, four".

/** Words that flite pronounces as the letter's name; "W" and "O" keep their rest anyway. */
const LETTER_NAMES: Readonly<Record<string, string>> = {
  A: 'eigh',
  B: 'bee',
  C: 'sea',
  D: 'dee',
  E: 'ee',
  F: 'eff',
  G: 'gee',
  H: 'aitch',
  I: 'eye',
  J: 'jay',
  K: 'kay',
  L: 'ell',
  M: 'em',
  N: 'en',
  P: 'pea',
  Q: 'cue',
  R: 'ar',
  S: 'ess',
  T: 'tee',
  U: 'you',
  V: 'vee',
  X: 'ex',
  Y: 'why',
  Z: 'zee',
};

/** A letter with a rest behind it, and the last one of a code. */
const SPELLED_LETTER = /(?<![\p{L}\p{N}'’.&-])[A-Z](?=,)|(?<=, )[A-Z](?=[.?!]?$|[.?!] )/gu;

/** A word, or the letter itself where flite says it right. */
export const nameOfLetter = (letter: string): string => LETTER_NAMES[letter] ?? letter;

/** Writes spelled letters as words; others stay. */
export const withLetterNames = (text: string): string => text.replace(SPELLED_LETTER, nameOfLetter);
