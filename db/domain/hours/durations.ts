// Hours and days in milliseconds. A day is one of UTC: days of a zone, of 23 to 25 hours, are the calendar's (luxon).
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
