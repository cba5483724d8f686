// Text normalisation for the voices of every language: markup goes, and times, money, dates, telephone numbers, codes
// and addresses are written as a person reads them. The rules of a language are in readings.ts, of English in
// speakable.ts. A language without rules keeps its text.

import { withoutMarkup } from './markup.ts';
import { READINGS, type Reading } from './readings.ts';
import { speakable } from './speakable.ts';
import { spellCodes } from './spelled.ts';

/** @param language BCP 47 */
export function readAloud(text: string, language: string): string {
  const [base = ''] = language.toLowerCase().split('-');
  if (base === 'en') return speakable(text, language);
  const reading = READINGS[base];
  const plain = withoutMarkup(text, language);
  return reading === undefined ? plain : readBy(reading, base, plain);
}

function readBy(reading: Reading, language: string, text: string): string {
  const read = [addresses, dates, aroundTheClock, ranges, money, times, shortNumbers, telephones, codes].reduce(
    (said, rule) => rule(said, reading, language),
    text,
  );
  return read
    .replace(/(\d)\s?%/g, `$1 ${reading.percent}`)
    .replace(/\s+/g, ' ')
    .replace(/ ([,.!?;:])/g, '$1')
    .trim();
}

type Rule = (text: string, reading: Reading, language: string) => string;

const addresses: Rule = (text, { at, dot, dash, underscore, plus }) =>
  text.replace(
    /(?<![\w.+-])([\w.+-]{1,64}@)?((?:[\w-]{1,63}\.){1,8}[a-z]{2,6})\b(?![.@]?\w)/gi,
    (all, local, domain) => {
      if (local === undefined && !/\.(com|org|net|io|eu|de|fr|es|it|nl|pt|br|at|ch|be)$/i.test(domain)) return all;
      const words: Record<string, string> = { '@': at, '.': dot, '-': dash, _: underscore, '+': plus };
      return all.replace(/[@._+-]/g, (mark: string) => ` ${words[mark] ?? mark} `);
    },
  );

/** The day comes before the month in all these languages, whatever stands between them. */
const dates: Rule = (text, { dateMark, firstOfMonth }, language) => {
  const said = (all: string, year: string | null, month: string, day: string): string => {
    const date = new Date(Date.UTC(Number(year ?? 2000), Number(month) - 1, Number(day)));
    if (Number.isNaN(date.getTime()) || date.getUTCMonth() !== Number(month) - 1) return all;
    const form = year === null ? ({ day: 'numeric', month: 'long' } as const) : ({ dateStyle: 'long' } as const);
    const words = new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC' }).format(date);
    return words.replace(/^1\.?(?!\d)/, firstOfMonth);
  };
  const short =
    dateMark === '.'
      ? /(?<![\d.])(0?[1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])\.(?!\d)/g
      : /(?<![\d/])(0[1-9](?=\/[01])|[12]\d(?=\/0)|3[01](?=\/0))\/(0[1-9]|1[0-2])(?![\d/])/g;
  return text
    .replace(/\b(\d{4})-(\d{2})-(\d{2})\b(?!T)/g, (all, year, month, day) => said(all, year, month, day))
    .replace(/(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?![\d/-])/g, (all, first, _mark, second, year) =>
      Number(second) > 12 ? said(all, year, first, second) : said(all, year, second, first),
    )
    .replace(short, (all, day, month) => said(all, null, month, day));
};

const aroundTheClock: Rule = (text, { alwaysOpen }) => text.replace(/(?<![\d/])24\s?\/\s?7(?![\d/])/g, alwaysOpen);

/** Years, and numbers without a leading zero that are no part of a telephone number or of a code. */
const ranges: Rule = (text, { to }) =>
  text
    .replace(/(?<![\d.-])((?:19|20)\d{2})\s?[-–]\s?(?=(?:19|20)\d{2}(?![\d-]))/g, `$1 ${to} `)
    .replace(/(?<![\d:])(\d{1,2}:\d{2}(?: ?(?:Uhr|h|uur))?)\s?[-–]\s?(?=\d{1,2}:\d{2})/g, `$1 ${to} `)
    .replace(/(?<![\p{L}\d+./-]|\d )([1-9]\d{0,2})\s?[-–]\s?(?=[1-9]\d{0,2}(?![\d/.-]|[ ,]\d))/gu, `$1 ${to} `);

