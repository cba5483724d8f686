// An engine's side of test runs: it claims a case for a while, says again and again that it still runs it, and writes
// what came of it. A case whose engine is gone is another's when its time is over, and ends after three of them. The
// operations exclude each other, so that a case is run once and the last one ends its run.
import type { ExpressionBuilder } from 'kysely';
import type { TestCheckResult } from '../../domain/tests/checks.ts';
import type { TestKind, TestLine } from '../../domain/tests/definitions.ts';
import type { TestResultTable, TestRunTable } from '../../schema/test-suites.ts';
import type { Db, Schema } from '../../schema.ts';
import { keepRecording } from './recordings.ts';
import { endIfDone, NO_DEFINITION } from './runs.ts';

/** Engines that may die over one case. */
const ATTEMPTS_MAX = 3;
const LOST = `The engine that ran it ended, ${ATTEMPTS_MAX} times.`;
/** Runs of one look, the one that has waited longest first. */
const LOOKED_AT = 20;

/** A case that an engine runs. */
export interface TestWork extends Pick<TestResultTable, 'accountId' | 'runId' | 'caseId' | 'kind' | 'caseName'> {
  resultId: string;
  suiteId: string;
  businessId: string;
  campaignId: string | null;
  agentId: string;
  /** The model that judges; null: the environment's. */
  judge: string | null;
  seed: number;
  /** 1 for the first. */
  attempt: number;
  /** JSON of its definition. */
  definition: string;
}

/** The result of a case. `error`: why it could not be run, where its status is ERROR. */
export interface TestOutcome {
  status: 'PASSED' | 'FAILED' | 'ERROR';
  checks: readonly TestCheckResult[];
  transcript: readonly TestLine[];
  error: string | null;
  /** The recording of a simulation, an MP3. */
  audio?: Uint8Array | null;
}

/** Whether a run waits for engines; cheap where none does. */
export async function hasOpenRuns(db: Db): Promise<boolean> {
  const row = await db.selectFrom('testRuns').select('id').where('endedAt', 'is', null).limit(1).executeTakeFirst();
  return row !== undefined;
}

interface Claim {
  engineId: string;
  kind: TestKind;
  nowMs: number;
  untilMs: number;
}

/** That a case waits for an engine, or was lost by its own. */
const isFree = (nowMs: number) => (eb: ExpressionBuilder<Schema, 'testResults'>) =>
  eb.or([eb('status', '=', 'QUEUED'), eb.and([eb('status', '=', 'RUNNING'), eb('claimUntil', '<', nowMs)])]);

/** The next case of that kind; null: none waits. */
export async function claimTest(db: Db, claim: Claim): Promise<TestWork | null> {
  const { kind, nowMs } = claim;
  const open = await db
    .selectFrom('testRuns')
    .selectAll()
    .where('endedAt', 'is', null)
    // Runs whose cases are all of another kind, or are being run, do not stand before those of others.
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('testResults')
          .select('testResults.id')
          .whereRef('testResults.runId', '=', 'testRuns.id')
          .where('kind', '=', kind)
          .where(isFree(nowMs)),
      ),
    )
    // The accounts in turn, and of each its runs: who has many under way gets no more than who has one.
    .orderBy(({ selectFrom }) =>
      selectFrom('testRuns as own')
        .select(({ fn }) => fn.max('own.touchedAt').as('lastAt'))
        .whereRef('own.accountId', '=', 'testRuns.accountId')
        .where('own.endedAt', 'is', null),
    )
    .orderBy('touchedAt')
    .limit(LOOKED_AT)
    .execute();
  for (const run of open) {
    const work = await claimOfRun(db, run, claim);
    if (work !== null) return work;
  }
  return null;
}

