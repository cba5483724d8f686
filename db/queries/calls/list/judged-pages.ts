// Pages of calls by what was found of them: a range of scores, a disposition, values of outputs, a number, a
// problem; and by score. They are read on a thread of their own (api/calls/list/reader-thread.ts), because their totals
// are counted.
//
// One condition leads, by its index; the others are written so that no index serves them. Where the rarest value is
// rare, it leads whatever the order, and its calls are sorted. Else a range of scores is read from `calls_judged` in
// the order of time or from `calls_score` in that of the score, whose entries have what else is mostly asked for.

import type { Db } from '../../../schema.ts';
import { runText } from '../../../statements/compiled-statement.ts';
import { asksForResults, type CallFilter, FILTER_COLUMNS, keptTotal, OTHER_SIDE, valueFilters } from './counts.ts';

const CALL_ORDERS = {
  '-startedAt': 'desc',
  startedAt: 'asc',
  '-score': 'desc',
  score: 'asc',
} as const;
export type CallOrder = keyof typeof CALL_ORDERS;

/** The number of calls that are sorted, or looked up, in some 50 ms. */
const RARE = 20_000;
/** Up to here values are compared by their number of calls: counting so many takes 15 ms. */
const COMPARED = 200_000;

/** Whether the list needs this file: pages of other lists are in `pages.ts`. */
export const isJudged = (filter: CallFilter, order: CallOrder): boolean =>
  order !== '-startedAt' || asksForResults(filter);

type Parameter = string | number;

interface Condition {
  /** Stands for it in the names of statements. */
  key: string;
  /** With its index, and so that no index serves it. */
  leading: string;
  other: string;
  values: Parameter[];
  /** Its number of calls; at most `COMPARED` + 1 where the database counts them. */
  count(): Promise<number>;
}

const column = (name: string): Pick<Condition, 'leading' | 'other'> => ({
  leading: `${name} = ?`,
  other: `coalesce(${name}, '') = ?`,
});

function conditionsOf(db: Db, accountId: string, filter: CallFilter): Condition[] {
  const conditions: Condition[] = valueFilters(filter).map((name) => ({
    key: name,
    ...column(FILTER_COLUMNS[name]),
    values: [filter[name] ?? ''],
    count: () => keptTotal(db, accountId, { [name]: filter[name] } as CallFilter),
  }));
  const upToCompared = async (key: string, from: string, values: readonly Parameter[]): Promise<number> => {
    const text = () => `select count(*) as total from (select 1 from ${from} limit ${COMPARED + 1}) as found`;
    const [row] = await runText<{ total: number }>(db, `rare|${key}`, text, values);
    return Number(row?.total ?? 0);
  };
  const { disposition, forwardedFrom, number, problem, outputs = {} } = filter;
  for (const [name, value] of [
    ['disposition', disposition],
    ['forwarded_from', forwardedFrom],
    [OTHER_SIDE, number],
  ] as const) {
    if (value === undefined) continue;
    const count = () => upToCompared(name, `calls where account_id = ? and ${name} = ?`, [accountId, value]);
    conditions.push({ key: name, ...column(name), values: [value], count });
  }
  if (problem !== undefined) {
    const [ofKind, values] = problem === 'any' ? ['', [accountId]] : [' and kind = ?', [accountId, problem]];
    const key = `problem${ofKind}`;
    conditions.push({
      key,
      leading: `calls.id in (select call_id from call_problems where account_id = ?${ofKind})`,
      other: `exists (select 1 from call_problems w where w.call_id = calls.id and w.account_id = ?${ofKind})`,
      values,
      count: () => upToCompared(key, `call_problems where account_id = ?${ofKind}`, values),
    });
  }
  for (const [name, value] of Object.entries(outputs)) {
    const values = [accountId, name, value];
    conditions.push({
      key: 'output',
      leading: 'o.account_id = ? and o.name = ? and o.value = ?',
      other: `exists (select 1 from call_outputs p where p.account_id = ? and p.name = ? and p.value = ?
        and p.started_at = calls.started_at and p.call_id = calls.id)`,
      values,
      count: () => upToCompared('output', 'call_outputs where account_id = ? and name = ? and value = ?', values),
    });
  }
  return conditions;
}

interface Statement {
  key: string;
  from: string;
  where: string;
  values: Parameter[];
  /** The columns of the order. */
  time: string;
  score: string;
}

/**
 * The statement of a page or count, with its leading condition chosen. `byScore`: the order of the page; of a count
 * none matters.
 */
