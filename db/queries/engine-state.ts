// The engine's one row: its identity, its addresses, its heartbeat and its metrics. The API reads it for `/readyz`,
// admission and `/metrics`.
import type { EngineStateTable } from '../schema/processes.ts';
import type { Db } from '../sqlite.ts';

export type EngineStateRow = Omit<EngineStateTable, 'id'>;

export async function writeEngineState(db: Db, row: EngineStateRow): Promise<void> {
  await db
    .insertInto('engineState')
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

/** Undefined until an engine has started on this database. */
export async function findEngineState(db: Db): Promise<EngineStateTable | undefined> {
  return db.selectFrom('engineState').selectAll().where('id', '=', 1).executeTakeFirst();
}
