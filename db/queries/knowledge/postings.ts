// Which passages have a term, by the database's index of terms: SQLite keeps it in FTS5, PostgreSQL in a GIN index of
// `tsvector`. A term begins with its business's mark, so a business's own words are counted, and those of others cost
// nothing. Terms go as one JSON text, so that each question is one of a few prepared statements.
import { type RawBuilder, sql } from 'kysely';
import { dialectOf } from '../../dialect.ts';
import type { Db } from '../../schema.ts';

/** `seq` of the passages that have each term, at most `limit` of each. */
export const postingsOf = (db: Db, terms: readonly string[], limit: number): Promise<number[][]> =>
  listed(db, terms, sql`${dialectOf(db).terms.passages} limit ${sql.lit(limit)}`);

/** `seq` of a business's names that have each trigram, at most `limit` of each. */
export const namesWith = (db: Db, grams: readonly string[], limit: number): Promise<number[][]> =>
  listed(db, grams, sql`${dialectOf(db).terms.names} limit ${sql.lit(limit)}`);

/** One row for each term, of joined numbers: thousands of rows would take milliseconds. */
async function listed(db: Db, terms: readonly string[], some: RawBuilder<unknown>): Promise<number[][]> {
  const lists: number[][] = terms.map(() => []);
  if (terms.length === 0) return lists;
  const dialect = dialectOf(db);
  const { rows } = await sql<{ at: number; seqs: string | null }>`
    select asked.at, (select ${sql.raw(dialect.joined('seq'))} from (${some}) as list) as seqs
    from ${dialect.terms.list(terms)}`.execute(db);
  for (const { at, seqs } of rows) if (seqs !== null) lists[Number(at)] = seqs.split(',').map(Number);
  return lists;
}

/** In how many passages each term is; counting ends at `most`. */
export async function countsOf(db: Db, terms: readonly string[], most: number): Promise<number[]> {
  const counts = terms.map(() => 0);
  if (terms.length === 0) return counts;
  const { passages, list } = dialectOf(db).terms;
  const { rows } = await sql<{ at: number; many: number | null }>`
    select asked.at, (select count(*) from (${passages} limit ${sql.lit(most)}) as one) as many
    from ${list(terms)}`.execute(db);
  for (const row of rows) counts[Number(row.at)] = Number(row.many ?? 0);
  return counts;
}

/** Passages that have one term of each group, at most `limit`. */
export async function passagesWithAll(
  db: Db,
  groups: ReadonlyArray<readonly string[]>,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ seq: number | string }>`
    ${dialectOf(db).terms.passagesWithAll(groups)} limit ${sql.lit(limit)}`.execute(db);
  return rows.map(({ seq }) => Number(seq));
}

/** A list of numbers as a query. */
export const numbersOf = (db: Db, numbers: readonly number[]): RawBuilder<unknown> =>
  dialectOf(db).terms.numbers(numbers);
