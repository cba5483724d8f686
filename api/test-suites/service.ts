// Test suites: made, changed and deleted. Their cases are in cases.ts, their runs in runs.ts.
import { getCampaign } from '../../db/queries/campaigns/campaigns.ts';
import { hasCurrent } from '../../db/queries/tenant-rows.ts';
import {
  deleteSuites,
  getSuite,
  insertSuite,
  listSuites,
  type SuiteFigures,
  suiteFigures,
  updateSuite,
} from '../../db/queries/test-runs/suites.ts';
import { isoTime } from '../../db/records/resources.ts';
import type { TestSuiteTable } from '../../db/schema/test-suites.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../db/shared/id.ts';
import type { ApiContext } from '../context.ts';
import { type FieldError, invalid, notFound, refused } from '../frame/errors.ts';
import { offsetOf, pagination } from '../frame/pagination.ts';
import type { SuiteCreate, SuitePatch, SuiteQuery, SuiteRecord } from './schema.ts';

/** Of an account. */
const SUITES_MAX = 100;

export async function listSuiteRecords({ read }: ApiContext, accountId: string, query: SuiteQuery) {
  const { agentId, businessId } = query;
  const filter = { ...(agentId === undefined ? {} : { agentId }), ...(businessId === undefined ? {} : { businessId }) };
  const { rows, total } = await listSuites(read, accountId, filter, { limit: query.limit, offset: offsetOf(query) });
  const figures = await suiteFigures(
    read,
    accountId,
    rows.map(({ id }) => id),
  );
  const data = rows.map((row) => suiteRecord(row, figures.get(row.id)));
  return { data, pagination: pagination(query.page, query.limit, total) };
}

/** @throws {ApiError} 404 */
export async function suiteRow(db: Db, accountId: string, id: string): Promise<TestSuiteTable> {
  const row = await getSuite(db, accountId, id);
  if (row === undefined) throw notFound('Test suite');
  return row;
}

/** @throws {ApiError} 404 */
export async function readSuite({ read }: ApiContext, accountId: string, id: string): Promise<SuiteRecord> {
  return withFigures(read, await suiteRow(read, accountId, id));
}

async function withFigures(db: Db, row: TestSuiteTable): Promise<SuiteRecord> {
  const figures = await suiteFigures(db, row.accountId, [row.id]);
  return suiteRecord(row, figures.get(row.id));
}

/** @throws {ApiError} 409, 422 */
export async function createSuite(context: ApiContext, accountId: string, body: SuiteCreate): Promise<SuiteRecord> {
  const nowMs = context.now();
  const row: TestSuiteTable = {
    id: newId('tst'),
    accountId,
    businessId: body.businessId,
    campaignId: body.campaignId ?? null,
    agentId: body.agentId,
    name: body.name,
    runOnSave: flag(body.runOnSave === true),
    requiredToPublish: flag(body.requiredToPublish === true),
    judge: body.judge ?? null,
    dueAt: null,
    createdAt: nowMs,
    updatedAt: nowMs,
  };
  await context.db.transaction().execute(async (trx) => {
    checkJudge(context, row.judge, null);
    await checkReferences(trx, row);
    const { total } = await listSuites(trx, accountId, {}, { limit: 1, offset: 0 });
    if (total >= SUITES_MAX) throw refused('QUOTA_EXCEEDED', `An account has at most ${SUITES_MAX} test suites`);
    await insertSuite(trx, row);
  });
  return suiteRecord(row, undefined);
}

const flag = (is: boolean): 0 | 1 => (is ? 1 : 0);

/** @throws {ApiError} 404, 422 */
export async function patchSuite(
  context: ApiContext,
  accountId: string,
  id: string,
  { runOnSave, requiredToPublish, ...body }: SuitePatch,
): Promise<SuiteRecord> {
  return context.db.transaction().execute(async (trx) => {
    const current = await suiteRow(trx, accountId, id);
    const isOff = runOnSave === false ? { dueAt: null } : {};
    const changes = {
      ...body,
      ...(runOnSave === undefined ? {} : { runOnSave: flag(runOnSave) }),
      ...(requiredToPublish === undefined ? {} : { requiredToPublish: flag(requiredToPublish) }),
    };
    checkJudge(context, changes.judge, current.judge);
    await checkReferences(trx, { ...current, ...changes });
    const row = await updateSuite(trx, accountId, id, { ...changes, ...isOff, updatedAt: context.now() });
    if (row === undefined) throw notFound('Test suite');
    return withFigures(trx, row);
  });
}

/** With its cases and runs. @throws {ApiError} 404 */
export async function deleteSuite({ db }: ApiContext, accountId: string, id: string): Promise<SuiteRecord> {
  return db.transaction().execute(async (trx) => {
    const record = await withFigures(trx, await suiteRow(trx, accountId, id));
    await deleteSuites(trx, accountId, [id]);
    return record;
  });
}

/** It is asked with the operator's key. @throws {ApiError} 422 */
function checkJudge(
  { config: { agentModels } }: ApiContext,
  wanted: string | null | undefined,
  now: string | null,
): void {
  if (agentModels === null || wanted == null || wanted === now || agentModels.includes(wanted)) return;
  throw invalid([{ field: 'judge', message: `must be one of ${agentModels.join(', ') || 'none'}` }]);
}

type References = Pick<TestSuiteTable, 'accountId' | 'agentId' | 'businessId' | 'campaignId'>;

/** @throws {ApiError} 422 */
async function checkReferences(db: Db, { accountId, agentId, businessId, campaignId }: References): Promise<void> {
  const faults: FieldError[] = [];
  if (!(await hasCurrent(db, 'agents', accountId, agentId)))
    faults.push({ field: 'agentId', message: 'names no agent' });
  if (!(await hasCurrent(db, 'businesses', accountId, businessId)))
    faults.push({ field: 'businessId', message: 'names no business' });
  if (campaignId !== null) {
    const campaign = await getCampaign(db, accountId, campaignId);
    if (campaign === undefined || campaign.deletedAt !== null)
      faults.push({ field: 'campaignId', message: 'names no campaign' });
    else if (campaign.businessId !== businessId)
      faults.push({ field: 'campaignId', message: 'is a campaign of another business' });
  }
  if (faults.length > 0) throw invalid(faults);
}

function suiteRecord(row: TestSuiteTable, figures: SuiteFigures | undefined): SuiteRecord {
  const { cases = 0, lastRun = null } = figures ?? {};
  return {
    id: row.id,
    name: row.name,
    agentId: row.agentId,
    businessId: row.businessId,
    campaignId: row.campaignId,
    runOnSave: row.runOnSave === 1,
    requiredToPublish: row.requiredToPublish === 1,
    judge: row.judge,
    cases,
    lastRun: lastRun === null ? null : { ...lastRun, createdAt: isoTime(lastRun.createdAt) },
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  };
}
