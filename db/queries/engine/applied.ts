// What an engine's spool sent, and whether the engine may still write.
import { compiledStatement } from '../../compiled-statement.ts';
import type { Db } from '../../schema.ts';

/** Notes that the operation is applied in this transaction; false if it has been before. */
export async function noteOperation(db: Db, id: string, nowMs: number): Promise<boolean> {
  return (await insertNote(db, { id, nowMs })).length > 0;
}

const insertNote = compiledStatement((db, note: { id: string; nowMs: number }) =>
  db
    .insertInto('appliedOperations')
    .values({ id: note.id, appliedAt: note.nowMs })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id'),
);

/** Removes the notes of operations that nobody sends again. */
export async function forgetOperations(
  db: Db,
  { beforeMs, limit }: { beforeMs: number; limit: number },
): Promise<void> {
  await db
    .deleteFrom('appliedOperations')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('appliedOperations')
        .select('id')
        .where('appliedAt', '<', beforeMs)
        .orderBy('appliedAt')
        .limit(limit),
    )
    .execute();
}

export async function isEngineDead(db: Db, id: string): Promise<boolean> {
  return (await findDead(db, { id })).length > 0;
}

const findDead = compiledStatement((db, { id }: { id: string }) =>
  db.selectFrom('engines').select('id').where('id', '=', id).where('state', '=', 'dead'),
);
