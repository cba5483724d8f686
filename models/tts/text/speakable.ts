// Text normalisation for every English voice: rewrites times, prices, telephone numbers, dates, email and web addresses
// as they are spoken, and removes markup that a dialogue model leaves behind. Anything else is left as it is.

import { DAYS, datesInFull, inFull, MONTHS } from './abbreviations.ts';
import { readLabels, readUnits } from './label-numbers.ts';
import { withoutMarkup } from './markup.ts';
import {
  digitGroups,
  digitWords,
  MOST_IN_GROUP,
  numberWords,
  ordinalWords,
  timeWords,
  yearWords,
} from './number-words.ts';
import { spellCodes } from './spelled.ts';

const CURRENCIES: Record<string, [string, string, string, string]> = {
  $: ['dollar', 'dollars', 'cent', 'cents'],
  '€': ['euro', 'euros', 'cent', 'cents'],
  '£': ['pound', 'pounds', 'penny', 'pence'],
};

/**
 * A telephone number in groups of digits with pauses: the groups that it is written in, or those of digitGroups.
 * "+15551234567" → "five five five, one two three, four five six seven" (North America's country code is left out).
 */
function phoneWords(number: string): string {
  const written = number.match(/\d+/g) ?? [];
  const digits = written.join('');
  const isGrouped = digits.length >= 2 * written.length && written.every((group) => group.length <= MOST_IN_GROUP);
  const hasCountry = digits.length === 11 && digits.startsWith('1');
  const groups = isGrouped ? written : hasCountry ? ['1', ...digitGroups(digits.slice(1))] : digitGroups(digits);
  if (!number.startsWith('+')) return groups.map(digitWords).join(', ');
  const isAmerican = hasCountry && groups[0] === '1';
  return isAmerican ? groups.slice(1).map(digitWords).join(', ') : `plus ${groups.map(digitWords).join(', ')}`;
}

/** Fewer are one group; spelled digits of a code, "3 1 4 1 5 9". */
const SIX_DIGITS = /^\d(?: \d){5}$/;

/**
 * The text as it should be spoken. Idempotent on plain words.
 * @param locale BCP 47: 05/11 is May 11 in the United States and November 5 elsewhere
 */
