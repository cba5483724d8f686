// Days and times as people say them ("next tuesday", "the twenty third", "half past two", "3 pm"), read relative to
// now.
import type { DateTime } from 'luxon';
import type { DaySpan } from '../../../db/domain/hours/opening-hours.ts';
import { isWeekday, WEEKDAYS, type Weekday } from '../../../db/domain/hours/weekdays.ts';

interface SpokenTime {
  /** Minutes since midnight. */
  minutes: number;
  /** Whether the caller named morning or afternoon; otherwise the opening hours decide. */
  isCertain: boolean;
}

type DayPart = 'morning' | 'afternoon' | 'evening';

const NUMBERS: Record<string, number> = Object.fromEntries(
  (
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
    'eighteen nineteen twenty'
  )
    .split(' ')
    .map((word, value) => [word, value]),
);
const TENS: Record<string, number> = { twenty: 20, thirty: 30, forty: 40, fifty: 50 };
const ORDINALS: Record<string, number> = Object.fromEntries(
  (
    'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth ' +
    'fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'
  )
    .split(' ')
    .map((word, value) => [word, value]),
);
const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** Lower-case words; "3:30pm" becomes "3:30 pm", "o'clock" stays. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/\b([ap])\.?\s?m\b\.?/g, '$1m')
    .replace(/(\d)([ap]m)\b/g, '$1 $2')
    .replace(/(\d)(st|nd|rd|th)\b/g, '$1th')
    .replace(/[^a-z0-9:' ]+/g, ' ')
    .split(/\s+/)
    .filter(Boolean);
}

/**
 * The start of the named day in `now`'s zone; null when the text names none. A weekday means the next one; only "today"
 * means today. A past date means next year, a past day of the month without a month means next month.
 */
export function spokenDay(text: string, now: DateTime): DateTime | null {
  const words = wordsOf(text);
  const joined = words.join(' ');
  const today = now.startOf('day');
  if (/\bday after tomorrow\b/.test(joined)) return today.plus({ days: 2 });
  if (/\btomorrow\b/.test(joined)) return today.plus({ days: 1 });
  if (/\b(today|tonight|this (morning|afternoon|evening))\b/.test(joined)) return today;
  const iso = /\b(\d{4})-(\d{2})-(\d{2})\b/.exec(text);
  if (iso) {
    const day = today.set({ year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) });
    if (day.isValid) return day;
  }
  const byDate = dayOfMonth(words, today);
  if (byDate) return byDate;
  const at = words.findIndex((word) => isWeekday(word.replace(/s$/, '')));
  if (at < 0) return null;
  const wanted = WEEKDAYS.indexOf((words[at] ?? '').replace(/s$/, '') as Weekday) + 1;
  const ahead = (wanted - today.weekday + 7) % 7 || 7;
  const isNextWeek = words[at - 1] === 'next' || /\bnext week\b/.test(joined);
  const day = today.plus({ days: ahead });
  // "Next Tuesday" is in the coming week, unless the plain weekday already is.
  return isNextWeek && day.weekNumber === today.weekNumber ? day.plus({ weeks: 1 }) : day;
}

function dayOfMonth(words: readonly string[], today: DateTime): DateTime | null {
  const monthAt = words.findIndex((word) => MONTHS.includes(word));
  for (const [index, word] of words.entries()) {
    const day = dayNumber(words, index);
    if (day === null) continue;
    const nearMonth = monthAt >= 0 && Math.abs(monthAt - index) <= 3;
    // "may" is also a verb, "second" also a choice: without a month only "the <ordinal>" is a date.
    const isOrdinal = word in ORDINALS || /^\d+th$/.test(word) || words[index + 1] !== undefined;
    if (!nearMonth && !(words[index - 1] === 'the' && isOrdinal && ordinalAt(words, index))) continue;
    const month = nearMonth ? MONTHS.indexOf(words[monthAt] ?? '') + 1 : today.month;
    const candidate = today.set({ month, day: 1 });
    if (day > (candidate.daysInMonth ?? 31)) return null;
    const date = candidate.set({ day });
    if (date >= today) return date;
    return nearMonth ? date.plus({ years: 1 }) : date.plus({ months: 1 });
  }
  return null;
}

function ordinalAt(words: readonly string[], index: number): boolean {
  const word = words[index] ?? '';
  const next = words[index + 1] ?? '';
  if (/^(one|choice|option|time|slot)$/.test(next)) return false;
  return word in ORDINALS || /^\d+th$/.test(word) || word === 'thirtieth' || (word in TENS && next in ORDINALS);
}

