// Formats times, durations and numbers in the language of the page and the browser's time zone.
import { inLocale, pageLocale } from './words/words.ts';

const dateTime = inLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }));
const date = inLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));
const day = inLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }));
const time = inLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }));
const number = inLocale((locale) => new Intl.NumberFormat(locale));
const minutesFormat = inLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }));
const percent = inLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }));
const countries = inLocale((locale) => new Intl.DisplayNames(locale, { type: 'region' }));
const relative = inLocale((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
const dayOfYear = inLocale(
  (locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
);

export const formatDateTime = (iso: string): string => dateTime().format(new Date(iso));
export const formatDate = (iso: string): string => date().format(new Date(iso));
/** A day without a time, `2026-06-01`: the same day for every reader. */
export const formatDay = (isoDay: string): string => day().format(new Date(isoDay.slice(0, 10)));
/** Of plots. Days of figures are UTC days, so they are not moved into the reader's zone. */
export const formatDayOfYear = (isoDay: string): string => dayOfYear().format(new Date(isoDay));
export const formatTime = (iso: string): string => time().format(new Date(iso));
export const formatNumber = (value: number): string => number().format(value);
/** Minutes of calls, the same everywhere: to a tenth. */
export const formatMinutes = (minutes: number): string => minutesFormat().format(minutes);
export const formatPercent = (fraction: number): string => percent().format(fraction);

export const formatMoney = (amount: number, currency: string): string =>
  new Intl.NumberFormat(pageLocale(), { style: 'currency', currency }).format(amount);

const SIZES: Array<[bytes: number, unit: string]> = [
  [1e9, 'gigabyte'],
  [1e6, 'megabyte'],
  [1e3, 'kilobyte'],
];

/** 27 MB. */
export function formatBytes(bytes: number): string {
  const [size, unit] = SIZES.find(([least]) => bytes >= least) ?? [1, 'byte'];
  return new Intl.NumberFormat(pageLocale(), {
    style: 'unit',
    unit,
    maximumFractionDigits: bytes / size < 10 ? 1 : 0,
  }).format(bytes / size);
}

/** `en-GB` as "British English"; an unknown code is returned unchanged. */
export const formatLanguage = (code: string): string =>
  nameIn(new Intl.DisplayNames(pageLocale(), { type: 'language' }), code);
/** `GB` as "United Kingdom". */
export const formatCountry = (code: string): string => nameIn(countries(), code);

function nameIn(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/** 4 s, 2:07, 1:02:07. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const parts = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/** Milliseconds as m:ss.s, for positions in a recording. */
export function formatPosition(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  return `${minutes}:${((ms % 60_000) / 1_000).toFixed(1).padStart(4, '0')}`;
}

const STEPS: Array<[limitSeconds: number, unit: Intl.RelativeTimeFormatUnit, seconds: number]> = [
  [60, 'second', 1],
  [3_600, 'minute', 60],
  [86_400, 'hour', 3_600],
  [7 * 86_400, 'day', 86_400],
];

/** "3 minutes ago"; the date if it is more than a week ago. */
export function formatAgo(iso: string, nowMs = Date.now()): string {
  const seconds = Math.round((Date.parse(iso) - nowMs) / 1_000);
  const step = STEPS.find(([limit]) => Math.abs(seconds) < limit);
  return step === undefined ? formatDate(iso) : relative().format(Math.trunc(seconds / step[2]), step[1]);
}

/** `IN_PROGRESS`, `voicemail_left`, `caller-hangup` as words: "In progress". */
export function formatWord(word: string): string {
  const words = word.toLowerCase().replace(/[_-]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A time in the format of `<input type="datetime-local">`. */
export function localTime(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
