// Costs of calls: one call line by line, and sums by day, business, campaign, agent and account.

import { amountText } from '../../db/domain/cost/money.ts';
import type { CostLine } from '../../db/domain/cost/pricing.ts';
import { DAY_MS } from '../../db/domain/hours/durations.ts';
import { utcDay } from '../../db/domain/hours/utc-days.ts';
import { type CostSumRow, costSumsOf, costsOf, groupNames, sumCosts } from '../../db/queries/costs/costs.ts';
import { callCost } from '../../db/records/resources.ts';
import type { CostTable } from '../../db/schema/costs.ts';
import type { ApiContext } from '../context.ts';
import { forbidden, invalid, notFound } from '../frame/errors.ts';
import type { AdminCostQuery, CostGroupRecord, CostLineRecord, CostRecord } from './schema.ts';
import { seeingAccounts } from './visible.ts';

const DAYS_MAX = 366;
const DAYS_DEFAULT = 30;

/** @throws {ApiError} 403 where the account is not shown costs */
export async function mustSeeCosts({ read }: ApiContext, accountId: string): Promise<void> {
  if (!(await seeingAccounts(read, [accountId])).has(accountId)) throw forbidden();
}

/** `accountId`: null: whoever's it is. @throws {ApiError} 404 */
export async function readCost({ read }: ApiContext, id: string, accountId: string | null): Promise<CostRecord> {
  const row = (await costsOf(read, [id])).get(id);
  if (row === undefined || (accountId !== null && row.accountId !== accountId)) throw notFound('Cost');
  return costRecord(row);
}

const costRecord = (row: CostTable): CostRecord => ({
  id: row.subjectId,
  cost: callCost(costSumsOf(row)),
  lines: (JSON.parse(row.lines) as CostLine[]).map(lineRecord),
});

function lineRecord({ ms, isEstimated: estimated, amount, ...line }: CostLine): CostLineRecord {
  return { ...line, estimated, seconds: ms / 1_000, amount: amount === null ? null : amountText(amount) };
}

export async function readSums(context: ApiContext, query: AdminCostQuery) {
  const { from, to, by, ...filter } = query;
  const toDay = to ?? utcDay(context.now());
  const fromDay = from ?? utcDay(Date.parse(toDay) - (DAYS_DEFAULT - 1) * DAY_MS);
  const days = (Date.parse(toDay) - Date.parse(fromDay)) / DAY_MS + 1;
  if (days < 1) throw invalid([{ field: 'to', message: 'must not be before from' }]);
  if (days > DAYS_MAX) throw invalid([{ field: 'to', message: `must be within ${DAYS_MAX} days of from` }]);
  const rows = await sumCosts(context.read, by, { ...filter, fromDay, toDay });
  const names = await groupNames(context.read, by, [...new Set(rows.map(({ group }) => group))]);
  return { from: fromDay, to: toDay, sums: rows.map((row) => sumRecord(row, names.get(row.group) ?? null)) };
}

const sumRecord = (row: CostSumRow, name: string | null): CostGroupRecord => ({
  ...{ group: row.group, name, currency: row.currency === '' ? null : row.currency },
  ...{ calls: row.calls, partialCalls: row.partialCalls },
  ...{ llm: amountText(row.llm), stt: amountText(row.stt), tts: amountText(row.tts) },
  ...{ trunk: amountText(row.trunk), total: amountText(row.total) },
});

/** Sums as a table. */
export async function sumsCsv(context: ApiContext, query: AdminCostQuery): Promise<string> {
  const { sums } = await readSums(context, query);
  const { default: Papa } = await import('papaparse');
  const columns = ['group', 'name', 'currency', 'calls', 'partialCalls', 'llm', 'stt', 'tts', 'trunk', 'total'];
  return `${Papa.unparse({ fields: columns, data: sums }, { newline: '\r\n', escapeFormulae: true })}\r\n`;
}
