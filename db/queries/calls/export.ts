// Calls for a table of many rows: newest first, page after page by the place of the last one, so that calls which end
// meanwhile move none.
import type { CallTable } from '../../schema/call-columns.ts';
import type { Db } from '../../schema.ts';
import { type CallFilter, valueFilters } from './counts.ts';

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
  let query = db.selectFrom('calls').select(COLUMNS).where('accountId', '=', accountId);
  for (const name of valueFilters(filter)) query = query.where(name, '=', filter[name] as never);
  if (filter.fromMs !== undefined) query = query.where('startedAt', '>=', filter.fromMs);
  if (filter.toMs !== undefined) query = query.where('startedAt', '<=', filter.toMs);
  if (after !== null) {
    const { id, startedAt } = after;
    query = query
      .where('startedAt', '<=', startedAt)
      .where((eb) => eb.or([eb('startedAt', '<', startedAt), eb('id', '<', id)]));
  }
  return query.orderBy('startedAt', 'desc').orderBy('id', 'desc').limit(limit).execute();
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
