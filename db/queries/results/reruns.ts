// Calls that are read again: which, how far it is, and what came of each. A call leaves its rerun in the transaction
// that stores its results, so that it is stored once, whoever reads it how often.
import type { CallAnalysis } from '../../records/resources.ts';
import type { RerunStatus, RerunTable } from '../../schema/reruns.ts';
import type { Db } from '../../schema.ts';
import { newestPage, type Page } from '../newest-page.ts';
import { storeAnalysis } from './analysis.ts';

export interface RerunRange {
  businessId: string;
  campaignId: string | null;
  fromMs: number | null;
  toMs: number | null;
  missingOnly: boolean;
}

interface RangeRow {
  id: string;
  startedAt: number;
  fits: boolean;
}

/**
 * The next `limit` calls of the range, newest first, and whether each is one to be read: answered, ended, not erased,
 * and without results where only those are wanted. `after`: the last one of the page before.
 */
export async function callsOfRange(
  db: Db,
  accountId: string,
  range: RerunRange,
  { after, limit }: { after: Pick<RangeRow, 'id' | 'startedAt'> | null; limit: number },
): Promise<RangeRow[]> {
  const { businessId, campaignId, fromMs, toMs, missingOnly } = range;
  let query = db
    .selectFrom('calls')
    .select(['id', 'startedAt', 'answeredAt', 'endedAt', 'erasedAt'])
    .select((eb) => eb.case().when('analysis', 'is', null).then(0).else(1).end().as('isAnalysed'))
    .where('accountId', '=', accountId);
  if (campaignId === null) query = query.where('businessId', '=', businessId);
  else query = query.where('campaignId', '=', campaignId);
  if (fromMs !== null) query = query.where('startedAt', '>=', fromMs);
  if (toMs !== null) query = query.where('startedAt', '<=', toMs);
  if (after !== null) {
    query = query
      .where('startedAt', '<=', after.startedAt)
      .where((eb) => eb.or([eb('startedAt', '<', after.startedAt), eb('id', '<', after.id)]));
  }
  const rows = await query.orderBy('startedAt', 'desc').orderBy('id', 'desc').limit(limit).execute();
  return rows.map(({ id, startedAt, answeredAt, endedAt, erasedAt, isAnalysed }) => ({
    id,
    startedAt,
    fits: answeredAt !== null && endedAt !== null && erasedAt === null && !(missingOnly && Number(isAnalysed) === 1),
  }));
}

/** Rows of one statement. */
const INSERTED_AT_ONCE = 500;

/** In a transaction. */
export async function insertRerun(db: Db, row: RerunTable, callIds: readonly string[]): Promise<void> {
  await db.insertInto('reruns').values(row).execute();
  for (let at = 0; at < callIds.length; at += INSERTED_AT_ONCE) {
    const rows = callIds
      .slice(at, at + INSERTED_AT_ONCE)
      .map((callId) => ({ rerunId: row.id, accountId: row.accountId, callId, error: null }));
    await db.insertInto('rerunCalls').values(rows).execute();
  }
}

const ofBusiness = (db: Db, accountId: string, businessId: string) =>
  db.selectFrom('reruns').selectAll().where('accountId', '=', accountId).where('businessId', '=', businessId);

export const listReruns = (db: Db, accountId: string, businessId: string, page: Page) =>
  newestPage(ofBusiness(db, accountId, businessId), page);

export const getRerun = (db: Db, accountId: string, businessId: string, id: string): Promise<RerunTable | undefined> =>
  ofBusiness(db, accountId, businessId).where('id', '=', id).executeTakeFirst();

/** The one that is under way. */
export const openRerun = (db: Db, accountId: string, businessId: string): Promise<RerunTable | undefined> =>
  ofBusiness(db, accountId, businessId).where('endedAt', 'is', null).executeTakeFirst();

/** Calls that failed, the newest first. */
export function rerunFailures(
  db: Db,
  accountId: string,
  rerunId: string,
  limit: number,
): Promise<Array<{ callId: string; error: string | null }>> {
  return db
    .selectFrom('rerunCalls')
    .select(['callId', 'error'])
    .where('accountId', '=', accountId)
    .where('rerunId', '=', rerunId)
    .where('error', 'is not', null)
    .orderBy('callId', 'desc')
    .limit(limit)
    .execute();
}

