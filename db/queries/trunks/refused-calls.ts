// Inbound calls that were refused before a call row existed. The engine adds them in batches; only the newest are kept,
// none for ever, and calls from strangers never displace the others.
import type { Selectable } from 'kysely';
import type { RefusedCallTable } from '../../schema/calls.ts';
import type { Db } from '../../schema.ts';

export type RefusedCallRow = Selectable<RefusedCallTable>;

const KEPT = 1_000;
const KEPT_OF_STRANGERS = 200;

/** The refusal reason of sources that may not call at all. */
const STRANGER = 'source_not_allowed';

export async function addRefusedCalls(db: Db, { rows }: { rows: readonly RefusedCallRow[] }): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('refusedCalls')
    .values([...rows])
    .execute();
  await keepNewest(db, '=', KEPT_OF_STRANGERS);
  await keepNewest(db, '<>', KEPT);
}

async function keepNewest(db: Db, comparison: '=' | '<>', kept: number): Promise<void> {
  const oldestKept = await db
    .selectFrom('refusedCalls')
    .select('id')
    .where('reason', comparison, STRANGER)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(kept - 1)
    .executeTakeFirst();
  if (!oldestKept) return;
  await db.deleteFrom('refusedCalls').where('reason', comparison, STRANGER).where('id', '<', oldestKept.id).execute();
}

/** Returns the number. */
export async function deleteOldRefusedCalls(db: Db, beforeMs: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('refusedCalls')
    .where('id', 'in', (qb) =>
      qb.selectFrom('refusedCalls').select('id').where('createdAt', '<', beforeMs).limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** The newest first. */
export async function listRefusedCalls(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: RefusedCallRow[]; total: number }> {
  const rows = await db
    .selectFrom('refusedCalls')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await db
    .selectFrom('refusedCalls')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}
