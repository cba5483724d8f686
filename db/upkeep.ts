// Upkeep of the database. Of a SQLite file: its write-ahead log is copied back and cut, and bytes of erased rows are
// overwritten. Of PostgreSQL, which checkpoints and reuses pages by itself: changes are folded into totals.
import { sql } from 'kysely';
import { dialectOf } from './dialect.ts';
import { fold } from './postgres/fold.ts';
import type { Db } from './schema.ts';
import { runText } from './statements/compiled-statement.ts';

/** Checkpoints as much of the write-ahead log as it can without waiting for readers. */
export async function checkpoint(db: Db): Promise<void> {
  if (dialectOf(db).checkpointsItself) return;
  await sql`pragma wal_checkpoint(passive)`.execute(db);
}

/** Checkpoints all of the write-ahead log and cuts it to nothing; false while other connections use it. */
export async function truncateLog(db: Db): Promise<boolean> {
  if (dialectOf(db).checkpointsItself) return true;
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
  return rows[0]?.busy === 0;
}

/** Rows on either side whose pages may hold a copy: the cells of two neighbouring pages. */
const SCRUBBED_NEIGHBOURS = 32;

/**
 * Moves the rows of a table, and their neighbours, to its end. A split page keeps, between its cells, bytes of rows
 * that moved to the next page; secure_delete does not clear them. Emptied pages are overwritten completely. Call it in
 * the transaction that changed the rows.
 */
export async function scrubPages(
  trx: Db,
  table: 'calls' | 'dialAttempts' | 'appointments' | 'readInvites' | 'refusedCalls',
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0 || !dialectOf(trx).overwritesEmptiedPages) return;
  const name = sql.table(table);
  const { rows } = await sql<{
    at: number;
  }>`select rowid as at from ${name} where id in (${sql.join(ids)}) order by rowid`.execute(trx);
  let doneTo = 0;
  const moving: number[] = [];
  for (const { at } of rows) {
    const from = Math.max(doneTo + 1, at - SCRUBBED_NEIGHBOURS);
    doneTo = at + SCRUBBED_NEIGHBOURS;
    const near = await sql<{
      at: number;
    }>`select rowid as at from ${name} where rowid between ${from} and ${doneTo} order by rowid`.execute(trx);
    moving.push(...near.rows.map((row) => row.at));
  }
  const last = await sql<{ at: number }>`select max(rowid) as at from ${name}`.execute(trx);
  let next = last.rows[0]?.at ?? 0;
  for (const at of moving) await sql`update ${name} set rowid = ${++next} where rowid = ${at}`.execute(trx);
}

/** Folds changes into the kept totals where these are logged (PostgreSQL); returns how many. One process at a time. */
export const foldTotals = (db: Db): Promise<number> => (dialectOf(db).foldsTotals ? fold(db) : Promise.resolve(0));

/** The version of the schema: its newest migration. */
export async function schemaVersion(db: Db): Promise<number> {
  const [row] = await runText<{ version: number }>(db, 'schema-version', (dialect) => dialect.schemaVersion, []);
  return row?.version ?? 0;
}
