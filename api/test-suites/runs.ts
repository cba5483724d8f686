// Runs of test suites: begun, read, and cancelled. An engine carries them out (engine/test-runs/).

import { randomInt } from 'node:crypto';
import { Readable } from 'node:stream';
import { HOUR_MS } from '../../db/domain/hours/durations.ts';
import { getAgent } from '../../db/queries/businesses/agents.ts';
import { getBusiness } from '../../db/queries/businesses/businesses.ts';
import { draftsOf } from '../../db/queries/businesses/drafts.ts';
import { listCases } from '../../db/queries/test-runs/cases.ts';
import { findRecordingOfResult } from '../../db/queries/test-runs/recordings.ts';
import {
  cancelRun,
  countRunsSince,
  getRun,
  insertRun,
  listResults,
  listRuns,
  openRuns,
  runBefore,
  statusesOf,
} from '../../db/queries/test-runs/runs.ts';
import { isoOrNull, isoTime } from '../../db/records/resources.ts';
import type { TestCaseTable, TestResultTable, TestRunTable, TestSuiteTable } from '../../db/schema/test-suites.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../db/shared/id.ts';
import type { Recording } from '../calls/recording/audio.ts';
import type { ApiContext } from '../context.ts';
import { invalid, notFound, refused, retryLater } from '../frame/errors.ts';
import { offsetOf, type PageQuery, pagination } from '../frame/pagination.ts';
import { CASES_MAX } from './cases.ts';
import { junitXml } from './junit.ts';
import type { ResultRecord, RunCreate, RunQuery, RunRecord } from './schema.ts';
import { SEED_MAX } from './schema.ts';
import { suiteRow } from './service.ts';

/** Under way at a time, of an account. */
export const OPEN_RUNS_MAX = 5;
/** Begun in an hour, of an account; fewer than are kept of a suite, by which they are counted. */
const RUNS_AN_HOUR = 150;
const RETRY_SECONDS = 60;

/** @throws {ApiError} 404, 409, 422, 429 */
export async function startRun(
  { db, now }: ApiContext,
  accountId: string,
  suiteId: string,
  body: RunCreate,
): Promise<RunRecord> {
  return db.transaction().execute(async (trx) => {
    const suite = await suiteRow(trx, accountId, suiteId);
    const open = await openRuns(trx, accountId);
    const other = open.find((run) => run.suiteId === suiteId);
    if (other !== undefined)
      throw refused('TEST_RUN_UNDER_WAY', `${other.id} of this suite is under way: wait for it, or cancel it`);
    if (open.length >= OPEN_RUNS_MAX)
      throw refused('TEST_RUN_UNDER_WAY', `${OPEN_RUNS_MAX} runs of the account are under way: wait for one of them`);
    return record(await beginRun(trx, suite, { ...body, cause: 'request', nowMs: now() }));
  });
}

/** Whether the account may begin one more. */
export const mayBegin = async (db: Db, accountId: string, nowMs: number): Promise<boolean> =>
  (await countRunsSince(db, accountId, nowMs - HOUR_MS)) < RUNS_AN_HOUR;

/** In a transaction. @throws {ApiError} 409 where there is nothing to run, 422, 429 */
export async function beginRun(
  db: Db,
  suite: TestSuiteTable,
  wish: RunCreate & { cause: TestRunTable['cause']; nowMs: number },
): Promise<TestRunTable> {
  const { accountId, id: suiteId } = suite;
  const { seed = randomInt(SEED_MAX), cause, nowMs } = wish;
  if (!(await mayBegin(db, accountId, nowMs)))
    throw retryLater('TESTS_BUSY', `${RUNS_AN_HOUR} runs of the account were begun within the hour`, RETRY_SECONDS);
  const cases = chosen((await listCases(db, accountId, suiteId, { limit: CASES_MAX, offset: 0 })).rows, wish);
  const [agent, business, drafts] = await Promise.all([
    getAgent(db, accountId, suite.agentId),
    getBusiness(db, accountId, suite.businessId),
    draftsOf(db, accountId, [suite.agentId, suite.businessId]),
  ]);
  const run: TestRunTable = {
    ...{ id: newId('run'), accountId, suiteId, status: 'QUEUED', cause, seed },
    agentVersion: drafts.get(suite.agentId)?.number ?? agent?.version ?? null,
    businessVersion: drafts.get(suite.businessId)?.number ?? business?.version ?? null,
    ...{ total: cases.length, passed: 0, failed: 0, errors: 0, bytes: 0 },
    ...{ touchedAt: nowMs, createdAt: nowMs, startedAt: null, endedAt: null },
  };
  await insertRun(
    db,
    run,
    cases.map((each, index) => waiting(run.id, each, index)),
  );
  return run;
}

