// An account's days at a glance, from totals that triggers keep (call_days, call_gaps): it costs the same at a million
// calls. docs/stats.md defines each figure.

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

export async function countLiveCalls(db: Db, accountId: string): Promise<number> {
  const { total } = await db
    .selectFrom('calls')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('accountId', '=', accountId)
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(total);
}
