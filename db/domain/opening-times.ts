// When a business is open, in its own time zone; used by booking and by the receptionist. A day may have several spans
// (a lunch break). A `close` that is not after its `open` is past midnight.
import { DateTime } from 'luxon';
import type { DialogueBusiness } from '../../models/llm/llm.ts';

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Minutes since midnight; `close` may exceed 1,440. */
export interface DaySpan {
  open: number;
  close: number;
}

/** Absolute time, ms since the epoch. */
export interface Interval {
  startMs: number;
  endMs: number;
}

export const DAY_MINUTES = 1_440;
/** Longest search: nobody listens to two months of free times. */
const DAYS_MAX = 62;

export function isWeekday(word: string): word is Weekday {
  return (WEEKDAYS as readonly string[]).includes(word);
}

export function weekdayOf(at: DateTime): Weekday {
  return WEEKDAYS[at.weekday - 1] ?? 'monday';
}

/** The spans of a day, in order. Entries that are not valid times are ignored. */
export function spansOn(hours: DialogueBusiness['hours'], day: Weekday): DaySpan[] {
  return hours
    .filter((entry) => entry.day.toLowerCase() === day)
    .flatMap((entry) => {
      const open = minutesOf(entry.open);
      const close = minutesOf(entry.close);
      if (open === null || close === null) return [];
      return [{ open, close: close <= open ? close + DAY_MINUTES : close }];
    })
    .sort((a, b) => a.open - b.open);
}

/** Whether it is open at a local time, including a span that began the day before. */
export function isOpenAt(hours: DialogueBusiness['hours'], at: DateTime): boolean {
  const minute = at.hour * 60 + at.minute;
  const inside = ({ open, close }: DaySpan, m: number) => m >= open && m < close;
  return (
    spansOn(hours, weekdayOf(at)).some((span) => inside(span, minute)) ||
    spansOn(hours, weekdayOf(at.minus({ days: 1 }))).some((span) => inside(span, minute + DAY_MINUTES))
  );
}

/** The next opening within a week after `at`; null when there is none. */
export function nextOpening(hours: DialogueBusiness['hours'], at: DateTime): DateTime | null {
  for (let days = 0; days <= 7; days++) {
    const day = at.plus({ days }).startOf('day');
    for (const { open } of spansOn(hours, weekdayOf(day))) {
      const opening = day.set({ hour: Math.floor(open / 60), minute: open % 60 });
      if (opening > at) return opening;
    }
  }
  return null;
}

/**
 * The open intervals that overlap [fromMs, toMs), in order, with adjacent spans joined; none without opening hours.
 * Times of day follow the zone's clock, so a day of 23 or 25 hours opens and closes at its written times.
 */
export function openIntervals(
  hours: DialogueBusiness['hours'],
  timezone: string,
  fromMs: number,
  toMs: number,
): Interval[] {
  const intervals: Interval[] = [];
  const lastMs = Math.min(toMs, fromMs + DAYS_MAX * 86_400_000);
  // A span of the day before may run past midnight into the range.
  let day = DateTime.fromMillis(fromMs, { zone: timezone }).startOf('day').minus({ days: 1 });
  for (; day.toMillis() < lastMs; day = day.plus({ days: 1 })) {
    for (const { open, close } of spansOn(hours, weekdayOf(day))) {
      const startMs = atMinute(day, open);
      const endMs = atMinute(day, close);
      if (endMs <= fromMs || startMs >= lastMs) continue;
      const before = intervals.at(-1);
      if (before !== undefined && before.endMs >= startMs) before.endMs = Math.max(before.endMs, endMs);
      else intervals.push({ startMs, endMs });
    }
  }
  return intervals;
}

function atMinute(day: DateTime, minutes: number): number {
  const date = minutes >= DAY_MINUTES ? day.plus({ days: 1 }) : day;
  const inDay = minutes % DAY_MINUTES;
  return date.set({ hour: Math.floor(inDay / 60), minute: inDay % 60 }).toMillis();
}

function minutesOf(time: string): number | null {
  const match = /^(\d{1,2}):(\d{2})$/.exec(time.trim());
  if (!match) return null;
  const minutes = Number(match[1]) * 60 + Number(match[2]);
  return minutes <= DAY_MINUTES ? minutes : null;
}
