// Calls for a table of many rows: newest first, page after page by the place of the last one, so that calls which end
// meanwhile move none.
import { sql } from 'kysely';
import type { CallTable } from '../../../schema/call-columns.ts';
import type { Db } from '../../../schema.ts';
import { type CallFilter, OTHER_SIDE, valueFilters } from './counts.ts';

const COLUMNS = [
  'id',
  'startedAt',
  'endedAt',
  'direction',
  'fromNumber',
  'toNumber',
  'callerName',
  'status',
  'outcome',
  'endReason',
  'durationSeconds',
  'sentiment',
  'summary',
  'tags',
  'businessId',
  'campaignId',
  'agentId',
  'score',
  'disposition',
  'analysis',
] as const;

export type ExportedCall = Pick<CallTable, (typeof COLUMNS)[number]>;

/** `after`: the last call of the page before. */
export function callsAfter(
  db: Db,
  accountId: string,
  filter: CallFilter,
  { after, limit }: { after: Pick<CallTable, 'id' | 'startedAt'> | null; limit: number },
): Promise<ExportedCall[]> {
  const { minScore, maxScore, disposition, forwardedFrom, number, problem, outputs = {}, fromMs, toMs } = filter;
  const [led, ...others] = Object.entries(outputs);
  let query = db
    .selectFrom('calls')
    .select(COLUMNS.map((name) => `calls.${name}` as const))
    .where('calls.accountId', '=', accountId);
  let [time, id] = [sql.ref<number>('calls.startedAt'), sql.ref<string>('calls.id')];
  if (led !== undefined) {
    // The index of the value has the order of the list.
    [time, id] = [sql.ref<number>('led.startedAt'), sql.ref<string>('led.callId')];
    query = query
      .innerJoin('callOutputs as led', 'led.callId', 'calls.id')
      .where('led.accountId', '=', accountId)
      .where('led.name', '=', led[0])
      .where('led.value', '=', led[1]) as unknown as typeof query;
  }
  for (const name of valueFilters(filter)) query = query.where(`calls.${name}`, '=', filter[name] as never);
  // A range of scores is none of the index: the order of time is kept over all pages.
  const score = sql<number>`coalesce(calls.score, -1)`;
  if (minScore !== undefined) query = query.where(score, '>=', minScore);
  if (maxScore !== undefined) query = query.where(score, '>=', 0).where(score, '<=', maxScore);
  if (disposition !== undefined) query = query.where('disposition', '=', disposition);
  if (forwardedFrom !== undefined) query = query.where('forwardedFrom', '=', forwardedFrom);
  if (number !== undefined) query = query.where(sql<string>`${sql.raw(OTHER_SIDE)}`, '=', number);
  if (problem !== undefined) {
    query = query.where(({ exists, selectFrom }) => {
      const found = selectFrom('callProblems as w')
        .select('w.callId')
        .where('w.accountId', '=', accountId)
        .whereRef('w.callId', '=', 'calls.id');
      return exists(problem === 'any' ? found : found.where('w.kind', '=', problem));
    });
  }
  for (const [name, value] of others) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('callOutputs as o')
          .select('o.callId')
          .where('o.accountId', '=', accountId)
          .where('o.name', '=', name)
          .where('o.value', '=', value)
          .whereRef('o.startedAt', '=', 'calls.startedAt')
          .whereRef('o.callId', '=', 'calls.id'),
      ),
    );
  }
  if (fromMs !== undefined) query = query.where(time, '>=', fromMs);
  if (toMs !== undefined) query = query.where(time, '<=', toMs);
  if (after !== null) {
    query = query
      .where(time, '<=', after.startedAt)
      .where((eb) => eb.or([eb(time, '<', after.startedAt), eb(id, '<', after.id)]));
  }
  return query.orderBy(time, 'desc').orderBy(id, 'desc').limit(limit).execute();
}

/** Names of the outputs that the account's businesses and campaigns want, each once. */
export async function outputNames(db: Db, accountId: string): Promise<string[]> {
  const rows = await Promise.all(
    (['businesses', 'campaigns'] as const).map((table) =>
      // Kysely knows the columns of one named table; both have this one.
      db
        .selectFrom(table as 'businesses')
        .select('outputs')
        .where('accountId', '=', accountId)
        .where('outputs', '!=', '[]')
        .execute(),
    ),
  );
  const names = rows
    .flat()
    .flatMap(({ outputs }) => (JSON.parse(outputs) as Array<{ name: string }>).map((each) => each.name));
  return [...new Set(names)].sort();
}

/** Whether any call of the account has a value of this output, which may have been renamed since. */
export async function hasOutput(db: Db, accountId: string, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('callOutputs')
    .select('callId')
    .where('accountId', '=', accountId)
    .where('name', '=', name)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