async function statementFor(
  db: Db,
  accountId: string,
  filter: CallFilter,
  { byScore, isCount = false, rare }: { byScore: boolean; isCount?: boolean; rare: number },
): Promise<Statement> {
  const conditions = conditionsOf(db, accountId, filter);
  const counted = await Promise.all(conditions.map(async (each) => ({ each, count: await each.count() })));
  const sorted = counted.sort((a, b) => a.count - b.count);
  const { minScore, maxScore, fromMs, toMs } = filter;
  const isScored = byScore || minScore !== undefined || maxScore !== undefined;
  const rarest = sorted[0];
  const rarestOutput = sorted.find(({ each }) => each.key === 'output')?.each ?? null;
  // A value's entries have the score; only the order by score is not theirs.
  const commonLeads = byScore && !isCount ? null : rarestOutput;
  const leads = rarest !== undefined && (!isScored || rarest.count <= rare) ? rarest.each : commonLeads;
  const isOutput = leads?.key === 'output';
  const time = isOutput ? 'o.started_at' : 'calls.started_at';
  const parts: string[] = [];
  const values: Parameter[] = [];
  const add = (text: string, ...given: Parameter[]): void => {
    parts.push(text);
    values.push(...given);
  };
  if (!isOutput) add('calls.account_id = ?', accountId);
  if (leads !== null) add(leads.leading, ...leads.values);
  if (fromMs !== undefined) add(`${time} >= ?`, fromMs);
  if (toMs !== undefined) add(`${time} <= ?`, toMs);
  const score = isOutput ? 'o.score' : 'calls.score';
  if (isScored) {
    // Only the order of the score, and a count, are read by it.
    const compared = isOutput || (leads === null && (byScore || isCount)) ? score : `coalesce(${score}, -1)`;
    add(isOutput || leads === null ? `${score} is not null` : `coalesce(${score}, -1) >= 0`);
    if (minScore !== undefined) add(`${compared} >= ?`, minScore);
    if (maxScore !== undefined) add(`${compared} <= ?`, maxScore);
  }
  for (const { each } of sorted) {
    if (each !== leads)
      add(
        isOutput ? each.other.replace('calls.started_at', 'o.started_at').replace('calls.id', 'o.call_id') : each.other,
        ...each.values,
      );
  }
  const asksRows = sorted.some(({ each }) => each.key !== 'output');
  return {
    key: parts.join('|'),
    from: !isOutput ? 'calls' : asksRows ? 'call_outputs o cross join calls' : 'call_outputs o',
    where: isOutput && asksRows ? `${parts.join(' and ')} and calls.id = o.call_id` : parts.join(' and '),
    values,
    time,
    score,
  };
}

/** The calls that match; by score those that have one. */
export async function countJudged(db: Db, accountId: string, filter: CallFilter, order: CallOrder): Promise<number> {
  const byScore =
    order === 'score' || order === '-score' || filter.minScore !== undefined || filter.maxScore !== undefined;
  const { key, from, where, values } = await statementFor(db, accountId, filter, {
    byScore,
    isCount: true,
    rare: RARE,
  });
  const text = () => `select count(*) as total from ${from} where ${where}`;
  const [row] = await runText<{ total: number }>(db, `judged-count|${key}`, text, values);
  return Number(row?.total ?? 0);
}

interface JudgedPage {
  order: CallOrder;
  offset: number;
  limit: number;
  /** Up to so many calls are sorted. */
  rare?: number;
}

/** The statement that reads the ids of a page, which ends in its limit and offset. */
export async function pageStatement(
  db: Db,
  accountId: string,
  filter: CallFilter,
  { order, rare = RARE }: Pick<JudgedPage, 'order' | 'rare'>,
): Promise<Pick<Statement, 'key' | 'values'> & { text: string }> {
  const byScore = order === 'score' || order === '-score';
  const { key, from, where, values, time, score } = await statementFor(db, accountId, filter, { byScore, rare });
  const direction = CALL_ORDERS[order];
  const id = time === 'o.started_at' ? 'o.call_id' : 'calls.id';
  const columns = [...(byScore ? [score] : []), time, id].map((each) => `${each} ${direction}`);
  const text = `select ${id} as id from ${from} where ${where} order by ${columns.join(', ')} limit ? offset ?`;
  return { key: `judged-page|${order}|${key}`, text, values };
}

/** The ids of a page in the order of the list. */
export async function judgedPage(db: Db, accountId: string, filter: CallFilter, page: JudgedPage): Promise<string[]> {
  const { key, text, values } = await pageStatement(db, accountId, filter, page);
  const rows = await runText<{ id: string }>(db, key, () => text, [...values, page.limit, page.offset]);
  return rows.map(({ id }) => id);
}