/** Ends a rerun: its waiting calls leave it. False: it had ended. */
export async function endRerun(
  db: Db,
  args: { rerunId: string; status: RerunStatus; error: string | null; nowMs: number },
): Promise<boolean> {
  const { rerunId, status, error, nowMs } = args;
  const { numUpdatedRows } = await db
    .updateTable('reruns')
    .set({ status, error, endedAt: nowMs })
    .where('id', '=', rerunId)
    .where('endedAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await db.deleteFrom('rerunCalls').where('rerunId', '=', rerunId).where('error', 'is', null).execute();
  return true;
}

export interface RerunTask {
  rerunId: string;
  accountId: string;
  callId: string;
  webhooks: boolean;
}

/** Accounts, and reruns of one, of one look: those that have nothing left to read end within a moment. */
const LOOKED_AT = 20;

/**
 * The next call: the accounts in turn, and of an account its reruns in turn; null: none waits. Each step is by an
 * index, because the engine asks this on the thread that leads its calls.
 */
export async function nextRerunCall(db: Db): Promise<RerunTask | null> {
  const accounts = await db
    .selectFrom('reruns')
    .select(['accountId', (eb) => eb.fn.max('touchedAt').as('touchedAt')])
    .where('endedAt', 'is', null)
    .groupBy('accountId')
    .orderBy('touchedAt')
    .limit(LOOKED_AT)
    .execute();
  for (const { accountId } of accounts) {
    const open = await db
      .selectFrom('reruns')
      .select(['id', 'webhooks'])
      .where('accountId', '=', accountId)
      .where('endedAt', 'is', null)
      .orderBy('touchedAt')
      .limit(LOOKED_AT)
      .execute();
    for (const { id, webhooks } of open) {
      const row = await db
        .selectFrom('rerunCalls')
        .select('callId')
        .where('rerunId', '=', id)
        .where('error', 'is', null)
        .orderBy('callId', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (row !== undefined) return { rerunId: id, accountId, callId: row.callId, webhooks: webhooks === 1 };
    }
  }
  return null;
}

/** The results of a call, or why there are none; nothing if its rerun has ended or had it before. */
export async function storeRerun(
  db: Db,
  args: RerunTask & {
    found: { analysis: CallAnalysis; score: number | null; disposition: string | null } | null;
    error: string | null;
    nowMs: number;
  },
): Promise<void> {
  const { rerunId, accountId, callId, webhooks, found, error, nowMs } = args;
  const row = await db
    .selectFrom('rerunCalls')
    .innerJoin('reruns', 'reruns.id', 'rerunCalls.rerunId')
    .select('reruns.id')
    .where('rerunCalls.rerunId', '=', rerunId)
    .where('callId', '=', callId)
    .where('rerunCalls.accountId', '=', accountId)
    .where('rerunCalls.error', 'is', null)
    .where('endedAt', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return;
  const ofCall = { rerunId, callId };
  if (found === null) {
    await db
      .updateTable('rerunCalls')
      .set({ error })
      .where(({ and }) => and(ofCall))
      .execute();
  } else {
    await db
      .deleteFrom('rerunCalls')
      .where(({ and }) => and(ofCall))
      .execute();
    await storeAnalysis(db, { callId, accountId, ...found, rerun: { id: rerunId, isTold: webhooks }, nowMs });
  }
  const column = found === null ? 'failed' : 'done';
  await db
    .updateTable('reruns')
    .set((eb) => ({ [column]: eb(column, '+', 1), touchedAt: nowMs }))
    .where('id', '=', rerunId)
    .execute();
  const left = await db
    .selectFrom('rerunCalls')
    .select('callId')
    .where('rerunId', '=', rerunId)
    .where('error', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (left === undefined) await endRerun(db, { rerunId, status: 'COMPLETED', error: null, nowMs });
}

/** Deletes reruns that ended before that time, with what failed in them; returns their number. */
export async function deleteOldReruns(db: Db, beforeMs: number, limit: number): Promise<number> {
  const rows = await db.selectFrom('reruns').select('id').where('endedAt', '<', beforeMs).limit(limit).execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await db.deleteFrom('rerunCalls').where('rerunId', 'in', ids).execute();
  await db.deleteFrom('reruns').where('id', 'in', ids).execute();
  return ids.length;
}