function chosen(cases: readonly TestCaseTable[], { kinds, caseIds }: RunCreate): TestCaseTable[] {
  const known = new Set(cases.map(({ id }) => id));
  const faults = (caseIds ?? []).flatMap((id, i) =>
    known.has(id) ? [] : [{ field: `caseIds[${i}]`, message: 'names no case of this suite' }],
  );
  if (faults.length > 0) throw invalid(faults);
  const wanted = cases.filter(
    ({ id, kind }) => (caseIds === undefined || caseIds.includes(id)) && (kinds === undefined || kinds.includes(kind)),
  );
  if (wanted.length === 0) throw refused('TEST_SUITE_EMPTY', 'The suite has no case to run');
  return wanted;
}

const waiting = (runId: string, { id, accountId, kind, name, definition, callId }: TestCaseTable, position: number) =>
  ({
    ...{ id: newId('trs'), accountId, runId, caseId: id, kind, caseName: name, position, definition },
    ...{ status: 'QUEUED', checks: '[]', transcript: '[]', error: null, callId, recording: null },
    ...{ attempts: 0, claimedBy: null, claimUntil: null, durationMs: null },
  }) satisfies TestResultTable;

export async function listRunRecords({ read }: ApiContext, accountId: string, query: RunQuery) {
  const page = { limit: query.limit, offset: offsetOf(query) };
  const { rows, total } = await listRuns(read, accountId, query.suiteId, page);
  return { data: rows.map(record), pagination: pagination(query.page, query.limit, total) };
}

/** @throws {ApiError} 404 */
async function runRow(db: Db, accountId: string, id: string): Promise<TestRunTable> {
  const row = await getRun(db, accountId, id);
  if (row === undefined) throw notFound('Test run');
  return row;
}

/** @throws {ApiError} 404 */
export const readRun = async ({ read }: ApiContext, accountId: string, id: string): Promise<RunRecord> =>
  record(await runRow(read, accountId, id));

/** One that has ended stays as it is. @throws {ApiError} 404 */
export async function cancelRunNow({ db, now }: ApiContext, accountId: string, id: string): Promise<RunRecord> {
  return db.transaction().execute(async (trx) => {
    await runRow(trx, accountId, id);
    await cancelRun(trx, accountId, id, now());
    return record(await runRow(trx, accountId, id));
  });
}

/** In the order of the cases, each with what came of it in the run before. @throws {ApiError} 404 */
export async function listResultRecords({ read }: ApiContext, accountId: string, runId: string, query: PageQuery) {
  const run = await runRow(read, accountId, runId);
  const { rows, total } = await listResults(read, accountId, runId, { limit: query.limit, offset: offsetOf(query) });
  const before = await runBefore(read, run);
  const caseIds = rows.map(({ caseId }) => caseId);
  const statuses = before === undefined ? new Map() : await statusesOf(read, accountId, before.id, caseIds);
  const data = rows.map((row) => resultRecord(row, statuses.get(row.caseId) ?? null));
  return { data, pagination: pagination(query.page, query.limit, total) };
}

/** @throws {ApiError} 404 */
export async function readJunit({ read }: ApiContext, accountId: string, runId: string): Promise<string> {
  const run = await runRow(read, accountId, runId);
  const suite = await suiteRow(read, accountId, run.suiteId);
  const { rows } = await listResults(read, accountId, runId, { limit: CASES_MAX, offset: 0 });
  return junitXml(suite, run, rows);
}

/** @throws {ApiError} 404 */
export async function recordingOfResult({ read }: ApiContext, accountId: string, resultId: string): Promise<Recording> {
  const row = await findRecordingOfResult(read, accountId, resultId);
  if (row === undefined) throw notFound('Recording');
  const { bytes, audio, createdAt } = row;
  return {
    bytes,
    contentType: 'audio/mp3',
    modifiedAt: new Date(createdAt),
    open: async (range) => Readable.from([range === null ? audio : audio.subarray(range.first, range.last + 1)]),
  };
}

function record(row: TestRunTable): RunRecord {
  const { id, suiteId, status, cause, seed, agentVersion, businessVersion, total, passed, failed, errors } = row;
  return {
    ...{ id, suiteId, status, cause, seed, agentVersion, businessVersion },
    counts: { total, passed, failed, errors },
    createdAt: isoTime(row.createdAt),
    startedAt: isoOrNull(row.startedAt),
    endedAt: isoOrNull(row.endedAt),
  };
}

function resultRecord(row: TestResultTable, statusBefore: ResultRecord['statusBefore']): ResultRecord {
  const { id, runId, caseId, kind, caseName, status, error, callId, attempts, durationMs } = row;
  return {
    ...{ id, runId, caseId, kind, name: caseName, status, statusBefore },
    checks: JSON.parse(row.checks) as ResultRecord['checks'],
    transcript: JSON.parse(row.transcript) as ResultRecord['transcript'],
    ...{ error, callId, attempts, durationMs, hasRecording: row.recording !== null },
  };
}
