// GET /account/overview: the last days of an account at a glance. docs/stats.md defines each figure.

import { DateTime } from 'luxon';
import { type Static, Type } from 'typebox';
import { DAY_MS } from '../../db/domain/hours/durations.ts';
import { utcDay } from '../../db/domain/hours/utc-days.ts';
import {
  type CallDay,
  type CallGap,
  callDays,
  callGaps,
  callQuarters,
  countLiveCalls,
  gapQuarters,
} from '../../db/queries/calls/overview.ts';
import { turnsOfHour } from '../../db/queries/calls/running/turn-minutes.ts';
import type { ApiContext } from '../context.ts';
import { nullable } from '../frame/envelope-schema.ts';
import { invalid } from '../frame/errors.ts';
import { isZone } from '../frame/zones.ts';
import { readEngines, roomOfAll } from '../peers/engines.ts';
import { LastHour, lastHourOf } from '../status/turns-schema.ts';

const Count = Type.Integer();
const figures = {
  inbound: Count,
  outbound: Count,
  running: Type.Integer({ description: 'Not ended yet' }),
  completed: Count,
  failed: Count,
  voicemails: Count,
  answered: Type.Integer({ description: 'Ended, and answered before: by a person or a machine' }),
  answerRate: nullable(Type.Number({ description: 'Answered of those that have ended, 0 to 1; null without any' })),
  minutes: Type.Number({ description: 'From answer to end; two decimals' }),
};
const responseGap = nullable(
  Type.Object(
    {
      calls: Type.Integer({ description: 'Calls with an answered turn' }),
      p50Ms: Count,
      p95Ms: Count,
      p99Ms: Count,
    },
    { description: 'Percentiles over calls of their median gap (latency.p50Ms), in steps of 20 ms; null without any' },
  ),
);

export const OverviewRecord = Type.Object(
  {
    live: Type.Integer({ description: 'Running calls, whenever they began' }),
    maxCalls: nullable(
      Type.Integer({ description: 'Calls at a time that the installation carries, of all accounts; null: it is down' }),
    ),
    calls: Type.Integer({ description: 'That began on these days' }),
    ...figures,
    responseGap,
    lastHour: LastHour,
    timezone: Type.String({ description: 'Whose days these are: as asked for, or UTC' }),
    failures: Type.Array(
      Type.Object({ reason: Type.String({ description: 'endReason of the calls' }), calls: Count }),
      {
        description: 'The most frequent first',
      },
    ),
    days: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date', description: 'In `timezone`' }),
        calls: Count,
        ...figures,
        responseGap,
      }),
      { description: 'One a day, the oldest first; today is the last' },
    ),
  },
  { title: 'Overview' },
);
export type OverviewRecord = Static<typeof OverviewRecord>;

export const OverviewQuery = Type.Object({
  days: Type.Integer({ minimum: 1, maximum: 90, default: 7, description: 'Days, today included' }),
  timezone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'Whose days these are, an IANA name. Default UTC; an account with more than 5,000 calls on them has UTC days',
    }),
  ),
});
type OverviewQuery = Static<typeof OverviewQuery>;

/** Of other zones than UTC the calls themselves are read. */
const CALLS_BY_ZONE_MAX = 5_000;

interface Days {
  timezone: string;
  names: string[];
  rows: CallDay[];
  gaps: CallGap[];
}

/** @throws {ApiError} 422 */
export async function readOverview(
  context: ApiContext,
  accountId: string,
  { days, timezone = 'UTC' }: OverviewQuery,
): Promise<OverviewRecord> {
  if (!isZone(timezone)) throw invalid([{ field: 'timezone', message: 'must be an IANA time zone' }]);
  const inZone = timezone === 'UTC' ? null : await daysOfZone(context, accountId, days, timezone);
  const { names, rows, gaps, ...of } = inZone ?? (await utcDays(context, accountId, days));
  const rowsOf = grouped(rows);
  const gapsOf = grouped(gaps);
  const { up } = await readEngines(context, context.read);
  return {
    live: await countLiveCalls(context.read, accountId),
    maxCalls: up.length === 0 ? null : roomOfAll(up).maxCalls,
    ...totalsOf(rows),
    responseGap: percentiles(summed(gaps)),
    ...of,
    lastHour: lastHourOf(await turnsOfHour(context.read, accountId, context.now())),
    failures: failuresOf(rows),
    days: names.map((day) => ({
      day,
      ...totalsOf(rowsOf.get(day) ?? []),
      responseGap: percentiles(gapsOf.get(day) ?? []),
    })),
  };
}

