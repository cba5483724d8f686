// Opening hours on the clock of a week: a day may have several entries, as long as no moment belongs to two.
import { WEEKDAYS, type Weekday } from '../../db/resources.ts';

export interface OpeningHours {
  day: Weekday;
  open: string;
  close: string;
}

const DAY_MINUTES = 24 * 60;
const WEEK_MINUTES = 7 * DAY_MINUTES;

function minuteOfDay(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Minutes of the week; the end may lie past it, on Monday again. */
function minutesOf({ day, open, close }: OpeningHours): { start: number; end: number } {
  const start = WEEKDAYS.indexOf(day) * DAY_MINUTES + minuteOfDay(open);
  const length = minuteOfDay(close) - minuteOfDay(open);
  return { start, end: start + (length < 0 ? length + DAY_MINUTES : length) };
}

/** Whether two entries share a moment; to close when the other opens is none. */
export function overlap(one: OpeningHours, other: OpeningHours): boolean {
  const a = minutesOf(one);
  const b = minutesOf(other);
  return [-WEEK_MINUTES, 0, WEEK_MINUTES].some((shift) => a.start < b.end + shift && b.start + shift < a.end);
}

/** For each entry the index of the first one before it that it overlaps, or null. */
export const overlaps = (hours: readonly OpeningHours[]): Array<number | null> =>
  hours.map((entry, i) => {
    const earlier = hours.slice(0, i).findIndex((other) => overlap(other, entry));
    return earlier < 0 ? null : earlier;
  });

/** The entries that overlap none before them: for hours that were read from a page. */
export const withoutOverlaps = <H extends OpeningHours>(hours: readonly H[]): H[] => {
  const kept: H[] = [];
  for (const entry of hours) if (!kept.some((other) => overlap(other, entry))) kept.push(entry);
  return kept;
};
