// The account's answered minutes this month, by its own calendar: asked by the API before a call and by the dialler.
import { DateTime } from 'luxon';
import type { AccountTable } from '../schema/accounts.ts';
import type { Db } from '../sqlite.ts';

/** Answered minutes of a month that a plan includes; null: all of them. */
export const PLAN_MINUTES = {
  STARTER: 500,
  PRO: 5_000,
  ENTERPRISE: null,
} as const satisfies Record<AccountTable['plan'], number | null>;

export interface Minutes {
  usedSeconds: number;
  /** Null: without limit. */
  limitSeconds: number | null;
  overageEnabled: boolean;
  /** 00:00 of the first of next month in the account's zone, ms. */
  resetsAtMs: number;
}

/** @throws Error for an account that is not there */
export async function monthlyMinutes(db: Db, accountId: string, nowMs: number): Promise<Minutes> {
  const account = await db
    .selectFrom('accounts')
    .select(['plan', 'timezone', 'overageEnabled'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const now = DateTime.fromMillis(nowMs, { zone: account.timezone });
  const usage = await db
    .selectFrom('accountUsage')
    .select('seconds')
    .where('accountId', '=', accountId)
    .where('month', '=', now.toFormat('yyyy-MM'))
    .executeTakeFirst();
  const limit = PLAN_MINUTES[account.plan];
  return {
    usedSeconds: usage?.seconds ?? 0,
    limitSeconds: limit === null ? null : limit * 60,
    overageEnabled: account.overageEnabled === 1,
    resetsAtMs: now.startOf('month').plus({ months: 1 }).toMillis(),
  };
}

/** Whether no further call may be placed this month. */
export async function minutesAreUsedUp(db: Db, accountId: string, nowMs: number): Promise<boolean> {
  const { usedSeconds, limitSeconds, overageEnabled } = await monthlyMinutes(db, accountId, nowMs);
  return limitSeconds !== null && usedSeconds >= limitSeconds && !overageEnabled;
}
