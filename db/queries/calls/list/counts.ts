// Totals of call lists from the kept counts (call_counts, one row per filter value and UTC day). Exact for at most one
// value filter with any range of dates: whole days from the rows, the partial days at both ends counted by index.

import type { CallProblem } from '../../../domain/calls/problems.ts';
import { DAY_MS } from '../../../domain/hours/durations.ts';
import { utcDay } from '../../../domain/hours/utc-days.ts';
import type { CallStatus } from '../../../schema/call-columns.ts';
import type { Db } from '../../../schema.ts';
import { runText } from '../../../statements/compiled-statement.ts';

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
  /** Bounds of the score, inclusive. */
  minScore?: number;
  maxScore?: number;
  disposition?: string;
  /** The number that the caller dialled first. */
  forwardedFrom?: string;
  /** That of the other side: of the caller, or of the person called. */
  number?: string;
  /** Found wrong in it by a person; `any`: whatever it is. */
  problem?: CallProblem | 'any';
  /** Values of outputs, by name: all of them must be the call's. */
  outputs?: Record<string, string>;
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

/** The number of the other side, as the index `calls_party` has it. */
export const OTHER_SIDE = "(case direction when 'inbound' then from_number else to_number end)";

/** The day '' of call_counts: the total over all days. */
const ALL_DAYS = '';
/** 9999-12-31T23:59:59.999Z: days sort as text up to this one. */
export const LAST_MS = 253_402_300_799_999;

/** The value filters that are set, in a fixed order. */
export function valueFilters(filter: CallFilter): ValueFilter[] {
  return VALUE_FILTERS.filter((name) => filter[name] !== undefined);
}

/** Whether it asks for what no total is kept of (db/queries/calls/list/judged-pages.ts). */
export const asksForResults = (filter: CallFilter): boolean => {
  const { minScore, maxScore, disposition, outputs, forwardedFrom, number, problem } = filter;
  return [minScore, maxScore, disposition, outputs, forwardedFrom, number, problem].some(
    (value) => value !== undefined,
  );
};

/** Whether the kept counts can answer: at most one value filter. */
export function isKept(filter: CallFilter): boolean {
  return valueFilters(filter).length <= 1 && !asksForResults(filter);
}

/** The key of the rows of call_counts that answer a kept filter. */
export function keyOf(filter: CallFilter): { filter: string; value: string } {
  const [name] = valueFilters(filter);
  if (name === undefined) return { filter: 'all', value: '' };
  return { filter: name, value: filter[name] ?? '' };
}

/** The kept total of one value over all days; 0 if there is none. */
export async function keptTotal(db: Db, accountId: string, filter: CallFilter): Promise<number> {
  return (await keptOverall(db, accountId, filter)).total;
}

async function keptOverall(db: Db, accountId: string, filter: CallFilter): Promise<KeptCount> {
  const key = keyOf(filter);
  const [row] = await runText<KeptCount>(
    db,
    'kept-total',
    () => 'select total, changes from call_counts_now where account_id = ? and filter = ? and value = ? and day = ?',
    [accountId, key.filter, key.value, ALL_DAYS],
  );
  return row ?? NONE;
}

const NONE: KeptCount = { total: 0, changes: 0 };

/** Calls of each of several values, e.g. of agents, over all days. */
export async function keptTotals(
  db: Db,
  accountId: string,
  filter: ValueFilter,
  values: readonly string[],
): Promise<Map<string, number>> {
  if (values.length === 0) return new Map();
  const rows = await db
    .selectFrom('callCountsNow')
    .select(['value', 'total'])
    .where('accountId', '=', accountId)
    .where('filter', '=', filter)
    .where('value', 'in', values)
    .where('day', '=', ALL_DAYS)
    .execute();
  return new Map(rows.map((row) => [row.value, row.total]));
}

/** The filter's bounds, limited to the days that can be kept. */
export function boundsOf({ fromMs = 0, toMs = LAST_MS }: CallFilter): { fromMs: number; toMs: number } {
  return { fromMs: Math.max(0, fromMs), toMs: Math.min(LAST_MS, toMs) };
}

interface KeptCount {
  total: number;
  /** Grows when a call of any date gets the filter's value, loses it, or moves within it. */
  changes: number;
}

/**
 * The exact total of a kept filter: whole days from the kept totals, cut ones counted on the shorter side of the cut.
 */
export async function countKept(db: Db, accountId: string, filter: CallFilter): Promise<KeptCount> {
  if (filter.fromMs === undefined && filter.toMs === undefined) return keptOverall(db, accountId, filter);
  const bounds = boundsOf(filter);
  if (bounds.toMs < bounds.fromMs) return NONE;
  const { fromDay, toDay, parts } = wholeDays(bounds);
  const [name] = valueFilters(filter);
  const key = keyOf(filter);
  const [row] = await runText<KeptCount>(
    db,
    `days-and-parts|${name ?? ''}|${parts.length}`,
    () =>
      `select ${[DAYS_SUM, ...parts.map(() => `? * (${partCount(name)})`)].join(' + ')} as total, ${CHANGES} as changes`,
    [
      ...[accountId, key.filter, key.value, ...(fromDay > toDay ? NO_DAYS : [utcDay(fromDay), utcDay(toDay)])],
      ...parts.flatMap(({ sign, fromMs, toMs }) => [
        sign,
        ...[accountId, fromMs, toMs],
        ...(name === undefined ? [] : [filter[name]]),
      ]),
      ...[accountId, key.filter, key.value, ALL_DAYS],
    ],
  );
  return row ?? NONE;
}

const DAYS_SUM = `(select coalesce(sum(total), 0) from call_counts_now
  where account_id = ? and filter = ? and value = ? and day >= ? and day <= ?)`;
const CHANGES =
  'coalesce((select changes from call_counts_now where account_id = ? and filter = ? and value = ? and day = ?), 0)';
const NO_DAYS = ['1', ''];

export const partCount = (name: ValueFilter | undefined): string =>
  `select count(*) from calls where account_id = ? and started_at >= ? and started_at <= ?${
    name === undefined ? '' : ` and ${FILTER_COLUMNS[name]} = ?`
  }`;

interface Part {
  /** Added to the whole days, or taken from them. */
  sign: 1 | -1;
  fromMs: number;
  toMs: number;
}

/** The range as the days from `fromDay` to `toDay` (first ms of each; none if they cross) and the partial days. */
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
