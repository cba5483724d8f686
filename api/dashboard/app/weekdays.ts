// The names of weekdays, in the language of the page.
import { DAY_MS } from '../../../db/domain/hours/durations.ts';
import { indexOfDay, WEEKDAYS, type Weekday } from '../../../db/domain/hours/weekdays.ts';
import { pageLocale } from './words/words.ts';

/** A Monday. */
const SOME_MONDAY_MS = Date.UTC(2024, 0, 1);

export function dayNames(weekday: 'long' | 'short'): Record<Weekday, string> {
  const format = new Intl.DateTimeFormat(pageLocale(), { weekday, timeZone: 'UTC' });
  return Object.fromEntries(
    WEEKDAYS.map((day) => [day, format.format(SOME_MONDAY_MS + indexOfDay(day) * DAY_MS)]),
  ) as Record<Weekday, string>;
}
