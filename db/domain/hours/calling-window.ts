// The times at which contacts may be called: the window must be open in the local time of every possible zone of the
// number. Working in local time, daylight saving needs no rule of its own. Time is passed in.

import { IANAZone } from 'luxon';
import type { CallingWindow } from '../campaign-defaults.ts';
import { minuteOfDay } from './clock-time.ts';
import { DAY_MS, MINUTE_MS } from './durations.ts';
import { indexOfDay, WEEKDAYS, type Weekday } from './weekdays.ts';

/** Every weekday, plus one for a window that began on the previous evening. */
const DAYS_AHEAD = 8;
/** 1970-01-01 was a Thursday. */
const EPOCH_WEEKDAY = indexOfDay('thursday');
/** A window that opens in an hour skipped by the change to summer time opens this much later. */
const SKIPPED_MS = [0, 30 * MINUTE_MS, 60 * MINUTE_MS];

interface Hours {
  days: ReadonlySet<Weekday>;
  startMinute: number;
  endMinute: number;
}

const hoursOf = (window: CallingWindow): Hours => ({
  days: new Set(window.days),
  startMinute: minuteOfDay(window.start),
  endMinute: minuteOfDay(window.end),
});

/** A zone's local time, as ms since the epoch read as if it were UTC. */
const localMs = (zone: string, atMs: number): number => atMs + IANAZone.create(zone).offset(atMs) * MINUTE_MS;

const weekdayOf = (day: number): Weekday => WEEKDAYS[(((day + EPOCH_WEEKDAY) % 7) + 7) % 7] ?? noWeekday(day);

function isInside({ days, startMinute, endMinute }: Hours, zone: string, atMs: number): boolean {
  const local = localMs(zone, atMs);
  const day = Math.floor(local / DAY_MS);
  const minute = Math.floor((local - day * DAY_MS) / MINUTE_MS);
  if (startMinute < endMinute) return days.has(weekdayOf(day)) && minute >= startMinute && minute < endMinute;
  // Past midnight, the window belongs to the day on which it began.
  return (days.has(weekdayOf(day)) && minute >= startMinute) || (days.has(weekdayOf(day - 1)) && minute < endMinute);
}

/**
 * The first moment at or after `fromMs` when the window is open in all `zones`; null if no week has one. The end is
 * exclusive.
 */
export function nextOpening(window: CallingWindow, zones: readonly string[], fromMs: number): number | null {
  const hours = hoursOf(window);
  const isOpen = (atMs: number): boolean => zones.every((zone) => isInside(hours, zone, atMs));
  if (isOpen(fromMs)) return fromMs;
  // The overlap of windows begins at the opening of one of them.
  const starts: number[] = [];
  for (const zone of zones) {
    const today = Math.floor(localMs(zone, fromMs) / DAY_MS);
    for (let day = today; day <= today + DAYS_AHEAD; day++) {
      if (!hours.days.has(weekdayOf(day))) continue;
      const wall = day * DAY_MS + hours.startMinute * MINUTE_MS;
      // A clock change may separate the guess from the true instant: correct the offset once more.
      const guess = wall - (localMs(zone, wall) - wall);
      const start = wall - (localMs(zone, guess) - guess);
      for (const skipped of SKIPPED_MS) if (start + skipped > fromMs) starts.push(start + skipped);
    }
  }
  return starts.sort((a, b) => a - b).find(isOpen) ?? null;
}

/** Caches openings: a campaign's contacts share a few sets of zones, and wait for the same morning. */
export class OpeningBook {
  readonly #known = new Map<string, { fromMs: number; openingMs: number | null }>();
  /** Windows found open, with the minute of the check: windows open and close on whole minutes. */
  readonly #open = new Map<string, number>();
  readonly #capacity: number;

  constructor(capacity = 2_000) {
    this.#capacity = capacity;
  }

  next(window: CallingWindow, zones: readonly string[], fromMs: number): number | null {
    const key = `${window.start}-${window.end} ${window.days.join()} ${zones.join()}`;
    const minute = Math.floor(fromMs / MINUTE_MS);
    if (this.#open.get(key) === minute) return fromMs;
    const known = this.#known.get(key);
    // The cached answer holds from the query until that opening; "never" holds for a day.
    if (known && fromMs >= known.fromMs && fromMs <= (known.openingMs ?? known.fromMs + DAY_MS)) {
      return known.openingMs;
    }
    const openingMs = nextOpening(window, zones, fromMs);
    if (openingMs === fromMs) {
      if (this.#open.size >= this.#capacity) this.#open.clear();
      this.#open.set(key, minute);
      return openingMs;
    }
    if (this.#known.size >= this.#capacity) this.#known.clear();
    this.#known.set(key, { fromMs, openingMs });
    return openingMs;
  }
}

function noWeekday(day: number): never {
  throw new Error(`day ${day} has no weekday`);
}