async function utcDays({ read, now }: ApiContext, accountId: string, days: number): Promise<Days> {
  const todayMs = Math.floor(now() / DAY_MS) * DAY_MS;
  const names = Array.from({ length: days }, (_, index) => utcDay(todayMs - (days - 1 - index) * DAY_MS));
  const first = names[0] ?? '';
  const rows = await callDays(read, accountId, first);
  return { timezone: 'UTC', names, rows, gaps: await callGaps(read, accountId, first) };
}

/** Null: there are too many calls to read. */
async function daysOfZone(
  { read, now }: ApiContext,
  accountId: string,
  days: number,
  timezone: string,
): Promise<Days | null> {
  const today = DateTime.fromMillis(now(), { zone: timezone }).startOf('day');
  const begins = Array.from({ length: days }, (_, index) => today.minus({ days: days - 1 - index }));
  const names = begins.map((day) => day.toISODate() ?? '');
  const starts = begins.map((day) => day.toMillis());
  const fromMs = starts[0] ?? now();
  const known = await callDays(read, accountId, utcDay(fromMs));
  if (known.reduce((sum, { calls }) => sum + calls, 0) > CALLS_BY_ZONE_MAX) return null;
  const dayAt = (atMs: number): string => names[starts.findLastIndex((startMs) => startMs <= atMs)] ?? '';
  const inDays = <T extends { atMs: number }>(quarters: readonly T[]) =>
    quarters.map(({ atMs, ...rest }) => ({ ...rest, day: dayAt(atMs) }));
  return {
    timezone,
    names,
    rows: inDays(await callQuarters(read, accountId, fromMs)),
    gaps: summedByDay(inDays(await gapQuarters(read, accountId, fromMs))),
  };
}

/** The quarters of a day together, the shortest gap first. */
function summedByDay(gaps: readonly CallGap[]): CallGap[] {
  return [...grouped(gaps)].flatMap(([day, ofDay]) => summed(ofDay).map((gap) => ({ ...gap, day })));
}

function grouped<T extends { day: string }>(rows: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(row.day);
    if (group === undefined) groups.set(row.day, [row]);
    else group.push(row);
  }
  return groups;
}

function totalsOf(rows: readonly CallDay[]): Omit<OverviewRecord['days'][number], 'day' | 'responseGap'> {
  const sum = (count: 'calls' | 'ended' | 'answered' | 'answeredSeconds', of = (_: CallDay) => true) =>
    rows.reduce((total, row) => total + (of(row) ? row[count] : 0), 0);
  const ended = sum('ended');
  const answered = sum('answered');
  const calls = sum('calls');
  return {
    calls,
    inbound: sum('calls', ({ direction }) => direction === 'inbound'),
    outbound: sum('calls', ({ direction }) => direction === 'outbound'),
    running: calls - ended,
    completed: sum('calls', ({ status }) => status === 'COMPLETED'),
    failed: sum('calls', ({ status }) => status === 'FAILED'),
    voicemails: sum('calls', ({ status }) => status === 'VOICEMAIL'),
    answered,
    answerRate: ended === 0 ? null : Math.round((answered / ended) * 10_000) / 10_000,
    minutes: Math.round((sum('answeredSeconds') / 60) * 100) / 100,
  };
}

function failuresOf(rows: readonly CallDay[]): OverviewRecord['failures'] {
  const reasons = new Map<string, number>();
  for (const { status, reason, calls } of rows) {
    if (status === 'FAILED') reasons.set(reason, (reasons.get(reason) ?? 0) + calls);
  }
  return [...reasons].map(([reason, calls]) => ({ reason, calls })).sort((a, b) => b.calls - a.calls);
}

/** All days together, the shortest gap first. */
function summed(gaps: readonly CallGap[]): Array<Omit<CallGap, 'day'>> {
  const totals = new Map<number, number>();
  for (const { gapMs, calls } of gaps) totals.set(gapMs, (totals.get(gapMs) ?? 0) + calls);
  return [...totals].map(([gapMs, calls]) => ({ gapMs, calls })).sort((a, b) => a.gapMs - b.gapMs);
}

/** By nearest rank. */
function percentiles(gaps: ReadonlyArray<Omit<CallGap, 'day'>>): OverviewRecord['responseGap'] {
  const calls = gaps.reduce((total, gap) => total + gap.calls, 0);
  if (calls === 0) return null;
  const at = (share: number): number => {
    let seen = 0;
    for (const gap of gaps) {
      seen += gap.calls;
      if (seen >= calls * share) return gap.gapMs;
    }
    return 0;
  };
  return { calls, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}
