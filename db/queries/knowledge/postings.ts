// The index of terms, as each database has it: which passages have a term. SQLite keeps it in FTS5, PostgreSQL in a
// GIN index of `tsvector`. A term begins with its business's mark, so a business's own words are counted, and those of
// others cost nothing. Terms go as one JSON text, so that each question is one of a few prepared statements.
import { type RawBuilder, sql } from 'kysely';
import { dialectOf } from '../../dialect.ts';
import type { Db } from '../../schema.ts';

/** As the indexes of PostgreSQL have it, word for word. */
const POSTGRES_TERMS = sql.raw(
  `(replace(heading_terms, ' ', ' ' || mark || 'h') || replace(body_terms, ' ', ' ' || mark || 'b'))::tsvector`,
);
const POSTGRES_GRAMS = sql.raw(`replace(grams, ' ', ' ' || mark)::tsvector`);

const isSqlite = (db: Db): boolean => dialectOf(db).kind === 'sqlite';

/** A list as a table with columns `at`, from 0, and `term`. */
const tableOf = (db: Db, list: readonly string[]): RawBuilder<unknown> =>
  isSqlite(db)
    ? sql`(select key as at, value as term from json_each(${JSON.stringify(list)})) asked`
    : sql`(select ordinality - 1 as at, value as term
        from json_array_elements_text(${JSON.stringify(list)}::json) with ordinality) asked`;

/** `seq` of the passages that have each term, at most `limit` of each. */
export function postingsOf(db: Db, terms: readonly string[], limit: number): Promise<number[][]> {
  const some = isSqlite(db)
    ? sql`select rowid as seq from passage_words where passage_words match '"' || asked.term || '"' limit ${sql.lit(limit)}`
    : sql`select seq from passages where ${POSTGRES_TERMS} @@ asked.term::tsquery limit ${sql.lit(limit)}`;
  return listed(db, terms, some);
}

/** `seq` of a business's names that have each trigram, at most `limit` of each. */
export function namesWith(db: Db, grams: readonly string[], limit: number): Promise<number[][]> {
  const some = isSqlite(db)
    ? sql`select rowid as seq from name_grams where name_grams match '"' || asked.term || '"' limit ${sql.lit(limit)}`
    : sql`select seq from knowledge_names where ${POSTGRES_GRAMS} @@ asked.term::tsquery limit ${sql.lit(limit)}`;
  return listed(db, grams, some);
}

/** One row for each term, of joined numbers: thousands of rows would take milliseconds. */
async function listed(db: Db, terms: readonly string[], some: RawBuilder<unknown>): Promise<number[][]> {
  const lists: number[][] = terms.map(() => []);
  if (terms.length === 0) return lists;
  const joined = sql.raw(dialectOf(db).joined('seq'));
  const { rows } = await sql<{ at: number; seqs: string | null }>`
    select asked.at, (select ${joined} from (${some}) as list) as seqs from ${tableOf(db, terms)}`.execute(db);
  for (const { at, seqs } of rows) if (seqs !== null) lists[Number(at)] = seqs.split(',').map(Number);
  return lists;
}

/** In how many passages each term is; counting ends at `most`. */
export async function countsOf(db: Db, terms: readonly string[], most: number): Promise<number[]> {
  const counts = terms.map(() => 0);
  if (terms.length === 0) return counts;
  const many = isSqlite(db)
    ? sql`select 1 from passage_words where passage_words match '"' || asked.term || '"' limit ${sql.lit(most)}`
    : sql`select 1 from passages where ${POSTGRES_TERMS} @@ asked.term::tsquery limit ${sql.lit(most)}`;
  const { rows } = await sql<{ at: number; many: number | null }>`
    select asked.at, (select count(*) from (${many}) as one) as many from ${tableOf(db, terms)}`.execute(db);
  for (const row of rows) counts[Number(row.at)] = Number(row.many ?? 0);
  return counts;
}

/** Passages that have one term of each group, at most `limit`. */
export async function passagesWithAll(
  db: Db,
  groups: ReadonlyArray<readonly string[]>,
  limit: number,
): Promise<number[]> {
  const any = (joint: string, quote: string): string[] =>
    groups.map((terms) => `(${terms.map((term) => `${quote}${term}${quote}`).join(joint)})`);
  const { rows } = isSqlite(db)
    ? await sql<{ seq: number }>`
        select rowid as seq from passage_words
        where passage_words match ${any(' OR ', '"').join(' AND ')} limit ${sql.lit(limit)}`.execute(db)
    : await sql<{ seq: string }>`
        select seq from passages
        where ${POSTGRES_TERMS} @@ ${any(' | ', "'").join(' & ')}::tsquery limit ${sql.lit(limit)}`.execute(db);
  return rows.map(({ seq }) => Number(seq));
}

/** A list of numbers as a query. */
export const numbersOf = (db: Db, numbers: readonly number[]): RawBuilder<unknown> =>
  isSqlite(db)
    ? sql`select value from json_each(${JSON.stringify(numbers)})`
    : sql`select value::bigint from json_array_elements_text(${JSON.stringify(numbers)}::json)`;
