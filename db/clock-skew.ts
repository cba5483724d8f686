// How far the database's clock is ahead of this process's. Heartbeats are compared between machines, so they are told
// by the clock that all machines ask.
import { sql } from 'kysely';
import { dialectOf } from './dialect.ts';
import type { Db } from './schema.ts';

/** Ms that the database's clock is ahead; 0 with SQLite, which has the machine's clock. `now`: ms since the epoch. */
export async function databaseSkewMs(db: Db, now: () => number): Promise<number> {
  if (dialectOf(db).kind === 'sqlite') return 0;
  const askedMs = now();
  const { rows } = await sql<{ nowMs: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms`.execute(db);
  return Math.round((rows[0]?.nowMs ?? askedMs) - (askedMs + now()) / 2);
}
