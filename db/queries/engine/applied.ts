// What an engine's spool sent, and whether the engine may still write.
import type { Db } from '../../schema.ts';

/** Notes that the operation is applied in this transaction; false if it has been before. */
export async function noteOperation(db: Db, id: string, nowMs: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('appliedOperations')
    .values({ id, appliedAt: nowMs })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

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
  const row = await db.selectFrom('engines').select('state').where('id', '=', id).executeTakeFirst();
  return row?.state === 'dead';
}