const money: Rule = (text, { currencies, beforeCents, decimal, large, ofLarge }, language) => {
  const signs = Object.keys(currencies)
    .sort((a, b) => b.length - a.length)
    .map((sign) => sign.replace('$', '[$]'))
    .join('|');
  const thousands = decimal === ',' ? String.raw`\.` : ',';
  const amount = String.raw`(\d{1,3}(?:${thousands}\d{3})+|\d{1,9})(?:[.,](\d{1,2}))?(?!\d|[.,]\d)`;
  const said = (sign: string, whole: string, cents: string | undefined): string => {
    const [one = '', many = ''] = currencies[sign] ?? [];
    const plain = whole.replace(/\D/g, '');
    const part = Number((cents ?? '').padEnd(2, '0'));
    return `${plain} ${plain === '1' ? one : many}${part === 0 ? '' : `${beforeCents}${part}`}`;
  };
  let read = text;
  for (const [written, one, many] of large) {
    const size = String.raw`(\d{1,6}(?:[.,]\d{1,3})?) ?(?:${written})(?![\p{L}\d])`;
    const words = (sign: string, number: string): string => {
      const [, currency = ''] = currencies[sign] ?? [];
      const of = language === 'fr' && currency.startsWith('e') ? "d'" : ofLarge;
      return `${number.replace(/[.,]/, decimal)} ${number === '1' ? one : many} ${of}${currency}`;
    };
    read = read
      .replace(new RegExp(`(${signs}) ?${size}`, 'gu'), (_, sign, number) => words(sign, number))
      .replace(new RegExp(`(?<![\\d.,])${size} ?(${signs})`, 'gu'), (_, number, sign) => words(sign, number));
  }
  return read
    .replace(new RegExp(`(${signs}) ?${amount}`, 'g'), (_, sign, whole, cents) => said(sign, whole, cents))
    .replace(new RegExp(String.raw`(?<![\d.,])${amount} ?(${signs})`, 'g'), (_, whole, cents, sign) =>
      said(sign, whole, cents),
    );
};

/** Numbers of three figures that people dial, behind a word for dialling. */
const shortNumbers: Rule = (text, { dialling }) =>
  dialling === null
    ? text
    : text.replace(
        new RegExp(
          String.raw`(?=\d)(?<=(?<!\p{L})(?:${dialling})\p{L}{0,12}[^.!?\d]{1,20})(\d{3})(?![\p{L}\d%€$£°]|[ ,.:/-]\d| ?[%€$£°])`,
          'giu',
        ),
        spaced,
      );

const times: Rule = (text, { time, fullHour, timeUnits }) =>
  text.replace(
    new RegExp(String.raw`(?<![\d:.])([01]?\d|2[0-3]):([0-5]\d)(?![\d:])(?: ?(?:${timeUnits.join('|')})\b)?`, 'g'),
    (_, hour, minute) =>
      (minute === '00' ? fullHour : time).replace('{h}', String(Number(hour))).replace('{m}', String(Number(minute))),
  );

/** A group of two without a leading zero is one number where people read pairs. */
const telephones: Rule = (text, { plus, phoneInPairs }) =>
  text.replace(/(?<![\w.,])(?:\+|\(?0)[\d ()/.-]{5,20}\d\b/g, (all) => {
    const groups = all.match(/\d+/g) ?? [];
    if (groups.join('').length < 7 || groups.join('').length > 15) return all;
    const inPairs = phoneInPairs && groups.filter((group) => group.length === 2).length > groups.length / 2;
    const said = groups.map((group) => (inPairs && /^[1-9]\d$/.test(group) ? group : spaced(group))).join(', ');
    return all.startsWith('+') ? `${plus} ${said}` : said;
  });

/** A leading zero or five figures and more without a mark make a code. */
const codes: Rule = (text) =>
  spellCodes(text).replace(/(?<![\w.,:/-])(0\d{1,14}|\d{5,15})(?![\w:/-]|[.,]\d)/g, (digits) => spaced(digits));

function spaced(digits: string): string {
  return [...digits].join(' ');
}

const UNIT =
  '(?:[B-Z]|eigh|zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\w{3,6}(?:teen|ty))';
const A_AFTER_UNIT = new RegExp(`(?<=\\b${UNIT},? )A\\b(?![.'])`, 'g');
const A_BEFORE_UNIT = new RegExp(`(?<=[^.!?] )A(?=,? ${UNIT}\\b)`, 'g');
const A_AFTER_LABEL =
  /(?<=\b(?:suite|unit|apartment|gate|terminal|platform|building|block|letter|section|plan) )A\b(?!')/g;

/** eSpeak reads a single A as the English article. Beside figures and other single letters it is the letter. */
export function forEspeak(text: string, language: string): string {
  if (!language.toLowerCase().startsWith('en')) return text;
  return text.replace(A_AFTER_UNIT, 'eigh').replace(A_BEFORE_UNIT, 'eigh').replace(A_AFTER_LABEL, 'eigh');
}
