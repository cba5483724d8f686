// Totals of call lists from the kept counts (call_counts, one row per filter value and UTC day). Exact for at most one
// value filter with any range of dates: whole days from the rows, the partial days at both ends counted by index. Also
// finds where a deep page begins, so that no page costs much more than the first.
import { runText } from '../compiled-statement.ts';
import type { CallStatus } from '../schema/calls.ts';
import type { Db } from '../sqlite.ts';
import { joinedText } from '../sqlite-json.ts';

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

export const FILTER_COLUMNS: Record<ValueFilter, string> = {
  status: 'status',
  direction: 'direction',
  outcome: 'outcome',
  sentiment: 'sentiment',
  businessId: 'business_id',
  campaignId: 'campaign_id',
  agentId: 'agent_id',
  phoneNumberId: 'phone_number_id',
};

export const DAY_MS = 86_400_000;
/** The day '' of call_counts: the total over all days. */
const ALL_DAYS = '';
/** 9999-12-31T23:59:59.999Z: days sort as text up to here. */
const LAST_MS = 253_402_300_799_999;

interface DayTotal {
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
const msOf = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);

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
  const [row] = await runText<{ total: number }>(
    db,
    `within-day|${name ?? ''}`,
    () => `select (${partCount(name)}) as total`,
    name === undefined ? [accountId, fromMs, toMs] : [accountId, fromMs, toMs, filter[name]],
  );
  return row?.total ?? 0;
}

/** From the newest call on, or from the oldest. */
type Side = 'desc' | 'asc';

/** Totals of the days of a range that have calls, in the order of a side. */
interface DayTotals {
  totals: number[];
  days: string[];
}

/** Days are read in pieces, each twice as long as the one before: most pages are near an end. */
const FIRST_DAYS = 32;

/**
 * Of the days that the filter's range covers, from one side on until they hold `enough` calls; partial days at the ends are
 * counted, and may have none left. The filter must be kept (`isKept`).
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
  let [fromDay, toDay] = [dayOf(fromMs), dayOf(toMs)];
  let sum = 0;
  for (let count = FIRST_DAYS; fromDay <= toDay && sum < enough; count *= 2) {
    const piece = await readDays(db, accountId, filter, { side, fromDay, toDay, count });
    const last = piece.days.at(-1);
    if (last === undefined) break;
    for (const index of new Set([0, piece.days.length - 1])) {
      const day = { dayMs: msOf(piece.days[index] ?? last), total: piece.totals[index] ?? 0 };
      piece.totals[index] = await countIn(db, accountId, filter, day);
    }
    found.totals.push(...piece.totals);
    found.days.push(...piece.days);
    if (piece.days.length < count) break;
    for (const total of piece.totals) sum += total;
    if (side === 'desc') toDay = dayOf(msOf(last) - DAY_MS);
    else fromDay = dayOf(msOf(last) + DAY_MS);
  }
  return found;
}

/** Whole days. They come as one text: a year of rows would take three times as long. */
async function readDays(
  db: Db,
  accountId: string,
  filter: CallFilter,
  piece: { side: Side; fromDay: string; toDay: string; count: number },
): Promise<DayTotals> {
  const key = keyOf(filter);
  const [row] = await runText<{ totals: string | null; days: string }>(
    db,
    `day-totals|${piece.side}`,
    () =>
      `select ${joinedText('total')} as totals, ${joinedText('day')} as days from (
         select day, total from call_counts
         where account_id = ? and filter = ? and value = ? and day >= ? and day <= ? and total > 0
         order by day ${piece.side} limit ?)`,
    [accountId, key.filter, key.value, piece.fromDay, piece.toDay, piece.count],
  );
  if (row === undefined || row.totals === null) return { totals: [], days: [] };
  return { totals: row.totals.split(',').map(Number), days: row.days.split(',') };
}

function boundsOf({ fromMs = 0, toMs = LAST_MS }: CallFilter): { fromMs: number; toMs: number } {
  return { fromMs: Math.max(0, fromMs), toMs: Math.min(LAST_MS, toMs) };
}

/** The calls of a day that lie in the filter's range. */
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

