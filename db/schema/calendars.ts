// Calendars outside of the service: the feed that they may read, those that are read here, and what was written there.
import type { Flag } from './columns.ts';

export interface CalendarFeedTable {
  businessId: string;
  accountId: string;
  /** SHA-256 of the secret in its address. */
  tokenHash: string;
  /** 1: names, numbers and notes are in it; 0: that a time is booked, and with whom of the staff. */
  names: Flag;
  createdAt: number;
}

/** In an account that somebody signs in to. */
export const CALENDAR_ACCOUNT_KINDS = ['google', 'microsoft'] as const;
export type CalendarAccountKind = (typeof CALENDAR_ACCOUNT_KINDS)[number];
export const CALENDAR_KINDS = ['ics', 'caldav', ...CALENDAR_ACCOUNT_KINDS] as const;
export const CALENDAR_STATES = ['ok', 'failing', 'refused'] as const;

export interface CalendarTable {
  id: string;
  accountId: string;
  businessId: string;
  kind: (typeof CALENDAR_KINDS)[number];
  name: string;
  /** Whose it is; null: the whole business's. */
  resource: string | null;
  /** Where it is, as people may see it. */
  address: string;
  /** Its address and what opens it as JSON, sealed for its id. */
  sealed: string;
  /** 1: appointments are written there. */
  writes: Flag;
  /** 1: with names, numbers and notes. */
  names: Flag;
  /** `refused`: only a person can mend it. */
  state: (typeof CALENDAR_STATES)[number];
  error: string | null;
  /** When its server last told what stands in it. */
  readAt: number | null;
  /** When its busy times were last counted. */
  parsedAt: number | null;
  /** Of its state, as its server calls that. */
  tag: string | null;
  busyTimes: number;
  dueAt: number;
  createdAt: number;
  /** A process renews its access until then. */
  renewingUntil: number;
}

export interface CalendarSpanTable {
  calendarId: string;
  startsAt: number;
  endsAt: number;
}

export interface CalendarEntryTable {
  calendarId: string;
  appointmentId: string;
  accountId: string;
  /** The appointment's when it was written; -1: it never was. */
  sequence: number;
  startsAt: number;
  endsAt: number;
  isThere: Flag;
  etag: string | null;
  /** Failed ones since the last that worked. */
  attempts: number;
  nextAttemptAt: number;
  error: string | null;
}

export const SIGN_IN_STATES = ['waiting', 'done', 'failed'] as const;

/** Somebody signs in to Google or Microsoft. */
export interface CalendarSignInTable {
  id: string;
  accountId: string;
  kind: CalendarAccountKind;
  state: (typeof SIGN_IN_STATES)[number];
  error: string | null;
  /** As JSON, sealed for its id: its codes while it waits, then the tokens and the calendars there. */
  sealed: string;
  /** When the other side may be asked next whether it is done. */
  askAt: number;
  askEveryMs: number;
  expiresAt: number;
  createdAt: number;
}

/** One of `dayBeforeAt` and `hoursBefore`. */
export interface AppointmentReminderTable {
  businessId: string;
  accountId: string;
  /** Its agent, number and calling window are the reminders'. */
  campaignId: string;
  /** HH:MM. */
  dayBeforeAt: string | null;
  hoursBefore: number | null;
  createdAt: number;
}
