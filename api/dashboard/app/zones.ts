// Time zones by name, the current time in each, and wall clocks of one.
import { DAY_MS } from '../../../db/domain/hours/durations.ts';
import { pageLocale } from './words/words.ts';

export const ZONES: ReadonlyArray<{ value: string }> = Intl.supportedValuesOf('timeZone').map((value) => ({ value }));

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** By the region of the browser's language; null for a language alone. */
export const ownCountry = (): string | null => new Intl.Locale(navigator.language).region ?? null;

/** A language alone makes one likely: German is of Germany. */
export const likelyCountry = (): string => new Intl.Locale(navigator.language).maximize().region ?? 'US';

/** "Tuesday, 14:05"; null for an unknown zone. */
export function clockIn(zone: string, nowMs = Date.now()): string | null {
  try {
    return new Intl.DateTimeFormat(pageLocale(), {
      timeZone: zone,
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
    }).format(nowMs);
  } catch {
    return null;
  }
}

/** "Tue, 3 May 2031, 14:00–14:45" by the clocks of a zone. */
export function rangeIn(startsAt: string, endsAt: string, zone: string): string {
  return new Intl.DateTimeFormat(pageLocale(), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
  }).formatRange(Date.parse(startsAt), Date.parse(endsAt));
}

const clockFormat = (zone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(pageLocale(), { hour: '2-digit', minute: '2-digit', timeZone: zone });

/** "14:00", by the clocks of a zone, in the reader's way. */
export const clockOf = (iso: string, zone: string): string => clockFormat(zone).format(Date.parse(iso));

/** "14:00–14:45" by the clocks of a zone. */
export const clockRangeIn = (startsAt: string, endsAt: string, zone: string): string =>
  clockFormat(zone).formatRange(Date.parse(startsAt), Date.parse(endsAt));

/** "14:00", of an hour of any day. */
export const hourName = (hour: number): string => clockFormat('UTC').format(Date.UTC(2026, 0, 1, hour));

/** "Tue, 1 Dec", of `2026-12-01`. */
export const weekdayName = (day: string): string =>
  new Intl.DateTimeFormat(pageLocale(), { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    Date.parse(day),
  );

/** "1–7 December 2026", of days with both their ends. */
export const dayRange = (first: string, last: string): string =>
  new Intl.DateTimeFormat(pageLocale(), {
    ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
    ...(first === last ? { weekday: 'long' } : {}),
  }).formatRange(Date.parse(first), Date.parse(last));

/** The time of a zone's clocks in the format of `<input type="datetime-local">`. */
export function wallTime(iso: string, zone: string): string {
  const atMs = Date.parse(iso);
  return new Date(atMs + offsetMs(atMs, zone)).toISOString().slice(0, 16);
}

/** The first instant at which the clocks of a zone show `wall`; of a time that they skip, as if they did not. */
export function instantOf(wall: string, zone: string): string {
  const asUtcMs = Date.parse(`${wall}Z`);
  // By the clocks of the day before and the day after: they change at most once in between.
  const [before, after] = [-DAY_MS, DAY_MS].map((awayMs) => asUtcMs - offsetMs(asUtcMs + awayMs, zone));
  const found = [before, after].find((ms) => ms !== undefined && ms + offsetMs(ms, zone) === asUtcMs);
  return new Date(found ?? before ?? asUtcMs).toISOString();
}

/** How far a zone's clocks are ahead of UTC, at a whole minute. */
function offsetMs(atMs: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(atMs);
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((each) => each.type === type)?.value);
  const shownMs = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  return shownMs - Math.floor(atMs / 60_000) * 60_000;
}
