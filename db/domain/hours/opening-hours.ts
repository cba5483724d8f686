// Opening hours on the clock of a week. A day may have several entries (a lunch break); an entry may run past midnight,
// and entries never overlap. An entry with equal opening and closing times means the whole day; the interface accepts
// it from midnight to midnight only.
import { DAY_MINUTES, minuteOfDay, readClock } from './clock-time.ts';
import { indexOfDay, WEEKDAYS, type Weekday } from './weekdays.ts';

/** As stored; `day` in any case. */
export interface OpeningHours {
  day: string;
  open: string;
  close: string;
}

/** As the interface accepts it. */
export interface WeekdayHours extends OpeningHours {
  day: Weekday;
}

/** Minutes since midnight; `close` may exceed 1,440. */
export interface DaySpan {
  open: number;
  close: number;
}

const WEEK_MINUTES = 7 * DAY_MINUTES;

const spanOf = (open: number, close: number): DaySpan => ({ open, close: close <= open ? close + DAY_MINUTES : close });

/** Open around the clock, or all but a minute of it. */
export const isAllDay = ({ open, close }: DaySpan): boolean => close - open >= DAY_MINUTES - 1;

/** The spans of a day, in order. Entries that are not valid times are ignored. */
export function spansOn(hours: readonly OpeningHours[], day: Weekday): DaySpan[] {
  return hours
    .filter((entry) => entry.day.toLowerCase() === day)
    .flatMap((entry) => {
      const open = readClock(entry.open);
      const close = readClock(entry.close);
      return open === null || close === null ? [] : [spanOf(open, close)];
    })
    .sort((a, b) => a.open - b.open);
}

/** Whether the entry closes on the next day. */
export const isOvernight = ({ open, close }: Pick<OpeningHours, 'open' | 'close'>): boolean =>
  minuteOfDay(close) < minuteOfDay(open);

/** Minutes of the week; the end may be in the next week, on Monday. */
function weekSpanOf({ day, open, close }: WeekdayHours): DaySpan {
  const span = spanOf(minuteOfDay(open), minuteOfDay(close));
  const startOfDay = indexOfDay(day) * DAY_MINUTES;
  return { open: startOfDay + span.open, close: startOfDay + span.close };
}

/** Whether two entries overlap; closing at the other's opening is no overlap. */
export function overlap(one: WeekdayHours, other: WeekdayHours): boolean {
  const a = weekSpanOf(one);
  const b = weekSpanOf(other);
  return [-WEEK_MINUTES, 0, WEEK_MINUTES].some((shift) => a.open < b.close + shift && b.open + shift < a.close);
}

/** As they are stored: 24:00 is the midnight after the day. */
export const storedHours = <H extends OpeningHours>({ day, open, close }: H): Pick<H, 'day' | 'open' | 'close'> => ({
  ...{ day, open },
  close: close === '24:00' ? '00:00' : close,
});

/** No time at all between opening and closing, unless both are midnight: around the clock. */
export const isEmptySpan = ({ open, close }: Pick<OpeningHours, 'open' | 'close'>): boolean =>
  open === close && open !== '00:00';

/** Sorted by weekday and time. */
export const sortedHours = <H extends WeekdayHours>(hours: readonly H[]): H[] =>
  [...hours].sort((a, b) => indexOfDay(a.day) - indexOfDay(b.day) || minuteOfDay(a.open) - minuteOfDay(b.open));

/** Consecutive days with the same text. */
interface DayGroup {
  from: Weekday;
  to: Weekday;
  text: string;
}

/** The week with equal consecutive days joined; a day whose text is null or empty is left out and separates groups. */
export function joinedDays(textOf: (day: Weekday) => string | null): DayGroup[] {
  const groups: DayGroup[] = [];
  for (const day of WEEKDAYS) {
    const text = textOf(day);
    if (text === null || text === '') continue;
    const last = groups.at(-1);
    if (last?.text === text && indexOfDay(last.to) === indexOfDay(day) - 1) last.to = day;
    else groups.push({ from: day, to: day, text });
  }
  return groups;
}
