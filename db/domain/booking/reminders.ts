// When an appointment is reminded of by a call, and what may come of it.
import { DateTime } from 'luxon';
import { HOUR_MS } from '../hours/durations.ts';

/**
 * `calling`: it is being placed, or goes on; `unreached`: nobody answered, or a machine did; `undecided`: they said
 * neither yes nor no.
 */
export const REMINDER_STATES = ['calling', 'confirmed', 'moved', 'cancelled', 'undecided', 'unreached'] as const;
export type ReminderState = (typeof REMINDER_STATES)[number];

export const REMINDER_HOURS_MIN = 2;
export const REMINDER_HOURS_MAX = 72;

/** One of the two. */
interface ReminderTime {
  /** HH:MM of the day before, by the business's clock. */
  dayBeforeAt: string | null;
  hoursBefore: number | null;
}

/** Ms since the epoch. */
export function reminderDueAt({ dayBeforeAt, hoursBefore }: ReminderTime, startsAt: number, zone: string): number {
  if (dayBeforeAt === null) return startsAt - (hoursBefore ?? REMINDER_HOURS_MIN) * HOUR_MS;
  const [hour = 0, minute = 0] = dayBeforeAt.split(':').map(Number);
  const day = DateTime.fromMillis(startsAt, { zone }).minus({ days: 1 });
  return day.set({ hour, minute, second: 0, millisecond: 0 }).toMillis();
}
