// The engine's one row: its identity, its addresses, its heartbeat and its metrics. The API reads it for `/readyz`,
// admission and `/metrics`.
import type { EngineStateTable } from '../../schema/processes.ts';
import type { Db } from '../../schema.ts';

export type EngineStateRow = Omit<EngineStateTable, 'id'>;

export async function writeEngineState(db: Db, row: EngineStateRow): Promise<void> {
  await db
    .insertInto('engineState')
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

export async function writeEngineVoices(db: Db, { voices }: { voices: string }): Promise<void> {
  await db
    .insertInto('engineVoices')
    .values({ id: 1, voices })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ voices }))
    .execute();
}

/** JSON of the voices of the running or last engine; undefined until an engine has started on this database. */
export async function findEngineVoices(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('engineVoices').select('voices').where('id', '=', 1).executeTakeFirst();
  return row?.voices;
}

/** Undefined until an engine has started on this database. */
export async function findEngineState(db: Db): Promise<EngineStateTable | undefined> {
  return db.selectFrom('engineState').selectAll().where('id', '=', 1).executeTakeFirst();
}
