// Bounds on texts: how many an account may send in a day, and how often one person is answered.
import { DAY_MS, HOUR_MS } from '../hours/durations.ts';

/** Of an account, in 24 hours, by its plan; null: none. */
export const TEXTS_A_DAY = { STARTER: 250, PRO: 2_500, ENTERPRISE: null } as const;
export const TEXTS_WINDOW_MS = DAY_MS;

/** A text's part of the limits on spending, which are in minutes: there is no tariff. */
export const SEGMENT_SECONDS = 20;

/** Answers to one person in an hour: two machines that answer each other come to it within minutes. */
export const REPLIES_AN_HOUR = 20;
export const REPLIES_WINDOW_MS = HOUR_MS;

/**
 * Texts of the service itself to one person in 24 hours, of all numbers of an account. A family that books, moves and
 * is reminded gets fewer; a shown number may not be the caller's own.
 */
export const SERVICE_TEXTS_A_DAY = 12;
export const SERVICE_TEXTS_WINDOW_MS = DAY_MS;

/** Texts of one person, and to one number of ours, that are taken in an hour; the rest is dropped. */
export const RECEIVED_OF_PERSON_AN_HOUR = 60;
export const RECEIVED_BY_NUMBER_AN_HOUR = 1_000;

/** A person who writes in pieces gets one answer. */
export const JOINED_WITHIN_MS = 1_500;
