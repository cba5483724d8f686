// Copies every row of one database into another of the other kind, or of the same: in the order of each table's key, in
// batches, each in a transaction. It can be stopped and run again: a table goes on after the last key that arrived.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { dialectOf } from './dialect.ts';
import type { Db } from './schema.ts';
import { runText } from './statements/compiled-statement.ts';

/** Rows of a batch: PostgreSQL takes 65,535 parameters a statement, and a call has some forty columns. */
const BATCH = 500;
/** Sums stay exact numbers in both databases. */
const SUM_MODULUS = 1_000_003;

/** Not rows of the installation: versions, who runs now, statistics, and the records that only SQLite keeps. */
const OWN_TABLES = new Set([
  'schema_migrations',
  'leases',
  'processes',
  'call_changes',
  'contact_changes',
  'hour_changes',
  'usage_changes',
  'sqlite_sequence',
  'name_grams',
  'name_grams_config',
  'name_grams_data',
  'name_grams_idx',
  'passage_words',
  'passage_words_config',
  'passage_words_data',
  'passage_words_idx',
  'sqlite_stat1',
  'sqlite_stat4',
]);
const OWN_COLUMNS = new Set(['calls.record_json']);
/** The cursor of SQLite's records (queries/calls/list/records.ts). */
const OWN_CURSOR = 'call-records';

interface Table {
  name: string;
  key: readonly string[];
  columns: readonly string[];
  /** Columns of numbers. */
  numbers: readonly string[];
}

export interface CarryOverProgress {
  table: string;
  rows: number;
  total: number;
}

/** A table of the copy differs from its original. */
export class CarryOverError extends Error {
  override name = 'CarryOverError';
}

type Row = Record<string, string | number | null>;

/** Names are those of our own schema. */
const name = (column: string) => sql.raw(`"${column}"`);
const names = (columns: readonly string[]) => sql.join(columns.map(name));

async function tablesOf(db: Db): Promise<Table[]> {
  const tables = (await db.withoutPlugins().introspection.getTables()).filter(
    (table) => !table.isView && !OWN_TABLES.has(table.name),
  );
  const list: Table[] = [];
  for (const table of tables.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const columns = table.columns.filter((column) => !OWN_COLUMNS.has(`${table.name}.${column.name}`));
    list.push({
      name: table.name,
      key: await keyOf(db, table.name),
      columns: columns.map((column) => column.name),
      numbers: columns.filter(({ dataType }) => /^(integer|bigint|int8)$/i.test(dataType)).map((column) => column.name),
    });
  }
  return list;
}

/** The columns of the primary key, in its order. */
async function keyOf(db: Db, table: string): Promise<string[]> {
  const rows = await runText<{ name: string }>(db, 'primary-key', (dialect) => dialect.primaryKey, [table]);
  return rows.map((row) => row.name);
}

const condition = (table: Table) => (table.name === 'cursors' ? sql`name <> ${OWN_CURSOR}` : sql`1 = 1`);

/** The rows after that key, in the key's order. */
async function rowsAfter(db: Db, table: Table, columns: readonly string[], last: Row | null): Promise<Row[]> {
  const key = names(table.key);
  const after =
    last === null ? sql`` : sql`and (${key}) > (${sql.join(table.key.map((column) => sql`${last[column]}`))})`;
  const { rows } = await sql<Row>`select ${names(columns)} from ${name(table.name)} where ${condition(table)} ${after}
    order by ${key} limit ${BATCH}`.execute(db.withoutPlugins());
  return rows;
}

/** The last key that arrived. */
async function lastOf(db: Db, table: Table): Promise<Row | null> {
  const { rows } = await sql<Row>`select ${names(table.key)} from ${name(table.name)} where ${condition(table)}
    order by ${sql.join(table.key.map((column) => sql`${name(column)} desc`))} limit 1`.execute(db.withoutPlugins());
  return rows[0] ?? null;
}

async function countOf(db: Db, table: Table): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${name(table.name)}
    where ${condition(table)}`.execute(db);
  return Number(rows[0]?.total ?? 0);
}

/**
 * Copies all rows. The triggers of `to` must be off, since totals are copied as rows; nobody else may write to either.
 * @throws {CarryOverError} when a table of `to` has other rows than that of `from` afterwards
 */
export async function carryOver(from: Db, to: Db, onProgress: (progress: CarryOverProgress) => void): Promise<number> {
  let copied = 0;
  for (const table of await tablesOf(from)) {
    const total = await countOf(from, table);
    let rows = await countOf(to, table);
    onProgress({ table: table.name, rows, total });
    for (let last = await lastOf(to, table); ; ) {
      const batch = await rowsAfter(from, table, table.columns, last);
      if (batch.length === 0) break;
      await insert(to, table, batch);
      last = batch.at(-1) ?? null;
      rows += batch.length;
      copied += batch.length;
      onProgress({ table: table.name, rows, total });
    }
  }
  await setSequences(to);
  return copied;
}

async function insert(to: Db, table: Table, batch: readonly Row[]): Promise<void> {
  const values = batch.map((row) => sql`(${sql.join(table.columns.map((column) => sql`${row[column]}`))})`);
  await to
    .withoutPlugins()
    .transaction()
    .execute(async (trx) => {
      await sql`insert into ${name(table.name)} (${names(table.columns)}) values ${sql.join(values)}`.execute(trx);
    });
}

/** The next numbers of events and of the live feed follow those that were copied. */
async function setSequences(db: Db): Promise<void> {
  if (!dialectOf(db).hasSequences) return;
  for (const table of ['events', 'call_feed']) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'seq'), greatest((select max(seq) from ${name(table)}), 1),
      exists (select 1 from ${name(table)}))`.execute(db);
  }
}

/** Compares count, sums of the numbers, and a hash over the ordered keys of every table. */
export async function compareDatabases(
  from: Db,
  to: Db,
  onProgress: (progress: CarryOverProgress) => void,
): Promise<number> {
  let compared = 0;
  for (const table of await tablesOf(from)) {
    const total = await countOf(from, table);
    onProgress({ table: table.name, rows: 0, total });
    const facts = [await factsOf(from, table), await factsOf(to, table)];
    if (facts[0] !== facts[1]) {
      throw new CarryOverError(`the table ${table.name} differs: ${facts[0]} in the original, ${facts[1]} in the copy`);
    }
    compared += total;
    onProgress({ table: table.name, rows: total, total });
  }
  return compared;
}

async function factsOf(db: Db, table: Table): Promise<string> {
  const sums = table.numbers.map(
    (column) => sql`coalesce(sum(${name(column)} % ${sql.lit(SUM_MODULUS)}), 0) as ${name(column)}`,
  );
  const { rows } = await sql<Row>`select ${sql.join([sql`count(*) as total`, ...sums])} from ${name(table.name)}
    where ${condition(table)}`.execute(db.withoutPlugins());
  const hash = createHash('sha256');
  for (let last: Row | null = null; ; ) {
    const batch: Row[] = await rowsAfter(db, table, table.key, last);
    if (batch.length === 0) break;
    for (const row of batch) hash.update(`${JSON.stringify(table.key.map((column) => row[column]))}\n`);
    last = batch.at(-1) ?? null;
  }
  const { total, ...numbers } = rows[0] ?? {};
  const sum = Object.entries(numbers).map(([column, value]) => `${column} ${Number(value)}`);
  return [`${Number(total)} rows`, ...sum, `keys ${hash.digest('hex').slice(0, 16)}`].join(', ');
}
