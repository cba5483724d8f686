// The engine's one row: who it is, where it listens, that it lives, and its metrics. The API reads it for `/readyz`,
// admission and `/metrics`.
import type { EngineStateTable } from '../schema/processes.ts';
import type { TrunkStateTable } from '../schema/trunks.ts';
import type { Db } from '../sqlite.ts';

export type EngineStateRow = Omit<EngineStateTable, 'id'>;

export async function writeEngineState(db: Db, row: EngineStateRow): Promise<void> {
  await db
    .insertInto('engineState')
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

/** Null before an engine has ever started on this database. */
export async function readEngineState(db: Db): Promise<EngineStateTable | null> {
  return (await db.selectFrom('engineState').selectAll().where('id', '=', 1).executeTakeFirst()) ?? null;
}

/** Registration, health and last error of a trunk, as `GET /admin/trunks` shows them. */
export async function writeTrunkState(db: Db, row: TrunkStateTable): Promise<void> {
  const { trunkId: _, ...rest } = row;
  await db
    .insertInto('trunkStates')
    .values(row)
    .onConflict((conflict) => conflict.column('trunkId').doUpdateSet(rest))
    .execute();
}
