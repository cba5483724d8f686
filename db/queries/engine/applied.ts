// The notes of what engines' spools sent (`enter_operation` in db/postgres/migrations).
import type { Db } from '../../schema.ts';

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
