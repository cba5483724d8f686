// The account's answered minutes by its own calendar: counted at the end of a call, read by the API and the dialler
// before a call.
import { DateTime } from 'luxon';
import { type Dialect, dialectOf } from '../dialect.ts';
import { RESERVED_SECONDS } from '../domain/spend.ts';
import type { AccountTable } from '../schema/accounts.ts';
import type { Db } from '../schema.ts';
import { compiledStatement, runText } from '../statements/compiled-statement.ts';
import type { Write } from '../statements/write-together.ts';

/** Answered minutes of a month that a plan includes; null: all of them. */
export const PLAN_MINUTES = {
  STARTER: 500,
  PRO: 5_000,
  ENTERPRISE: null,
} as const satisfies Record<AccountTable['plan'], number | null>;

interface Minutes {
  usedSeconds: number;
  /** Null: without limit. */
  limitSeconds: number | null;
  overageEnabled: boolean;
  /** 00:00 of the first of next month in the account's zone, ms. */
  resetsAtMs: number;
}

/** @throws Error for a missing account */
export async function monthlyMinutes(db: Db, accountId: string, nowMs: number): Promise<Minutes> {
  const account = await db
    .selectFrom('accounts')
    .select(['plan', 'timezone', 'overageEnabled'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const now = DateTime.fromMillis(nowMs, { zone: account.timezone });
  const usage = await db
    .selectFrom('accountUsageNow')
    .select('seconds')
    .where('accountId', '=', accountId)
    .where('month', '=', monthOf(nowMs, account.timezone))
    .executeTakeFirst();
  const limit = PLAN_MINUTES[account.plan];
  return {
    usedSeconds: usage?.seconds ?? 0,
    limitSeconds: limit === null ? null : limit * 60,
    overageEnabled: account.overageEnabled === 1,
    resetsAtMs: now.startOf('month').plus({ months: 1 }).toMillis(),
  };
}

type Allowance = Pick<AccountTable, 'plan' | 'timezone' | 'overageEnabled'>;

const findAllowance = compiledStatement((db, { accountId }: { accountId: string }) =>
  db.selectFrom('accounts').select(['plan', 'timezone', 'overageEnabled']).where('id', '=', accountId),
);
const findUsage = compiledStatement((db, { accountId, month }: { accountId: string; month: string }) =>
  db.selectFrom('accountUsageNow').select('seconds').where('accountId', '=', accountId).where('month', '=', month),
);

const findRunning = compiledStatement((db, { accountId }: { accountId: string }) =>
  db.selectFrom('calls').select('answeredAt').where('accountId', '=', accountId).where('endedAt', 'is', null),
);

/** Seconds used by the running calls so far, plus a minute for each. */
async function reservedSeconds(db: Db, accountId: string, nowMs: number): Promise<number> {
  const running = await findRunning(db, { accountId });
  return running.reduce(
    (sum, { answeredAt }) =>
      sum + RESERVED_SECONDS + (answeredAt === null ? 0 : Math.max(0, nowMs - answeredAt) / 1_000),
    0,
  );
}

/** Whether no further call may be placed this month, counting running calls. @throws Error for a missing account */
export async function minutesAreUsedUp(db: Db, accountId: string, nowMs: number): Promise<boolean> {
  const [account] = await findAllowance(db, { accountId });
  if (account === undefined) throw new Error(`there is no account ${accountId}`);
  return allowanceIsUsedUp(db, accountId, account, nowMs);
}

/** The same for a known account. */
export async function allowanceIsUsedUp(
  db: Db,
  accountId: string,
  { plan, timezone, overageEnabled }: Allowance,
  nowMs: number,
): Promise<boolean> {
  const limit = PLAN_MINUTES[plan];
  if (limit === null || overageEnabled === 1) return false;
  const [usage] = await findUsage(db, { accountId, month: monthOf(nowMs, timezone) });
  const used = usage?.seconds ?? 0;
  if (used >= limit * 60) return true;
  return used + (await reservedSeconds(db, accountId, nowMs)) >= limit * 60;
}

/** Counts answered seconds to the month of `atMs`. */
export async function addUsage(db: Db, accountId: string, atMs: number, seconds: number): Promise<void> {
  const month = await monthOfAccount(db, accountId, atMs);
  const { text, values } = usageWrite(dialectOf(db), accountId, month, seconds);
  await runText(db, 'add-usage', () => text, values);
}

/** Counts answered seconds to a month of the account. */
export const usageWrite = (
  { foldsTotals }: Pick<Dialect, 'foldsTotals'>,
  accountId: string,
  month: string,
  seconds: number,
): Write => ({
  name: 'used',
  text: foldsTotals ? LOG_SECONDS : ADD_SECONDS,
  values: [accountId, month, seconds, seconds],
  isNeeded: seconds > 0,
});

/** The month of `atMs` by the account's calendar. */
export async function monthOfAccount(db: Db, accountId: string, atMs: number): Promise<string> {
  const [account] = await findAllowance(db, { accountId });
  return monthOf(atMs, account?.timezone ?? 'UTC');
}

const ADD_SECONDS = `insert into account_usage (account_id, month, seconds) select ?, ?, ? where ? > 0
  on conflict (account_id, month) do update set seconds = account_usage.seconds + excluded.seconds`;
/** Calls of one account end side by side: none waits for the row of the month. */
const LOG_SECONDS = 'insert into usage_changes (account_id, month, seconds) select ?, ?, ? where ? > 0';

/** Creating a formatter takes 0.1 ms or more, using a cached one 2 µs; there are some 400 zones. */
const monthFormats = new Map<string, Intl.DateTimeFormat>();

/** `YYYY-MM` of a moment in an IANA zone. */
function monthOf(atMs: number, timezone: string): string {
  let format = monthFormats.get(timezone);
  if (format === undefined) {
    // en-CA writes dates as YYYY-MM-DD.
    const date = { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    format = new Intl.DateTimeFormat('en-CA', date);
    monthFormats.set(timezone, format);
  }
  return format.format(atMs).slice(0, 7);
}
