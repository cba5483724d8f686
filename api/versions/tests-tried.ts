// The runs of test suites that tried a version: of each suite the newest.
import { runsOfVersions } from '../../db/queries/test-runs/runs.ts';
import type { Db } from '../../db/schema.ts';
import type { VersionRecord } from './schema.ts';

/** By version; empty for tools, whose versions no run names. */
export async function testRunsOf(
  db: Db,
  { accountId, subject, subjectId }: { accountId: string; subject: string; subjectId: string },
  numbers: readonly number[],
): Promise<Map<number, NonNullable<VersionRecord['testRuns']>>> {
  const found = new Map<number, NonNullable<VersionRecord['testRuns']>>(numbers.map((number) => [number, []]));
  if (subject === 'tool') return found;
  const of = { accountId, column: subject === 'agent' ? ('agentVersion' as const) : ('businessVersion' as const) };
  for (const { id, status, suiteId, suiteName, version } of await runsOfVersions(db, { ...of, subjectId, numbers })) {
    const runs = found.get(Number(version));
    if (runs !== undefined && !runs.some((run) => run.suiteId === suiteId))
      runs.push({ id, status, suiteId, suiteName });
  }
  return found;
}
