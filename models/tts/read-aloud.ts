// Text normalisation for the voices of every language: markup goes, and times, money, dates, telephone numbers, codes
// and addresses are written as a person reads them. The rules of a language are in readings.ts, of English in
// speakable.ts. A language without rules keeps its text.

import { READINGS, type Reading } from './readings.ts';
import { speakable, withoutMarkup } from './speakable.ts';

/** @param language BCP 47 */
export function readAloud(text: string, language: string): string {
  const [base = ''] = language.toLowerCase().split('-');
  if (base === 'en') return speakable(text);
  const reading = READINGS[base];
  return reading === undefined ? text : readBy(reading, base, withoutMarkup(text));
}

function readBy(reading: Reading, language: string, text: string): string {
  const read = [addresses, dates, money, times, telephones, codes].reduce(
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

const dates: Rule = (text, { dateMark, firstOfMonth }, language) => {
  const said = (all: string, year: string, month: string, day: string): string => {
    const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
    if (Number.isNaN(date.getTime()) || date.getUTCMonth() !== Number(month) - 1) return all;
    const words = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(date);
    return words.replace(/^1\.?(?!\d)/, firstOfMonth);
  };
  const own = new RegExp(String.raw`(?<![\d.])(\d{1,2})[${dateMark}](\d{1,2})[${dateMark}](\d{4})\b`, 'g');
  return text
    .replace(/\b(\d{4})-(\d{2})-(\d{2})\b(?!T)/g, (all, year, month, day) => said(all, year, month, day))
    .replace(own, (all, day, month, year) => said(all, year, month, day));
};

const money: Rule = (text, { currencies, beforeCents, decimal }) => {
  const signs = Object.keys(currencies)
    .sort((a, b) => b.length - a.length)
    .map((sign) => sign.replace('$', '[$]'))
    .join('|');
  const thousands = decimal === ',' ? String.raw`\.` : ',';
  const amount = String.raw`(\d{1,3}(?:${thousands}\d{3})+|\d{1,9})(?:[${decimal}](\d{2}))?(?!\d|[.,]\d)`;
  const said = (sign: string, whole: string, cents: string | undefined): string => {
    const [one = '', many = ''] = currencies[sign] ?? [];
    const plain = whole.replace(/\D/g, '');
    const tail = cents === undefined || cents === '00' ? '' : `${beforeCents}${Number(cents)}`;
    return `${plain} ${plain === '1' ? one : many}${tail}`;
  };
  return text
    .replace(new RegExp(`(${signs}) ?${amount}`, 'g'), (_, sign, whole, cents) => said(sign, whole, cents))
    .replace(new RegExp(String.raw`(?<![\d.,])${amount} ?(${signs})`, 'g'), (_, whole, cents, sign) =>
      said(sign, whole, cents),
    );
};

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
  text.replace(/(?<![\w.,:/-])(0\d{1,14}|\d{5,15})(?![\w:/-]|[.,]\d)/g, (digits) => spaced(digits));

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
