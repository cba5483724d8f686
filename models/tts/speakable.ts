// Text normalisation for every English voice: rewrites times, prices, telephone numbers, dates, email and web addresses
// as they are spoken, and removes markup that a dialogue model leaves behind. Anything else is left as it is.

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
const ORDINALS: Record<string, string> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};
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
function digitWords(digits: string): string {
  return [...digits].map((digit) => ONES[Number(digit)] ?? '').join(' ');
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

/** The text as it should be spoken. Idempotent on plain words. */
export function speakable(text: string): string {
  let said = text
    .replace(/```[\s\S]*?```/g, ' ')
    .replace(/\[([^\]]+)\]\((?:[^)]+)\)/g, '$1')
    .replace(/^[^\S\n]*(?:[-*•]|\d{1,4}[.)])\s+/gm, '')
    .replace(/[*_#`~|<>{}[\]\\]+/g, ' ')
    .replace(/[“”"]/g, '')
    .replace(/[‘’]/g, "'")
    .replace(/\p{Extended_Pictographic}/gu, ' ')
    .replace(/([^.!?:;,\s])\s*\n+/g, '$1. ')
    .replace(/\s+/g, ' ');
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
  said = said.replace(/\b(\d{1,2})(?:st|nd|rd|th)\b/g, (_, day) => ordinalWords(Number(day)));
  said = said.replace(
    new RegExp(`\\b(${MONTHS.join('|')}) (\\d{1,2})(?:,? (\\d{4}))?\\b`, 'g'),
    (_, month, day, year) => `${month} ${ordinalWords(Number(day))}${year ? `, ${yearWords(Number(year))}` : ''}`,
  );
  said = said.replace(/(?<=[ap]\.m\.|noon|midnight)\s?[-–]\s?(?=\w)/g, ' to ');
  said = said.replace(
    /\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*\.?\s?[-–]\s?(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*\b\.?/g,
    (_, from, to) => `${DAYS[from]} to ${DAYS[to]}`,
  );
  said = said.replace(/(\d)\s?%/g, '$1 percent').replace(/\s&\s/g, ' and ');
  said = said.replace(/(\d)\s?[-–]\s?(\d)/g, '$1 to $2').replace(/\s[-–—]\s/g, ', ');
  for (const [written, spoken] of ABBREVIATIONS) said = said.replace(written, spoken);
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
