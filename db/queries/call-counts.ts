// Totals of call lists from the kept counts (call_counts, one row per filter value and UTC day). Exact for at most one
// value filter with any range of dates: whole days from the rows, the partial days at both ends counted by index. Also
// finds where a deep page begins, so that no page costs much more than the first.
import { runText } from '../compiled-statement.ts';
import type { CallStatus } from '../schema/calls.ts';
import type { Db } from '../sqlite.ts';

export interface CallFilter {
  status?: CallStatus;
  direction?: 'inbound' | 'outbound';
  outcome?: string;
  sentiment?: 'positive' | 'neutral' | 'negative';
  businessId?: string;
  campaignId?: string;
  agentId?: string;
  phoneNumberId?: string;
  /** Inclusive bounds of startedAt, ms since the epoch. */
  fromMs?: number;
  toMs?: number;
}

const VALUE_FILTERS = [
  'status',
  'direction',
  'outcome',
  'sentiment',
  'businessId',
  'campaignId',
  'agentId',
  'phoneNumberId',
] as const;
export type ValueFilter = (typeof VALUE_FILTERS)[number];

export const DAY_MS = 86_400_000;
/** The day '' of call_counts: the total over all days. */
const ALL_DAYS = '';
/** 9999-12-31T23:59:59.999Z: days sort as text up to here. */
const LAST_MS = 253_402_300_799_999;

export interface DayTotal {
  /** First ms of the UTC day. */
  dayMs: number;
  total: number;
}

/** The value filters that are set, in a fixed order. */
export function valueFilters(filter: CallFilter): ValueFilter[] {
  return VALUE_FILTERS.filter((name) => filter[name] !== undefined);
}

