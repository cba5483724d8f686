// The prices of the installation, as ADMINs write them down. None is changed: a newer one takes its place, so that what
// a call cost stays known.

import { amountText, microsOf } from '../../db/domain/cost/money.ts';
import { RATE_NAMES, type RateName, type Rates } from '../../db/domain/cost/prices.ts';
import { isCurrency } from '../../db/domain/currency.ts';
import {
  countPrices,
  currencyOfPrices,
  deletePrice,
  getPrice,
  insertPrices,
  isTrunk,
  listPrices,
  MODEL_PRICES_MAX,
  TRUNK_PRICES_MAX,
} from '../../db/queries/costs/prices.ts';
import { isoTime } from '../../db/records/resources.ts';
import type { PriceTable } from '../../db/schema/costs.ts';
import type { Db } from '../../db/schema.ts';
import { COSTS, transact } from '../../db/scope.ts';
import { newId } from '../../db/shared/id.ts';
import type { ApiContext } from '../context.ts';
import { type FieldError, invalid, notFound } from '../frame/errors.ts';
import { offsetOf, pagination } from '../frame/pagination.ts';
import type { PriceCreate, PriceQuery, PriceRecord } from './schema.ts';

const ALL_RATES = [...new Set(Object.values(RATE_NAMES).flat())] as RateName[];
const BY_THE_SECOND = '1/1';

export function priceRecord(row: PriceTable): PriceRecord {
  const rates = JSON.parse(row.rates) as Rates;
  const text = (name: RateName): string | null => (rates[name] === undefined ? null : amountText(rates[name]));
  return {
    ...{ id: row.id, kind: row.kind, engine: row.engine, model: row.model },
    ...{ trunkId: row.trunkId, direction: row.direction, prefix: row.prefix },
    ...{ perMinute: text('perMinute'), perThousandCharacters: text('perThousandCharacters') },
    ...{ perMillionInput: text('perMillionInput'), perMillionCached: text('perMillionCached') },
    ...{ perMillionOutput: text('perMillionOutput'), connectionFee: text('connectionFee') },
    increment: row.kind === 'trunk' ? `${row.firstSeconds}/${row.stepSeconds}` : null,
    currency: row.currency,
    validFrom: isoTime(row.validFrom),
    createdAt: isoTime(row.createdAt),
  };
}

/** The row of a body; faults are added to `faults`, with the field after `at`. */
export function priceRow(body: PriceCreate, nowMs: number, faults: FieldError[], at = ''): PriceTable {
  const { kind } = body;
  const fault = (field: string, message: string) => faults.push({ field: `${at}${field}`, message });
  const isOfTrunk = kind === 'trunk';
  const allowed: readonly string[] = RATE_NAMES[kind];
  const rates: Rates = {};
  for (const name of ALL_RATES) {
    const text = body[name];
    if (text === undefined) continue;
    const micros = microsOf(text);
    if (!allowed.includes(name)) fault(name, `is no rate of ${kind}: it has ${allowed.join(', ')}`);
    else if (micros === null) fault(name, 'must be a decimal with at most six digits behind the point');
    else rates[name] = micros;
  }
  if (!allowed.some((name) => body[name as RateName] !== undefined)) fault(allowed[0] ?? '', 'is required');
  for (const name of ['engine', 'model'] as const)
    if (isOfTrunk && body[name] != null) fault(name, 'is not of a trunk');
  if ((body.model?.split('*').length ?? 0) > 2) fault('model', 'must have one * at most');
  for (const name of ['trunkId', 'direction', 'prefix', 'increment'] as const)
    if (!isOfTrunk && body[name] != null) fault(name, 'is of a trunk alone');
  if (isOfTrunk && body.direction == null) fault('direction', 'is required');
  if (!isCurrency(body.currency)) fault('currency', 'must be a currency code of ISO 4217, e.g. EUR');
  const [first = 1, step = 1] = (body.increment ?? BY_THE_SECOND).split('/').map(Number);
  return {
    ...{ id: newId('prc'), kind, engine: body.engine?.trim() ?? null, model: body.model?.trim() ?? null },
    ...{ trunkId: body.trunkId ?? null, direction: body.direction ?? null },
    prefix: isOfTrunk ? (body.prefix ?? '') : null,
    rates: JSON.stringify(rates),
    ...{ firstSeconds: first, stepSeconds: step, currency: body.currency },
    validFrom: body.validFrom === undefined ? nowMs : Date.parse(body.validFrom),
    createdAt: nowMs,
  };
}

export async function createPrice(context: ApiContext, body: PriceCreate): Promise<PriceRecord> {
  const faults: FieldError[] = [];
  const row = priceRow(body, context.now(), faults);
  if (faults.length > 0) throw invalid(faults);
  await addPrices(context, [row]);
  return priceRecord(row);
}

/** All of them or none. @throws {ApiError} 422 on another currency, an unknown trunk, or too many */
export async function addPrices({ db }: Pick<ApiContext, 'db'>, rows: readonly PriceTable[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  await transact(db, COSTS, async (tx) => {
    await refuseOtherCurrency(tx, first.currency);
    for (const trunkId of new Set(rows.flatMap((row) => row.trunkId ?? []))) await refuseUnknownTrunk(tx, trunkId);
    const isOfTrunks = first.kind === 'trunk';
    const max = isOfTrunks ? TRUNK_PRICES_MAX : MODEL_PRICES_MAX;
    if ((await countPrices(tx, isOfTrunks)) + rows.length > max)
      throw invalid([{ field: 'kind', message: `has ${max} prices already: delete some that no call needs` }]);
    await insertPrices(tx, rows);
  });
}

async function refuseOtherCurrency(tx: Db, currency: string): Promise<void> {
  const known = await currencyOfPrices(tx);
  if (known === null || known === currency) return;
  const message = `must be ${known}, as in all other prices: sums of several currencies say nothing`;
  throw invalid([{ field: 'currency', message }]);
}

async function refuseUnknownTrunk(tx: Db, trunkId: string): Promise<void> {
  if (!(await isTrunk(tx, trunkId))) throw invalid([{ field: 'trunkId', message: 'is no trunk' }]);
}

export async function listPriceRecords({ read }: ApiContext, query: PriceQuery) {
  const { page, limit, ...filter } = query;
  const { rows, total } = await listPrices(read, filter, { limit, offset: offsetOf(query) });
  return { data: rows.map(priceRecord), pagination: pagination(page, limit, total) };
}

export async function readPrice({ read }: ApiContext, id: string): Promise<PriceRecord> {
  const row = await getPrice(read, id);
  if (row === undefined) throw notFound('Price');
  return priceRecord(row);
}

/** Calls that were priced by it keep what they cost. */
export async function removePrice({ db }: ApiContext, id: string): Promise<PriceRecord> {
  const row = await transact(db, COSTS, (tx) => deletePrice(tx, id));
  if (row === undefined) throw notFound('Price');
  return priceRecord(row);
}
