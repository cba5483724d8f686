// Uses of the public keys of widgets: calls and messages by day, calls under way, refusals.
import { sql } from 'kysely';
import { DAY_MS } from '../../domain/hours/durations.ts';
import type { WidgetKeyTable, WidgetRefusal, WidgetRefusalTable } from '../../schema/widget.ts';
import type { Db } from '../../schema.ts';
import { compiledStatement } from '../../statements/compiled-statement.ts';

type OfKey = Pick<WidgetKeyTable, 'id' | 'accountId'>;

/** A day of UTC. */
const dayNumber = (atMs: number): number => Math.floor(atMs / DAY_MS);

/** Counts one more, of the day. Call it in the transaction that does it. */
export async function countWidgetUse(
  tx: Db,
  { id: keyId, accountId }: OfKey,
  what: 'calls' | 'messages',
  nowMs: number,
): Promise<void> {
  await tx
    .insertInto('widgetDays')
    .values({ keyId, day: dayNumber(nowMs), accountId, calls: 0, messages: 0, [what]: 1 })
    .onConflict((conflict) =>
      conflict.columns(['keyId', 'day']).doUpdateSet({ [what]: sql`widget_days.${sql.ref(what)} + 1` }),
    )
    .execute();
}

export async function noteWidgetCall(tx: Db, { id: keyId, accountId }: OfKey, callId: string, nowMs: number) {
  await tx.insertInto('widgetCalls').values({ callId, accountId, keyId, createdAt: nowMs }).execute();
  await countWidgetUse(tx, { id: keyId, accountId }, 'calls', nowMs);
}

/** Calls that are under way by the key. */
export async function runningWidgetCalls(db: Db, { id, accountId }: OfKey, nowMs: number): Promise<string[]> {
  const rows = await sinceYesterday(db, accountId, [id], nowMs)
    .select('widgetCalls.callId')
    .where('calls.endedAt', 'is', null)
    .execute();
  return rows.map(({ callId }) => callId);
}

/** A call that began before midnight may go on. */
const sinceYesterday = (db: Db, accountId: string, keyIds: readonly string[], nowMs: number) =>
  db
    .selectFrom('widgetCalls')
    .innerJoin('calls', 'calls.id', 'widgetCalls.callId')
    .where('widgetCalls.accountId', '=', accountId)
    .where('widgetCalls.keyId', 'in', keyIds)
    .where('widgetCalls.createdAt', '>=', (dayNumber(nowMs) - 1) * DAY_MS);

const ofDay = compiledStatement((db, { accountId, keyId, day }: { accountId: string; keyId: string; day: number }) =>
  db
    .selectFrom('widgetDays')
    .select('messages')
    .where('accountId', '=', accountId)
    .where('keyId', '=', keyId)
    .where('day', '=', day),
);

/** Messages of the day in which `nowMs` lies. */
export async function messagesToday(db: Db, { id: keyId, accountId }: OfKey, nowMs: number): Promise<number> {
  const [row] = await ofDay(db, { accountId, keyId, day: dayNumber(nowMs) });
  return row?.messages ?? 0;
}

export interface WidgetUses {
  calls: number;
  messages: number;
  /** Of calls that began today, also of those under way. */
  seconds: number;
  callsNow: number;
}

/** Of the day in which `nowMs` lies, by the key's id. */
export async function widgetUses(
  db: Db,
  accountId: string,
  keyIds: readonly string[],
  nowMs: number,
): Promise<Map<string, WidgetUses>> {
  const uses = new Map(keyIds.map((id) => [id, { calls: 0, messages: 0, seconds: 0, callsNow: 0 }]));
  if (keyIds.length === 0) return uses;
  const day = dayNumber(nowMs);
  const days = await db
    .selectFrom('widgetDays')
    .select(['keyId', 'calls', 'messages'])
    .where('accountId', '=', accountId)
    .where('keyId', 'in', keyIds)
    .where('day', '=', day)
    .execute();
  for (const { keyId, calls, messages } of days) Object.assign(uses.get(keyId) ?? {}, { calls, messages });
  for (const { keyId, isRunning, isOfDay, seconds } of await lastCalls(db, accountId, keyIds, nowMs)) {
    const of = uses.get(keyId);
    if (of === undefined) continue;
    if (isRunning) of.callsNow++;
    if (isOfDay) of.seconds += seconds;
  }
  return uses;
}

/** `seconds`: so far, of a call that is under way. */
export interface DayCall {
  callId: string;
  seconds: number;
}

/** The key's calls that began on the day in which `nowMs` lies. */
export async function callsOfDay(db: Db, { id, accountId }: OfKey, nowMs: number): Promise<DayCall[]> {
  return (await lastCalls(db, accountId, [id], nowMs)).filter(({ isOfDay }) => isOfDay);
}

/** Of today and yesterday. */
async function lastCalls(db: Db, accountId: string, keyIds: readonly string[], nowMs: number) {
  const rows = await sinceYesterday(db, accountId, keyIds, nowMs)
    .select(['widgetCalls.callId', 'widgetCalls.keyId', 'widgetCalls.createdAt'])
    .select(['calls.answeredAt', 'calls.endedAt', 'calls.durationSeconds'])
    .execute();
  return rows.map(({ callId, keyId, createdAt, answeredAt, endedAt, durationSeconds }) => {
    const running = answeredAt === null ? 0 : Math.max(0, (nowMs - answeredAt) / 1_000);
    const seconds = endedAt === null ? running : durationSeconds;
    return { callId, keyId, isRunning: endedAt === null, isOfDay: dayNumber(createdAt) === dayNumber(nowMs), seconds };
  });
}

export interface Refusals extends OfKey {
  reason: WidgetRefusal;
  requests: number;
  origin: string | null;
  atMs: number;
}

/** Adds to what was refused on that day; nothing for a key that is gone. */
export async function addWidgetRefusals(db: Db, { id, accountId, reason, requests, origin, atMs }: Refusals) {
  const row: WidgetRefusalTable = {
    keyId: id,
    day: dayNumber(atMs),
    reason,
    accountId,
    requests,
    origin,
    lastAt: atMs,
  };
  await db
    .insertInto('widgetRefusals')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['keyId', 'day', 'reason']).doUpdateSet({
        requests: sql`widget_refusals.requests + excluded.requests`,
        origin: sql`excluded.origin`,
        lastAt: sql`excluded.last_at`,
      }),
    )
    .execute();
}

/** Of the day in which `nowMs` lies, the last one first. */
export function widgetRefusals(
  db: Db,
  accountId: string,
  keyIds: readonly string[],
  nowMs: number,
): Promise<WidgetRefusalTable[]> {
  if (keyIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('widgetRefusals')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('keyId', 'in', keyIds)
    .where('day', '=', dayNumber(nowMs))
    .orderBy('lastAt', 'desc')
    .execute();
}

/** Up to `limit` calls and all days from before it. Returns the number of calls. */
export async function deleteOldWidgetUses(db: Db, beforeMs: number, limit: number): Promise<number> {
  const old = db.selectFrom('widgetCalls').select('callId').where('createdAt', '<', beforeMs).limit(limit);
  const { numDeletedRows } = await db.deleteFrom('widgetCalls').where('callId', 'in', old).executeTakeFirst();
  await db.deleteFrom('widgetDays').where('day', '<', dayNumber(beforeMs)).execute();
  await db.deleteFrom('widgetRefusals').where('day', '<', dayNumber(beforeMs)).execute();
  return Number(numDeletedRows);
}
