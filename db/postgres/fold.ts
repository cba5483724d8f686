// Folds the log of changes into the kept totals. Readers add what is not folded yet, so nobody waits for it; but the
// longer the log, the longer each list takes.
//
// The log is that of the migration 0043-change-log.sql as 0045-cheaper-totals.sql has changed it: of the functions that
// both have, those of 0045 are in force, and of the views all. What 0040-schema.sql counted by triggers is dropped.
import { sql } from 'kysely';
import { dialectOf } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Changes of one transaction: some 50 ms. */
const AT_ONCE = 5_000;

/** Folds once; returns how many changes were folded. Two at a time would wait for each other. */
export async function fold(db: Db): Promise<number> {
  const { rows } = await sql<{ folded: number }>`
    select fold_calls(${AT_ONCE}) + fold_contacts(${AT_ONCE}) + fold_spending(${AT_ONCE}) as folded`.execute(db);
  return rows[0]?.folded ?? 0;
}

/** Folds everything; does nothing with SQLite, whose triggers keep the totals. */
export async function foldAll(db: Db): Promise<void> {
  if (!dialectOf(db).foldsTotals) return;
  while ((await fold(db)) > 0);
}
