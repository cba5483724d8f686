// The index of terms, as each database has it: which passages have a term. SQLite keeps it in FTS5, PostgreSQL in a
// GIN index of `tsvector`. A term begins with its business's mark, so a business's own words are counted, and those of
// others cost nothing.
import { sql } from 'kysely';
import { dialectOf } from '../../dialect.ts';
import type { Db } from '../../schema.ts';

/** A passage's `seq`, with the term's place in what was asked. */
export interface Posting {
  asked: number;
  seq: number;
}

/** At most `limit` of each term. */
export async function postingsOf(db: Db, terms: readonly string[], limit: number): Promise<Posting[]> {
  if (terms.length === 0) return [];
  const isSqlite = dialectOf(db).kind === 'sqlite';
  const parts = terms.map((term, asked) =>
    isSqlite
      ? sql`select * from (select ${sql.lit(asked)} as asked, doc as seq from passage_places where term = ${term} limit ${sql.lit(limit)})`
      : sql`(select ${sql.lit(asked)} as asked, seq from passages where ${POSTGRES_TERMS} @@ ${term}::tsquery limit ${sql.lit(limit)})`,
  );
  const { rows } = await sql<Posting>`${sql.join(parts, sql` union all `)}`.execute(db);
  return rows.map(({ asked, seq }) => ({ asked: Number(asked), seq: Number(seq) }));
}

/** As the index of PostgreSQL has it, word for word. */
const POSTGRES_TERMS = sql.raw(
  `(replace(heading_terms, ' ', ' ' || mark || 'h') || replace(body_terms, ' ', ' ' || mark || 'b'))::tsvector`,
);

/** Passages that have one term of each group, at most `limit`. */
export async function passagesWithAll(db: Db, groups: ReadonlyArray<readonly string[]>, limit: number): Promise<number[]> {
  if (dialectOf(db).kind === 'sqlite') {
    const asked = groups.map((terms) => `(${terms.map((term) => `"${term}"`).join(' OR ')})`).join(' AND ');
    const { rows } = await sql<{ rowid: number }>`
      select rowid from passage_words where passage_words match ${asked} limit ${sql.lit(limit)}`.execute(db);
    return rows.map(({ rowid }) => rowid);
  }
  const asked = groups.map((terms) => `(${terms.map((term) => `'${term}'`).join(' | ')})`).join(' & ');
  const { rows } = await sql<{ seq: string }>`
    select seq from passages where ${POSTGRES_TERMS} @@ ${asked}::tsquery limit ${sql.lit(limit)}`.execute(db);
  return rows.map(({ seq }) => Number(seq));
}

/** Names of a business that share one of the trigrams, at most `limit` of each. */
export async function namesWith(db: Db, grams: readonly string[], limit: number): Promise<Posting[]> {
  if (grams.length === 0) return [];
  const isSqlite = dialectOf(db).kind === 'sqlite';
  const parts = grams.map((gram, asked) =>
    isSqlite
      ? sql`select * from (select ${sql.lit(asked)} as asked, doc as seq from name_places where term = ${gram} limit ${sql.lit(limit)})`
      : sql`(select ${sql.lit(asked)} as asked, seq from knowledge_names where replace(grams, ' ', ' ' || mark)::tsvector @@ ${gram}::tsquery limit ${sql.lit(limit)})`,
  );
  const { rows } = await sql<Posting>`${sql.join(parts, sql` union all `)}`.execute(db);
  return rows.map(({ asked, seq }) => ({ asked: Number(asked), seq: Number(seq) }));
}
