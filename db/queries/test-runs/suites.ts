// Test suites of a tenant. A suite is deleted at once, with its cases and its runs.
import type { TestRunTable, TestSuiteTable } from '../../schema/test-suites.ts';
import type { VersionSubject } from '../../schema/versions.ts';
import type { Db } from '../../schema.ts';
import { newestPage, type Page } from '../newest-page.ts';

const suites = (db: Db, accountId: string) =>
  db.selectFrom('testSuites').selectAll().where('accountId', '=', accountId);

interface SuiteFilter {
  agentId?: string;
  businessId?: string;
}

export function listSuites(db: Db, accountId: string, { agentId, businessId }: SuiteFilter, page: Page) {
  let query = suites(db, accountId);
  if (agentId !== undefined) query = query.where('agentId', '=', agentId);
  if (businessId !== undefined) query = query.where('businessId', '=', businessId);
  return newestPage(query, page);
}

export const getSuite = (db: Db, accountId: string, id: string): Promise<TestSuiteTable | undefined> =>
  suites(db, accountId).where('id', '=', id).executeTakeFirst();

export async function insertSuite(db: Db, row: TestSuiteTable): Promise<void> {
  await db.insertInto('testSuites').values(row).execute();
}

export const updateSuite = (
  db: Db,
  accountId: string,
  id: string,
  changes: Partial<Omit<TestSuiteTable, 'id' | 'accountId' | 'createdAt'>>,
): Promise<TestSuiteTable | undefined> =>
  db
    .updateTable('testSuites')
    .set(changes)
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .returningAll()
    .executeTakeFirst();

/** Due at that time, of all tenants. */
export const dueSuites = (
  db: Db,
  nowMs: number,
  limit: number,
): Promise<Array<Pick<TestSuiteTable, 'id' | 'accountId'>>> =>
  db
    .selectFrom('testSuites')
    .select(['id', 'accountId'])
    .where('dueAt', '<=', nowMs)
    .orderBy('dueAt')
    .limit(limit)
    .execute();

/** Changes of one form come so close together. */
const BURST_MS = 3_000;

interface Changed {
  subject: VersionSubject;
  subjectId: string;
}

/** In the transaction of a change: suites that run on save are due by what has changed. */
export async function makeDue(db: Db, accountId: string, of: Changed, nowMs: number): Promise<void> {
  for (const { id } of await suitesMeant(db, accountId, of, 'runOnSave'))
    await updateSuite(db, accountId, id, { dueAt: nowMs + BURST_MS });
}

/** With that flag, of what tries the subject. */
export async function suitesMeant(
  db: Db,
  accountId: string,
  { subject, subjectId }: Changed,
  flag: 'runOnSave' | 'requiredToPublish',
): Promise<TestSuiteTable[]> {
  const rows = await suites(db, accountId).where(flag, '=', 1).execute();
  if (subject !== 'tool')
    return rows.filter((row) => row[subject === 'agent' ? 'agentId' : 'businessId'] === subjectId);
  const have = await Promise.all(rows.map((row) => hasTool(db, row, subjectId)));
  return rows.filter((_, index) => have[index]);
}

/** Whether a call of the suite's agent, business and campaign has the tool. */
async function hasTool(
  db: Db,
  { accountId, agentId, businessId, campaignId }: TestSuiteTable,
  toolId: string,
): Promise<boolean> {
  const owners = { agents: agentId, businesses: businessId, campaigns: campaignId };
  for (const [table, id] of Object.entries(owners)) {
    if (id === null) continue;
    const row = await db
      // Kysely knows the columns of one named table; all three have those that count here.
      .selectFrom(table as 'agents')
      .select('toolIds')
      .where('accountId', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (row !== undefined && (JSON.parse(row.toolIds) as string[]).includes(toolId)) return true;
  }
  return false;
}

/** In a transaction. */
export async function deleteSuites(db: Db, accountId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const runs = db.selectFrom('testRuns').select('id').where('accountId', '=', accountId).where('suiteId', 'in', ids);
  for (const table of ['testRecordings', 'testResults'] as const)
    await db.deleteFrom(table).where('accountId', '=', accountId).where('runId', 'in', runs).execute();
  for (const table of ['testRuns', 'testCases', 'testClips'] as const) {
    await db.deleteFrom(table).where('accountId', '=', accountId).where('suiteId', 'in', ids).execute();
  }
  await db.deleteFrom('testSuites').where('accountId', '=', accountId).where('id', 'in', ids).execute();
}

/** In a transaction: of a business that is gone for ever. */
export async function deleteSuitesOfBusiness(db: Db, accountId: string, businessId: string): Promise<void> {
  const rows = await suites(db, accountId).where('businessId', '=', businessId).execute();
  await deleteSuites(
    db,
    accountId,
    rows.map(({ id }) => id),
  );
}

export interface SuiteFigures {
  cases: number;
  lastRun: Pick<TestRunTable, 'id' | 'status' | 'createdAt'> | null;
}

/** By suite: the number of its cases, and its newest run. */
export async function suiteFigures(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, SuiteFigures>> {
  if (ids.length === 0) return new Map();
  const counts = await db
    .selectFrom('testCases')
    .select((eb) => ['suiteId', eb.fn.countAll<number>().as('total')])
    .where('accountId', '=', accountId)
    .where('suiteId', 'in', ids)
    .groupBy('suiteId')
    .execute();
  const bySuite = new Map(counts.map((row) => [row.suiteId, Number(row.total)]));
  const figures = new Map<string, SuiteFigures>();
  for (const id of ids) {
    const lastRun = await db
      .selectFrom('testRuns')
      .select(['id', 'status', 'createdAt'])
      .where('accountId', '=', accountId)
      .where('suiteId', '=', id)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    figures.set(id, { cases: bySuite.get(id) ?? 0, lastRun: lastRun ?? null });
  }
  return figures;
}
