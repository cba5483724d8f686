// How the newest INVITEs of each trunk were read. The engine adds them in batches; ten of each trunk are kept.
import type { Selectable } from 'kysely';
import type { ReadInviteTable } from '../../schema/lines/trunks.ts';
import type { Db } from '../../schema.ts';

export type ReadInviteRow = Selectable<ReadInviteTable>;

export const READ_INVITES_KEPT = 10;

export async function addReadInvites(db: Db, { rows }: { rows: readonly ReadInviteRow[] }): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('readInvites')
    .values([...rows])
    .execute();
  for (const trunkId of new Set(rows.map((row) => row.trunkId))) await keepNewest(db, trunkId);
}

async function keepNewest(db: Db, trunkId: string): Promise<void> {
  const oldestKept = await db
    .selectFrom('readInvites')
    .select('id')
    .where('trunkId', '=', trunkId)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(READ_INVITES_KEPT - 1)
    .executeTakeFirst();
  if (!oldestKept) return;
  await db.deleteFrom('readInvites').where('trunkId', '=', trunkId).where('id', '<', oldestKept.id).execute();
}

/** Of calls that nobody erased in the meantime, and of INVITEs that became none. Returns the number. */
export async function deleteOldReadInvites(db: Db, beforeMs: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('readInvites')
    .where('id', 'in', (qb) => qb.selectFrom('readInvites').select('id').where('createdAt', '<', beforeMs).limit(limit))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** The newest first. */
export function listReadInvites(db: Db, trunkId: string): Promise<ReadInviteRow[]> {
  return db
    .selectFrom('readInvites')
    .selectAll()
    .where('trunkId', '=', trunkId)
    .orderBy('id', 'desc')
    .limit(READ_INVITES_KEPT)
    .execute();
}
