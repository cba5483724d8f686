// Opening hours from the text of a page, as people write them in seven languages: "Mo-Fr 9-12 und 14-18 Uhr". Read by
// one pass over the words; a line that is not certain gives nothing, and lines that contradict each other give none.
import { overlap } from '../../../db/domain/hours/opening-hours.ts';
import { WEEKDAYS, type Weekday } from '../../../db/domain/hours/weekdays.ts';
import type { OpenSpan, Said } from './facts.ts';
import {
  AND_WORDS,
  BETWEEN_WORDS,
  BREAK_WORDS,
  CLOSED_WORDS,
  DAY_WORDS,
  isAboutHours,
  isOtherHours,
  NAMED_TIMES,
  plain,
  SEVERAL_DAYS,
  TO_WORDS,
} from './words.ts';

interface HoursRead {
  hours: Array<Said<OpenSpan>>;
  /** Lines of which each says something else of one day; `hours` is empty then. */
  doubts: string[];
}

const LIST_MAX = 50;
/** Words between the days and their hours, such as "von" or "open from". */
const STRANGE_WORDS_MAX = 3;
/** Words that stand beside a number without changing it. */
const UNITS = /^(?:am|pm|uhr|uur|h|hs|hrs|hours|heures|ore|horas|m|feira)$/;

/** Beside a number, or in it ("9h30"), these are of the clock of 24 hours. */
const UNITS_OF_24 = /^(?:uhr|uur|h|hs|hrs|heures|ore|horas)$/;
const HALF_DAY = 12 * 60;
/** Longer than a shop or a bar is open: "9-5 Uhr" is more likely something else. */
const OPEN_AT_MOST = 18 * 60;

interface Time {
  minutes: number;
  /** Its half of the day is certain. */
  hasHalf: boolean;
  /** Of the clock of 24 hours: after noon, or written as only that clock has it. */
  isOf24: boolean;
}

/** Of the hours of one or several days; `from` is an opening that waits for its close. */
interface Reading {
  days: Weekday[];
  /** The word before was "to" or a dash. */
  isRange: boolean;
  /** After "between", the next "and" is "to". */
  isBetween: boolean;
  from: Time | null;
  /** When the hours before have ended, in minutes; null: there are none. */
  lastClose: number | null;
  hasTimes: boolean;
  strange: number;
  /** After "closed" without a day before it: the days that follow are. */
  isClosed: boolean;
  /** The line on which its days begin. */
  line: number;
}

const fresh = (): Reading => ({
  days: [],
  isRange: false,
  isBetween: false,
  isClosed: false,
  from: null,
  lastClose: null,
  hasTimes: false,
  strange: 0,
  line: 0,
});

/**
 * "9-5" is 9 to 17 where nothing on the page is of the clock of 24 hours; where something is, "11-3" ends at night.
 */
export function readHours(text: string): HoursRead {
  const lines = ownLines(text.split('\n').flatMap(sentences));
  const asWritten = readLines(lines, false);
  return asWritten.isOf24 ? asWritten : readLines(lines, true);
}

/** @param isOf12 whether numbers without a half of the day may be of its second one */
function readLines(lines: readonly string[], isOf12: boolean): HoursRead & { isOf24: boolean } {
  let isOf24 = false;
  const found: Array<Said<OpenSpan>> = [];
  const closed = new Set<Weekday>();
  const close = ({ days, hasTimes, from }: Reading) => {
    if (!hasTimes && from === null) for (const day of days) closed.add(day);
  };
  let reading = fresh();
  for (const [at, line] of lines.entries()) {
    const isHeading = /^#{1,6} /.test(line);
    // Times under another heading are not of the days above it.
    if (isHeading) reading = fresh();
    const tokens = tokensOf(line);
    for (const [index, token] of tokens.entries()) {
      if (found.length >= LIST_MAX) break;
      if (CLOSED_WORDS.has(token)) close(reading);
      reading = step(reading, token, tokens[index + 1], { line: at, isOf12 }, (spans, areOf24) => {
        isOf24 ||= areOf24;
        const said = lines
          .slice(reading.line, at + 1)
          .map(unmarked)
          .filter(Boolean)
          .join(' ');
        found.push(...spans.map((value) => ({ value, said })));
      });
    }
    if (reading.isClosed) {
      close(reading);
      reading = fresh();
    }
  }
  return { ...agreed(found.filter(({ value }) => !closed.has(value.day))), isOf24 };
}

type Add = (spans: OpenSpan[], areOf24: boolean) => void;

function step(
  reading: Reading,
  token: string,
  next: string | undefined,
  { line, isOf12 }: { line: number; isOf12: boolean },
  add: Add,
): Reading {
  const day = DAY_WORDS.get(token);
  if (day !== undefined) {
    // After hours a day begins anew.
    const open = reading.hasTimes || reading.from !== null ? fresh() : reading;
    const days = open.isRange ? through(open.days, day) : [...open.days, day];
    return { ...open, days, isRange: false, strange: 0, line: open.days.length === 0 ? line : open.line };
  }
  if (/^\d/.test(token)) return withTime(reading, timeOf(token, next), isOf12, add);
  const named = NAMED_TIMES.get(token);
  // "Midi et soir" are parts of the day.
  const isTime = reading.isRange || reading.isBetween || /^[-–—]$/.test(next ?? '') || TO_WORDS.has(next ?? '');
  if (named !== undefined && isTime)
    return withTime(reading, { minutes: named, hasHalf: true, isOf24: false }, isOf12, add);
  // Opening and closing in cells of their own.
  if (token === '|') return { ...reading, isRange: reading.from !== null };
  if (BETWEEN_WORDS.has(token)) return { ...reading, isBetween: true };
  if (AND_WORDS.has(token) && reading.from !== null) return { ...reading, isRange: reading.isBetween };
  if (/^[-–—]$/.test(token) || TO_WORDS.has(token)) return { ...reading, isRange: true };
  if (CLOSED_WORDS.has(token)) return { ...fresh(), isClosed: reading.days.length === 0 || reading.hasTimes };
  // "from 12 to 14 closed for lunch": hours that are none.
  if (BREAK_WORDS.has(token)) return { ...fresh(), days: reading.days, line: reading.line, strange: STRANGE_WORDS_MAX };
  if (UNITS.test(token)) return reading;
  if (reading.from !== null) return fresh();
  const strange = reading.strange + 1;
  if (reading.days.length > 0 && strange > STRANGE_WORDS_MAX) return fresh();
  return { ...reading, isRange: false, strange };
}

