// Word errors of a recognised text against what was said: substitutions, insertions and deletions by the shortest
// alignment. Case, punctuation and the spelling of digits do not count, so that "318" and "three one eight" are equal.

interface WordErrors {
  errors: number;
  /** Of the reference. */
  words: number;
}

const DIGITS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
/** Sounds that one transcriber writes and another leaves out. */
const HESITATIONS = new Set(['uh', 'um', 'uhm', 'hmm', 'hm', 'mhm', 'ah', 'er', 'oh']);

function plainWords(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll('[unclear]', ' ')
    .replace(/['’]/g, '')
    .replace(/\d/g, (digit) => ` ${DIGITS[Number(digit)]} `)
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '' && !HESITATIONS.has(word));
}

export function wordErrors(said: string, heard: string): WordErrors {
  const [reference, words] = [plainWords(said), plainWords(heard)];
  let before = Array.from({ length: words.length + 1 }, (_, at) => at);
  for (const [row, wanted] of reference.entries()) {
    const now = [row + 1];
    for (const [column, word] of words.entries()) {
      const replaced = (before[column] ?? 0) + (word === wanted ? 0 : 1);
      now.push(Math.min(replaced, (before[column + 1] ?? 0) + 1, (now[column] ?? 0) + 1));
    }
    before = now;
  }
  return { errors: before[words.length] ?? 0, words: reference.length };
}

export function errorShare(all: readonly WordErrors[]): number {
  const words = all.reduce((sum, each) => sum + each.words, 0);
  return words === 0 ? 0 : all.reduce((sum, { errors }) => sum + errors, 0) / words;
}
