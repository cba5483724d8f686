// Text normalisation for every English voice: rewrites times, prices, telephone numbers, dates, email and web addresses
// as they are spoken, and removes markup that a dialogue model leaves behind. Anything else is left as it is.

import { readLabels } from './label-numbers.ts';
import { digitWords, numberWords, ordinalWords, timeWords, yearWords } from './number-words.ts';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const DAYS: Record<string, string> = {
  Mon: 'Monday',
  Tue: 'Tuesday',
  Wed: 'Wednesday',
  Thu: 'Thursday',
  Fri: 'Friday',
  Sat: 'Saturday',
  Sun: 'Sunday',
};
const CURRENCIES: Record<string, [string, string, string, string]> = {
  $: ['dollar', 'dollars', 'cent', 'cents'],
  '€': ['euro', 'euros', 'cent', 'cents'],
  '£': ['pound', 'pounds', 'penny', 'pence'],
};
const ABBREVIATIONS: Array<[RegExp, string]> = [
  [/\be\.g\.,?/gi, 'for example'],
  [/\bi\.e\.,?/gi, 'that is'],
  [/\betc\./gi, 'et cetera'],
  [/\bappt\b\.?/gi, 'appointment'],
  [/\bmins?\b\.?/gi, 'minutes'],
  [/\bhrs?\b\.?/gi, 'hours'],
  [/\bDr\.(?=\s+[A-Z])/g, 'Doctor'],
  [/\bMr\.(?=\s)/g, 'Mister'],
  [/\bMrs\.(?=\s)/g, 'Missus'],
  [/(?<=\d\w{0,9} (?:\w{1,30} ){1,5})St\.?(?=[\s,.]|$)/g, 'Street'],
  [/(?<=\d\w{0,9} (?:\w{1,30} ){1,5})Ave\.?(?=[\s,.]|$)/g, 'Avenue'],
  [/(?<=\d\w{0,9} (?:\w{1,30} ){1,5})Blvd\.?(?=[\s,.]|$)/g, 'Boulevard'],
  [/(?<=\d\w{0,9} (?:\w{1,30} ){1,5})Rd\.?(?=[\s,.]|$)/g, 'Road'],
];

/**
 * A telephone number in groups of digits with pauses, e.g. "+15551234567" →
 * "five five five, one two three, four five six seven" (a North American country code is left out).
 */
function phoneWords(number: string): string {
  const digits = number.replace(/\D/g, '');
  const national = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
  const groups =
    national.length === 10
      ? [national.slice(0, 3), national.slice(3, 6), national.slice(6)]
      : national.length === 7
        ? [national.slice(0, 3), national.slice(3)]
        : (national.match(/.{1,3}/g) ?? [national]);
  const spoken = groups.map(digitWords).join(', ');
  return number.trim().startsWith('+') && national === digits ? `plus ${spoken}` : spoken;
}

/** Without the markup and pictures of a dialogue model; its lines are sentences. */
export function withoutMarkup(text: string): string {
  return text
    .replace(/```[\s\S]*?```/g, ' ')
    .replace(/\[([^\]]+)\]\((?:[^)]+)\)/g, '$1')
    .replace(/^[^\S\n]*(?:[-*•]|\d{1,4}[.)])\s+/gm, '')
    .replace(/[*_#`~|<>{}[\]\\]+/g, ' ')
    .replace(/[“”"]/g, '')
    .replace(/[‘’]/g, "'")
    .replace(/\p{Extended_Pictographic}/gu, ' ')
    .replace(/([^.!?:;,\s])\s*\n+/g, '$1. ')
    .replace(/\s+/g, ' ');
}

/** The text as it should be spoken. Idempotent on plain words. */
export function speakable(text: string): string {
  let said = withoutMarkup(text);
  said = said.replace(/\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}\b/g, emailWords);
  said = said.replace(
    /\b(?:https?:\/\/)?(?:www\.)?((?:[\w-]{1,63}\.){1,8}(?:com|org|net|io|co|uk|de|app|info))(?:\/\S*)?/gi,
    urlWords,
  );
  said = said.replace(/\b(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})\S*)?/g, isoWords);
  said = said.replace(/\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/g, (all, month, day, year) => dateOr(all, month, day, year));
  said = said.replace(/(?<![\w.])\+?\(?\d[\d ().-]{6,}\d\b/g, (all) => {
    const digits = all.replace(/\D/g, '').length;
    return digits >= 7 && digits <= 15 ? phoneWords(all) : all;
  });
  said = said.replace(/([$€£])\s?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{2}))?/g, (_, sign, whole, cents) =>
    priceWords(sign, Number(whole.replaceAll(',', '')), Number(cents ?? 0)),
  );
  said = said.replace(/\b(\d{1,2}):(\d{2})(?:\s*([ap])\.?\s?m\b\.?)?/gi, (all, hour, minute, half) =>
    clockOr(all, Number(hour), Number(minute), half),
  );
  said = said.replace(/\b(\d{1,2})\s*([ap])\.?\s?m\b\.?/gi, (all, hour, half) => clockOr(all, Number(hour), 0, half));
  said = datesIn(said);
  said = said.replace(/(?<=[ap]\.m\.|noon|midnight)\s?[-–]\s?(?=\w)/g, ' to ');
  said = said.replace(
    /\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*\.?\s?[-–]\s?(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*\b\.?/g,
    (_, from, to) => `${DAYS[from]} to ${DAYS[to]}`,
  );
  said = said.replace(/(\d)\s?%/g, '$1 percent').replace(/\s&\s/g, ' and ');
  said = said.replace(/(\d)\s?[-–]\s?(\d)/g, '$1 to $2').replace(/\s[-–—]\s/g, ', ');
  for (const [written, spoken] of ABBREVIATIONS) said = said.replace(written, spoken);
  said = readLabels(said);
  said = said.replace(
    /\b(\d+)\.(\d+)\b/g,
    (_, whole, part) => `${numberWords(Number(whole))} point ${digitWords(part)}`,
  );
  said = said.replace(/(?<![\w])(\d{1,3}(?:,\d{3})+|\d{1,9})(?![\w])/g, (digits) => {
    const plain = digits.replaceAll(',', '');
    // A leading zero or five digits and more without a comma is a code: said digit by digit.
    if (plain.startsWith('0') || (plain.length > 4 && plain === digits)) return digitWords(plain);
    return numberWords(Number(plain));
  });
  return said
    .replace(/\s+/g, ' ')
    .replace(/ ([,.!?;:])/g, '$1')
    .trim();
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