function withTime(reading: Reading, time: Time | null, isOf12: boolean, add: Add): Reading {
  if (time === null) return fresh();
  if (reading.days.length === 0) return reading;
  if (reading.from === null)
    return { ...reading, from: isOf12 ? after(time, reading.lastClose) : time, isRange: false, strange: 0 };
  if (!reading.isRange) return fresh();
  const { minutes: open, hasHalf, isOf24 } = reading.from;
  const close = closing(time, open, hasHalf || isOf12);
  const length = (close - open + 24 * 60) % (24 * 60);
  const isCertain = hasHalf || time.hasHalf || length <= OPEN_AT_MOST;
  if (open !== close && close <= 24 * 60)
    add(
      isCertain ? reading.days.map((day) => ({ day, open: clock(open), close: clock(close % (24 * 60)) })) : [],
      isOf24 || time.isOf24,
    );
  return { ...reading, from: null, lastClose: close, isRange: false, isBetween: false, hasTimes: true, strange: 0 };
}

/** "9-5 pm", "9 am-5", "9-5": the second half of the day where the other would close before it opens. */
const closing = (time: Time, open: number, isOf12: boolean): number =>
  !time.hasHalf && isOf12 && time.minutes <= open ? time.minutes + HALF_DAY : time.minutes;

/** "9-1, 2-6": the second half of the day where the other would open before the last hours have ended. */
const after = (time: Time, lastClose: number | null): Time =>
  !time.hasHalf && lastClose !== null && time.minutes < lastClose && time.minutes <= HALF_DAY
    ? { ...time, minutes: time.minutes + HALF_DAY }
    : time;

/** "9", "9:30", "9.30", "9h30", with "am" or "pm" behind it; null for other numbers. */
function timeOf(token: string, next: string | undefined): Time | null {
  const [hour = '', minute = '0'] = token.split(/[:.h]/);
  if (hour.length > 2 || Number(hour) > 24 || Number(minute) > 59) return null;
  const isHalf = next === 'am' || next === 'pm';
  if (isHalf && Number(hour) > 12) return null;
  const hours = isHalf ? (Number(hour) % 12) + (next === 'pm' ? 12 : 0) : Number(hour);
  const isOf24 = !isHalf && (hours > 12 || /^0|h/.test(token) || UNITS_OF_24.test(next ?? ''));
  return { minutes: hours * 60 + Number(minute), hasHalf: isHalf, isOf24 };
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

const unmarked = (line: string): string => line.replace(/^#{1,6} /, '').trim();

/** "a.m." is "am", and "9.30-12" stays apart from the words beside it. */
const tokensOf = (line: string): string[] =>
  SEVERAL_DAYS.reduce((text, [words, days]) => text.replace(words, days), ` ${plain(line)} `)
    .replace(/([ap])\.\s?m\b\.?/g, '$1m')
    .match(/[a-z]+|\d+(?:[:.h]\d\d(?!\d))?|[-–—|]/g) ?? [];

/** "21.12. bis 2.1." are days of the year; the point after "9.30." ends a sentence. */
const DATE = /\b\d{1,2}\.\s?\d{1,2}\.(?=\d|\s?[a-z–-])/g;

/** "Mo. - Fr." is cut as well, which changes nothing: the next piece goes on. */
const sentences = (line: string): string[] => line.replace(DATE, ' ').split(/(?<=[.;!?])\s+/);

/** Without the lines under a heading, or a line that ends in a colon, that says whose hours they are. */
function ownLines(lines: readonly string[]): string[] {
  let isOther = false;
  return lines.map((line) => {
    const isLabel = /^#{1,6} |:\s*$/.test(line);
    if (isLabel) isOther = isOtherHours(plain(line)) && isAboutHours(plain(line));
    return isOther || isOtherHours(plain(line)) ? '' : line;
  });
}

/** One set of hours: the same said twice counts once; none where two differ. */
function agreed(found: ReadonlyArray<Said<OpenSpan>>): HoursRead {
  const kept: Array<Said<OpenSpan>> = [];
  const doubts = new Set<string>();
  for (const span of found) {
    const other = kept.find(({ value }) => overlap(value, span.value));
    if (other === undefined) kept.push(span);
    else if (other.value.open !== span.value.open || other.value.close !== span.value.close)
      for (const { said } of [other, span]) doubts.add(said);
  }
  if (doubts.size > 0) return { hours: [], doubts: [...doubts] };
  return { hours: kept.sort((a, b) => WEEKDAYS.indexOf(a.value.day) - WEEKDAYS.indexOf(b.value.day)), doubts: [] };
}
