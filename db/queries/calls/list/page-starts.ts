// Finds the start of a page of calls, so that no page costs much more than the first: an end of the list, or the edge
// of the page's day, found from the kept totals of the days (`counts.ts`).

import { DAY_MS } from '../../../domain/hours/durations.ts';
import { utcDay, utcDayStart } from '../../../domain/hours/utc-days.ts';
import type { Db } from '../../../schema.ts';
import { runText } from '../../../statements/compiled-statement.ts';
import { boundsOf, type CallFilter, keyOf, LAST_MS, partCount, valueFilters } from './counts.ts';

interface DayTotal {
  /** First ms of the UTC day. */
  dayMs: number;
  total: number;
}

export interface PageStart {
  order: Side;
  /** Narrowed bounds of startedAt. */
  fromMs: number | undefined;
  toMs: number | undefined;
  /** Rows to skip from the bound on; `asc` pages are read backwards and reversed. */
  offset: number;
  limit: number;
}

/** Below this, skipping rows costs less (0.03 ms per 1,000) than looking up days. */
export const SKIP_CHEAPLY = 1_000;

/** Offset, total and limit of the page. */
export interface PagePlace {
  total: number;
  offset: number;
  limit: number;
}

/** Reads the days of a list from one side on until they have `enough` calls. */
type ReadDays = (side: Side, enough: number) => Promise<DayTotals>;

/**
 * The start of a page: the newest end, the oldest end, or the page's day, from the side that skips fewer rows. Null:
 * past the end.
 */
export async function findPage(
  db: Db,
  accountId: string,
  filter: CallFilter,
  { total, offset, limit: wanted }: PagePlace,
  readDays: ReadDays = (side, enough) => dayTotals(db, accountId, filter, side, enough),
): Promise<PageStart | null> {
  if (offset >= total) return null;
  const limit = Math.min(wanted, total - offset);
  const { fromMs, toMs } = filter;
  if (offset <= SKIP_CHEAPLY) return { order: 'desc', fromMs, toMs, offset, limit: wanted };
  const rest = total - offset - limit;
  if (rest <= SKIP_CHEAPLY) return { order: 'asc', fromMs, toMs, offset: rest, limit };
  const [side, other]: [Side, Side] = offset <= rest ? ['desc', 'asc'] : ['asc', 'desc'];
  const skipped = Math.min(offset, rest);
  const { totals, days } = await readDays(side, skipped + limit);
  const nearest = nearestDay(totals, skipped, limit, skipped);
  const day = days[nearest?.index ?? -1];
  if (nearest === null || day === undefined) {
    return { order: side, fromMs, toMs, offset: skipped, limit: side === 'desc' ? wanted : limit };
  }
  const order = nearest.isNearEdge ? side : other;
  const dayMs = utcDayStart(day);
  if (order === 'asc') return { order, fromMs: Math.max(dayMs, fromMs ?? 0), toMs, offset: nearest.skip, limit };
  return { order, fromMs, toMs: Math.min(dayMs + DAY_MS - 1, toMs ?? LAST_MS), offset: nearest.skip, limit };
}

/**
 * The edge of a day from which a page is reached by skipping fewer than `skipMax` rows, and fewer than the day has. The
 * days are in the order of a side: the edge nearer to it is read away from it, the other edge towards it.
 */
export function nearestDay(totals: readonly number[], offset: number, limit: number, skipMax: number) {
  let best: { isNearEdge: boolean; index: number; skip: number } | null = null;
  let before = 0;
  for (const [index, total] of totals.entries()) {
    const skipNear = offset - before;
    if (skipNear >= 0 && skipNear < Math.min(total, best?.skip ?? skipMax)) {
      best = { isNearEdge: true, index, skip: skipNear };
    }
    before += total;
    const skipFar = before - offset - limit;
    if (skipFar >= 0 && skipFar < Math.min(total, best?.skip ?? skipMax)) {
      best = { isNearEdge: false, index, skip: skipFar };
    }
    if (before >= offset + limit) break;
  }
  return best;
}

/** Reads from the newest call on (`desc`) or from the oldest (`asc`). */
type Side = 'desc' | 'asc';

/** Totals of the days of a range that have calls, in the order of a side. */
interface DayTotals {
  totals: number[];
  days: string[];
}

/** Lists whose days are cached: about 15 KB each for a year. */
const LISTS_MAX = 64;

/**
 * Caches the days of recently read lists until a call of the filter's value changes: reading half a year of days takes
 * a third of the time of a page.
 */
export class KnownDays {
  /** The least recently used first. */
  readonly #lists = new Map<string, { changes: number; sum: number; found: DayTotals }>();

