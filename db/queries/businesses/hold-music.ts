// The music of a business for callers who wait.
import type { Insertable } from 'kysely';
import type { HoldMusicTable } from '../../schema/businesses.ts';
import type { Db } from '../../schema.ts';

/** In place of what there was. */
export async function putHoldMusic(db: Db, row: Insertable<HoldMusicTable>): Promise<void> {
  const { durationMs, samples, updatedAt } = row;
  await db
    .insertInto('holdMusic')
    .values(row)
    .onConflict((conflict) => conflict.column('businessId').doUpdateSet({ durationMs, samples, updatedAt }))
    .execute();
}

/** Without its samples. */
export function getHoldMusic(db: Db, accountId: string, businessId: string) {
  return db
    .selectFrom('holdMusic')
    .select(['durationMs', 'updatedAt'])
    .where('businessId', '=', businessId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
}

/** Null: it has none of its own. */
export async function holdMusicSamples(db: Db, accountId: string, businessId: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('holdMusic')
    .select('samples')
    .where('businessId', '=', businessId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return row?.samples ?? null;
}

export async function deleteHoldMusic(db: Db, accountId: string, businessId: string): Promise<void> {
  await db.deleteFrom('holdMusic').where('businessId', '=', businessId).where('accountId', '=', accountId).execute();
}
