// Suites that run on save: a change of an agent, a business or a tool makes them due, and once no other change has come
// for a moment their evals run, once for all of the changes.

import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { countCases } from '../../db/queries/test-runs/cases.ts';
import { cancelRun, openRuns } from '../../db/queries/test-runs/runs.ts';
import { dueSuites, getSuite, updateSuite } from '../../db/queries/test-runs/suites.ts';
import type { TestSuiteTable } from '../../db/schema/test-suites.ts';
import type { Db } from '../../db/schema.ts';
import type { ApiContext } from '../context.ts';
import { beginRun, mayBegin, OPEN_RUNS_MAX } from './runs.ts';

/** Suites of one look. */
const LOOKED_AT = 20;
/** A run that somebody asked for is waited for. */
const AGAIN_AFTER_MS = 3_000;
/** The account has begun as many as it may in an hour. */
const MANY_AGAIN_AFTER_MS = MINUTE_MS;

/** Begins what is due; returns the number of runs. */
export async function startDueRuns({ db, now }: Pick<ApiContext, 'db' | 'now'>): Promise<number> {
  const due = await dueSuites(db, now(), LOOKED_AT);
  let begun = 0;
  for (const { accountId, id } of due) {
    begun += await db.transaction().execute(async (trx) => {
      const suite = await getSuite(trx, accountId, id);
      const isDue = suite !== undefined && suite.dueAt !== null && suite.dueAt <= now();
      return isDue ? startDue(trx, suite, now()) : 0;
    });
  }
  return begun;
}

async function startDue(db: Db, suite: TestSuiteTable, nowMs: number): Promise<number> {
  const { accountId, id } = suite;
  const later = async (afterMs: number): Promise<0> => {
    await updateSuite(db, accountId, id, { dueAt: nowMs + afterMs });
    return 0;
  };
  if (!(await mayBegin(db, accountId, nowMs))) return later(MANY_AGAIN_AFTER_MS);
  const open = await openRuns(db, accountId);
  const own = open.filter(({ suiteId }) => suiteId === id);
  if (own.some(({ cause }) => cause === 'request')) return later(AGAIN_AFTER_MS);
  if (open.length - own.length >= OPEN_RUNS_MAX) return later(AGAIN_AFTER_MS);
  // They try what is changed by now.
  for (const run of own) await cancelRun(db, accountId, run.id, nowMs);
  await updateSuite(db, accountId, id, { dueAt: null });
  if ((await countCases(db, accountId, id, 'eval')) === 0) return 0;
  await beginRun(db, suite, { kinds: ['eval'], cause: 'save', nowMs });
  return 1;
}
