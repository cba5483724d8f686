// The opening times of a business in its own time zone, for booking and the receptionist.

import { DateTime } from 'luxon';
import { DAY_MINUTES } from './clock-time.ts';
import { DAY_MS } from './durations.ts';
import { type DaySpan, type OpeningHours, spansOn } from './opening-hours.ts';
import { WEEKDAYS, type Weekday } from './weekdays.ts';

/** Absolute time, ms since the epoch. */
export interface Interval {
  startMs: number;
  endMs: number;
}

/** Longest search: nobody listens to two months of free times. */
const DAYS_MAX = 62;

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

/**
 * The open intervals that overlap [fromMs, toMs), in order, with adjacent spans joined; none without opening hours.
 * Times of day follow the zone's clock, so a day of 23 or 25 hours opens and closes at its written times.
 */
export function openIntervals(
  hours: readonly OpeningHours[],
  timezone: string,
  fromMs: number,
  toMs: number,
): Interval[] {
  const intervals: Interval[] = [];
  const lastMs = Math.min(toMs, fromMs + DAYS_MAX * DAY_MS);
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
