// The pace of the built-in voice. By itself it says 174 words a minute of what agents say, which is fast for a
// telephone. Numbers, times and prices are said slower still, and codes with longer rests between their groups, as a
// person reads them out to somebody who writes them down (docs/local-engines.md).
import { NUMBER_WORDS } from '../text/number-words.ts';

/** Not "one", which counts nothing in "one moment" and "which one". */
const CARDINALS = NUMBER_WORDS.filter((word) => word !== 'one').join('|');
const TEENS = NUMBER_WORDS.filter((word) => word.endsWith('teen')).join('|');
const ORDINALS = 'third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|twelfth|twentieth|thirtieth';
const FIGURE = new RegExp(String.raw`\b(?:${CARDINALS}|(?:${TEENS})th|${ORDINALS})\b`, 'i');
/** A spelled letter with its rest. */
const SPELLED = /(?<![\p{L}'’])[A-Z],/u;
const CHARACTER = '(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|[A-Z])';
const GROUPED = new RegExp(String.raw`(?<![\p{L}'’])${CHARACTER}, ${CHARACTER}(?![\p{L}'’])`, 'u');

interface Pace {
  /** 1 is the voice's own. */
  tempo: number;
  /** Of each rest between two words; 0: as the voice leaves it. */
  leastRestMs: number;
}
const CODE: Pace = { tempo: 0.85, leastRestMs: 350 };
const FIGURES: Pace = { ...CODE, leastRestMs: 0 };
const PLAIN: Pace = { tempo: 0.92, leastRestMs: 0 };
/** Of a person who talks. */
export const TALK: Pace = { tempo: 1, leastRestMs: 0 };

/** @param piece as it is spoken, numbers in words */
export function paceOf(piece: string): Pace {
  if (GROUPED.test(piece)) return CODE;
  return FIGURE.test(piece) || SPELLED.test(piece) ? FIGURES : PLAIN;
}
