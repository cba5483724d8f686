// The accounts' spending: minutes of outbound calls and of transferred legs by hour, kept as calls end, with those
// under way on top; and whether that leaves room for one more call. The limits are db/domain's.

import { type Dialect, dialectOf } from '../dialect.ts';
import { HOUR_MS, MINUTE_MS } from '../domain/hours/durations.ts';
import { RING_AT_ONCE_MAX } from '../domain/numbers/transfer-destinations.ts';
import {
  hourOf,
  NO_SPEND_LIMITS,
  RESERVED_SECONDS,
  SPEND_LEVELS,
  SPEND_WINDOWS,
  type SpendLevel,
  type SpendLimits,
  type SpendWindow,
  secondsByHour,
  spendLimitName,
  spendLimits,
  spendSpan,
} from '../domain/spend.ts';
import { addUses } from '../queries/costs/uses.ts';
import { readSetting } from '../queries/settings/settings.ts';
import type { AccountTable, TransferLegTable } from '../schema/accounts.ts';
import type { Db } from '../schema.ts';
import { compiledStatement, runText } from '../statements/compiled-statement.ts';
import type { Write } from '../statements/write-together.ts';
import { addUsage, PLAN_MINUTES } from './minutes.ts';

/** Stands for all accounts together in `account_hours`. */
const INSTALLATION = '';

/** A leg that was handed over by REFER is out of sight: counted as if it took so long. */
const REFERRED_MS = 10 * MINUTE_MS;

export const spendLimitsOf = (json: string | null | undefined): SpendLimits =>
  json == null ? NO_SPEND_LIMITS : { ...NO_SPEND_LIMITS, ...(JSON.parse(json) as Partial<SpendLimits>) };

const ADD_HOUR = `insert into account_hours (account_id, hour, outbound_seconds, calls) values (?, ?, ?, ?)
  on conflict (account_id, hour) do update set
    outbound_seconds = account_hours.outbound_seconds + excluded.outbound_seconds,
    calls = account_hours.calls + excluded.calls`;
/** All calls of an account end side by side: none waits for the row of the hour. */
const LOG_HOURS = `insert into hour_changes (account_id, hour, outbound_seconds, calls)
  select ?, hour, seconds, calls from unnest(?::bigint[], ?::bigint[], ?::bigint[]) as each (hour, seconds, calls)`;

interface Hour {
  hour: number;
  seconds: number;
  calls: number;
}

/** Adds to the account's hours, and their seconds to the installation's. */
function hourWrites({ foldsTotals }: Pick<Dialect, 'foldsTotals'>, accountId: string, hours: readonly Hour[]): Write[] {
  if (foldsTotals) {
    // The view of the hours sums the accounts' for the installation (db/postgres/migrations/0045-cheaper-totals.sql).
    const list = (numbers: readonly number[]): string => `{${numbers.join(',')}}`;
    const columns = [
      hours.map(({ hour }) => hour),
      hours.map(({ seconds }) => seconds),
      hours.map(({ calls }) => calls),
    ];
    const values = [accountId, ...columns.map(list)];
    return [{ name: 'spent', text: LOG_HOURS, values, isNeeded: hours.length > 0 }];
  }
  return hours.flatMap(({ hour, seconds, calls }, at) => [
    { name: `spent_${at}`, text: ADD_HOUR, values: [accountId, hour, seconds, calls] },
    { name: `spent_by_all_${at}`, text: ADD_HOUR, values: [INSTALLATION, hour, seconds, 0], isNeeded: seconds > 0 },
  ]);
}

async function addHours(db: Db, accountId: string, hours: readonly Hour[]): Promise<void> {
  for (const { text, values, isNeeded } of hourWrites(dialectOf(db), accountId, hours))
    if (isNeeded !== false) await runText(db, text, () => text, values);
}

/** A call of the account begins, of whatever direction. */
export async function countBeginning(db: Db, accountId: string, nowMs: number): Promise<void> {
  await addHours(db, accountId, [{ hour: hourOf(nowMs), seconds: 0, calls: 1 }]);
}

const upHours = (fromMs: number, toMs: number): Hour[] =>
  secondsByHour(fromMs, toMs).map((part) => ({ ...part, calls: 0 }));

