// Minutes, hours and days in milliseconds. A day is one of UTC: days of a zone, of 23 to 25 hours, are the calendar's.
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
