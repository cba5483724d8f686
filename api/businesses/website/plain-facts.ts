// Opening hours and prices from the text of a page, as people write them in seven languages: "Mo-Fr 9-12 und 14-18
// Uhr", "Haircut ... 25 €". Read by one pass over the words; a line that is not certain gives nothing.
import { WEEKDAYS, type Weekday } from '../../../db/domain/hours/weekdays.ts';
import { withoutOverlaps } from '../opening-hours.ts';
import type { ServiceEntry } from '../templates.ts';
import { CLOSED_WORDS, DAY_WORDS, FROM_WORDS, plain, TO_WORDS } from './words.ts';

interface Hours {
  day: Weekday;
  open: string;
  close: string;
}

const LIST_MAX = 50;
/** Words between the days and their hours, such as "von" or "open from". */
const STRANGE_WORDS_MAX = 3;

/** Of the hours of one or several days; `from` is an opening that waits for its close. */
interface Reading {
  days: Weekday[];
  /** The word before was "to" or a dash. */
  isRange: boolean;
  from: { minutes: number; hasHalf: boolean } | null;
  hasTimes: boolean;
  strange: number;
}

const fresh = (): Reading => ({ days: [], isRange: false, from: null, hasTimes: false, strange: 0 });

export function hoursIn(text: string): Hours[] {
  const found: Hours[] = [];
  let reading = fresh();
  const tokens = plain(text).match(/[a-z]+|\d+(?:[:.h]\d\d(?!\d))?|[-–—]/g) ?? [];
  for (const [index, token] of tokens.entries()) {
    const day = DAY_WORDS.get(token);
    if (day !== undefined) {
      // After hours a day begins anew.
      if (reading.hasTimes || reading.from !== null) reading = fresh();
      reading.days = reading.isRange ? through(reading.days, day) : [...reading.days, day];
      reading.isRange = false;
      reading.strange = 0;
    } else if (/^\d/.test(token)) {
      reading = withTime(reading, timeOf(token, tokens[index + 1]), found);
    } else if (/^[-–—]$/.test(token) || TO_WORDS.has(token)) reading.isRange = true;
    else if (CLOSED_WORDS.has(token)) reading = fresh();
    else if (!/^(?:am|pm|uhr|h|m|feira)$/.test(token)) {
      reading.isRange = false;
      if (reading.days.length > 0 && ++reading.strange > STRANGE_WORDS_MAX) reading = fresh();
    }
    if (found.length >= LIST_MAX) break;
  }
  const sorted = found.sort((a, b) => WEEKDAYS.indexOf(a.day) - WEEKDAYS.indexOf(b.day));
  return withoutOverlaps(sorted);
}

function withTime(reading: Reading, time: Reading['from'], found: Hours[]): Reading {
  if (time === null) return fresh();
  if (reading.days.length === 0) return reading;
  if (reading.from === null) return { ...reading, from: time, isRange: false, strange: 0 };
  if (!reading.isRange) return fresh();
  const { minutes: open, hasHalf } = reading.from;
  // "9-5 pm": the first has no half of the day, and none is meant that would close before it opens.
  const close = !time.hasHalf && hasHalf && time.minutes <= open ? time.minutes + 12 * 60 : time.minutes;
  if (open !== close && close <= 24 * 60)
    for (const day of reading.days) found.push({ day, open: clock(open), close: clock(close % (24 * 60)) });
  return { ...reading, from: null, isRange: false, hasTimes: true, strange: 0 };
}

/** "9", "9:30", "9.30", "9h30", with "am" or "pm" behind it; null for other numbers. */
function timeOf(token: string, next: string | undefined): Reading['from'] {
  const [hour = '', minute = '0'] = token.split(/[:.h]/);
  if (hour.length > 2 || Number(hour) > 24 || Number(minute) > 59) return null;
  const isHalf = next === 'am' || next === 'pm';
  if (isHalf && Number(hour) > 12) return null;
  const hours = isHalf ? (Number(hour) % 12) + (next === 'pm' ? 12 : 0) : Number(hour);
  return { minutes: hours * 60 + Number(minute), hasHalf: isHalf };
}

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** From the last day so far to this one. */
function through(days: readonly Weekday[], last: Weekday): Weekday[] {
  const first = days.at(-1);
  if (first === undefined) return [last];
  const start = WEEKDAYS.indexOf(first);
  const length = (WEEKDAYS.indexOf(last) - start + 7) % 7;
  return [...days, ...Array.from({ length }, (_, i) => WEEKDAYS[(start + i + 1) % 7] ?? last)];
}

const PRICE = /(?:(€|£|\$|chf|eur)\s?)?(\d{1,5})(?:[.,](\d\d|-))?\s?(€|£|\$|chf|eur|euros?)?$/i;
const MINUTES = /(\d{1,3})\s?min/i;
const LINE_MAX = 160;

/** A line that ends with an amount and its currency is a service with its price. */
export function pricesIn(text: string): ServiceEntry[] {
  const found = new Map<string, ServiceEntry>();
  for (const line of text.split('\n')) {
    const match = line.length > LINE_MAX ? null : PRICE.exec(line.trim());
    if (match === null || (match[1] === undefined && match[4] === undefined) || found.size >= LIST_MAX) continue;
    const before = line.trim().slice(0, match.index);
    const words = plain(before).match(/[a-z]+/g) ?? [];
    const name = nameIn(before);
    const isLowest = FROM_WORDS.has(words.at(-1) ?? '');
    if (isLowest || name.length < 3 || !/\p{L}{2}/u.test(name)) continue;
    const minutes = MINUTES.exec(before)?.[1];
    const price = Number(`${match[2]}.${(match[3] ?? '0').replace('-', '0')}`);
    const duration = minutes === undefined || Number(minutes) === 0 ? null : Number(minutes);
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), { name, duration, price });
  }
  return [...found.values()];
}

/** Without dots that lead to the price, bars between cells, and the duration. */
const nameIn = (before: string): string =>
  before
    .replace(MINUTES, ' ')
    .split(/[.…|:–—]/)
    .map((part) => part.replace(/[\s,()/-]+/g, ' ').trim())
    .filter((part) => /\p{L}{2}/u.test(part) && !/^(?:min|utes|uten)$/i.test(part))
    .join(' ')
    .slice(0, 200);
