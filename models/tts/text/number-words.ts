// English numbers, ordinals, years and times of day in words.

const ONES = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
];
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
/** Each word of which a number is made in English, but for "and". */
export const NUMBER_WORDS: readonly string[] = ['oh', ...ONES, ...TENS.slice(2), 'hundred', 'thousand'];
const ORDINALS: Record<string, string> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};

/** A whole number under a billion in words, e.g. 1,205 → "one thousand two hundred five"; others as digits. */
export function numberWords(value: number): string {
  if (!Number.isInteger(value) || Math.abs(value) >= 1e9) return String(value);
  if (value < 0) return `minus ${numberWords(-value)}`;
  if (value < 20) return ONES[value] ?? '';
  if (value < 100) {
    const rest = value % 10;
    return rest ? `${TENS[Math.floor(value / 10)]} ${ONES[rest]}` : (TENS[value / 10] ?? '');
  }
  for (const [size, name] of [
    [1e6, 'million'],
    [1e3, 'thousand'],
    [100, 'hundred'],
  ] as const) {
    if (value < size) continue;
    const rest = value % size;
    return `${numberWords(Math.floor(value / size))} ${name}${rest ? ` ${numberWords(rest)}` : ''}`;
  }
  return '';
}

/** 1 → "first", 22 → "twenty second". */
export function ordinalWords(value: number): string {
  const words = numberWords(value).split(' ');
  const last = words.pop() ?? '';
  const ordinal = ORDINALS[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`);
  return [...words, ordinal].join(' ');
}

/** "0412" → "zero four one two". */
export function digitWords(digits: string): string {
  return [...digits].map((digit) => ONES[Number(digit)] ?? '').join(' ');
}

/** A listener holds no more digits between two pauses. */
export const MOST_IN_GROUP = 4;

/** Digits as a person groups them, by three and the last ones by four: 3 3 3, 3 3 4, 4 4. Five stay together. */
export function digitGroups(digits: string): string[] {
  const fours = digits.length % 3;
  const beforeFours = digits.length - MOST_IN_GROUP * fours;
  if (beforeFours < 0) return [digits];
  const threes = digits.slice(0, beforeFours).match(/.{3}/g) ?? [];
  return [...threes, ...(digits.slice(beforeFours).match(/.{4}/g) ?? [])];
}

/** 2026 → "twenty twenty six", 2005 → "two thousand five". */
export function yearWords(year: number): string {
  const century = Math.floor(year / 100);
  const rest = year % 100;
  if (year < 1100 || year > 2099 || (year >= 2000 && year < 2010)) return numberWords(year);
  if (rest === 0) return `${numberWords(century)} hundred`;
  return `${numberWords(century)} ${rest < 10 ? `oh ${numberWords(rest)}` : numberWords(rest)}`;
}

/** A time of day, e.g. (9, 5) → "nine oh five a m", (12, 0) → "noon", (17, 30) → "five thirty p m". */
export function timeWords(hour: number, minute: number): string {
  if (minute === 0 && hour % 24 === 0) return 'midnight';
  if (minute === 0 && hour === 12) return 'noon';
  const twelve = hour % 12 === 0 ? 12 : hour % 12;
  const half = hour % 24 < 12 ? 'a.m.' : 'p.m.';
  return `${clock(twelve, minute)} ${half}`;
}

function clock(hour: number, minute: number): string {
  if (minute === 0) return numberWords(hour);
  return `${numberWords(hour)} ${minute < 10 ? `oh ${numberWords(minute)}` : numberWords(minute)}`;
}
