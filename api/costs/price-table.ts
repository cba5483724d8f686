// The prices of trunks as a table, as carriers send them: the body `text/csv` becomes the body of JSON that means the
// same, so that one set of checks and messages holds for both; and a table that can be read again.
import { separatorOf, TableEncodingError, tableText } from '../../db/domain/contacts/contact-table.ts';
import { tableRows } from '../../db/domain/contacts/table-rows.ts';
import { type PriceFilter, pricesAfter } from '../../db/queries/costs/prices.ts';
import type { PriceTable } from '../../db/schema/costs.ts';
import type { Db } from '../../db/schema.ts';
import { type FieldError, invalid } from '../frame/errors.ts';
import { priceRecord, priceRow } from './prices.ts';
import { TRUNK_PRICES_PER_REQUEST, type TrunkPrices } from './schema.ts';

const COLUMNS = ['prefix', 'perMinute', 'connectionFee', 'increment'] as const;
const REQUIRED: readonly string[] = ['prefix', 'perMinute'];
const FAULTS_MAX = 50;

const wrongTable = (message: string) => invalid([{ field: 'prices', message }]);

/** The first row has the names of the columns; others than ours are left out. @throws {ApiError} 422 */
export function trunkPricesOfCsv(bytes: Buffer, charset: string | null): TrunkPrices['prices'] {
  const { separator, rows: text } = separatorOf(textOf(bytes, charset));
  const { rows: all, brokenRow } = tableRows(text, separator, TRUNK_PRICES_PER_REQUEST + 2);
  if (brokenRow !== null) throw wrongTable(`row ${brokenRow + 1} of the table has a quote that is not closed`);
  const [names, ...rows] = all;
  if (names === undefined) throw wrongTable('is empty: the first row must name the columns');
  const known = names.map((name) => name.trim().toLowerCase());
  const places = COLUMNS.map((column) => ({ column, place: known.indexOf(column.toLowerCase()) }));
  for (const { column, place } of places)
    if (place < 0 && REQUIRED.includes(column))
      throw wrongTable(`has no column ${column} in its first row: it has ${COLUMNS.join(', ')}`);
  return rows.map((cells) => {
    const price: Record<string, string> = {};
    for (const { column, place } of places) {
      const cell = place < 0 ? '' : (cells[place] ?? '').trim();
      if (column === 'prefix') price.prefix = prefixOf(cell);
      else if (cell !== '' || REQUIRED.includes(column)) price[column] = cell;
    }
    return price as TrunkPrices['prices'][number];
  });
}

/** Carriers write +49 as 49 or 0049. */
function prefixOf(cell: string): string {
  const digits = cell.replace(/^\+|^00/, '');
  return digits === '' ? '' : `+${digits}`;
}

/** @throws {ApiError} 422 with the rows at fault, counted from the one under the names */
export function trunkPriceRows({ prices, ...of }: TrunkPrices, nowMs: number): PriceTable[] {
  const faults: FieldError[] = [];
  const seen = new Map<string, number>();
  const rows = prices.map((price, index) => {
    const same = seen.get(price.prefix);
    if (same !== undefined && faults.length < FAULTS_MAX)
      faults.push({ field: `prices[${index}].prefix`, message: `is that of prices[${same}] too` });
    seen.set(price.prefix, index);
    return priceRow({ ...of, ...price, kind: 'trunk' }, nowMs, faults, `prices[${index}].`);
  });
  if (faults.length > 0) throw invalid(faults.slice(0, FAULTS_MAX));
  return rows;
}

function textOf(bytes: Buffer, charset: string | null): string {
  try {
    return tableText(bytes, charset);
  } catch (error) {
    if (error instanceof TableEncodingError) throw wrongTable(error.message);
    throw error;
  }
}

const ROWS_AT_ONCE = 500;
const WRITTEN = ['trunkId', 'direction', ...COLUMNS, 'currency', 'validFrom'] as const;

/** No cell has a separator, a quote or the beginning of a formula: names of trunks are ids. */
export async function* trunkPricesCsv(db: Db, filter: PriceFilter): AsyncGenerator<string> {
  yield `${WRITTEN.join(',')}\r\n`;
  let after = '';
  for (;;) {
    const rows = await pricesAfter(db, filter, after, ROWS_AT_ONCE);
    if (rows.length === 0) return;
    yield rows
      .map((row) => {
        const record = priceRecord(row);
        return `${WRITTEN.map((column) => record[column] ?? '').join(',')}\r\n`;
      })
      .join('');
    after = rows.at(-1)?.id ?? '';
    if (rows.length < ROWS_AT_ONCE) return;
  }
}