async function claimOfRun(db: Db, run: TestRunTable, claim: Claim): Promise<TestWork | null> {
  const { engineId, kind, nowMs, untilMs } = claim;
  const suite = await db
    .selectFrom('testSuites')
    .select(['businessId', 'campaignId', 'agentId', 'judge'])
    .where('id', '=', run.suiteId)
    .executeTakeFirst();
  for (;;) {
    const row = await db
      .selectFrom('testResults')
      .selectAll()
      .where('runId', '=', run.id)
      .where('kind', '=', kind)
      .where(isFree(nowMs))
      .orderBy('position')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) return null;
    const lost = suite === undefined ? 'The suite is gone.' : row.attempts >= ATTEMPTS_MAX ? LOST : null;
    if (suite === undefined || lost !== null) {
      await store(db, row, { status: 'ERROR', checks: [], transcript: [], error: lost }, { nowMs, durationMs: null });
      continue;
    }
    const attempt = row.attempts + 1;
    await db
      .updateTable('testResults')
      .set({ status: 'RUNNING', attempts: attempt, claimedBy: engineId, claimUntil: untilMs })
      .where('id', '=', row.id)
      .execute();
    await db
      .updateTable('testRuns')
      .set({ status: 'RUNNING', startedAt: run.startedAt ?? nowMs, touchedAt: nowMs })
      .where('id', '=', run.id)
      .execute();
    const { accountId, runId, caseId, caseName, definition } = row;
    const of = { accountId, runId, caseId, kind, caseName, definition, suiteId: run.suiteId };
    return { ...of, ...suite, resultId: row.id, seed: run.seed, attempt };
  }
}

interface Claimed {
  resultId: string;
  engineId: string;
  attempt: number;
}

/** It is still run. False: it is another's by now, or its run was cancelled. */
export async function holdTest(db: Db, { untilMs, ...of }: Claimed & { untilMs: number }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('testResults')
    .set({ claimUntil: untilMs })
    .where('id', '=', of.resultId)
    .where('claimedBy', '=', of.engineId)
    .where('attempts', '=', of.attempt)
    .where('status', '=', 'RUNNING')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The engine stops: another takes the case at once, and its attempt does not count. */
export async function releaseTest(db: Db, { resultId, engineId, attempt }: Claimed): Promise<void> {
  await db
    .updateTable('testResults')
    .set({ status: 'QUEUED', claimedBy: null, claimUntil: null, attempts: attempt - 1 })
    .where('id', '=', resultId)
    .where('claimedBy', '=', engineId)
    .where('attempts', '=', attempt)
    .where('status', '=', 'RUNNING')
    .execute();
}

/** Writes what came of it, once; nothing if it is another's by now, or its run was cancelled. */
export async function finishTest(
  db: Db,
  args: Claimed & { outcome: TestOutcome; durationMs: number; nowMs: number },
): Promise<void> {
  const { resultId, engineId, attempt, outcome, durationMs, nowMs } = args;
  const row = await db
    .selectFrom('testResults')
    .selectAll()
    .where('id', '=', resultId)
    .where('claimedBy', '=', engineId)
    .where('attempts', '=', attempt)
    .where('status', '=', 'RUNNING')
    .executeTakeFirst();
  if (row !== undefined) await store(db, row, outcome, { nowMs, durationMs });
}

const COUNTED = { PASSED: 'passed', FAILED: 'failed', ERROR: 'errors' } as const;

async function store(
  db: Db,
  { id, runId, accountId }: TestResultTable,
  { status, checks, transcript, error, audio = null }: TestOutcome,
  { nowMs, durationMs }: { nowMs: number; durationMs: number | null },
): Promise<void> {
  const written = { checks: JSON.stringify(checks), transcript: JSON.stringify(transcript) };
  await db
    .updateTable('testResults')
    .set({
      ...{ status, error, durationMs, claimedBy: null, claimUntil: null, definition: NO_DEFINITION },
      recording: audio === null ? null : 'mp3',
      ...written,
    })
    .where('id', '=', id)
    .execute();
  if (audio !== null) {
    const of = { resultId: id, accountId, runId, createdAt: nowMs };
    await keepRecording(db, { ...of, bytes: audio.byteLength, audio: Buffer.from(audio) });
  }
  const column = COUNTED[status];
  await db
    .updateTable('testRuns')
    .set((eb) => ({
      ...{ [column]: eb(column, '+', 1), touchedAt: nowMs },
      bytes: eb('bytes', '+', written.checks.length + written.transcript.length),
    }))
    .where('id', '=', runId)
    .where('endedAt', 'is', null)
    .execute();
  await endIfDone(db, runId, nowMs);
}
