// Times at which appointments can be had: the hours of the business and of its staff, minus what is taken. The agent
// offers them to a caller, and the diary to the people of the business.
import { DAY_MS, MINUTE_MS } from '../hours/durations.ts';
import type { OpeningHours } from '../hours/opening-hours.ts';
import { DAYS_MAX } from '../hours/opening-times.ts';
import { freeSlots } from './free-slots.ts';
import { type BookingResource, type Taken, takenOf, workingTimes } from './resources.ts';

export const DEFAULT_DURATION_MIN = 30;
const STEP_MS = 15 * MINUTE_MS;
/** The search holds up all calls for as long as this takes; mostly the first week has enough. */
const SEARCHED_AT_ONCE_MS = 7 * DAY_MS;
/** Nobody books further ahead; this rejects a misheard year. */
export const BOOK_AHEAD_DAYS = 366;

/** The part of a business that decides when it can be booked. */
interface Bookable {
  hours: readonly OpeningHours[];
  timezone: string;
  /** Absent: there is one of them, without a name. */
  resources?: readonly BookingResource[];
  bufferMinutes?: number;
}

/** Resources that somebody may have: the one of their wish, or all; [null]: the business names none. */
export type Wanted = ReadonlyArray<BookingResource | null>;

export const staffOf = ({ resources }: Pick<Bookable, 'resources'>): readonly BookingResource[] => resources ?? [];

/** Null: it is neither over nor a misheard year. */
export function timeFaultOf(startsAtMs: number, nowMs: number): 'in_the_past' | 'too_far_ahead' | null {
  if (startsAtMs <= nowMs) return 'in_the_past';
  return startsAtMs > nowMs + BOOK_AHEAD_DAYS * DAY_MS ? 'too_far_ahead' : null;
}

/** The wanted ones who work for the whole of that time; a business without any hours is always open. */
export function workingAt(business: Bookable, wanted: Wanted, startMs: number, endMs: number): Wanted {
  const workingTimesOf = workingTimes(business, startMs, endMs);
  return wanted.filter((resource) => {
    if (business.hours.length === 0 && resource?.hours == null) return true;
    return workingTimesOf(resource).some((each) => each.startMs <= startMs && each.endMs >= endMs);
  });
}

interface Search {
  fromMs: number;
  toMs: number;
  limit: number;
}

interface Wish {
  durationMs: number;
  wanted: Wanted;
  /** Of the business, as `Taken` says; between two times. */
  listTaken(fromMs: number, toMs: number): Promise<Taken[]>;
}

/** Times at which one of the wanted is free, in order: week by week until there are enough. */
export async function freeTimes(business: Bookable, wish: Wish, search: Search): Promise<number[]> {
  const found: number[] = [];
  const lastMs = Math.min(search.toMs, search.fromMs + DAYS_MAX * DAY_MS);
  for (let fromMs = search.fromMs; fromMs < lastMs && found.length < search.limit; fromMs += SEARCHED_AT_ONCE_MS) {
    const toMs = Math.min(fromMs + SEARCHED_AT_ONCE_MS, lastMs);
    found.push(...(await freeWithin(business, wish, { fromMs, toMs, limit: search.limit - found.length })));
  }
  return found;
}

async function freeWithin(business: Bookable, wish: Wish, { fromMs, toMs, limit }: Search): Promise<number[]> {
  const { durationMs, wanted, listTaken } = wish;
  const bufferMs = (business.bufferMinutes ?? 0) * MINUTE_MS;
  const known = staffOf(business).map(({ name }) => name);
  const endMs = toMs + durationMs;
  // In order, as each resource's search wants it.
  const taken = (await listTaken(fromMs - bufferMs, endMs + bufferMs)).toSorted((a, b) => a.startMs - b.startMs);
  const workingTimesOf = workingTimes(business, fromMs, endMs);
  const found = wanted.flatMap((resource) =>
    freeSlots(workingTimesOf(resource), takenOf(taken, { resource: resource?.name ?? null, known, bufferMs }), {
      fromMs,
      toMs,
      durationMs,
      stepMs: STEP_MS,
      limit,
    }),
  );
  return [...new Set(found)].sort((a, b) => a - b).slice(0, limit);
}
