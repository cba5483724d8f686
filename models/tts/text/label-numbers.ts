// English numbers that name a thing and count nothing: houses, suites, boxes, routes. A person reads them in pairs,
// "fourteen twenty seven Elm Street", because a listener holds two short numbers more easily than one long one.

import { numberWords } from './number-words.ts';

/** Follow the name of a street: "1427 Elm Street". */
const STREETS =
  'Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Crescent|Terrace|Parkway|Place|Square|' +
  'Circle|Trail|Way|Highway|Hwy|Close|Row|Walk|Mews|Quay|Gardens?|Hill|Grove|Line|Sideroad|Concession|Broadway';
/** Precede it, in the many addresses that came from French, Spanish and Italian: "777 Boulevard Rene Levesque". */
const FORE_STREETS = 'Rue|Chemin|Boulevard|Avenue|Avenida|Calle|Via|Place|Camino|Highway|Route|Broadway';
/** Precede the number of a thing: "suite 1400". */
const LABELS =
  'suite|apartment|apt|unit|room|floor|buzzer|box|house number|building|gate|extension|ext|route|highway|flight|' +
  'bus|bay|dock|locker|desk|counter|platform|terminal|lot|plot|aisle|station';

const NAME = String.raw`(?:[\p{Lu}\d][\p{L}\d'’.-]{0,30} ){1,4}`;
/** Without a rest behind its number a listener hears "160 for Cumberland Street", and "nine Rue" as one word. */
const HOUSE = new RegExp(
  String.raw`(?<![\w.,:$€£])(\d{1,4})([A-Za-z]?) (?=(?:${FORE_STREETS}) \p{Lu}|${NAME}(?:${STREETS})\b)`,
  'gu',
);
/** "6631 Highway 401" holds two numbers: without a rest a listener hears one. */
const BEFORE_ROUTE = /(?<![\w.,:$€£])(\d{1,4}) (?=(?:Rural Route|Highway|Hwy|Route|Concession|Sideroad) \d)/g;
/** "12-440 Sheppard Avenue": the unit before its house; "12-14" are two houses. */
const UNIT_OF_HOUSE = new RegExp(String.raw`(?<![\w.,:$€£-])(\d{1,4})-(\d{1,5}) (?=${NAME}(?:${STREETS})\b)`, 'gu');
const MOST_HOUSES = 50;
const LABELLED = new RegExp(String.raw`\b(${LABELS})((?: number| no\.?)?(?: is)? )#?(\d{3,4})(?!\w|[,.:]\d|%)`, 'gi');
const TENS = '[Tt]wenty|[Tt]hirty|[Ff]orty|[Ff]ifty|[Ss]ixty|[Ss]eventy|[Ee]ighty|[Nn]inety';
const NTH =
  '[Ff]irst|[Ss]econd|[Tt]hird|[Ff]ourth|[Ff]ifth|[Ss]ixth|[Ss]eventh|[Ee]ighth|[Nn]inth|[Tt]enth|[Ee]leventh|' +
  '[Tt]welfth|[Tt]hirteenth|[Ff]ourteenth|[Ff]ifteenth|[Ss]ixteenth|[Ss]eventeenth|[Ee]ighteenth|[Nn]ineteenth';
const ORDINAL = `(?:(?:${TENS}) )?(?:${NTH})`;
/** "44 Sixth Line": without a rest between them they are one number to a listener, "4046th". */
const BEFORE_ORDINAL = new RegExp(
  String.raw`(?<![\w.,:$€£])(\d{1,4}) (?=${ORDINAL} (?:[\p{Lu}][\p{L}'’.-]{0,30} )?(?:${STREETS})\b)`,
  'gu',
);
/** A figure and one letter, "3B" or "B12": the letter is spelled. */
const FIGURE_LETTER = /(?<![\w.,:$€£])(\d{1,4})([A-Z])(?!\w)/g;
const LETTER_FIGURE = /(?<![\w.,:$€£])([A-Z])(\d{1,4})(?!\w)/g;

/** 1427 → "fourteen twenty seven", 205 → "two oh five", 1400 → "fourteen hundred", 2000 → "two thousand". */
function pairWords(number: string): string {
  const value = Number(number);
  if (number.startsWith('0') || number.length < 3 || number.length > 4 || value % 1_000 === 0) return number;
  const head = numberWords(Math.floor(value / 100));
  const rest = value % 100;
  if (rest === 0) return `${head} hundred`;
  return `${head} ${rest < 10 ? `oh ${numberWords(rest)}` : numberWords(rest)}`;
}

/** Writes the unit before a house with a rest, before a range of figures is read "to". */
export function readUnits(text: string): string {
  return text.replace(UNIT_OF_HOUSE, (all, unit: string, house: string) =>
    house > unit && house.length === unit.length && Number(house) - Number(unit) < MOST_HOUSES
      ? all
      : `${pairWords(unit)}, ${pairWords(house)}, `,
  );
}

/** Rewrites the numbers of addresses and labels; quantities stay as they are. */
export function readLabels(text: string): string {
  return text
    .replace(BEFORE_ORDINAL, (_, number: string) => `${pairWords(number)}, `)
    .replace(BEFORE_ROUTE, (_, number: string) => `${pairWords(number)}, `)
    .replace(HOUSE, (_, number: string, letter: string) => `${pairWords(number)}${letter && ` ${letter}`}, `)
    .replace(LABELLED, (_, label: string, between: string, number: string) => `${label}${between}${pairWords(number)}`)
    .replace(FIGURE_LETTER, (_, number: string, letter: string) => `${pairWords(number)} ${letter.toUpperCase()}`)
    .replace(LETTER_FIGURE, (_, letter: string, number: string) => `${letter} ${pairWords(number)}`);
}
