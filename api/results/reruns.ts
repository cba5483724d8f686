// Reruns: which calls are read again, and how far that is. An engine reads them (engine/after-call/reruns.ts).
import { campaignWantsResults } from '../../db/queries/campaigns/campaigns.ts';
import {
  callsOfRange,
  endRerun,
  getRerun,
  insertRerun,
  listReruns,
  openRerun,
  type RerunRange,
  rerunFailures,
} from '../../db/queries/results/reruns.ts';
import { isoOrNull, isoTime } from '../../db/records/resources.ts';
import type { BusinessTable } from '../../db/schema/businesses.ts';
import type { RerunTable } from '../../db/schema/reruns.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../db/shared/id.ts';
import { businessRow, liveBusiness } from '../businesses/service.ts';
import { dateRange } from '../calls/list/filters.ts';
import { campaignRow } from '../campaigns/service.ts';
import type { ApiContext } from '../context.ts';
import { type ApiError, invalid, notFound, refused } from '../frame/errors.ts';
import { offsetOf, type PageQuery, pagination } from '../frame/pagination.ts';
import type { RerunCreate, RerunRecord } from './schema.ts';

/** Calls of one look at the range: some 10 ms of the API's thread. */
const LOOKED_AT_ONCE = 2_000;
const LOOKS_MAX = 1_000;
/** Of those that failed, so many are named. */
const FAILURES_SHOWN = 100;

/** @throws {ApiError} 404, 409, 422 */
export async function createRerun(
  context: ApiContext,
  accountId: string,
  businessId: string,
  body: RerunCreate,
): Promise<RerunRecord> {
  const { read, db, now } = context;
  const business = await liveBusiness(read, accountId, businessId);
  const { campaignId = null, startDate, endDate, limit = 1_000, missingOnly = false, webhooks = false } = body;
  const { fromMs = null, toMs = null } = dateRange({ startDate, endDate });
  await checkWanted(read, business, campaignId);
  await checkNoOther(read, accountId, businessId);
  const range = { businessId, campaignId, fromMs, toMs, missingOnly };
  const callIds = await chosenCalls(read, accountId, range, limit);
  const nowMs = now();
  const isEmpty = callIds.length === 0;
  const row: RerunTable = {
    id: newId('rrn'),
    accountId,
    businessId,
    campaignId,
    fromMs,
    toMs,
    missingOnly: missingOnly ? 1 : 0,
    webhooks: webhooks ? 1 : 0,
    status: isEmpty ? 'COMPLETED' : 'RUNNING',
    total: callIds.length,
    done: 0,
    failed: 0,
    error: null,
    touchedAt: nowMs,
    createdAt: nowMs,
    endedAt: isEmpty ? nowMs : null,
  };
  await db.transaction().execute(async (trx) => {
    await checkNoOther(trx, accountId, businessId);
    await insertRerun(trx, row, callIds);
  });
  return record(row, []);
}

/** @throws {ApiError} 404; 422 where nothing is wanted of the calls */
async function checkWanted(db: Db, business: BusinessTable, campaignId: string | null): Promise<void> {
  const { accountId } = business;
  const wants = ({ outputs, criteria }: { outputs: string; criteria: string }) => outputs !== '[]' || criteria !== '[]';
  if (campaignId !== null) {
    const campaign = await campaignRow(db, accountId, campaignId);
    if (campaign.businessId !== business.id)
      throw invalid([{ field: 'campaignId', message: 'is a campaign of another business' }]);
    if (wants(campaign) || wants(business)) return;
    throw invalid([
      { field: 'campaignId', message: 'has no outputs and no criteria, nor has its business: say first what you want' },
    ]);
  }
  if (wants(business)) return;
  if (await campaignWantsResults(db, accountId, business.id)) return;
  const message = 'are wanted of no call of the business or its campaigns, nor criteria: say first what you want';
  throw invalid([{ field: 'outputs', message }]);
}

async function checkNoOther(db: Db, accountId: string, businessId: string): Promise<void> {
  const other = await openRerun(db, accountId, businessId);
  if (other !== undefined) throw underWay(other);
}

const underWay = ({ id, done, failed, total }: RerunTable): ApiError =>
  refused('RERUN_UNDER_WAY', `${id} is under way (${done + failed} of ${total} calls): wait for it, or cancel it`);

/** The newest that fit. The range is read in pieces, so that others have their turn. */
async function chosenCalls(db: Db, accountId: string, range: RerunRange, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let after: { id: string; startedAt: number } | null = null;
  for (let look = 0; look < LOOKS_MAX; look++) {
    const rows: Awaited<ReturnType<typeof callsOfRange>> = await callsOfRange(db, accountId, range, {
      after,
      limit: LOOKED_AT_ONCE,
    });
    ids.push(...rows.filter(({ fits }) => fits).map(({ id }) => id));
    after = rows.at(-1) ?? null;
    if (rows.length < LOOKED_AT_ONCE || ids.length >= limit) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return ids.slice(0, limit);
}

/** @throws {ApiError} 404 */
export async function rerunsOf(context: ApiContext, accountId: string, businessId: string, query: PageQuery) {
  await businessRow(context.read, accountId, businessId);
  const page = { limit: query.limit, offset: offsetOf(query) };
  const { rows, total } = await listReruns(context.read, accountId, businessId, page);
  return { data: rows.map((row) => record(row, [])), pagination: pagination(query.page, query.limit, total) };
}

/** With the calls that failed. @throws {ApiError} 404 */
export async function readRerun(
  { read }: ApiContext,
  accountId: string,
  { id, rerunId }: { id: string; rerunId: string },
): Promise<RerunRecord> {
  const row = await getRerun(read, accountId, id, rerunId);
  if (row === undefined) throw notFound('Rerun');
  const failures = row.failed === 0 ? [] : await rerunFailures(read, accountId, rerunId, FAILURES_SHOWN);
  return record(row, failures);
}

/** One that has ended stays as it is. @throws {ApiError} 404 */
export async function cancelRerun(
  context: ApiContext,
  accountId: string,
  ids: { id: string; rerunId: string },
): Promise<RerunRecord> {
  const { db, now } = context;
  const row = await getRerun(db, accountId, ids.id, ids.rerunId);
  if (row === undefined) throw notFound('Rerun');
  await db
    .transaction()
    .execute((trx) => endRerun(trx, { rerunId: row.id, status: 'CANCELLED', error: null, nowMs: now() }));
  return readRerun({ ...context, read: db }, accountId, ids);
}

function record(row: RerunTable, failures: ReadonlyArray<{ callId: string; error: string | null }>): RerunRecord {
  return {
    id: row.id,
    businessId: row.businessId,
    campaignId: row.campaignId,
    startDate: isoOrNull(row.fromMs),
    endDate: isoOrNull(row.toMs),
    missingOnly: row.missingOnly === 1,
    webhooks: row.webhooks === 1,
    status: row.status,
    total: row.total,
    done: row.done,
    failed: row.failed,
    failures: failures.map(({ callId, error }) => ({ callId, reason: error ?? '' })),
    error: row.error,
    createdAt: isoTime(row.createdAt),
    endedAt: isoOrNull(row.endedAt),
  };
}
