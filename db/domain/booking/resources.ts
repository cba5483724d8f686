// Persons, chairs and rooms that appointments are made with, one at a time each; a business that names none has one of
// its own, without a name. A time is free where one of them is.
import type { WeekdayHours } from '../hours/opening-hours.ts';
import { type Interval, inBoth, openingsWithin } from '../hours/opening-times.ts';

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

/** Says of each of the business's resources when it may work in [fromMs, toMs); the business is opened once. */
export function workingTimes(
  business: { hours: Parameters<ReturnType<typeof openingsWithin>>[0]; timezone: string },
  fromMs: number,
  toMs: number,
): (resource: Pick<BookingResource, 'hours'> | null) => Interval[] {
  const openings = openingsWithin(business.timezone, fromMs, toMs);
  const open = openings(business.hours);
  return (resource) => {
    if (resource?.hours == null) return open;
    const own = openings(resource.hours);
    return business.hours.length === 0 ? own : inBoth(open, own);
  };
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
