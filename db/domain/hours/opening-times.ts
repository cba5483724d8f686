// The opening times of a business in its own time zone, for booking and the receptionist.

import { DateTime } from 'luxon';
import { DAY_MINUTES } from './clock-time.ts';
import { DAY_MS, MINUTE_MS } from './durations.ts';
import { type DaySpan, type OpeningHours, spansOn } from './opening-hours.ts';
import { WEEKDAYS, type Weekday } from './weekdays.ts';

/** Absolute time, ms since the epoch. */
export interface Interval {
  startMs: number;
  endMs: number;
}

/** Longest search: nobody listens to two months of free times. */
export const DAYS_MAX = 62;

export function weekdayOf(at: DateTime): Weekday {
  return WEEKDAYS[at.weekday - 1] ?? 'monday';
}

/** Whether the business is open at a local time, including a span that began the day before. */
export function isOpenAt(hours: readonly OpeningHours[], at: DateTime): boolean {
  const minute = at.hour * 60 + at.minute;
  const inside = ({ open, close }: DaySpan, m: number) => m >= open && m < close;
  return (
    spansOn(hours, weekdayOf(at)).some((span) => inside(span, minute)) ||
    spansOn(hours, weekdayOf(at.minus({ days: 1 }))).some((span) => inside(span, minute + DAY_MINUTES))
  );
}

/** The next opening within a week after `at`; null when there is none. */
export function nextOpening(hours: readonly OpeningHours[], at: DateTime): DateTime | null {
  for (let days = 0; days <= 7; days++) {
    const day = at.plus({ days }).startOf('day');
    for (const { open } of spansOn(hours, weekdayOf(day))) {
      const opening = day.set({ hour: Math.floor(open / 60), minute: open % 60 });
      if (opening > at) return opening;
    }
  }
  return null;
}

/** A day on the zone's clock. */
interface LocalDay {
  weekday: Weekday;
  /** Absolute time at minutes since its midnight; more than a day's are in the next day. */
  at(minutes: number): number;
}

/** The days that meet [fromMs, toMs), and the one before: a span of it may run past midnight into the range. */
function localDays(timezone: string, fromMs: number, toMs: number): LocalDay[] {
  const days: LocalDay[] = [];
  // Where clocks are changed at midnight, a day begins at one o'clock, and the next at midnight again.
  const midnight = (date: DateTime): DateTime => date.plus({ days: 1 }).startOf('day');
  let day: DateTime = DateTime.fromMillis(fromMs, { zone: timezone }).minus({ days: 1 }).startOf('day');
  let next = midnight(day);
  while (day.toMillis() < toMs) {
    const [date, after, last] = [day, next, midnight(next)];
    const [startMs, nextMs, lastMs] = [date.toMillis(), after.toMillis(), last.toMillis()];
    // Clocks are changed on few days; on all others this is a sum, and a search has thousands of times.
    const isEven = nextMs - startMs === DAY_MS && lastMs - nextMs === DAY_MS;
    const at = (minutes: number): number => (isEven ? startMs + minutes * MINUTE_MS : atMinute(date, minutes));
    days.push({ weekday: weekdayOf(date), at });
    day = after;
    next = last;
  }
  return days;
}

/** Says of any hours when they are open in [fromMs, toMs); the days are made once for all of them. */
export function openingsWithin(
  timezone: string,
  fromMs: number,
  toMs: number,
): (hours: readonly OpeningHours[]) => Interval[] {
  const lastMs = Math.min(toMs, fromMs + DAYS_MAX * DAY_MS);
  const days = localDays(timezone, fromMs, lastMs);
  return (hours) => {
    const week = new Map(WEEKDAYS.map((weekday) => [weekday, spansOn(hours, weekday)]));
    const intervals: Interval[] = [];
    for (const day of days) {
      for (const { open, close } of week.get(day.weekday) ?? []) {
        const startMs = day.at(open);
        const endMs = day.at(close);
        if (endMs <= fromMs || startMs >= lastMs) continue;
        const before = intervals.at(-1);
        if (before !== undefined && before.endMs >= startMs) before.endMs = Math.max(before.endMs, endMs);
        else intervals.push({ startMs, endMs });
      }
    }
    return intervals;
  };
}

/**
 * The open intervals that overlap [fromMs, toMs), in order, with adjacent spans joined; none without opening hours.
 * Times of day follow the zone's clock, so a day of 23 or 25 hours opens and closes at its written times.
 */
export const openIntervals = (
  hours: readonly OpeningHours[],
  timezone: string,
  fromMs: number,
  toMs: number,
): Interval[] => openingsWithin(timezone, fromMs, toMs)(hours);

/** The times that are in both lists, each in order and without overlaps: goes over each once. */
export function inBoth(some: readonly Interval[], others: readonly Interval[]): Interval[] {
  const both: Interval[] = [];
  let next = 0;
  for (const one of some) {
    while ((others[next]?.endMs ?? Number.POSITIVE_INFINITY) <= one.startMs) next++;
    for (let index = next; index < others.length; index++) {
      const other = others[index];
      if (other === undefined || other.startMs >= one.endMs) break;
      const startMs = Math.max(one.startMs, other.startMs);
      const endMs = Math.min(one.endMs, other.endMs);
      if (startMs < endMs) both.push({ startMs, endMs });
    }
  }
  return both;
}

function atMinute(day: DateTime, minutes: number): number {
  const date = minutes >= DAY_MINUTES ? day.plus({ days: 1 }) : day;
  const inDay = minutes % DAY_MINUTES;
  return date.set({ hour: Math.floor(inDay / 60), minute: inDay % 60 }).toMillis();
}
