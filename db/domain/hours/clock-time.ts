// Times of day: written HH:MM, counted as minutes since midnight.

export const DAY_MINUTES = 1_440;

/** Of a valid time. */
export const minuteOfDay = (clock: string): number => {
  const colon = clock.indexOf(':');
  return Number(clock.slice(0, colon)) * 60 + Number(clock.slice(colon + 1));
};

/** Minutes of a written time, 24:00 included; null if the text is not a time. */
export function readClock(text: string): number | null {
  const clock = /^\d{1,2}:\d{2}$/.exec(text.trim());
  if (clock === null) return null;
  const minute = minuteOfDay(clock[0]);
  return minute <= DAY_MINUTES ? minute : null;
}

/** "09:05". */
export const clockOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
