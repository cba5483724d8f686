// How a word sounds, roughly and in any language, and the trigrams of that: "Wieczorek" and "viezorek" have most of
// them in common.

const SOUNDS: ReadonlyArray<[RegExp, string]> = [
  [/tsch|tch|sch|sz|cz|ch|sh|ts|tz|z|ç/g, 's'],
  [/c(?=[eiy])/g, 's'],
  [/ph/g, 'f'],
  [/qu/g, 'kv'],
  [/w/g, 'v'],
  [/ck|[cq]/g, 'k'],
  [/x/g, 'ks'],
  [/dt|th/g, 't'],
  [/ei|ai|ay|ey/g, 'A'],
  [/eu|oi|oy|aeu/g, 'O'],
  [/ie|ee|ea|[yj]/g, 'i'],
  [/ou|oo|ow/g, 'u'],
  [/([aou])e/g, '$1'],
  [/(?<=.)h/g, ''],
  [/(.)\1+/g, '$1'],
];

/** Of a folded word; a code is as it is. */
export const soundOf = (word: string): string =>
  (/\d/.test(word) ? word : SOUNDS.reduce((sound, [from, to]) => sound.replace(from, to), word)).toLowerCase();

const PAD = '0';

/** Each once, with the word's edges. */
export function trigramsOf(sound: string): string[] {
  const padded = `${PAD}${sound}${PAD}`;
  const grams = new Set<string>();
  for (let at = 0; at + 3 <= padded.length; at++) grams.add(padded.slice(at, at + 3));
  return [...grams];
}

/** A word within another one, as in compounds, has at least so many letters. */
const PART_MIN = 5;
const PART_LIKENESS = 0.85;

/** 0 to 1: Dice's coefficient of their trigrams; more where one is a part of the other. */
export function likeness(sound: string, other: string): number {
  const [a, b] = [trigramsOf(sound), new Set(trigramsOf(other))];
  const shared = a.filter((gram) => b.has(gram)).length;
  const dice = (2 * shared) / (a.length + b.size);
  const [short, long] = sound.length < other.length ? [sound, other] : [other, sound];
  return short.length >= PART_MIN && long.includes(short) ? Math.max(dice, PART_LIKENESS) : dice;
}
