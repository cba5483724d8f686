// An account's days at a glance, from totals that triggers keep (call_days, call_gaps): it costs the same at a million
// calls. The totals are of UTC days; days of other zones are summed over the calls. docs/stats.md defines each figure.

import { sql } from 'kysely';
import { dialectOf } from '../../dialect.ts';
import { MINUTE_MS } from '../../domain/hours/durations.ts';
import type { CallDayTable, CallGapTable } from '../../schema/calls.ts';
import type { Db } from '../../schema.ts';
import { runText } from '../../statements/compiled-statement.ts';

export type CallDay = Omit<CallDayTable, 'accountId'>;
export type CallGap = Omit<CallGapTable, 'accountId'>;

/** `fromDay` as `YYYY-MM-DD`, in UTC. */
export function callDays(db: Db, accountId: string, fromDay: string): Promise<CallDay[]> {
  return runText<CallDay>(
    db,
    'call-days',
    () =>
      `select day, direction, status, reason, calls, ended, answered, answered_seconds as "answeredSeconds"
       from call_days_now where account_id = ? and day >= ? and calls > 0`,
    [accountId, fromDay],
  );
}

/** The number of calls by day and response gap, the shortest gap first within a day. */
export function callGaps(db: Db, accountId: string, fromDay: string): Promise<CallGap[]> {
  return runText<CallGap>(
    db,
    'call-gaps',
    () =>
      `select day, gap_ms as "gapMs", calls from call_gaps_now
       where account_id = ? and day >= ? and calls > 0 order by day, gap_ms`,
    [accountId, fromDay],
  );
}

/** Every zone's days begin at one of these. */
const QUARTER_MS = 15 * MINUTE_MS;

/** As of a day, by the quarter of an hour, ms, in which the calls began. */
type Quarter<T> = Omit<T, 'day'> & { atMs: number };

/** Reads the calls themselves: for accounts that do not have too many. */
export async function callQuarters(db: Db, accountId: string, fromMs: number): Promise<Array<Quarter<CallDay>>> {
  const isAnswered = sql`answered_at is not null and ended_at is not null`;
  const { rows } = await sql<Quarter<CallDay>>`
    select started_at - started_at % ${sql.lit(QUARTER_MS)} as "atMs", direction, status,
      case when status = 'FAILED' then coalesce(end_reason, '') else '' end as reason, count(*) as calls,
      sum(case when ended_at is not null then 1 else 0 end) as ended,
      sum(case when ${isAnswered} then 1 else 0 end) as answered,
      sum(case when ${isAnswered} then duration_seconds else 0 end) as "answeredSeconds"
    from calls where account_id = ${accountId} and started_at >= ${fromMs} group by 1, 2, 3, 4`.execute(db);
  return rows.map(({ atMs, calls, ended, answered, answeredSeconds, ...row }) => ({
    ...row,
    ...{ atMs: Number(atMs), calls: Number(calls), ended: Number(ended) },
    ...{ answered: Number(answered), answeredSeconds: Number(answeredSeconds) },
  }));
}

/** The shortest gap first within a quarter. */
export async function gapQuarters(db: Db, accountId: string, fromMs: number): Promise<Array<Quarter<CallGap>>> {
  const { numberIn } = dialectOf(db);
  const gap = sql.raw(`round(${numberIn('latency', 'p50Ms')} / 20.0) * 20`);
  const { rows } = await sql<Quarter<CallGap>>`
    select started_at - started_at % ${sql.lit(QUARTER_MS)} as "atMs", ${gap} as "gapMs", count(*) as calls
    from calls where account_id = ${accountId} and started_at >= ${fromMs}
      and ${sql.raw(numberIn('latency', 'turns'))} > 0
    group by 1, 2 order by 1, 2`.execute(db);
  return rows.map(({ atMs, gapMs, calls }) => ({ atMs: Number(atMs), gapMs: Number(gapMs), calls: Number(calls) }));
}

export async function countLiveCalls(db: Db, accountId: string): Promise<number> {
  const { total } = await db
    .selectFrom('calls')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('accountId', '=', accountId)
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(total);
}
