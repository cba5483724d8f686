// Texts about an appointment to the person who has it: which a business wants, and when each may arrive.
import type { CallingWindow } from '../campaign-defaults.ts';
import { HOUR_MS } from '../hours/durations.ts';
import { WEEKDAYS } from '../hours/weekdays.ts';
import { nextCallableAt } from '../hours/window-of-contact.ts';
import { asE164 } from '../numbers/phone.ts';

export interface AppointmentTexts {
  /** After it was booked on a call. */
  confirm: boolean;
  /** After it was moved or cancelled, by whomever. */
  changes: boolean;
  /** Hours before it; null: none. */
  remindHoursBefore: number | null;
}

export const REMIND_HOURS_MAX = 168;

export const appointmentTextsOf = (column: string | null): AppointmentTexts | null =>
  column === null ? null : (JSON.parse(column) as AppointmentTexts);

/**
 * The number to which texts and calls about an appointment may go; null: there is none, or a caller named it who
 * neither called nor wrote from it. The business would else write to anybody whom a stranger names.
 */
export const reachedAt = ({ phone, phoneProved }: { phone: string | null; phoneProved: 0 | 1 }): string | null =>
  phone === null || phoneProved === 0 ? null : asE164(phone);

/** Hours of the day, where the number is, in which a text that nobody waits for may arrive. */
const UNASKED: CallingWindow = { days: [...WEEKDAYS], start: '08:00', end: '21:00' };

/** `fromMs` itself within these hours; else the next of them. */
export const unaskedTextAt = (phoneNumber: string, fallbackZone: string, fromMs: number): number =>
  nextCallableAt(UNASKED, phoneNumber, fallbackZone, fromMs) ?? fromMs;

/** A reminder right after the booking, or after it is over, reminds of nothing. */
const LEAST_AHEAD_MS = HOUR_MS;

/** Null: there is no time left for it. */
export function reminderAt(
  { startsAt, phone }: { startsAt: number; phone: string },
  { remindHoursBefore }: AppointmentTexts,
  zone: string,
  nowMs: number,
): number | null {
  if (remindHoursBefore === null) return null;
  const at = unaskedTextAt(phone, zone, startsAt - remindHoursBefore * HOUR_MS);
  return at > nowMs + LEAST_AHEAD_MS && at < startsAt ? at : null;
}
