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

export const CALENDAR_KINDS = ['ics', 'caldav'] as const;
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