/** The exact total of a kept filter: whole days from the kept totals, cut ones counted on the shorter side of the cut. */
export async function countKept(db: Db, accountId: string, filter: CallFilter): Promise<number> {
  if (filter.fromMs === undefined && filter.toMs === undefined) return keptTotal(db, accountId, filter);
  const bounds = boundsOf(filter);
  if (bounds.toMs < bounds.fromMs) return 0;
  const { fromDay, toDay, parts } = wholeDays(bounds);
  const [name] = valueFilters(filter);
  const key = keyOf(filter);
  const [row] = await runText<{ total: number }>(
    db,
    `days-and-parts|${name ?? ''}|${parts.length}`,
    () => `select ${[DAYS_SUM, ...parts.map(() => `? * (${partCount(name)})`)].join(' + ')} as total`,
    [
      ...[accountId, key.filter, key.value, ...(fromDay > toDay ? NO_DAYS : [dayOf(fromDay), dayOf(toDay)])],
      ...parts.flatMap(({ sign, fromMs, toMs }) => [
        sign,
        ...[accountId, fromMs, toMs],
        ...(name === undefined ? [] : [filter[name]]),
      ]),
    ],
  );
  return row?.total ?? 0;
}

const DAYS_SUM = `(select coalesce(sum(total), 0) from call_counts
  where account_id = ? and filter = ? and value = ? and day >= ? and day <= ?)`;
const NO_DAYS = ['1', ''];

const partCount = (name: ValueFilter | undefined): string =>
  `select count(*) from calls where account_id = ? and started_at >= ? and started_at <= ?${
    name === undefined ? '' : ` and ${FILTER_COLUMNS[name]} = ?`
  }`;

interface Part {
  /** Added to the whole days, or taken from them. */
  sign: 1 | -1;
  fromMs: number;
  toMs: number;
}

/** The days from `fromDay` to `toDay` (first ms of each; none where they cross) and the parts make up the range. */
function wholeDays({ fromMs, toMs }: { fromMs: number; toMs: number }): {
  fromDay: number;
  toDay: number;
  parts: Part[];
} {
  let fromDay = fromMs - (fromMs % DAY_MS);
  let toDay = toMs - (toMs % DAY_MS);
  if (fromDay === toDay && toMs - fromMs < DAY_MS / 2) {
    return { fromDay: fromDay + DAY_MS, toDay, parts: [{ sign: 1, fromMs, toMs }] };
  }
  const isOneDay = fromDay === toDay;
  const parts: Part[] = [];
  if (fromMs > fromDay) {
    if (isOneDay || fromMs - fromDay < DAY_MS / 2) parts.push({ sign: -1, fromMs: fromDay, toMs: fromMs - 1 });
    else {
      parts.push({ sign: 1, fromMs, toMs: fromDay + DAY_MS - 1 });
      fromDay += DAY_MS;
    }
  }
  const dayEnd = toDay + DAY_MS - 1;
  if (toMs < dayEnd) {
    if (isOneDay || dayEnd - toMs < DAY_MS / 2) parts.push({ sign: -1, fromMs: toMs + 1, toMs: dayEnd });
    else {
      parts.push({ sign: 1, fromMs: toDay, toMs });
      toDay -= DAY_MS;
    }
  }
  return { fromDay, toDay, parts };
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

/** Below this, skipping rows costs less (0.02 ms per 1,000) than looking up days. */
export const SKIP_CHEAPLY = 2_000;

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
  const [side, other]: [Side, Side] = offset <= rest ? ['desc', 'asc'] : ['asc', 'desc'];
  const skipped = Math.min(offset, rest);
  const { totals, days } = await dayTotals(db, accountId, filter, side, skipped + limit);
  const nearest = nearestDay(totals, skipped, limit, skipped);
  const day = days[nearest?.index ?? -1];
  if (nearest === null || day === undefined) {
    return { order: side, fromMs, toMs, offset: skipped, limit: side === 'desc' ? wanted : limit };
  }
  const order = nearest.isNearEdge ? side : other;
  const dayMs = msOf(day);
  if (order === 'asc') return { order, fromMs: Math.max(dayMs, fromMs ?? 0), toMs, offset: nearest.skip, limit };
  return { order, fromMs, toMs: Math.min(dayMs + DAY_MS - 1, toMs ?? LAST_MS), offset: nearest.skip, limit };
}

/**
 * The edge of a day, of days in the order of a side, from which a page is reached by skipping fewer than `skipMax` rows, and
 * than the day has: the edge nearer to that side, read away from it, or the other, read towards it.
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
