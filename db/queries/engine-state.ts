// The engine's one row: who it is, where it listens, that it lives, and its metrics. The API reads it for `/readyz`,
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

/** Undefined before an engine has ever started on this database. */
export async function findEngineState(db: Db): Promise<EngineStateTable | undefined> {
  return db.selectFrom('engineState').selectAll().where('id', '=', 1).executeTakeFirst();
}
