// FTS5 keeps what each transaction wrote as a segment by itself, and a search looks into each: of 60,000 passages in
// one segment it takes half the time. They are merged in steps, between which others write.
import { sql } from 'kysely';
import { dialectOf } from '../../dialect.ts';
import type { Db } from '../../schema.ts';

const INDEXES = ['passage_words', 'name_grams'] as const;
export type TermIndex = (typeof INDEXES)[number];

/** Empty on PostgreSQL, whose index has no segments. */
export const termIndexes = (db: Db): readonly TermIndex[] => (dialectOf(db).kind === 'sqlite' ? INDEXES : []);

export async function segmentsOf(db: Db, index: TermIndex): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    select count(distinct segid) as many from ${sql.table(`${index}_idx`)}`.execute(db);
  return rows[0]?.many ?? 0;
}

/** So many pages of 4 kB, some milliseconds; negative: of all segments, whatever their level. */
export async function mergeSome(db: Db, index: TermIndex, pages: number): Promise<void> {
  await sql`insert into ${sql.table(index)} (${sql.ref(index)}, rank) values ('merge', ${pages})`.execute(db);
}