/** Whether the kept counts can answer: at most one value filter. */
export function isKept(filter: CallFilter): boolean {
  return valueFilters(filter).length <= 1;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const startOfDay = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;

function keyOf(filter: CallFilter): { filter: string; value: string } {
  const [name] = valueFilters(filter);
  if (name === undefined) return { filter: 'all', value: '' };
  return { filter: name, value: filter[name] ?? '' };
}

/** The kept total of one value over all days; 0 where there is none. */
export async function keptTotal(db: Db, accountId: string, filter: CallFilter): Promise<number> {
  const key = keyOf(filter);
  const [row] = await runText<{ total: number }>(
    db,
    'kept-total',
    () => 'select total from call_counts where account_id = ? and filter = ? and value = ? and day = ?',
    [accountId, key.filter, key.value, ALL_DAYS],
  );
  return row?.total ?? 0;
}

/** Calls of each of several values, e.g. of agents, over all days. */
export async function keptTotals(
  db: Db,
  accountId: string,
  filter: ValueFilter,
  values: readonly string[],
): Promise<Map<string, number>> {
  if (values.length === 0) return new Map();
  const rows = await db
    .selectFrom('callCounts')
    .select(['value', 'total'])
    .where('accountId', '=', accountId)
    .where('filter', '=', filter)
    .where('value', 'in', values)
    .where('day', '=', ALL_DAYS)
    .execute();
  return new Map(rows.map((row) => [row.value, row.total]));
}

/** Counts [fromMs, toMs] of one day by the index of the filter; never more than a day's rows. */
async function countWithinDay(db: Db, accountId: string, filter: CallFilter, fromMs: number, toMs: number) {
  const [name] = valueFilters(filter);
  let query = db
    .selectFrom('calls')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('accountId', '=', accountId)
    .where('startedAt', '>=', fromMs)
    .where('startedAt', '<=', toMs);
  if (name !== undefined) query = query.where(name, '=', filter[name] ?? '');
  return Number((await query.executeTakeFirstOrThrow()).total);
}

/**
 * Totals of the days that the filter's range covers, newest first, days without calls left out; partial days at the
 * ends are counted. The filter must be kept (`isKept`).
 */
async function dayTotals(db: Db, accountId: string, filter: CallFilter): Promise<DayTotal[]> {
  const fromMs = Math.max(0, filter.fromMs ?? 0);
  const toMs = Math.min(LAST_MS, filter.toMs ?? LAST_MS);
  if (toMs < fromMs) return [];
  const key = keyOf(filter);
  const rows = await runText<{ day: string; total: number }>(
    db,
    'day-totals',
    () =>
      `select day, total from call_counts
       where account_id = ? and filter = ? and value = ? and day >= ? and day <= ? and total > 0 order by day desc`,
    [accountId, key.filter, key.value, dayOf(fromMs), dayOf(toMs)],
  );
  const days = rows.map(({ day, total }) => ({ dayMs: Date.parse(`${day}T00:00:00.000Z`), total }));
  const last = days[0];
  const first = days.at(-1);
  for (const day of new Set([last, first])) {
    if (day === undefined) continue;
    const start = Math.max(day.dayMs, fromMs);
    const end = Math.min(day.dayMs + DAY_MS - 1, toMs);
    if (start > day.dayMs || end < day.dayMs + DAY_MS - 1) {
      day.total = await countCut(db, accountId, filter, day, start, end);
    }
  }
  return days.filter((day) => day.total > 0);
}

/** A partial day, counted on the shorter side of the cut. */
async function countCut(db: Db, accountId: string, filter: CallFilter, day: DayTotal, start: number, end: number) {
  if (end - start < DAY_MS / 2) return countWithinDay(db, accountId, filter, start, end);
  const dayEnd = day.dayMs + DAY_MS - 1;
  const before = start > day.dayMs ? await countWithinDay(db, accountId, filter, day.dayMs, start - 1) : 0;
  const after = end < dayEnd ? await countWithinDay(db, accountId, filter, end + 1, dayEnd) : 0;
  return day.total - before - after;
}

/** The exact total of a kept filter. */
export async function countKept(db: Db, accountId: string, filter: CallFilter): Promise<number> {
  if (filter.fromMs === undefined && filter.toMs === undefined) return keptTotal(db, accountId, filter);
  return (await dayTotals(db, accountId, filter)).reduce((sum, day) => sum + day.total, 0);
}

export interface PageStart {
  order: 'desc' | 'asc';
  /** Narrowed bounds of startedAt. */
  fromMs: number | undefined;
  toMs: number | undefined;
  /** Rows to skip from the bound on; `asc` pages are read backwards and reversed. */
  offset: number;
  limit: number;
}

/** Below this, skipping rows costs less (0.02 ms per 1,000) than looking up days. */
const SKIP_CHEAPLY = 500;

/**
 * Where to begin reading a page: at the newest end, at the oldest, or at its day, from the side that skips fewer rows.
 * Null: past the end.
 */
export async function findPage(
  db: Db,
  accountId: string,
  filter: CallFilter,
  total: number,
  offset: number,
  wanted: number,
): Promise<PageStart | null> {
  if (offset >= total) return null;
  const limit = Math.min(wanted, total - offset);
  const { fromMs, toMs } = filter;
  if (offset <= SKIP_CHEAPLY) return { order: 'desc', fromMs, toMs, offset, limit: wanted };
  const rest = total - offset - limit;
  if (rest <= SKIP_CHEAPLY) return { order: 'asc', fromMs, toMs, offset: rest, limit };
  let best: PageStart =
    offset <= rest
      ? { order: 'desc', fromMs, toMs, offset, limit: wanted }
      : { order: 'asc', fromMs, toMs, offset: rest, limit };
  let before = 0;
  for (const day of await dayTotals(db, accountId, filter)) {
    const skipNewer = offset - before;
    if (skipNewer >= 0 && skipNewer < Math.min(day.total, best.offset)) {
      const end = Math.min(day.dayMs + DAY_MS - 1, toMs ?? LAST_MS);
      best = { order: 'desc', fromMs, toMs: end, offset: skipNewer, limit };
    }
    before += day.total;
    const skipOlder = before - offset - limit;
    if (skipOlder >= 0 && skipOlder < Math.min(day.total, best.offset)) {
      const start = Math.max(startOfDay(day.dayMs), fromMs ?? 0);
      best = { order: 'asc', fromMs: start, toMs, offset: skipOlder, limit };
    }
    if (before >= offset + limit) break;
  }
  return best;
}
