// Runs of test suites and what came of their cases, as the API writes and reads them. An engine carries them out: its
// side is claims.ts.
import { sql } from 'kysely';
import type { TestResultTable, TestRunTable } from '../../schema/test-suites.ts';
import type { Db } from '../../schema.ts';
import { newestPage, type Page } from '../newest-page.ts';

const runs = (db: Db, accountId: string) => db.selectFrom('testRuns').selectAll().where('accountId', '=', accountId);

export function listRuns(db: Db, accountId: string, suiteId: string | undefined, page: Page) {
  const all = runs(db, accountId);
  return newestPage(suiteId === undefined ? all : all.where('suiteId', '=', suiteId), page);
}

export const getRun = (db: Db, accountId: string, id: string): Promise<TestRunTable | undefined> =>
  runs(db, accountId).where('id', '=', id).executeTakeFirst();

/** They are under way. */
export const openRuns = (db: Db, accountId: string): Promise<TestRunTable[]> =>
  runs(db, accountId).where('endedAt', 'is', null).execute();

/** Begun after that time. */
export async function countRunsSince(db: Db, accountId: string, sinceMs: number): Promise<number> {
  const { total } = await runs(db, accountId)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('createdAt', '>', sinceMs)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** The newest of the suite that ended by itself. */
export const newestEnded = (db: Db, accountId: string, suiteId: string) =>
  runs(db, accountId)
    .where('suiteId', '=', suiteId)
    .where('endedAt', 'is not', null)
    .where('status', '!=', 'CANCELLED')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The newest of the suite that ended before this one began. */
export const runBefore = (db: Db, { accountId, suiteId, createdAt, id }: TestRunTable) =>
  runs(db, accountId)
    .where('suiteId', '=', suiteId)
    .where('endedAt', 'is not', null)
    .where('status', '!=', 'CANCELLED')
    .where((eb) =>
      eb.or([eb('createdAt', '<', createdAt), eb.and([eb('createdAt', '=', createdAt), eb('id', '<', id)])]),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Runs that tried these versions of an agent or a business, newest first; cancelled ones are left out. */
export function runsOfVersions(
  db: Db,
  {
    accountId,
    column,
    subjectId,
    numbers,
  }: { accountId: string; column: 'agentVersion' | 'businessVersion'; subjectId: string; numbers: readonly number[] },
) {
  return db
    .selectFrom('testRuns')
    .innerJoin('testSuites', 'testSuites.id', 'testRuns.suiteId')
    .select(['testRuns.id', 'testRuns.status', 'testRuns.suiteId', 'testSuites.name as suiteName'])
    .select(`testRuns.${column} as version`)
    .where('testSuites.accountId', '=', accountId)
    .where(column === 'agentVersion' ? 'testSuites.agentId' : 'testSuites.businessId', '=', subjectId)
    .where(`testRuns.${column}`, 'in', numbers.length === 0 ? [0] : numbers)
    .where('testRuns.status', '!=', 'CANCELLED')
    .orderBy('testRuns.createdAt', 'desc')
    .orderBy('testRuns.id', 'desc')
    .execute();
}

/** Rows of one statement. */
const INSERTED_AT_ONCE = 50;
/** Of one suite; each save may make one. */
const RUNS_KEPT = 200;
/** Of an account's runs that are over, together. */
const BYTES_KEPT = 200_000_000;

/** In a transaction. The oldest go where the suite has too many, or the account's are too long together. */
export async function insertRun(db: Db, run: TestRunTable, results: readonly TestResultTable[]): Promise<void> {
  const { accountId, suiteId } = run;
  await db.insertInto('testRuns').values(run).execute();
  for (let at = 0; at < results.length; at += INSERTED_AT_ONCE) {
    await db
      .insertInto('testResults')
      .values(results.slice(at, at + INSERTED_AT_ONCE))
      .execute();
  }
  const over = await runs(db, accountId)
    .clearSelect()
    .select('id')
    .where('suiteId', '=', suiteId)
    .where('endedAt', 'is not', null)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .offset(RUNS_KEPT)
    .limit(INSERTED_AT_ONCE)
    .execute();
  await deleteRuns(
    db,
    over.map(({ id }) => id),
  );
  await deleteRuns(db, await tooLong(db, accountId));
}

/** The oldest runs of the account that do not fit beside the newer ones. */
async function tooLong(db: Db, accountId: string): Promise<string[]> {
  const sum = sql<number>`sum(bytes) over (order by created_at desc, id desc)`;
  const ended = runs(db, accountId)
    .clearSelect()
    .select(['id', sum.as('together')])
    .where('endedAt', 'is not', null)
    .where('bytes', '>', 0)
    .as('ended');
  const rows = await db
    .selectFrom(ended)
    .select('id')
    .where('together', '>', BYTES_KEPT)
    .orderBy('together', 'desc')
    .limit(INSERTED_AT_ONCE)
    .execute();
  return rows.map(({ id }) => id);
}

async function deleteRuns(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  for (const table of ['testRecordings', 'testResults'] as const)
    await db.deleteFrom(table).where('runId', 'in', ids).execute();
  await db.deleteFrom('testRuns').where('id', 'in', ids).execute();
}

/** Deletes runs that ended before that time; returns their number. In a transaction. */
export async function deleteOldRuns(db: Db, beforeMs: number, limit: number): Promise<number> {
  const rows = await db.selectFrom('testRuns').select('id').where('endedAt', '<', beforeMs).limit(limit).execute();
  const ids = rows.map(({ id }) => id);
  await deleteRuns(db, ids);
  return ids.length;
}

/** Ends a run none of whose cases waits or is run. In a transaction. */
export async function endIfDone(db: Db, id: string, nowMs: number): Promise<void> {
  const run = await db
    .selectFrom('testRuns')
    .select(['total', 'passed', 'failed', 'errors'])
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .executeTakeFirst();
  if (run === undefined || run.passed + run.failed + run.errors < run.total) return;
  const ended = run.failed > 0 ? 'FAILED' : run.errors > 0 ? 'ERROR' : 'PASSED';
  // All of its cases were erased: nothing has passed.
  const status = run.total === 0 ? 'CANCELLED' : ended;
  await db.updateTable('testRuns').set({ status, endedAt: nowMs }).where('id', '=', id).execute();
}

/** In a transaction: results of these calls go, and runs that waited for some of them wait no more. */
export async function deleteResultsOfCalls(db: Db, callIds: readonly string[], nowMs: number): Promise<void> {
  const gone = await db
    .deleteFrom('testResults')
    .where('callId', 'in', callIds)
    .returning(['id', 'runId', 'status'])
    .execute();
  for (const { id, runId, status } of gone) {
    await db.deleteFrom('testRecordings').where('resultId', '=', id).execute();
    if (status !== 'QUEUED' && status !== 'RUNNING') continue;
    await db
      .updateTable('testRuns')
      .set((eb) => ({ total: eb('total', '-', 1) }))
      .where('id', '=', runId)
      .execute();
    await endIfDone(db, runId, nowMs);
  }
}

const CANCELLED = 'The run was cancelled.';
/** In place of the copy that an engine needs, once the case is done: hundreds of runs are kept. */
export const NO_DEFINITION = '{}';

/** Ends a run whose cases wait or are run: what is done stays. False: it had ended. In a transaction. */
export async function cancelRun(db: Db, accountId: string, id: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('testRuns')
    .set({ status: 'CANCELLED', endedAt: nowMs })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('endedAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  const { numUpdatedRows: left } = await db
    .updateTable('testResults')
    .set({ status: 'ERROR', error: CANCELLED, claimedBy: null, claimUntil: null, definition: NO_DEFINITION })
    .where('runId', '=', id)
    .where('accountId', '=', accountId)
    .where('status', 'in', ['QUEUED', 'RUNNING'])
    .executeTakeFirst();
  await db
    .updateTable('testRuns')
    .set((eb) => ({ errors: eb('errors', '+', Number(left)) }))
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .execute();
  return true;
}

/** In the order of the cases. */
export async function listResults(db: Db, accountId: string, runId: string, { limit, offset }: Page) {
  const of = db.selectFrom('testResults').where('accountId', '=', accountId).where('runId', '=', runId);
  const rows = await of.selectAll().orderBy('position').orderBy('id').limit(limit).offset(offset).execute();
  const { total } = await of.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}

/** The results of these cases in a run, by case. */
export async function statusesOf(
  db: Db,
  accountId: string,
  runId: string,
  caseIds: readonly string[],
): Promise<Map<string, TestResultTable['status']>> {
  if (caseIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('testResults')
    .select(['caseId', 'status'])
    .where('accountId', '=', accountId)
    .where('runId', '=', runId)
    .where('caseId', 'in', caseIds)
    .execute();
  return new Map(rows.map(({ caseId, status }) => [caseId, status]));
}
