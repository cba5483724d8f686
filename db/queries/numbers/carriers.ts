// The accounts at carriers, for ADMINs and for the carrier port. A key is stored only as a sealed box of
// db/shared/secrets/secret-box.ts, bound to the row's id.
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { CarrierTable } from '../../schema/carriers.ts';
import type { Db } from '../../schema.ts';
import { newestPage, type Page } from '../newest-page.ts';

export type CarrierRow = Selectable<CarrierTable>;

/** The context to which the sealed key of a row is bound. */
export const carrierKeyContext = (id: string): string => `carrier:${id}`;

export function listCarriers(db: Db, page: Page): Promise<{ rows: CarrierRow[]; total: number }> {
  return newestPage(db.selectFrom('carriers').selectAll(), page);
}

export async function getCarrier(db: Db, id: string): Promise<CarrierRow | null> {
  return (await db.selectFrom('carriers').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

export function addCarrier(db: Db, row: Insertable<CarrierTable>): Promise<CarrierRow> {
  return db.insertInto('carriers').values(row).returningAll().executeTakeFirstOrThrow();
}

export async function updateCarrier(
  db: Db,
  id: string,
  changes: Updateable<Omit<CarrierTable, 'id'>>,
): Promise<CarrierRow | null> {
  if (Object.keys(changes).length === 0) return getCarrier(db, id);
  const row = await db.updateTable('carriers').set(changes).where('id', '=', id).returningAll().executeTakeFirst();
  return row ?? null;
}

export async function deleteCarrier(db: Db, id: string): Promise<CarrierRow | null> {
  return (await db.deleteFrom('carriers').where('id', '=', id).returningAll().executeTakeFirst()) ?? null;
}
