// Days of UTC by their dates, 2026-11-30, as sums and counts are kept by. Days of a zone are the calendar's.

export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** NaN where the text is no date. */
export const utcDayStart = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);
