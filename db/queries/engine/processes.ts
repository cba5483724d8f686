// The API processes that share a database, by their heartbeats.
import type { ProcessTable } from '../../schema/processes.ts';
import type { Db } from '../../schema.ts';

export async function writeProcess(db: Db, row: ProcessTable): Promise<void> {
  await db
    .insertInto('processes')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ heartbeatAt: row.heartbeatAt }))
    .execute();
}

/** The ids of those whose last heartbeat is not older. */
export async function livingProcesses(db: Db, sinceMs: number): Promise<string[]> {
  const rows = await db.selectFrom('processes').select('id').where('heartbeatAt', '>=', sinceMs).execute();
  return rows.map(({ id }) => id);
}

/** Removes one that ends, and those that have been silent for long. */
export async function forgetProcesses(db: Db, id: string, beforeMs: number): Promise<void> {
  await db
    .deleteFrom('processes')
    .where((eb) => eb.or([eb('id', '=', id), eb('heartbeatAt', '<', beforeMs)]))
    .execute();
}
