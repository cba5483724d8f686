// Merges the segments of SQLite's index of terms in steps, between which others write. FTS5 keeps the terms of each
// transaction as a segment, and a search looks into each: of 60,000 passages in one segment it takes half the time.
import { sql } from 'kysely';
import { dialectOf, type SegmentedIndex } from '../../dialect.ts';
import type { Db } from '../../schema.ts';

/** Empty on PostgreSQL, whose index has no segments. */
export const segmentedIndexes = (db: Db): readonly SegmentedIndex[] => dialectOf(db).terms.segmented;

export async function segmentsOf(db: Db, index: SegmentedIndex): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    select count(distinct segid) as many from ${sql.table(`${index}_idx`)}`.execute(db);
  return rows[0]?.many ?? 0;
}

/** Merges as many pages of 4 kB (some milliseconds); negative: of all segments, whatever their level. */
export async function mergeSome(db: Db, index: SegmentedIndex, pages: number): Promise<void> {
  await sql`insert into ${sql.table(index)} (${sql.ref(index)}, rank) values ('merge', ${pages})`.execute(db);
}
