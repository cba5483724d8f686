// What of the engine's row tells whether a call would be answered.
import type { EngineStateTable } from '../schema/processes.ts';
import type { Db } from '../sqlite.ts';

export function findEngineState(db: Db): Promise<EngineStateTable | undefined> {
  return db.selectFrom('engineState').selectAll().where('id', '=', 1).executeTakeFirst();
}
