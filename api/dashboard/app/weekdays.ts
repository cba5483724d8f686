// Names of weekdays in the browser's language.
import { DAY_MS } from '../../../db/domain/hours/durations.ts';
import { indexOfDay, WEEKDAYS, type Weekday } from '../../../db/domain/hours/weekdays.ts';

/** A Monday. */
const SOME_MONDAY_MS = Date.UTC(2024, 0, 1);

function namesOf(weekday: 'long' | 'short'): Record<Weekday, string> {
  const format = new Intl.DateTimeFormat(undefined, { weekday, timeZone: 'UTC' });
  return Object.fromEntries(
    WEEKDAYS.map((day) => [day, format.format(SOME_MONDAY_MS + indexOfDay(day) * DAY_MS)]),
  ) as Record<Weekday, string>;
}

export const DAY_NAMES = namesOf('long');
export const DAY_NAMES_SHORT = namesOf('short');
