// Persons, chairs and rooms that appointments are made with, one at a time each; a business that names none has one of
// its own, without a name. A time is free where one of them is.
import type { WeekdayHours } from '../hours/opening-hours.ts';
import { type Interval, openIntervals } from '../hours/opening-times.ts';

/** As stored. */
export interface BookingResource {
  name: string;
  /** Other names that callers use. */
  aliases: string[];
  /** Within the business's hours; null: all of them. */
  hours: WeekdayHours[] | null;
}

export const RESOURCES_MAX = 30;
export const BUFFER_MINUTES_MAX = 240;

/** A time that is taken; `resource` null, or one that the business has no longer: it takes all of them. */
export interface Taken extends Interval {
  resource: string | null;
}

export const storedResources = (json: string): BookingResource[] =>
  json === '[]' ? [] : (JSON.parse(json) as BookingResource[]);

/** How a name is compared: people and models differ in case and blanks. */
export const resourceKey = (name: string): string => name.normalize('NFKC').trim().replace(/\s+/gu, ' ').toLowerCase();

/** The one that somebody names: exactly, by an alias, or by a word of its name that no other has. */
export function resourceNamed(resources: readonly BookingResource[], wanted: string): BookingResource | null {
  const key = resourceKey(wanted);
  const names = ({ name, aliases }: BookingResource) => [name, ...aliases].map(resourceKey);
  const exact = resources.find((each) => names(each).includes(key));
  if (exact !== undefined) return exact;
  const words = new Set(key.split(' '));
  const fitting = resources.filter((each) => names(each).some((name) => name.split(' ').some((w) => words.has(w))));
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

/** The times at which one of the business's may work. */
export function workingTimes(
  business: { hours: Parameters<typeof openIntervals>[0]; timezone: string },
  resource: Pick<BookingResource, 'hours'> | null,
  fromMs: number,
  toMs: number,
): Interval[] {
  const open = openIntervals(business.hours, business.timezone, fromMs, toMs);
  if (resource?.hours == null) return open;
  const own = openIntervals(resource.hours, business.timezone, fromMs, toMs);
  if (business.hours.length === 0) return own;
  return open.flatMap((one) =>
    own.flatMap((other) => {
      const startMs = Math.max(one.startMs, other.startMs);
      const endMs = Math.min(one.endMs, other.endMs);
      return startMs < endMs ? [{ startMs, endMs }] : [];
    }),
  );
}

/** The times at which `resource` is taken, each with the buffer before and after it. */
export function takenOf(
  taken: readonly Taken[],
  { resource, known, bufferMs }: { resource: string | null; known: readonly string[]; bufferMs: number },
): Interval[] {
  return taken
    .filter((each) => each.resource === null || each.resource === resource || !known.includes(each.resource))
    .map(({ startMs, endMs }) => ({ startMs: startMs - bufferMs, endMs: endMs + bufferMs }));
}

/** One that begins as the other ends does not meet it. */
export const overlaps = (one: Interval, other: Interval): boolean =>
  one.startMs < other.endMs && other.startMs < one.endMs;

/** The first of `candidates` that is free for the whole of that time; undefined: none is. */
export function firstFree(
  candidates: ReadonlyArray<string | null>,
  time: Interval,
  taken: readonly Taken[],
  { known, bufferMs }: { known: readonly string[]; bufferMs: number },
): string | null | undefined {
  return candidates.find((resource) =>
    takenOf(taken, { resource, known, bufferMs }).every((other) => !overlaps(other, time)),
  );
}