/** An outbound leg was up from `fromMs` to `toMs`; null: it was not. */
export const outboundWrites = (dialect: Dialect, accountId: string, fromMs: number | null, toMs: number): Write[] =>
  hourWrites(dialect, accountId, fromMs === null ? [] : upHours(fromMs, toMs));

/** A call has several where several persons ring at once: `leg` counts them from 0. */
const legKey = (callId: string, leg: number): string => (leg === 0 ? callId : `${callId}:${leg}`);

/** Of all its legs that there may be. */
const transferLegKeys = (callId: string): string[] =>
  Array.from({ length: RING_AT_ONCE_MAX }, (_, leg) => legKey(callId, leg));

interface LegOfCall {
  callId: string;
  /** Absent: 0. */
  leg?: number;
}

/** `trunkId`, `number`: over which and whom it calls; absent: an earlier release wrote it. */
type NewLeg = LegOfCall & { accountId: string; trunkId?: string | null; number?: string };

/** The person's leg of a transfer is dialled over a trunk: it has no call of its own. */
export async function openTransferLeg(db: Db, { accountId, leg = 0, trunkId = null, number = '', ...of }: NewLeg) {
  const callId = legKey(of.callId, leg);
  await db
    .insertInto('transferLegs')
    .values({ callId, accountId, answeredAt: null, trunkId, number })
    .onConflict((conflict) => conflict.column('callId').doUpdateSet({ answeredAt: null, trunkId, number }))
    .execute();
}

export async function answerTransferLeg(db: Db, { callId, leg = 0, nowMs }: LegOfCall & { nowMs: number }) {
  const key = legKey(callId, leg);
  await db.updateTable('transferLegs').set({ answeredAt: nowMs }).where('callId', '=', key).execute();
}

const takeTransferLeg = compiledStatement((db, { callId }: { callId: string }) =>
  db.deleteFrom('transferLegs').where('callId', '=', callId).returningAll(),
);

/** The leg is over, or its call is, whichever is written first: its minutes are counted once, after a crash too. */
export async function closeTransferLeg(
  db: Db,
  { callId, leg = 0, endedAtMs }: LegOfCall & { endedAtMs: number },
): Promise<void> {
  const [taken] = await takeTransferLeg(db, { callId: legKey(callId, leg) });
  if (taken !== undefined) await countTransferLeg(db, taken, endedAtMs);
}

const CLOSE_ALL = `delete from transfer_legs where call_id in (${Array(RING_AT_ONCE_MAX).fill('?').join(', ')})
  returning call_id as "callId", account_id as "accountId", answered_at as "answeredAt", trunk_id as "trunkId", number`;

/** Deletes all of the call's; returns them, for `countTransferLeg`. */
export const transferLegsWrite = (callId: string): Write => ({
  name: 'legs',
  text: CLOSE_ALL,
  values: transferLegKeys(callId),
});

export type ClosedLeg = TransferLegTable;

/** All of the call's. */
export async function closeTransferLegs(db: Db, of: { callId: string; endedAtMs: number }): Promise<void> {
  const { text, values } = transferLegsWrite(of.callId);
  for (const leg of await runText<ClosedLeg>(db, text, () => text, values))
    await countTransferLeg(db, leg, of.endedAtMs);
}

/** Of a leg that is over, and whose row is gone. */
export async function countTransferLeg(db: Db, leg: ClosedLeg, endedAtMs: number): Promise<void> {
  if (leg.answeredAt === null || leg.answeredAt >= endedAtMs) return;
  const { accountId, answeredAt } = leg;
  await addUsage(db, accountId, endedAtMs, Math.ceil((endedAtMs - answeredAt) / 1_000));
  await addHours(db, accountId, upHours(answeredAt, endedAtMs));
  const [subjectId = ''] = leg.callId.split(':');
  const { trunkId, number } = leg;
  const use = { kind: 'trunk', purpose: 'transfer', direction: 'outbound', trunkId, number } as const;
  await addUses(db, { accountId, subjectId, uses: [{ ...use, ms: endedAtMs - answeredAt }], nowMs: endedAtMs });
}

