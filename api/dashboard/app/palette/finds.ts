// The choice of the palette for what is typed.

export interface Find {
  text: string;
  /** "Agent", "Page". */
  kind: string;
  address: string;
}

const SHOWN_MAX = 10;
/** A shorter number is a part of too many. */
const DIGITS_MIN = 6;
/** As much of a number is typed with blanks, brackets and hyphens. */
const NUMBER = /^\+?[\d\s()./-]+$/;

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The digits of what looks like a telephone number, with its plus; null if it is none, or too short. */
export function numberIn(typed: string): string | null {
  const text = typed.trim();
  if (!NUMBER.test(text)) return null;
  const digits = text.replace(/\D/g, '');
  return digits.length < DIGITS_MIN ? null : `${text.startsWith('+') ? '+' : ''}${digits}`;
}

/** At most ten that have every typed word, first those with words that begin so, each group in its order. */
export function matching(finds: readonly Find[], typed: string): Find[] {
  const digits = numberIn(typed)?.replace(/^\+|^0+/, '') ?? null;
  const words = plain(typed).split(/\s+/).filter(Boolean);
  const ranked: Find[][] = [[], [], []];
  for (const find of finds) {
    const text = plain(find.text);
    const isNumber = digits !== null && text.replace(/\D/g, '').includes(digits);
    const rank = isNumber ? 0 : rankOf(text, plain(find.kind), words);
    if (rank !== null) ranked[rank]?.push(find);
  }
  return ranked.flat().slice(0, SHOWN_MAX);
}

/** 0: the text begins with what is typed, 1: each word begins one of its words, 2: each is somewhere in it. */
function rankOf(text: string, kind: string, words: readonly string[]): 0 | 1 | 2 | null {
  if (text.startsWith(words.join(' '))) return 0;
  const own = [...text.split(/[\s,.@/()-]+/), kind];
  if (words.every((word) => own.some((each) => each.startsWith(word)))) return 1;
  return words.every((word) => text.includes(word)) ? 2 : null;
}