  /** `changes`: the counter of the filter's value, read before (`countKept`). */
  reader(db: Db, accountId: string, filter: CallFilter, changes: number): ReadDays {
    return async (side, enough) => {
      const { filter: name, value } = keyOf(filter);
      const key = JSON.stringify([accountId, name, value, filter.fromMs, filter.toMs, side]);
      const known = this.#lists.get(key);
      const isEnough = known !== undefined && known.changes === changes && known.sum >= enough;
      const found = isEnough ? known.found : await dayTotals(db, accountId, filter, side, enough);
      const sum = isEnough ? known.sum : found.totals.reduce((total, day) => total + day, 0);
      this.#lists.delete(key);
      this.#lists.set(key, { changes, sum, found });
      const oldest = this.#lists.keys().next().value;
      if (this.#lists.size > LISTS_MAX && oldest !== undefined) this.#lists.delete(oldest);
      return found;
    };
  }
}

/** Days are read in pieces of doubling length: most pages are near an end. */
const FIRST_DAYS = 32;

/**
 * The totals of the days in the filter's range, from one side on until they have `enough` calls. Partial days at the
 * ends are counted and may have no calls. The filter must be kept (`isKept`).
 */
async function dayTotals(
  db: Db,
  accountId: string,
  filter: CallFilter,
  side: Side,
  enough: number,
): Promise<DayTotals> {
  const { fromMs, toMs } = boundsOf(filter);
  const found: DayTotals = { totals: [], days: [] };
  let [fromDay, toDay] = [utcDay(fromMs), utcDay(toMs)];
  let sum = 0;
  for (let count = FIRST_DAYS; fromDay <= toDay && sum < enough; count *= 2) {
    const piece = await readPiece(db, accountId, filter, { side, fromDay, toDay, count });
    const last = piece.days.at(-1);
    if (last === undefined) break;
    for (const index of new Set([0, piece.days.length - 1])) {
      const day = { dayMs: utcDayStart(piece.days[index] ?? last), total: piece.totals[index] ?? 0 };
      piece.totals[index] = await countIn(db, accountId, filter, day);
    }
    found.totals.push(...piece.totals);
    found.days.push(...piece.days);
    if (piece.days.length < count) break;
    for (const total of piece.totals) sum += total;
    if (side === 'desc') toDay = utcDay(utcDayStart(last) - DAY_MS);
    else fromDay = utcDay(utcDayStart(last) + DAY_MS);
  }
  return found;
}

/** Reads whole days as one text: a year of rows would take three times as long. */
async function readPiece(
  db: Db,
  accountId: string,
  filter: CallFilter,
  piece: { side: Side; fromDay: string; toDay: string; count: number },
): Promise<DayTotals> {
  const key = keyOf(filter);
  const [row] = await runText<{ totals: string | null; days: string }>(
    db,
    `day-totals|${piece.side}`,
    ({ joined }) =>
      `select ${joined('total')} as totals, ${joined('day')} as days from (
         select day, total from call_counts_now
         where account_id = ? and filter = ? and value = ? and day >= ? and day <= ? and total > 0
         order by day ${piece.side} limit ?) as piece`,
    [accountId, key.filter, key.value, piece.fromDay, piece.toDay, piece.count],
  );
  if (row === undefined || row.totals === null) return { totals: [], days: [] };
  return { totals: row.totals.split(',').map(Number), days: row.days.split(',') };
}

/** The number of a day's calls in the filter's range. */
async function countIn(db: Db, accountId: string, filter: CallFilter, day: DayTotal): Promise<number> {
  const { fromMs, toMs } = boundsOf(filter);
  const start = Math.max(day.dayMs, fromMs);
  const end = Math.min(day.dayMs + DAY_MS - 1, toMs);
  if (start === day.dayMs && end === day.dayMs + DAY_MS - 1) return day.total;
  return countCut(db, accountId, filter, day, start, end);
}

/** A partial day, counted on the shorter side of the cut. */
async function countCut(db: Db, accountId: string, filter: CallFilter, day: DayTotal, start: number, end: number) {
  if (end - start < DAY_MS / 2) return countWithinDay(db, accountId, filter, start, end);
  const dayEnd = day.dayMs + DAY_MS - 1;
  const before = start > day.dayMs ? await countWithinDay(db, accountId, filter, day.dayMs, start - 1) : 0;
  const after = end < dayEnd ? await countWithinDay(db, accountId, filter, end + 1, dayEnd) : 0;
  return day.total - before - after;
}

/** Counts the calls in [fromMs, toMs] of one day by the filter's index; reads at most a day's rows. */
async function countWithinDay(db: Db, accountId: string, filter: CallFilter, fromMs: number, toMs: number) {
  const [name] = valueFilters(filter);
  const [row] = await runText<{ total: number }>(
    db,
    `within-day|${name ?? ''}`,
    () => `select (${partCount(name)}) as total`,
    name === undefined ? [accountId, fromMs, toMs] : [accountId, fromMs, toMs, filter[name]],
  );
  return row?.total ?? 0;
}