/** Day of the month that begins at `index`: "23rd", "twenty third", "third", "23". */
function dayNumber(words: readonly string[], index: number): number | null {
  const word = words[index] ?? '';
  const next = words[index + 1] ?? '';
  const digits = /^(\d{1,2})(?:th)?$/.exec(word);
  if (digits) return within(Number(digits[1]), 1, 31);
  if (word === 'thirtieth') return 30;
  if (word in TENS && next in ORDINALS) return within((TENS[word] ?? 0) + (ORDINALS[next] ?? 0), 1, 31);
  if (word in ORDINALS) return within(ORDINALS[word] ?? 0, 1, 31);
  if (word in TENS && next in NUMBERS) return within((TENS[word] ?? 0) + (NUMBERS[next] ?? 0), 1, 31);
  return word in NUMBERS ? within(NUMBERS[word] ?? 0, 1, 31) : null;
}

/** The time of day that the text names; null when it names none. */
export function spokenTime(text: string): SpokenTime | null {
  const words = wordsOf(text);
  const joined = words.join(' ');
  if (/\bnoon\b|\bmidday\b/.test(joined)) return { minutes: 720, isCertain: true };
  if (/\bmidnight\b/.test(joined)) return { minutes: 0, isCertain: true };
  const clock = /\b(\d{1,2}):(\d{2})(?: ([ap])m)?\b/.exec(joined);
  if (clock) return timeOf(Number(clock[1]), Number(clock[2]), clock[3] ?? halfSaid(joined));
  const past = /\b(half past|quarter past|quarter to) (\w+)\b/.exec(joined);
  if (past) {
    const hour = numberOf(past[2] ?? '');
    const offset = past[1] === 'half past' ? 30 : past[1] === 'quarter past' ? 15 : -15;
    const spoken = hour === null ? null : timeOf(hour, 0, halfSaid(joined));
    return spoken && { ...spoken, minutes: (spoken.minutes + offset + 1_440) % 1_440 };
  }
  for (const [index, word] of words.entries()) {
    const hour = numberOf(word);
    if (hour === null || hour < 1 || hour > 12 || !isHourHere(words, index)) continue;
    return timeOf(hour, minutesAfter(words, index), halfSaid(joined));
  }
  return null;
}

/** The part of the day that the text names; null when it names none. */
export function spokenDayPart(text: string): DayPart | null {
  const match = /\b(morning|afternoon|evening)\b/.exec(text.toLowerCase());
  return match ? (match[1] as DayPart) : null;
}

/** The time in minutes, with a.m. or p.m. decided by the opening hours; without hours, 7 to 11 is a.m., else p.m. */
export function settleTime(time: SpokenTime, spans: readonly DaySpan[]): number {
  if (time.isCertain || time.minutes >= 780) return time.minutes;
  const candidates = [time.minutes, (time.minutes + 720) % 1_440];
  const open = candidates.find((minutes) => spans.some(({ open: from, close }) => minutes >= from && minutes < close));
  if (open !== undefined) return open;
  return time.minutes >= 420 && time.minutes < 720 ? time.minutes : (time.minutes + 720) % 1_440;
}

function isHourHere(words: readonly string[], index: number): boolean {
  const before = words[index - 1] ?? '';
  const after = words[index + 1] ?? '';
  // "the third", "november twenty three", "twenty three": part of a date; "two people": part of something else.
  if (MONTHS.includes(before) || before in TENS || before === 'the') return false;
  if (
    /^(am|pm|a|p|o'clock|oclock|in|thirty|fifteen|forty|fifty|twenty|ten|oh|please|or|works|is|would|sounds)$/.test(
      after,
    )
  )
    return true;
  return after === '' || /^(at|for|around|about|to|until|by|from|make|maybe|then)$/.test(before);
}

function minutesAfter(words: readonly string[], index: number): number {
  const word = words[index + 1] ?? '';
  const next = words[index + 2] ?? '';
  if (word === 'oh') return numberOf(next) ?? 0;
  if (word in TENS)
    return (
      within(
        (TENS[word] ?? 0) + (numberOf(next) !== null && (numberOf(next) ?? 10) < 10 ? (numberOf(next) ?? 0) : 0),
        0,
        59,
      ) ?? 0
    );
  const minutes = numberOf(word);
  return minutes !== null && minutes >= 10 && minutes < 60 ? minutes : 0;
}

function halfSaid(joined: string): string | undefined {
  if (/\b(pm|p m|afternoon|evening|tonight)\b/.test(joined)) return 'p';
  return /\b(am|a m|morning)\b/.test(joined) ? 'a' : undefined;
}

function timeOf(hour: number, minute: number, half: string | undefined): SpokenTime | null {
  if (hour > 23 || minute > 59) return null;
  if (half === undefined) return { minutes: hour * 60 + minute, isCertain: hour > 12 };
  return { minutes: ((hour % 12) + (half === 'p' ? 12 : 0)) * 60 + minute, isCertain: true };
}

function numberOf(word: string): number | null {
  if (/^\d{1,2}$/.test(word)) return Number(word);
  return NUMBERS[word] ?? null;
}

function within(value: number, low: number, high: number): number | null {
  return value >= low && value <= high ? value : null;
}