/** The other side took over a transfer (REFER): how long it lasts is never known, so it counts as long ones last. */
export async function countReferral(db: Db, { accountId, nowMs }: { accountId: string; nowMs: number }): Promise<void> {
  await addUsage(db, accountId, nowMs, REFERRED_MS / 1_000);
  await addHours(db, accountId, [{ hour: hourOf(nowMs), seconds: REFERRED_MS / 1_000, calls: 0 }]);
}

/** Of texts, which have no minutes: they count as seconds (db/domain/texts/limits.ts), and not in the plan's. */
export async function countSeconds(db: Db, accountId: string, seconds: number, nowMs: number): Promise<void> {
  await addHours(db, accountId, [{ hour: hourOf(nowMs), seconds, calls: 0 }]);
}

interface Kept {
  hour: number | null;
  day: number | null;
}

/** Seconds of legs that have ended: one row for each hour of the day. */
async function keptSeconds(db: Db, accountId: string, nowMs: number): Promise<Record<SpendWindow, number>> {
  const [row] = await runText<Kept>(
    db,
    'spent-seconds',
    () =>
      `select sum(case when hour = ? then outbound_seconds else 0 end) as hour, sum(outbound_seconds) as day
       from account_hours_now where account_id = ? and hour >= ? and hour <= ?`,
    [hourOf(nowMs), accountId, hourOf(spendSpan('day', nowMs).startsAtMs), hourOf(nowMs)],
  );
  return { hour: Number(row?.hour ?? 0), day: Number(row?.day ?? 0) };
}

const UP_SINCE =
  'case when answered_at is null then 0 else ? - case when answered_at > ? then answered_at else ? end end';

/** Legs under way: how many, and for how many ms they have been up in either window. */
const underway = (condition: string): string =>
  `select count(*) as legs, sum(${UP_SINCE}) as hour, sum(${UP_SINCE}) as day from (
     select answered_at from calls where ended_at is null and direction = 'outbound'${condition}
     union all
     select answered_at from transfer_legs where 1 = 1${condition}
   ) as legs`;

async function underwaySeconds(
  db: Db,
  accountId: string,
  nowMs: number,
): Promise<Record<SpendWindow, number> & { legs: number }> {
  const times = (window: SpendWindow): number[] => {
    const { startsAtMs } = spendSpan(window, nowMs);
    return [nowMs, startsAtMs, startsAtMs];
  };
  const isAll = accountId === INSTALLATION;
  const [row] = await runText<Kept & { legs: number }>(
    db,
    isAll ? 'legs-of-all' : 'legs-of-account',
    () => underway(isAll ? '' : ' and account_id = ?'),
    [...times('hour'), ...times('day'), ...(isAll ? [] : [accountId, accountId])],
  );
  const seconds = (ms: number | null | undefined): number => Math.max(0, Number(ms ?? 0)) / 1_000;
  return { legs: Number(row?.legs ?? 0), hour: seconds(row?.hour), day: seconds(row?.day) };
}

/** Seconds spent by now; `accountId` null: by all accounts together. */
export async function spentSeconds(
  db: Db,
  accountId: string | null,
  nowMs: number,
): Promise<Record<SpendWindow, number> & { legs: number }> {
  const of = accountId ?? INSTALLATION;
  const kept = await keptSeconds(db, of, nowMs);
  const { legs, hour, day } = await underwaySeconds(db, of, nowMs);
  return { legs, hour: kept.hour + hour, day: kept.day + day };
}

/** Which limit forbids one more call. */
export interface SpendStop {
  by: 'installation' | 'account';
  window: SpendWindow;
  limitMinutes: number;
  /** When the window is over. */
  endsAtMs: number;
}

type Spender = Pick<AccountTable, 'id' | 'plan' | 'spendLimits'>;

const findSpender = compiledStatement((db, { id }: { id: string }) =>
  db.selectFrom('accounts').select(['id', 'plan', 'spendLimits']).where('id', '=', id),
);

/** Why no further outbound leg may begin; null where one may. @throws Error for a missing account */
export async function spendStop(db: Db, accountId: string, nowMs: number): Promise<SpendStop | null> {
  const [[account], ofAll] = await Promise.all([findSpender(db, { id: accountId }), installationStop(db, nowMs)]);
  if (account === undefined) throw new Error(`there is no account ${accountId}`);
  return ofAll ?? accountStop(db, account, nowMs);
}

