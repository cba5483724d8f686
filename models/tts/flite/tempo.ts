// The tempo of the built-in voice. By itself it says 174 words a minute of what agents say, which is fast for a
// telephone. Numbers, times and prices are said slower still, as a person reads them out to somebody who writes them
// down (docs/local-engines.md).

const ONES = 'zero|oh|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand';
const TENS = '(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty';
const ORDINALS = 'third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|twelfth';
/** Not "one", which counts nothing in "one moment" and "which one". */
const FIGURE = new RegExp(String.raw`\b(?:${ONES}|(?:${TENS})(?:th)?|twentieth|thirtieth|${ORDINALS})\b`, 'i');
/** A spelled letter with its rest. */
const SPELLED = /(?<![\p{L}'’])[A-Z],/u;
const FIGURES_TEMPO = 0.85;
const PLAIN_TEMPO = 0.92;

/** @param piece as it is spoken, numbers in words */
export const tempoOf = (piece: string): number =>
  FIGURE.test(piece) || SPELLED.test(piece) ? FIGURES_TEMPO : PLAIN_TEMPO;