export function speakable(text: string, locale = 'en-US'): string {
  let said = withoutMarkup(text);
  said = said.replace(/\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}\b/g, emailWords);
  said = said.replace(
    /\b(?:https?:\/\/)?(?:www\.)?((?:[\w-]{1,63}\.){1,8}(?:com|org|net|io|co|uk|de|app|info))(?:\/\S*)?/gi,
    urlWords,
  );
  said = said.replace(/\b(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})\S*)?/g, isoWords);
  said = writtenDates(said, locale);
  said = said.replace(YEARS, (_, from, to) => `${yearWords(Number(from))} to ${laterYear(from, to)}`);
  said = shortNumbers(said);
  said = spellCodes(said);
  said = said.replace(/(?<![\w.])\+?\(?\d[\d ().-]{6,}\d\b/g, (all) => {
    const digits = all.replace(/\D/g, '').length;
    return (digits >= 7 && digits <= 15) || SIX_DIGITS.test(all) ? phoneWords(all) : all;
  });
  said = money(said);
  said = said.replace(/\b(\d{1,2}):(\d{2})(?:\s*([ap])\.?\s?m\b\.?)?/gi, (all, hour, minute, half) =>
    clockOr(all, Number(hour), Number(minute), half),
  );
  said = said.replace(/\b(\d{1,2})\s*([ap])\.?\s?m\b\.?/gi, (all, hour, half) => clockOr(all, Number(hour), 0, half));
  said = datesIn(datesInFull(said));
  said = said.replace(/(?<=[ap]\.m\.|noon|midnight)\s?[-–]\s?(?=\w)/g, ' to ');
  said = said.replace(
    /\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*\.?\s?[-–]\s?(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*\b\.?/g,
    (_, from, to) => `${DAYS[from]} to ${DAYS[to]}`,
  );
  said = said.replace(/(\d)\s?%/g, '$1 percent').replace(/\s&\s/g, ' and ');
  said = readUnits(said);
  said = said.replace(/(\d)\s?[-–]\s?(\d)/g, '$1 to $2').replace(/\s[-–—]\s/g, ', ');
  said = slashes(said);
  said = inFull(said);
  said = readLabels(said);
  said = said.replace(
    /\b(\d+)\.(\d+)\b/g,
    (_, whole, part) => `${numberWords(Number(whole))} point ${digitWords(part)}`,
  );
  said = said.replace(/(?<![\w])(\d{1,3}(?:,\d{3})+|\d{1,9})(?![\w])/g, (digits) => {
    const plain = digits.replaceAll(',', '');
    // A leading zero or five digits and more without a comma is a code: said digit by digit.
    if (plain.startsWith('0') || (plain.length > 4 && plain === digits))
      return digitGroups(plain).map(digitWords).join(', ');
    return numberWords(Number(plain));
  });
  return said
    .replace(/\s+/g, ' ')
    .replace(/ ([,.!?;:])/g, '$1')
    .trim();
}

/** Days and months in figures: the day comes first between points, and between slashes by the locale. */
function writtenDates(text: string, locale: string): string {
  const isMonthFirst = monthComesFirst(locale);
  return text
    .replace(/(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/g, (all, day, month, year) => dateOr(all, month, day, year))
    .replace(/(?<![\d/-])(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})(?![\d/-])/g, (all, first, mark, second, year) => {
      if (year.length === 2 && mark === '-') return all;
      const isMonth = Number(second) > 12 || (isMonthFirst && Number(first) <= 12);
      const [month, day] = isMonth ? [first, second] : [second, first];
      return dateOr(all, month, day, year.length === 2 ? `20${year}` : year);
    })
    .replace(/(?<![\d/])(0\d|[12]\d|3[01])\/(0\d|1[0-2]|[12]\d|3[01])(?![\d/])/g, (all, first, second) => {
      // "05/11" is a day; "10/12" may be a score.
      if (!first.startsWith('0') && !second.startsWith('0')) return all;
      const [month, day] = isMonthFirst ? [first, second] : [second, first];
      const name = MONTHS[Number(month) - 1];
      return name && Number(day) > 0 ? `${name} ${ordinalWords(Number(day))}` : all;
    });
}

function monthComesFirst(locale: string): boolean {
  try {
    const parts = new Intl.DateTimeFormat(locale, { dateStyle: 'short' }).formatToParts(0).map(({ type }) => type);
    return parts.indexOf('month') < parts.indexOf('day');
  } catch {
    return true;
  }
}

/** "2024-2025", "2024-25": years, no telephone number. */
const YEARS = /(?<![\d.-])((?:19|20)\d{2})\s?[-–]\s?((?:19|20)\d{2}|\d{2})(?![\d-]|\.\d)/g;

function laterYear(from: string, to: string): string {
  if (to.length === 4) return yearWords(Number(to));
  return to.startsWith('0') ? yearWords(Number(from.slice(0, 2) + to)) : numberWords(Number(to));
}

/** Numbers of three figures that are dialled; 911 is no other number unless things are counted. */
function shortNumbers(text: string): string {
  return text
    .replace(
      /(?<![\d$€£.,:/-] ?)\b911\b(?![\d,.:/-]*\d| ?[%°]| (?!(?:is|was|has|does|as|this|always|unless)\b)(?:people|men|women|children|\p{L}+s)\b)/gu,
      digitWords,
    )
    .replace(
      /(?<=\b(?:call|dial|ring|text|press|phone)\s(?:\p{L}{1,12} ){0,2})(\d{3})\b(?![\d-]| ?[%°]|[,.:]\d| \d| \p{L}+s\b)/giu,
      digitWords,
    );
}

const LARGE: Readonly<Record<string, string>> = {
  k: 'thousand',
  thousand: 'thousand',
  m: 'million',
  mn: 'million',
  mio: 'million',
  million: 'million',
  b: 'billion',
  bn: 'billion',
  billion: 'billion',
  trillion: 'trillion',
};
const UNITS = 'hours?|hr|days?|nights?|weeks?|months?|mo|years?|yr|person|people|guest|piece|minute|min|kg|lb|km|mile';
const AMOUNT = String.raw`(\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(\d{1,6}))?(?![\d]|[.,]\d)`;

function money(text: string): string {
  const large = Object.keys(LARGE).join('|');
  return text
    .replace(/([$€£]) ?(\d[\d,]{0,11}(?:\.\d{1,2})?) ?[-–] ?\1? ?(?=\d)/g, '$2 to $1')
    .replace(new RegExp(`([$€£]) ?${AMOUNT}[ -]?(${large})\\b\\.?`, 'gi'), (_, sign, whole, part, size) => {
      const [, many = ''] = CURRENCIES[sign] ?? [];
      return `${decimalWords(whole, part)} ${LARGE[size.toLowerCase()] ?? size} ${many}`;
    })
    .replace(new RegExp(`([$€£]) ?${AMOUNT}`, 'g'), (_, sign, whole, part) => amountWords(sign, whole, part))
    .replace(new RegExp(`(?<![\\d.,])${AMOUNT} ?([€£])`, 'g'), (_, whole, part, sign) =>
      amountWords(sign, whole, part),
    );
}

function amountWords(sign: string, whole: string, part: string | undefined): string {
  const [, many = ''] = CURRENCIES[sign] ?? [];
  if (part !== undefined && part.length > 2) return `${decimalWords(whole, part)} ${many}`;
  return priceWords(sign, Number(whole.replaceAll(',', '')), Number((part ?? '').padEnd(2, '0')));
}

function decimalWords(whole: string, part: string | undefined): string {
  const words = numberWords(Number(whole.replaceAll(',', '')));
  return part === undefined ? words : `${words} point ${digitWords(part)}`;
}

const FRACTIONS: Readonly<Record<string, string>> = {
  '1/2': 'one half',
  '1/3': 'one third',
  '2/3': 'two thirds',
  '1/4': 'one quarter',
  '3/4': 'three quarters',
};

/** Around the clock, "a month", fractions; other figures with a slash between them keep it as a word. */
function slashes(text: string): string {
  return text
    .replace(/(?<![\d/])24\s?\/\s?7(?![\d/])/g, 'twenty four seven')
    .replace(new RegExp(`(?<=[\\p{L}\\d]) ?/ ?(${UNITS})\\b\\.?`, 'gu'), ' per $1')
    .replace(/(?<![\d/])\d\/\d(?![\d/])/g, (all) => FRACTIONS[all] ?? all)
    .replace(/(?<=\d)\/(?=\d)/g, ' slash ');
}

/** Days of months and years; a year counts as one after a date, a month or a word such as "since". */
function datesIn(text: string): string {
  return text
    .replace(
      new RegExp(`\\b(${MONTHS.join('|')}) (\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?\\b`, 'g'),
      (_, month, day, year) => `${month} ${ordinalWords(Number(day))}${year ? `, ${yearWords(Number(year))}` : ''}`,
    )
    .replace(/\b(\d{1,2})(?:st|nd|rd|th)\b/g, (_, day) => ordinalWords(Number(day)))
    .replace(
      new RegExp(
        `\\b(${MONTHS.join('|')}|in|since|until|from|year)(,?) ((?:19|20)\\d{2})(?!\\w|[,.:]\\d|%| \\p{L}+s\\b)`,
        'gu',
      ),
      (_, before, comma, year) => `${before}${comma} ${yearWords(Number(year))}`,
    );
}

function priceWords(sign: string, whole: number, cents: number): string {
  const [one, many, cent, centMany] = CURRENCIES[sign] ?? ['', '', '', ''];
  const main = `${numberWords(whole)} ${whole === 1 ? one : many}`;
  const small = `${numberWords(cents)} ${cents === 1 ? cent : centMany}`;
  if (cents === 0) return main;
  return whole === 0 ? small : `${main} and ${small}`;
}

function clockOr(all: string, hour: number, minute: number, half: string | undefined): string {
  if (hour > 23 || minute > 59) return all;
  if (!half) return timeWords(hour, minute);
  if (hour < 1 || hour > 12) return all;
  // Said as it is written: "12:00 pm" is no "noon" to somebody who writes the times down.
  if (hour === 12 && minute === 0) return `twelve ${half.toLowerCase()}.m.`;
  return timeWords((hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0), minute);
}

function dateOr(all: string, month: string, day: string, year: string): string {
  const name = MONTHS[Number(month) - 1];
  if (!name || Number(day) < 1 || Number(day) > 31) return all;
  return `${name} ${ordinalWords(Number(day))}, ${yearWords(Number(year))}`;
}

function isoWords(all: string, year: string, month: string, day: string, hour?: string, minute?: string): string {
  const date = dateOr(all, month, day, year);
  return hour && minute ? `${date} at ${timeWords(Number(hour), Number(minute))}` : date;
}

function emailWords(address: string): string {
  const [local = '', domain = ''] = address.split('@');
  return `${local.replace(/[._+-]/g, punctuationWord)} at ${domain.replaceAll('.', ' dot ')}`;
}

function urlWords(_all: string, host: string): string {
  return host.replaceAll('.', ' dot ');
}

function punctuationWord(mark: string): string {
  const words: Record<string, string> = { '.': ' dot ', _: ' underscore ', '-': ' dash ', '+': ' plus ' };
  return words[mark] ?? mark;
}
