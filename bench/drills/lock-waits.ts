// Finds transactions that waited for a lock of the database for long during a drill, and the ones that held it: looked
// at from outside, twice a second.
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

const LOOK_EVERY_MS = 500;
const LONG_MS = 1_000;
const KEPT_MAX = 40;

interface LockWait {
  at: string;
  waitedMs: number;
  waits: string;
  /** The transaction that has the lock, or asked for it before: its statement, and how long it goes on. */
  before: string;
  beforeMs: number;
}

export interface LockWatch {
  readonly found: readonly LockWait[];
  stop(): void;
}

export function watchLocks(db: Db): LockWatch {
  const found: LockWait[] = [];
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking || found.length >= KEPT_MAX) return;
    isLooking = true;
    // While the database is away, nobody waits for a lock.
    const rows = await longWaits(db).catch(() => []);
    found.push(...rows.map((row) => ({ at: new Date().toISOString(), ...row })));
    isLooking = false;
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  return { found, stop: () => clearInterval(timer) };
}

async function longWaits(db: Db): Promise<Array<Omit<LockWait, 'at'>>> {
  const { rows } = await sql<Omit<LockWait, 'at'>>`
    select (extract(epoch from clock_timestamp() - waiting.query_start) * 1000)::bigint as waited_ms,
      left(waiting.query, 120) as waits,
      holder.application_name || ' ' || holder.state || ' ' || coalesce(holder.wait_event, 'runs') || ': ' ||
        left(holder.query, 160) as before,
      (extract(epoch from clock_timestamp() - holder.xact_start) * 1000)::bigint as before_ms
    from pg_stat_activity as waiting, unnest(pg_blocking_pids(waiting.pid)) as blocking (pid)
      join pg_stat_activity as holder using (pid)
    where waiting.wait_event_type = 'Lock' and waiting.query_start < clock_timestamp() - ${LONG_MS} * interval '1 ms'
    order by waiting.query_start limit 3`.execute(db);
  return rows;
}
