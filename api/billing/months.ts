// Calendar months, `YYYY-MM`, in an account's time zone.
import { DateTime } from 'luxon';

export const monthOf = (ms: number, timezone: string): string => zoned(ms, timezone).toFormat('yyyy-MM');

/** The months after `fromMs`'s up to and including `untilMs`'s, oldest first; only the last `max` of them. */
export function monthsAfter(fromMs: number, untilMs: number, timezone: string, max: number): string[] {
  const first = zoned(fromMs, timezone).startOf('month').plus({ months: 1 });
  const last = zoned(untilMs, timezone).startOf('month');
  const months: string[] = [];
  for (let month = last; month >= first && months.length < max; month = month.minus({ months: 1 })) {
    months.push(month.toFormat('yyyy-MM'));
  }
  return months.reverse();
}

/** The month and those before it, in UTC: an account's current month is among them or one later. */
export function recentMonths(ms: number, count: number): string[] {
  const month = zoned(ms, 'UTC').startOf('month');
  return Array.from({ length: count }, (_, index) => month.minus({ months: index }).toFormat('yyyy-MM'));
}

/** Whether the month is over at `ms`. */
export const isMonthOver = (month: string, ms: number, timezone: string): boolean => monthOf(ms, timezone) > month;

function zoned(ms: number, timezone: string): DateTime {
  const time = DateTime.fromMillis(ms, { zone: timezone });
  return time.isValid ? time : DateTime.fromMillis(ms, { zone: 'UTC' });
}
