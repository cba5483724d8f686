// Drafts whose agent, business or tools have suites that are required to publish are published once these have passed
// with all that waits. A suite that has not been run so is begun, and the request is refused until it has passed.
import { draftsOf } from '../../db/queries/businesses/drafts.ts';
import { casesChangedAt, countCases } from '../../db/queries/test-runs/cases.ts';
import { newestEnded, openRuns } from '../../db/queries/test-runs/runs.ts';
import { suitesMeant } from '../../db/queries/test-runs/suites.ts';
import type { TestRunTable, TestSuiteTable } from '../../db/schema/test-suites.ts';
import type { DraftTable } from '../../db/schema/versions.ts';
import type { Db } from '../../db/schema.ts';
import type { ApiContext } from '../context.ts';
import { refused } from '../frame/errors.ts';
import { beginRun } from '../test-suites/runs.ts';

/** A suite that has not passed with the drafts, and its run with them, if there is one. */
interface Unmet {
  suite: TestSuiteTable;
  run: TestRunTable | null;
}

/** Thrown in the transaction of publishing, which it ends. */
class TestsNotPassed extends Error {
  readonly unmet: readonly Unmet[];
  constructor(unmet: readonly Unmet[]) {
    super('tests have not passed');
    this.unmet = unmet;
  }
}

/** In the transaction that publishes these drafts. @throws {TestsNotPassed} */
export async function checkTests(trx: Db, accountId: string, drafts: readonly DraftTable[]): Promise<void> {
  const required = new Map<string, TestSuiteTable>();
  for (const draft of drafts)
    for (const suite of await suitesMeant(trx, accountId, draft, 'requiredToPublish')) required.set(suite.id, suite);
  if (required.size === 0) return;
  const changedAt = Math.max(...drafts.map(({ createdAt }) => createdAt));
  const open = await openRuns(trx, accountId);
  const unmet: Unmet[] = [];
  for (const suite of required.values()) {
    const tried = async (run: TestRunTable | undefined): Promise<TestRunTable | null> =>
      run !== undefined && (await isOfThese(trx, suite, run, changedAt)) ? run : null;
    const ended = await tried(await newestEnded(trx, accountId, suite.id));
    if (ended?.status === 'PASSED') continue;
    unmet.push({ suite, run: ended ?? (await tried(open.find(({ suiteId }) => suiteId === suite.id))) });
  }
  if (unmet.length > 0) throw new TestsNotPassed(unmet);
}

/** Whether the run has tried every case of the suite, with the versions that are there now. */
async function isOfThese(db: Db, suite: TestSuiteTable, run: TestRunTable, changedAt: number): Promise<boolean> {
  const { accountId, id, agentId, businessId } = suite;
  const drafts = await draftsOf(db, accountId, [agentId, businessId]);
  const isOf = (subjectId: string, version: number | null) => (drafts.get(subjectId)?.number ?? version) === version;
  return (
    run.createdAt >= Math.max(changedAt, await casesChangedAt(db, accountId, id)) &&
    run.total === (await countCases(db, accountId, id)) &&
    isOf(agentId, run.agentVersion) &&
    isOf(businessId, run.businessVersion)
  );
}

/** Publishes; where tests have not passed, begins those that have not run. @throws {ApiError} 409 */
export async function onceTested<Published>(
  context: ApiContext,
  publish: () => Promise<Published>,
): Promise<Published> {
  try {
    return await publish();
  } catch (error) {
    if (!(error instanceof TestsNotPassed)) throw error;
    const { db, now } = context;
    const words = await Promise.all(
      error.unmet.map(async ({ suite, run }) => {
        const begun = run ?? (await db.transaction().execute((trx) => beginRequired(trx, suite, now())));
        const { id, endedAt, total, passed } = begun;
        return endedAt === null
          ? `suite "${suite.name}" is being run (${id}): publish again once it has passed`
          : `of suite "${suite.name}" ${total - passed} of ${total} cases have not passed (${id})`;
      }),
    );
    throw refused('TESTS_NOT_PASSED', words.join('; '));
  }
}

/** One that is under way with something older is waited for. @throws {ApiError} 409 where the suite has no case */
async function beginRequired(trx: Db, suite: TestSuiteTable, nowMs: number): Promise<TestRunTable> {
  const other = (await openRuns(trx, suite.accountId)).find(({ suiteId }) => suiteId === suite.id);
  return other ?? beginRun(trx, suite, { cause: 'request', nowMs });
}
