// Canaries: begun, ended, listed, and what their calls were like. A subject has at most one that runs.

import type { Expression } from 'kysely';
import type { ObservedCall } from '../../domain/versions/canary-test.ts';
import { isKnownNumber } from '../../domain/versions/split.ts';
import type { CallLatency } from '../../records/resources.ts';
import type { CanaryTable } from '../../schema/versions.ts';
import type { Db } from '../../schema.ts';
import { newestPage, type Page } from '../newest-page.ts';
import { hasFailed, hasLeftEarly, type MeasuredCall } from './version-measures.ts';

export async function insertCanary(db: Db, canary: CanaryTable): Promise<void> {
  await db.insertInto('canaries').values(canary).execute();
}

/** The running ones of these subjects. */
export function runningCanaries(db: Db, accountId: string, subjectIds: readonly string[]): Promise<CanaryTable[]> {
  return db
    .selectFrom('canaries')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('subjectId', 'in', subjectIds)
    .where('endedAt', 'is', null)
    .execute();
}

/** Part of a query that is made anyway: the running ones of these subjects, to ask whether there are any. */
export const canariesOf = (db: Db, subjectIds: ReadonlyArray<Expression<string>>) =>
  db
    .selectFrom('canaries')
    .select('canaries.id')
    .where('endedAt', 'is', null)
    .where('subjectId', 'in', [...subjectIds]);

/** Of all accounts. */
export const allRunningCanaries = (db: Db): Promise<CanaryTable[]> =>
  db.selectFrom('canaries').selectAll().where('endedAt', 'is', null).orderBy('createdAt').execute();

/** Newest first. */
export const listCanaries = (db: Db, accountId: string, subjectId: string, page: Page) =>
  newestPage(
    db.selectFrom('canaries').selectAll().where('accountId', '=', accountId).where('subjectId', '=', subjectId),
    page,
  );

/** Changes one that runs; undefined when it has ended. */
export function updateCanary(
  db: Db,
  { id, accountId }: Pick<CanaryTable, 'id' | 'accountId'>,
  changes: Partial<Pick<CanaryTable, 'endedAt' | 'result' | 'verdict'>>,
): Promise<CanaryTable | undefined> {
  return db
    .updateTable('canaries')
    .set(changes)
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('endedAt', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

const COLUMNS = {
  agent: ['agentId', 'agentVersion'],
  business: ['businessId', 'businessVersion'],
} as const;

/** Read on the main thread. */
const CALLS_READ = 10_000;
const CALLS_BEFORE = 200;

/** Ended calls in the order of their ends, so that a later look adds at the end only; each person's first. */
export async function callsSince(db: Db, canary: CanaryTable): Promise<ObservedCall[]> {
  const [id, version] = COLUMNS[canary.subject];
  let query = db
    .selectFrom('calls')
    .select(['direction', 'fromNumber', 'toNumber', 'outcome', 'endReason', 'durationSeconds', 'latency'])
    .select((eb) => eb.ref(version).as('led'))
    .where('accountId', '=', canary.accountId)
    .where(id, '=', canary.subjectId)
    .where('startedAt', '>=', canary.createdAt)
    .where(version, 'in', [canary.version, canary.publishedVersion])
    .where('answeredAt', 'is not', null)
    .where('endedAt', 'is not', null);
  // Calls of a split are not shared out by the canary.
  if (canary.subject === 'agent')
    query = query.where('campaignId', 'not in', (eb) =>
      eb.selectFrom('campaigns').select('id').where('accountId', '=', canary.accountId).where('split', '<>', '[]'),
    );
  const rows = await query.orderBy('endedAt').orderBy('id').limit(CALLS_READ).execute();
  const known = new Set<string>();
  return rows.flatMap((row) => {
    const number = row.direction === 'outbound' ? row.toNumber : row.fromNumber;
    if (!isKnownNumber(number) || known.has(number)) return [];
    known.add(number);
    return [observed(row, row.led === canary.version)];
  });
}

/** The newest calls of the published version from before: they show what is usual. */
export async function callsBefore(db: Db, canary: CanaryTable): Promise<ObservedCall[]> {
  const [id, version] = COLUMNS[canary.subject];
  const rows = await db
    .selectFrom('calls')
    .select(['outcome', 'endReason', 'durationSeconds', 'latency'])
    .where('accountId', '=', canary.accountId)
    .where(id, '=', canary.subjectId)
    .where('startedAt', '<', canary.createdAt)
    .where(version, '=', canary.publishedVersion)
    .where('answeredAt', 'is not', null)
    .orderBy('startedAt', 'desc')
    .limit(CALLS_BEFORE)
    .execute();
  return rows.map((row) => observed(row, false));
}

function observed(call: MeasuredCall, isCanary: boolean): ObservedCall {
  return {
    isCanary,
    failed: hasFailed(call),
    transferred: call.outcome === 'transferred',
    leftEarly: hasLeftEarly(call),
    gapMs: call.latency === null ? null : (JSON.parse(call.latency) as CallLatency).p50Ms,
  };
}
