// Costs of calls and conversations: a row each, and their sums by day.
import type { SelectQueryBuilder } from 'kysely';
import type { CostSums } from '../../domain/cost/pricing.ts';
import { utcDay } from '../../domain/hours/utc-days.ts';
import type { CostDayTable, CostTable } from '../../schema/costs.ts';
import type { Db, Schema } from '../../schema.ts';

/** Whose cost it is, and when it began. */
export type CostSubject = Pick<
  CostTable,
  'subjectId' | 'accountId' | 'businessId' | 'campaignId' | 'agentId' | 'beganAt'
>;

/** Calls and conversations of these ids. */
export async function costSubjects(db: Db, ids: readonly string[]): Promise<Map<string, CostSubject>> {
  const calls = await db
    .selectFrom('calls')
    .select(['id as subjectId', 'accountId', 'businessId', 'campaignId', 'agentId', 'startedAt as beganAt'])
    .where('id', 'in', ids)
    .execute();
  const conversations = await db
    .selectFrom('conversations')
    .select(['id as subjectId', 'accountId', 'businessId', 'campaignId', 'agentId', 'createdAt as beganAt'])
    .where('id', 'in', ids)
    .execute();
  return new Map([...calls, ...conversations].map((subject) => [subject.subjectId, subject]));
}

export async function costsOf(db: Db, subjectIds: readonly string[]): Promise<Map<string, CostTable>> {
  if (subjectIds.length === 0) return new Map();
  const rows = await db.selectFrom('costs').selectAll().where('subjectId', 'in', subjectIds).execute();
  return new Map(rows.map((row) => [row.subjectId, row]));
}

export const costSumsOf = (row: CostTable): CostSums => ({
  ...{ llm: row.llm, stt: row.stt, tts: row.tts, trunk: row.trunk, total: row.total, currency: row.currency },
  ...{ isEstimated: row.isEstimated === 1, isPartial: row.isPartial === 1 },
});

export async function putCost(tx: Db, row: CostTable): Promise<void> {
  const { subjectId: _, ...rest } = row;
  await tx
    .insertInto('costs')
    .values(row)
    .onConflict((conflict) => conflict.column('subjectId').doUpdateSet(rest))
    .execute();
}

/** On the record of a call whose account sees what it cost. */
export async function showCost(tx: Db, accountId: string, callId: string, cost: string): Promise<void> {
  await tx.updateTable('calls').set({ cost }).where('id', '=', callId).where('accountId', '=', accountId).execute();
}

/** Adds the row to its day, or takes it away again. */
export async function countCost(tx: Db, row: CostTable, sign: 1 | -1): Promise<void> {
  const of = (micros: number | null): number => (micros ?? 0) * sign;
  const counts = {
    ...{ calls: sign, partialCalls: row.isPartial * sign },
    ...{ llm: of(row.llm), stt: of(row.stt), tts: of(row.tts), trunk: of(row.trunk), total: of(row.total) },
  };
  const { accountId, businessId, campaignId, agentId } = row;
  const key = { accountId, day: utcDay(row.beganAt), businessId, campaignId, agentId, currency: row.currency ?? '' };
  await tx
    .insertInto('costDays')
    .values({ ...key, ...counts })
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'day', 'businessId', 'campaignId', 'agentId', 'currency']).doUpdateSet((eb) => ({
        calls: eb('costDays.calls', '+', counts.calls),
        partialCalls: eb('costDays.partialCalls', '+', counts.partialCalls),
        llm: eb('costDays.llm', '+', counts.llm),
        stt: eb('costDays.stt', '+', counts.stt),
        tts: eb('costDays.tts', '+', counts.tts),
        trunk: eb('costDays.trunk', '+', counts.trunk),
        total: eb('costDays.total', '+', counts.total),
      })),
    )
    .execute();
}

export const COST_GROUPS = ['day', 'account', 'business', 'campaign', 'agent'] as const;
type CostGroup = (typeof COST_GROUPS)[number];

interface CostFilter {
  /** Absent: of all accounts. */
  accountId?: string | undefined;
  businessId?: string | undefined;
  campaignId?: string | undefined;
  agentId?: string | undefined;
  /** UTC days, inclusive. */
  fromDay: string;
  toDay: string;
}

const COLUMNS = {
  day: 'day',
  account: 'accountId',
  business: 'businessId',
  campaign: 'campaignId',
  agent: 'agentId',
} as const;

export type CostSumRow = { group: string } & Omit<
  CostDayTable,
  'accountId' | 'day' | 'businessId' | 'campaignId' | 'agentId'
>;

const SUMMED = ['calls', 'partialCalls', 'llm', 'stt', 'tts', 'trunk', 'total'] as const;
/** Campaigns, say, with their dearest first: further ones nobody reads. */
const GROUPS_MAX = 1_000;

/** By day in their order, else the dearest first; a row for each currency. */
export async function sumCosts(db: Db, by: CostGroup, filter: CostFilter): Promise<CostSumRow[]> {
  const column = COLUMNS[by];
  const rows = filteredDays(db, filter)
    .select([`${column} as group`, 'currency'])
    .select((eb) => SUMMED.map((name) => eb.fn.sum<number>(name).as(name)))
    .groupBy([column, 'currency'])
    .limit(GROUPS_MAX);
  const ordered =
    by === 'day' ? rows.orderBy(column) : rows.orderBy((eb) => eb.fn.sum('total'), 'desc').orderBy(column);
  return (await ordered.execute()).map((row) => {
    const sums = Object.fromEntries(SUMMED.map((name) => [name, Number(row[name])])) as Pick<
      CostSumRow,
      (typeof SUMMED)[number]
    >;
    return { group: row.group, currency: row.currency, ...sums };
  });
}

const TABLES = { account: 'accounts', business: 'businesses', campaign: 'campaigns', agent: 'agents' } as const;

/** The names of groups by their ids; days have none. */
export async function groupNames(db: Db, by: CostGroup, ids: readonly string[]): Promise<Map<string, string>> {
  if (by === 'day' || ids.length === 0) return new Map();
  const rows = await db
    .selectFrom(TABLES[by] as 'agents')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function filteredDays(db: Db, filter: CostFilter): SelectQueryBuilder<Schema, 'costDays', object> {
  const { fromDay, toDay, ...of } = filter;
  let days = db.selectFrom('costDays').where('day', '>=', fromDay).where('day', '<=', toDay);
  for (const name of ['accountId', 'businessId', 'campaignId', 'agentId'] as const) {
    const value = of[name];
    if (value !== undefined) days = days.where(name, '=', value);
  }
  return days;
}
