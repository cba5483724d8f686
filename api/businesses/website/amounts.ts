// Amounts of money as people write them in seven languages: "25 €", "£1,250.00", "CHF 1'250.–", "1 250,00 €".

/** `$` is money of many countries. */
const SIGNS: Readonly<Record<string, string | null>> = {
  ...{ '€': 'EUR', eur: 'EUR', euro: 'EUR', euros: 'EUR', '£': 'GBP', gbp: 'GBP', chf: 'CHF', 'fr.': 'CHF' },
  ...{ r$: 'BRL', $: null },
};
const SIGN = 'euros?|eur|€|£|gbp|chf|fr\\.|r\\$|\\$';
const NUMBER = "(?<!\\d)(\\d{1,3}(?:[.,'’\\s]\\d{3}){1,2}|\\d{1,6})(?:[.,](\\d{1,2}|[-–—]{1,2}))?";
const AMOUNT = new RegExp(`(?:(${SIGN})\\s?)?${NUMBER}(?:\\s?(${SIGN}))?$`, 'i');
/** More figures before it: a number that nobody writes so. */
const GOES_ON = /\d[.,'’]$/;
const LEFT_OF_NUMBER = /[\d.,'’]{1,20}$/;

interface Amount {
  /** The text before it. */
  before: string;
  /** Null where the figures can be read in two ways. */
  value: number | null;
  /** ISO 4217; null where the sign does not say. */
  currency: string | null;
}

/** With which a text ends; null where nothing says that its figures are money. */
export function lastAmount(text: string): Amount | null {
  const match = AMOUNT.exec(text);
  if (match === null) return null;
  const [, first, figures = '', cents, last] = match;
  const isMoney = first !== undefined || last !== undefined || /^[-–—]/.test(cents ?? '');
  if (!isMoney) return null;
  const before = text.slice(0, match.index);
  const currency = SIGNS[(first ?? last ?? '').toLowerCase()] ?? null;
  if (GOES_ON.test(before)) return { before: before.replace(LEFT_OF_NUMBER, ''), value: null, currency };
  // "Room 2 150 €": a room, or two thousand.
  const isSpaced = /\s/.test(figures) && first === undefined && cents === undefined && /[\p{L})]\s?$/u.test(before);
  const value = isSpaced
    ? null
    : Number(`${figures.replace(/\D/g, '')}.${cents === undefined ? '0' : cents.replace(/\D/g, '0')}`);
  return { before, value, currency };
}
