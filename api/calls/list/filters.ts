// Turns a query string into a filter of calls, with `startDate` and `endDate` as times.

import { DAY_MS } from '../../../db/domain/hours/durations.ts';
import { utcDay, utcDayStart } from '../../../db/domain/hours/utc-days.ts';
import type { CallFilter } from '../../../db/queries/calls/list/counts.ts';
import { hasOutput, outputNames } from '../../../db/queries/calls/list/export.ts';
import type { Db } from '../../../db/schema.ts';
import { type FieldError, invalid } from '../../frame/errors.ts';
import { queriedNumber } from '../../frame/phone.ts';
import type { CallQuery } from './query-schema.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(:\d{2}(?:[.,]\d{1,9})?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/**
 * The first and last ms of an ISO-8601 text: a date without time is that whole day in UTC; null: not an ISO-8601 text.
 */
export function instantRange(text: string): { fromMs: number; toMs: number } | null {
  if (DATE.test(text)) {
    const fromMs = dateMs(text);
    return fromMs === null ? null : { fromMs, toMs: fromMs + DAY_MS - 1 };
  }
  // A `+` that was not percent-encoded arrives as a blank.
  const match = TIME.exec(text.replace(' ', '+'));
  if (match === null) return null;
  const [, date = '', minutes = '', seconds = ':00', zone = 'Z'] = match;
  if (dateMs(date) === null) return null;
  const offset = zone.length === 3 ? `${zone}:00` : zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone;
  const ms = Date.parse(`${date}T${minutes}${seconds.replace(',', '.')}${offset.toUpperCase()}`);
  return Number.isNaN(ms) ? null : { fromMs: ms, toMs: ms };
}

/** Midnight UTC of a calendar day; null if there is no such day (Date.parse would turn 02-30 into March). */
function dateMs(date: string): number | null {
  const ms = utcDayStart(date);
  return Number.isNaN(ms) || utcDay(ms) !== date ? null : ms;
}

type FilterQuery = Omit<CallQuery, 'page' | 'limit' | 'sort'>;

/** Values of outputs that are asked for together. */
const OUTPUTS_MAX = 5;

/**
 * With the values of outputs (`output.NAME`), which must be outputs of the account, or of one of its calls.
 * @throws {ApiError} 422 on the parameter
 */
export async function callFilterOf(db: Db, accountId: string, query: FilterQuery): Promise<CallFilter> {
  const filter = callFilter(query);
  const given = Object.entries(query as Record<string, unknown>).filter(([name]) => name.startsWith('output.'));
  if (given.length === 0) return filter;
  const faults: FieldError[] = [];
  if (given.length > OUTPUTS_MAX)
    faults.push({ field: given[OUTPUTS_MAX]?.[0] ?? '', message: `is one too many: at most ${OUTPUTS_MAX} outputs` });
  const known = new Set(await outputNames(db, accountId));
  for (const [parameter] of given.slice(0, OUTPUTS_MAX)) {
    const name = parameter.slice('output.'.length);
    if (known.has(name) || (await hasOutput(db, accountId, name))) continue;
    const names = known.size === 0 ? 'none has any' : `they have ${[...known].slice(0, 30).join(', ')}`;
    faults.push({
      field: parameter.slice(0, FIELD_CHARS_MAX),
      message: `is no output of your businesses or campaigns; ${names}`,
    });
  }
  if (faults.length > 0) throw invalid(faults);
  filter.outputs = Object.fromEntries(given.map(([name, value]) => [name.slice('output.'.length), String(value)]));
  return filter;
}

const FIELD_CHARS_MAX = 80;

function callFilter(query: FilterQuery): CallFilter {
  const { startDate, endDate, minScore, maxScore, disposition, forwardedFrom, number, problem, ...values } = query;
  const filter: CallFilter = {};
  if (minScore !== undefined) filter.minScore = minScore;
  if (maxScore !== undefined) filter.maxScore = maxScore;
  if (disposition !== undefined) filter.disposition = disposition;
  if (problem !== undefined) filter.problem = problem;
  if (forwardedFrom !== undefined) filter.forwardedFrom = queriedNumber(forwardedFrom);
  if (number !== undefined) filter.number = queriedNumber(number);
  for (const name of Object.keys(VALUES) as Array<keyof typeof VALUES>) {
    const value = values[name];
    if (value !== undefined) Object.assign(filter, { [name]: value });
  }
  const faults: FieldError[] = [];
  if (minScore !== undefined && maxScore !== undefined && maxScore < minScore)
    faults.push({ field: 'maxScore', message: 'must not be less than minScore' });
  return { ...filter, ...dateRange({ startDate, endDate }, faults) };
}

/** Bounds in ms of what is given. @throws {ApiError} 422 on `names`, with these faults before it */
export function dateRange(
  { startDate, endDate }: { startDate?: string | undefined; endDate?: string | undefined },
  before: readonly FieldError[] = [],
  names: readonly [from: string, to: string] = ['startDate', 'endDate'],
): Pick<CallFilter, 'fromMs' | 'toMs'> {
  const faults = [...before];
  const from = startDate === undefined ? undefined : instantRange(startDate);
  const to = endDate === undefined ? undefined : instantRange(endDate);
  if (from === null) faults.push({ field: names[0], message: 'must be an ISO-8601 date or time' });
  if (to === null) faults.push({ field: names[1], message: 'must be an ISO-8601 date or time' });
  if (from && to && to.toMs < from.fromMs) faults.push({ field: names[1], message: `must not be before ${names[0]}` });
  if (faults.length > 0) throw invalid(faults);
  return { ...(from && { fromMs: from.fromMs }), ...(to && { toMs: to.toMs }) };
}

const VALUES = {
  status: true,
  direction: true,
  outcome: true,
  sentiment: true,
  businessId: true,
  campaignId: true,
  agentId: true,
  phoneNumberId: true,
} as const;
