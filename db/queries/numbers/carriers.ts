// The accounts at carriers, for ADMINs and for the carrier port. A key is stored only as a sealed box of
// db/shared/secrets/secret-box.ts, bound to the row's id.
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { CarrierTable } from '../../schema/lines/carriers.ts';
import type { Db } from '../../schema.ts';
import { newestPage, type Page } from '../newest-page.ts';

export type CarrierRow = Selectable<CarrierTable>;

/** The contexts to which the sealed values of a row are bound. */
export const carrierKeyContext = (id: string): string => `carrier:${id}`;
export const carrierTrunkContext = (id: string): string => `carrier-trunk:${id}`;

export function listCarriers(db: Db, page: Page): Promise<{ rows: CarrierRow[]; total: number }> {
  return newestPage(db.selectFrom('carriers').selectAll(), page);
}

/** The accounts with a trunk whose numbers an account may find, the oldest first. */
export function offeringCarriers(db: Db, isAdmin: boolean): Promise<CarrierRow[]> {
  const withTrunk = db.selectFrom('carriers').selectAll().where('trunkId', 'is not', null);
  const offering = isAdmin ? withTrunk : withTrunk.where('offeredTo', '=', 'accounts');
  return offering.orderBy('createdAt').orderBy('id').execute();
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

/** Keeps the sealed password of the trunk unless there is one; returns the one that is kept. */
export async function keepTrunkSecret(db: Db, id: string, sealed: string): Promise<string | null> {
  await db
    .updateTable('carriers')
    .set({ trunkSecret: sealed })
    .where('id', '=', id)
    .where('trunkSecret', 'is', null)
    .execute();
  return (await getCarrier(db, id))?.trunkSecret ?? null;
}

export async function deleteCarrier(db: Db, id: string): Promise<CarrierRow | null> {
  return (await db.deleteFrom('carriers').where('id', '=', id).returningAll().executeTakeFirst()) ?? null;
}

/** Of a number of the account's; null: it is not, or of no carrier with an API. */
export async function carrierOfNumber(db: Db, accountId: string, phoneNumber: string): Promise<CarrierRow | null> {
  const row = await db
    .selectFrom('carriers')
    .innerJoin('inventory', 'inventory.carrierId', 'carriers.id')
    .selectAll('carriers')
    .where('inventory.phoneNumber', '=', phoneNumber)
    .where('inventory.ownedBy', '=', accountId)
    .executeTakeFirst();
  return row ?? null;
}

/** The account that has this number of the carrier's; null: none, or it is another carrier's. */
export async function ownerAtCarrier(db: Db, carrierId: string, phoneNumber: string): Promise<string | null> {
  const row = await db
    .selectFrom('inventory')
    .select('ownedBy')
    .where('phoneNumber', '=', phoneNumber)
    .where('carrierId', '=', carrierId)
    .executeTakeFirst();
  return row?.ownedBy ?? null;
}

/** The numbers that accounts have of it. */
export async function numbersOfCarrier(db: Db, carrierId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('inventory')
    .select('phoneNumber')
    .where('carrierId', '=', carrierId)
    .where('ownedBy', 'is not', null)
    .orderBy('phoneNumber')
    .execute();
  return rows.map(({ phoneNumber }) => phoneNumber);
}
