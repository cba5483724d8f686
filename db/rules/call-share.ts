// The share of the engine's places and of a trunk's pace that one account's outbound and browser calls may take, so
// that no tenant takes everything from the others. The installation's own account (that of an ADMIN), and one beside
// which nobody else calls, share with nobody.

import { dialectOf } from '../dialect.ts';
import { DEFAULT_CALL_SHARE, FEW_PLACES, inboundReserve, sharedPlaces } from '../domain/places.ts';
import { hourOf } from '../domain/spend.ts';
import { readSetting } from '../queries/settings/settings.ts';
import type { CallTable } from '../schema/call-columns.ts';
import type { Db } from '../schema.ts';
import { compiledStatement, runText } from '../statements/compiled-statement.ts';

/** An account that called within a week is one to share with. */
const LATELY_HOURS = 7 * 24;

export interface CallShare {
  /** Of places and of a trunk's pace. */
  percent: number;
  /** Outbound and browser calls that the account may have under way. */
  places: number;
  /** Places that such calls leave to callers who call in. */
  reserve: number;
}

export const callShareOf = (json: string | null): number | null =>
  json === null ? null : (JSON.parse(json) as number);

const findOwn = compiledStatement((db, { accountId }: { accountId: string }) =>
  db.selectFrom('users').select('id').where('accountId', '=', accountId).where('role', '=', 'ADMIN').limit(1),
);
const BUSY_NEIGHBOUR = `select hour from account_hours
  where hour > ? and account_id <> ? and account_id <> '' order by hour desc limit 1`;
/** With what is not folded yet: it is all of the last moment. */
const BUSY_NEIGHBOUR_NOW = `(${BUSY_NEIGHBOUR}) union all (select hour from hour_changes where hour > ? and account_id <> ? limit 1)`;

const BUSY_ACCOUNTS = `select distinct account_id as "accountId" from account_hours where hour > ? and account_id <> ''`;

/** Whether another account called lately. Its hours are few, and found by the newest first. */
async function hasBusyNeighbour(db: Db, accountId: string, nowMs: number): Promise<boolean> {
  const since = [hourOf(nowMs) - LATELY_HOURS, accountId];
  const rows = await runText<{ hour: number }>(
    db,
    'busy-neighbour',
    ({ foldsTotals }) => (foldsTotals ? BUSY_NEIGHBOUR_NOW : BUSY_NEIGHBOUR),
    dialectOf(db).foldsTotals ? [...since, ...since] : since,
  );
  return rows.length > 0;
}

/** Null: the account shares with nobody. */
export async function callShare(db: Db, accountId: string, maxCalls: number, nowMs: number): Promise<CallShare | null> {
  if (maxCalls <= FEW_PLACES) return null;
  const [isBeside, own, share] = await Promise.all([
    hasBusyNeighbour(db, accountId, nowMs),
    findOwn(db, { accountId }),
    shareOf(db, maxCalls),
  ]);
  return isBeside && own.length === 0 ? share : null;
}

/** The shares of those accounts that share: a few statements, however many accounts. */
export async function callShares(
  db: Db,
  accountIds: readonly string[],
  maxCalls: number,
  nowMs: number,
): Promise<{ share: CallShare; accountIds: string[] } | null> {
  if (maxCalls <= FEW_PLACES || accountIds.length === 0) return null;
  const since = hourOf(nowMs) - LATELY_HOURS;
  const busy = await runText<{ accountId: string }>(
    db,
    'busy-accounts',
    ({ foldsTotals }) =>
      `${BUSY_ACCOUNTS}${foldsTotals ? ' union select account_id from hour_changes where hour > ?' : ''} limit 2`,
    dialectOf(db).foldsTotals ? [since, since] : [since],
  );
  const neighbours = accountIds.filter((id) => busy.some(({ accountId }) => accountId !== id));
  if (neighbours.length === 0) return null;
  const own = await db
    .selectFrom('users')
    .select('accountId')
    .distinct()
    .where('accountId', 'in', neighbours)
    .where('role', '=', 'ADMIN')
    .execute();
  const owners = new Set(own.map(({ accountId }) => accountId));
  return { share: await shareOf(db, maxCalls), accountIds: neighbours.filter((id) => !owners.has(id)) };
}

async function shareOf(db: Db, maxCalls: number): Promise<CallShare> {
  const reserve = inboundReserve(maxCalls);
  const percent = callShareOf(await readSetting(db, 'callShare')) ?? DEFAULT_CALL_SHARE;
  return { percent, places: Math.min(sharedPlaces(maxCalls, percent), maxCalls - reserve), reserve };
}

const findOpen = compiledStatement((db, { accountId }: { accountId: string }) =>
  db
    .selectFrom('calls')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('accountId', '=', accountId)
    .where('endedAt', 'is', null)
    .where((eb) => eb.or([eb('direction', '=', 'outbound'), eb('medium', '=', 'web')])),
);

/** Whether the account itself began the call, as against a caller who calls in. */
export const isOwnCall = ({ direction, medium }: Pick<CallTable, 'direction' | 'medium'>): boolean =>
  direction === 'outbound' || medium === 'web';

/** The account's outbound and browser calls under way. */
export async function ownCalls(db: Db, accountId: string): Promise<number> {
  const [row] = (await findOpen(db, { accountId })) as CountRow[];
  return Number(row?.total ?? 0);
}

/** A trunk's pace is shared by what an account began on it in so long. */
export const PACE_SPAN_MS = 2_000;

const findRecent = compiledStatement((db, call: { accountId: string; trunkId: string; sinceMs: number }) =>
  db
    .selectFrom('calls')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('accountId', '=', call.accountId)
    .where('startedAt', '>', call.sinceMs)
    .where('trunkId', '=', call.trunkId)
    .where('direction', '=', 'outbound'),
);

/** Outbound calls that the account began on the trunk within `PACE_SPAN_MS`. */
export async function recentCalls(db: Db, accountId: string, trunkId: string, nowMs: number): Promise<number> {
  const [row] = (await findRecent(db, { accountId, trunkId, sinceMs: nowMs - PACE_SPAN_MS })) as CountRow[];
  return Number(row?.total ?? 0);
}

interface CountRow {
  total: number;
}
