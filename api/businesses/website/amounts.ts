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

/** Between the ends of a range. */
const TO = /(?:\s?[-–—/]|\s(?:to|bis|à|a|al|tot|até|ate|and|und|et|y|e|en))\s?$/i;
/** Before the lowest of several prices. */
const FROM =
  /(?<=^|[\s([|:.…–—-])(?:from|starting (?:at|from)|starts at|ab|a partir d[eoa]|à partir d[e'’]|a partire da|dès|des|desde|da|vanaf)\s?$/i;
/** Before the lower end of a range. */
const BETWEEN = /(?<=^|[\s([|:.…–—-])(?:between|zwischen|entre|tussen|tra|fra|von|van|de|du|dal|das)\s?$/i;
/** "£12+" */
const UPWARDS = /\s?(?:\+|and up|upwards|aufwärts)$/i;
/** "Level 1 - 80 €" is no range: the ends of one are closer. */
const ENDS_APART_MAX = 10;

interface Amount {
  /** The text before it. */
  before: string;
  /** Null for a range, a lowest price, and figures that can be read in two ways. */
  value: number | null;
  /** ISO 4217; null where the sign does not say. */
  currency: string | null;
}

/** With which a text ends; null where nothing says that its figures are money. */
export function lastAmount(text: string): Amount | null {
  const closed = text.replace(UPWARDS, '');
  const last = figuresAtEnd(closed);
  if (last === null) return null;
  const lower = lowerEnd(last);
  const currency = last.currency ?? lower?.currency ?? null;
  if (!last.isMoney && lower?.isMoney !== true) return null;
  if (lower !== null) return { before: lower.before.replace(FROM, '').replace(BETWEEN, ''), value: null, currency };
  const before = last.before.replace(FROM, '');
  return { before, value: before === last.before && closed === text ? last.value : null, currency };
}

interface Figures extends Amount {
  isMoney: boolean;
}

function figuresAtEnd(text: string): Figures | null {
  const match = AMOUNT.exec(text);
  if (match === null) return null;
  const [, first, figures = '', cents, last] = match;
  const isMoney = first !== undefined || last !== undefined || /^[-–—]/.test(cents ?? '');
  const before = text.slice(0, match.index);
  const currency = SIGNS[(first ?? last ?? '').toLowerCase()] ?? null;
  if (GOES_ON.test(before)) return { before: before.replace(LEFT_OF_NUMBER, ''), value: null, currency, isMoney };
  // "Room 2 150 €": a room, or two thousand.
  const isSpaced = /\s/.test(figures) && first === undefined && cents === undefined && /[\p{L})]\s?$/u.test(before);
  const value = isSpaced
    ? null
    : Number(`${figures.replace(/\D/g, '')}.${cents === undefined ? '0' : cents.replace(/\D/g, '0')}`);
  return { before, value, currency, isMoney };
}

/** The figures before a dash or "to" that are the lower end of a range. */
function lowerEnd({ before, value }: Figures): Figures | null {
  const to = TO.exec(before);
  const lower = to === null ? null : figuresAtEnd(before.slice(0, to.index));
  if (lower === null || lower.isMoney) return lower;
  const isRange =
    lower.value === null || value === null || (lower.value < value && value <= ENDS_APART_MAX * lower.value);
  return isRange ? lower : null;
}