export async function installationStop(db: Db, nowMs: number): Promise<SpendStop | null> {
  return stopOf(db, null, spendLimitsOf(await readSetting(db, 'spendLimits')), nowMs);
}

export async function accountStop(db: Db, { id, plan, spendLimits: json }: Spender, nowMs: number) {
  return stopOf(db, id, spendLimits(spendLimitsOf(json), PLAN_MINUTES[plan]), nowMs);
}

async function stopOf(db: Db, accountId: string | null, limits: SpendLimits, nowMs: number): Promise<SpendStop | null> {
  if (limits.stopMinutesPerHour === null && limits.stopMinutesPerDay === null) return null;
  const spent = await spentSeconds(db, accountId, nowMs);
  for (const window of ['day', 'hour'] as const) {
    const limitMinutes = limits[spendLimitName('stop', window)];
    if (limitMinutes === null || spent[window] + spent.legs * RESERVED_SECONDS < limitMinutes * 60) continue;
    const by = accountId === null ? 'installation' : 'account';
    return { by, window, limitMinutes, endsAtMs: spendSpan(window, nowMs).endsAtMs };
  }
  return null;
}

/** A limit that is reached in the window that runs. */
export interface ReachedLimit {
  /** Null: the installation's. */
  accountId: string | null;
  accountName: string | null;
  level: SpendLevel;
  window: SpendWindow;
  minutes: number;
  limitMinutes: number;
  startsAtMs: number;
  endsAtMs: number;
}

/** Every limit that is reached now: of the accounts that spent anything today, and of the installation. */
export async function reachedSpendLimits(db: Db, nowMs: number): Promise<ReachedLimit[]> {
  const accounts = await runText<Spender & { name: string }>(
    db,
    'spenders-of-the-day',
    () =>
      `select id, name, plan, spend_limits as "spendLimits" from accounts where id in (
         select account_id from account_hours_now where hour >= ? and outbound_seconds > 0
         union select account_id from calls where ended_at is null and direction = 'outbound'
         union select account_id from transfer_legs
       )`,
    [hourOf(spendSpan('day', nowMs).startsAtMs)],
  );
  const installation = spendLimitsOf(await readSetting(db, 'spendLimits'));
  const reached = await reachedOf(db, { id: null, name: null }, installation, nowMs);
  for (const account of accounts) {
    const limits = spendLimits(spendLimitsOf(account.spendLimits), PLAN_MINUTES[account.plan]);
    reached.push(...(await reachedOf(db, account, limits, nowMs)));
  }
  return reached;
}

async function reachedOf(
  db: Db,
  { id, name }: { id: string | null; name: string | null },
  limits: SpendLimits,
  nowMs: number,
): Promise<ReachedLimit[]> {
  if (Object.values(limits).every((limit) => limit === null)) return [];
  const spent = await spentSeconds(db, id, nowMs);
  const reached: ReachedLimit[] = [];
  for (const level of SPEND_LEVELS) {
    for (const window of SPEND_WINDOWS) {
      const limitMinutes = limits[spendLimitName(level, window)];
      // Reserved minutes refuse a call for the moment, but nobody is told of minutes that were not spent.
      if (limitMinutes === null || spent[window] < limitMinutes * 60) continue;
      const minutes = Math.floor(spent[window] / 60);
      const span = spendSpan(window, nowMs);
      reached.push({ accountId: id, accountName: name, level, window, minutes, limitMinutes, ...span });
    }
  }
  return reached;
}

/** Hours that no window reaches any more. */
export async function deleteOldHours(db: Db, beforeMs: number, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('accountHours')
    .select(['accountId', 'hour'])
    .where('hour', '<', Math.floor(beforeMs / HOUR_MS))
    .orderBy('hour')
    .limit(limit)
    .execute();
  for (const { accountId, hour } of rows)
    await db.deleteFrom('accountHours').where('accountId', '=', accountId).where('hour', '=', hour).execute();
  return rows.length;
}
