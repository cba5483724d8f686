// Start and end of days in the reader's time zone.

/** `YYYY-MM-DD` in the reader's zone: its first moment, or its last. Undefined for anything else. */
export function startOfDay(day: string | null): string | undefined {
  return momentOf(day, 'T00:00:00.000');
}

export function endOfDay(day: string | null): string | undefined {
  return momentOf(day, 'T23:59:59.999');
}

function momentOf(day: string | null, time: string): string | undefined {
  if (day === null || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  const ms = Date.parse(`${day}${time}`);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
