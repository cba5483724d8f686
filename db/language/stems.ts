// A word as the index has it: without accents, and its stem, so that "cleaning" finds "cleans" and "Zähne" finds
// "Zahn".
import { stemmer } from 'stemmer';
import type { WordLanguage } from './words.ts';

const LETTERS: Record<string, string> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe', ı: 'i', ð: 'd', þ: 'th', đ: 'd' };

/** Small letters without accents. */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßłøæœıðþđ]/g, (letter) => LETTERS[letter] ?? letter);

/** Of a folded word. */
export const stemIn = (word: string, language: WordLanguage): string =>
  /\d/.test(word) ? word : language === 'de' ? germanStem(word) : stemmer(word);

/** CISTEM (Weißweiler and Fraser, 2017): on pairs of letters that count as one, endings go while enough is left. */
export function germanStem(word: string): string {
  let stem = word.length >= 6 && word.startsWith('ge') ? word.slice(2) : word;
  stem = stem.replaceAll('sch', '$').replaceAll('ei', '%').replaceAll('ie', '&').replace(/(.)\1/g, '$1*');
  while (stem.length > 3) {
    const shorter = stem.length > 5 ? stem.replace(/(?:e[mr]|nd)$/, '') : stem;
    const cut = shorter === stem ? stem.replace(/[tesn]$/, '') : shorter;
    if (cut === stem) break;
    stem = cut;
  }
  return stem.replace(/(.)\*/g, '$1$1').replaceAll('$', 'sch').replaceAll('%', 'ei').replaceAll('&', 'ie');
}
