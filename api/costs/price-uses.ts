// Prices what calls and conversations used: a job takes the uses that wait, adds their lines to the cost of each, and
// moves the sums of the day, in one transaction, so that a process that dies prices nothing twice and forgets nothing.

import type { Price } from '../../db/domain/cost/prices.ts';
import { type CostLine, costLines, costSums } from '../../db/domain/cost/pricing.ts';
import type { Use } from '../../db/domain/cost/uses.ts';
import {
  type CostSubject,
  costSubjects,
  costSumsOf,
  costsOf,
  countCost,
  putCost,
  showCost,
} from '../../db/queries/costs/costs.ts';
import { pricesToFit } from '../../db/queries/costs/prices.ts';
import { takeUses, waitingUses } from '../../db/queries/costs/uses.ts';
import { callCost } from '../../db/records/resources.ts';
import type { CostTable } from '../../db/schema/costs.ts';
import type { Db } from '../../db/schema.ts';
import { COSTS, transact } from '../../db/scope.ts';
import type { ApiContext } from '../context.ts';
import { seeingAccounts } from './visible.ts';

const AT_ONCE = 100;
const ROUNDS_MAX = 20;

/** A backlog of more than two thousand waits for the next run. */
export async function priceUses({ db, read }: Pick<ApiContext, 'db' | 'read'>): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const waiting = await waitingUses(read, AT_ONCE);
    if (waiting.length === 0) return;
    const ids = waiting.map(({ id }) => id);
    await transact(db, COSTS, (tx) => priceThese(tx, ids));
    if (waiting.length < AT_ONCE) return;
  }
}

async function priceThese(tx: Db, ids: readonly string[]): Promise<void> {
  const taken = await takeUses(tx, ids);
  if (taken.length === 0) return;
  const bySubject = Map.groupBy(taken, ({ subjectId }) => subjectId);
  const subjects = await costSubjects(tx, [...bySubject.keys()]);
  const before = await costsOf(tx, [...bySubject.keys()]);
  const uses = taken.flatMap((row) => JSON.parse(row.uses) as Use[]);
  const prices = await pricesToFit(
    tx,
    uses.flatMap((use) => (use.kind === 'trunk' ? use.number : [])),
  );
  const seeing = await seeingAccounts(tx, [...new Set(taken.map(({ accountId }) => accountId))]);
  for (const [subjectId, rows] of bySubject) {
    const subject = subjects.get(subjectId);
    // A conversation that was deleted meanwhile.
    if (subject === undefined) continue;
    const former = before.get(subjectId);
    // A call by the prices at its beginning; a conversation may go on for months.
    const isCall = subjectId.startsWith('call_');
    const fresh = rows.flatMap((row) =>
      costLines(JSON.parse(row.uses) as Use[], isCall ? subject.beganAt : row.createdAt, prices),
    );
    const began = isCall ? subject.beganAt : (former?.beganAt ?? rows[0]?.createdAt ?? subject.beganAt);
    const next = costRow({ ...subject, beganAt: began }, former, fresh, prices);
    if (former !== undefined) await countCost(tx, former, -1);
    await countCost(tx, next, 1);
    await putCost(tx, next);
    if (isCall && next.total !== null && seeing.has(subject.accountId))
      await showCost(tx, subject.accountId, subjectId, JSON.stringify(callCost(costSumsOf(next))));
  }
}

function costRow(
  subject: CostSubject,
  former: CostTable | undefined,
  fresh: readonly CostLine[],
  prices: readonly Price[],
): CostTable {
  const currencyOf = ({ priceId }: CostLine) => prices.find(({ id }) => id === priceId)?.currency ?? null;
  const currency = former?.currency ?? fresh.map(currencyOf).find((each) => each !== null) ?? null;
  // All prices have one currency; where it was changed since the call, what comes later cannot be added to it.
  const same = fresh.map((line) =>
    line.priceId === null || currencyOf(line) === currency ? line : { ...line, amount: null, priceId: null },
  );
  const lines = together([...(former === undefined ? [] : (JSON.parse(former.lines) as CostLine[])), ...same]);
  const { isEstimated, isPartial, ...sums } = costSums(lines, currency);
  return {
    ...subject,
    ...sums,
    lines: JSON.stringify(lines),
    isEstimated: isEstimated ? 1 : 0,
    isPartial: isPartial ? 1 : 0,
  };
}

const COUNTED = ['requests', 'ms', 'characters', 'inputTokens', 'cachedTokens', 'outputTokens'] as const;

/** Lines of one model for one purpose are one, so that a long conversation has few; each leg keeps its own. */
function together(lines: readonly CostLine[]): CostLine[] {
  const byKey = new Map<string, CostLine>();
  for (const [index, line] of lines.entries()) {
    const { kind, purpose, engine, model, priceId, amount } = line;
    const key =
      kind === 'trunk' ? String(index) : JSON.stringify([kind, purpose, engine, model, priceId, amount === null]);
    const same = byKey.get(key);
    if (same === undefined) {
      byKey.set(key, { ...line });
      continue;
    }
    for (const name of COUNTED) same[name] += line[name];
    same.isEstimated ||= line.isEstimated;
    if (same.amount !== null) same.amount += line.amount ?? 0;
  }
  return [...byKey.values()];
}
