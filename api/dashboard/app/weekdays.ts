// The names of weekdays, in any language.
import { DAY_MS } from '../../../db/domain/hours/durations.ts';
import { indexOfDay, WEEKDAYS, type Weekday } from '../../../db/domain/hours/weekdays.ts';

/** A Monday. */
const SOME_MONDAY_MS = Date.UTC(2024, 0, 1);

/** @param locale undefined: the browser's */
export function dayNames(weekday: 'long' | 'short', locale?: string): Record<Weekday, string> {
  const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' });
  return Object.fromEntries(
    WEEKDAYS.map((day) => [day, format.format(SOME_MONDAY_MS + indexOfDay(day) * DAY_MS)]),
  ) as Record<Weekday, string>;
}

export const DAY_NAMES = dayNames('long');
export const DAY_NAMES_SHORT = dayNames('short');
