// Times, dates, prices and phone numbers in a form that voices read well, by language. English has its own clock times.
import type { DateTime } from 'luxon';
import { DAY_MINUTES } from '../../db/domain/hours/clock-time.ts';
import { type DaySpan, isAllDay, joinedDays, type OpeningHours, spansOn } from '../../db/domain/hours/opening-hours.ts';
import { indexOfDay, type Weekday } from '../../db/domain/hours/weekdays.ts';
import { clockText } from './hours-text.ts';
import { phraseLanguage, phrasesFor } from './phrases/languages.ts';
import { fill } from './phrases/phrases.ts';

/** Currencies that an English voice reads by their sign; every dollar is written as $. */
const ENGLISH_SIGNS: Record<string, string> = { EUR: '€', GBP: '£', ...dollars('USD CAD AUD NZD SGD HKD TWD JMD BSD') };

function dollars(codes: string): Record<string, string> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, '$']));
}

/** "14 Uhr 30", "9 heures"; in English "2:30 p.m.". */
export function timeText(language: string, minutes: number): string {
  if (phraseLanguage(language) === 'en') return clockText(minutes);
  const { facts } = phrasesFor(language);
  const inDay = minutes % DAY_MINUTES;
  const minute = inDay % 60;
  const values = { hour: Math.floor(inDay / 60), minute: String(minute).padStart(2, '0') };
  return fill(minute === 0 ? facts.fullHour : facts.hourAndMinute, values);
}

/** "Montag, 23. November 2026". */
export function dateText(language: string, at: DateTime): string {
  const base = phraseLanguage(language);
  if (base === 'en') return at.setLocale('en-US').toFormat('cccc, d LLLL yyyy');
  return at.setLocale(base).toLocaleString({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
}

/** "45 Euro", "249,50 euros"; in English "$45", "£249.50", "45 Swiss francs". `currency` by ISO 4217. */
export function priceText(language: string, amount: number, currency: string): string {
  const decimals = Number.isInteger(amount) ? 0 : 2;
  const sign = phraseLanguage(language) === 'en' ? ENGLISH_SIGNS[currency] : undefined;
  if (sign !== undefined) return `${sign}${amount.toFixed(decimals)}`;
  return new Intl.NumberFormat(language.replaceAll('_', '-'), {
    style: 'currency',
    currency,
    currencyDisplay: 'name',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(amount);
}

/** "plus 4 9 3, 0 1 2, 3 4 5": digit by digit, in groups of three. */
export function phoneText(language: string, phoneNumber: string): string {
  const digits = phoneNumber.replace(/\D/g, '');
  const groups = (digits.match(/\d{1,3}/g) ?? []).map((group) => [...group].join(' '));
  const plus = phoneNumber.startsWith('+') ? `${phrasesFor(language).facts.plus} ` : '';
  return `${plus}${groups.join(', ')}`;
}

/** "Montag bis Freitag von 9 Uhr bis 17 Uhr, Samstag von 10 Uhr bis 14 Uhr"; null when there are no hours. */
export function openingHoursText(language: string, hours: readonly OpeningHours[]): string | null {
  const { facts } = phrasesFor(language);
  const groups = joinedDays((day) => spansText(language, spansOn(hours, day)));
  if (groups.length === 0) return null;
  const texts = groups.map(({ from, to, text: spans }) => {
    const names = { from: dayName(language, from), to: dayName(language, to) };
    return fill(facts.dayHours, { days: from === to ? names.from : fill(facts.dayRange, names), spans });
  });
  return texts.join(', ');
}

function spansText(language: string, spans: readonly DaySpan[]): string {
  const { facts } = phrasesFor(language);
  const texts = spans.map((span) => {
    if (isAllDay(span)) return facts.allDay;
    return fill(facts.span, { from: timeText(language, span.open), to: timeText(language, span.close) });
  });
  return listText(language, texts);
}

/** "a, b und c", "a, b oder c". */
export function listText(
  language: string,
  items: readonly string[],
  type: 'conjunction' | 'disjunction' = 'conjunction',
): string {
  return new Intl.ListFormat(phraseLanguage(language), { type }).format(items);
}

/** Ends like a sentence, so that the next one is heard as another. */
export const asSentence = (text: string): string =>
  /[.!?…]["»”’]?$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;

/** "Deutsch", in the language of the phrases. A tag of an unknown language is returned unchanged. */
export function languageName(language: string, named: string): string {
  try {
    return new Intl.DisplayNames(phraseLanguage(language), { type: 'language' }).of(named) ?? named;
  } catch {
    return named;
  }
}

function dayName(language: string, day: Weekday): string {
  // 5 January 1970 was a Monday.
  const at = new Date(Date.UTC(1970, 0, 5 + indexOfDay(day)));
  return new Intl.DateTimeFormat(phraseLanguage(language), { weekday: 'long', timeZone: 'UTC' }).format(at);
}
