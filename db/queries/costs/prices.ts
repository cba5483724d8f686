// The prices of the installation: added and deleted by ADMINs, read when calls are priced.
import type { SelectQueryBuilder } from 'kysely';
import { type Price, prefixesOf } from '../../domain/cost/prices.ts';
import type { UseKind } from '../../domain/cost/uses.ts';
import type { PriceTable } from '../../schema/costs.ts';
import type { Db, Schema } from '../../schema.ts';
import { newestPage, type Page } from '../newest-page.ts';

/** Rows of one statement: PostgreSQL takes 65,535 parameters. */
const ROWS_AT_ONCE = 1_000;
/** Beyond it the list of models is a mistake; prices of trunks are counted by themselves. */
export const MODEL_PRICES_MAX = 1_000;
export const TRUNK_PRICES_MAX = 100_000;

export interface PriceFilter {
  kind?: UseKind | undefined;
  trunkId?: string | undefined;
  direction?: 'inbound' | 'outbound' | undefined;
}

type Prices<Row> = SelectQueryBuilder<Schema, 'prices', Row>;

function filtered<Row>(rows: Prices<Row>, { kind, trunkId, direction }: PriceFilter): Prices<Row> {
  let query = rows;
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (trunkId !== undefined) query = query.where('trunkId', '=', trunkId);
  return direction === undefined ? query : query.where('direction', '=', direction);
}

/** A page, the newest first, and how many there are. */
export const listPrices = (db: Db, filter: PriceFilter, page: Page) =>
  newestPage(filtered(db.selectFrom('prices').selectAll(), filter), page);

/** The next ones of a trunk by prefix, for a table that is sent as it is read. */
export function pricesAfter(db: Db, filter: PriceFilter, after: string, limit: number): Promise<PriceTable[]> {
  return filtered(db.selectFrom('prices').selectAll(), { ...filter, kind: 'trunk' })
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export function getPrice(db: Db, id: string): Promise<PriceTable | undefined> {
  return db.selectFrom('prices').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insertPrices(tx: Db, rows: readonly PriceTable[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await tx
      .insertInto('prices')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .execute();
}

export async function deletePrice(tx: Db, id: string): Promise<PriceTable | undefined> {
  return tx.deleteFrom('prices').where('id', '=', id).returningAll().executeTakeFirst();
}

/** Of models, or of trunks. */
export async function countPrices(db: Db, isOfTrunks: boolean): Promise<number> {
  const { total } = await db
    .selectFrom('prices')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('kind', isOfTrunks ? '=' : '<>', 'trunk')
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** That of all prices; null where there is none. */
export async function currencyOfPrices(db: Db): Promise<string | null> {
  const row = await db.selectFrom('prices').select('currency').limit(1).executeTakeFirst();
  return row?.currency ?? null;
}

/** Prices that may fit: all of models, and those of trunks for these called numbers. */
export async function pricesToFit(db: Db, numbers: readonly string[]): Promise<Price[]> {
  const models = await db
    .selectFrom('prices')
    .selectAll()
    .where('kind', '<>', 'trunk')
    .limit(MODEL_PRICES_MAX)
    .execute();
  const prefixes = [...new Set(numbers.flatMap(prefixesOf))];
  const trunks: PriceTable[] = [];
  for (let at = 0; at < prefixes.length; at += ROWS_AT_ONCE)
    trunks.push(
      ...(await db
        .selectFrom('prices')
        .selectAll()
        .where('kind', '=', 'trunk')
        .where('prefix', 'in', prefixes.slice(at, at + ROWS_AT_ONCE))
        .execute()),
    );
  return [...models, ...trunks].map((row) => ({ ...row, rates: JSON.parse(row.rates) as Price['rates'] }));
}

/** Also one that was deleted: its calls may have to be priced yet. */
export async function isTrunk(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('trunks').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}
