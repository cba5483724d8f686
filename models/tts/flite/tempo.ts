// The tempo of the built-in voice: a person who reads out a number, a time or a price speaks slower, because somebody
// writes it down. Dates and prices were misheard a third less so; plain sentences and names gained nothing by it
// (docs/local-engines.md).

const ONES = 'zero|oh|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand';
const TENS = '(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty';
const ORDINALS = 'third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|twelfth';
/** Not "one", which counts nothing in "one moment" and "which one". */
const FIGURE = new RegExp(String.raw`\b(?:${ONES}|(?:${TENS})(?:th)?|twentieth|thirtieth|${ORDINALS})\b`, 'i');
/** A spelled letter with its rest. */
const SPELLED = /(?<![\p{L}'’])[A-Z],/u;
const FIGURES_TEMPO = 0.85;

/** @param piece as it is spoken, numbers in words */
export const tempoOf = (piece: string): number => (FIGURE.test(piece) || SPELLED.test(piece) ? FIGURES_TEMPO : 1);
