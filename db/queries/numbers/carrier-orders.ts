// The journal of purchases at carriers, and the offers of carriers beside the stock. An order is written before the
// carrier is asked, so that a process that dies in between leaves a row from which another goes on.
import type { Selectable } from 'kysely';
import type { CarrierOrderTable } from '../../schema/lines/carriers.ts';
import type { ChargeTable } from '../../schema/lines/phone-numbers.ts';
import type { Db } from '../../schema.ts';
import { newId } from '../../shared/id.ts';
import { newestPage, type Page } from '../newest-page.ts';
import { type InventoryRow, isBeingBought, type NewInventoryNumber } from './inventory.ts';

export type CarrierOrderRow = Selectable<CarrierOrderTable>;

/** As the partial indexes have them. */
const OPEN = ['ordered', 'bought'] as const;

export interface CarrierOffer extends Omit<NewInventoryNumber, 'trunkId'> {
  /** JSON. */
  carrierPrice: string | null;
}

/**
 * Reserves a carrier's offers for the account. Numbers of the stock, of any account, or reserved by another one are
 * left out. Call it in a transaction.
 */
export async function reserveCarrierOffers(
  db: Db,
  accountId: string,
  { carrierId, trunkId, offers }: { carrierId: string; trunkId: string; offers: readonly CarrierOffer[] },
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): Promise<InventoryRow[]> {
  if (offers.length === 0) return [];
  const numbers = offers.map(({ phoneNumber }) => phoneNumber);
  const inUse = await db
    .selectFrom('phoneNumbers')
    .select('phoneNumber')
    .where('phoneNumber', 'in', numbers)
    .where('status', '<>', 'released')
    .execute();
  const beingBought = await db
    .selectFrom('charges')
    .select('phoneNumber')
    .where('phoneNumber', 'in', numbers)
    .where('status', '=', 'pending')
    .where('isPurchase', '=', 1)
    .execute();
  const taken = new Set([...inUse, ...beingBought].map(({ phoneNumber }) => phoneNumber));
  const free = offers.filter(({ phoneNumber }) => !taken.has(phoneNumber));
  if (free.length === 0) return [];
  return db
    .insertInto('inventory')
    .values(
      free.map(({ capabilities, ...offer }) => ({
        ...offer,
        capabilities: JSON.stringify(capabilities),
        trunkId,
        carrierId,
        reservedBy: accountId,
        reservedUntil: untilMs,
        ownedBy: null,
        retiredAt: null,
        createdAt: nowMs,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column('phoneNumber')
        .doUpdateSet((eb) => ({
          type: eb.ref('excluded.type'),
          capabilities: eb.ref('excluded.capabilities'),
          monthlyCost: eb.ref('excluded.monthlyCost'),
          carrierPrice: eb.ref('excluded.carrierPrice'),
          carrierId: eb.ref('excluded.carrierId'),
          trunkId: eb.ref('excluded.trunkId'),
          reservedBy: eb.ref('excluded.reservedBy'),
          reservedUntil: eb.ref('excluded.reservedUntil'),
          retiredAt: null,
        }))
        .where('inventory.carrierId', 'is not', null)
        .where('inventory.ownedBy', 'is', null)
        .where((eb) =>
          eb.or([
            eb('inventory.reservedUntil', 'is', null),
            eb('inventory.reservedUntil', '<=', nowMs),
            eb('inventory.reservedBy', '=', accountId),
          ]),
        ),
    )
    .returningAll()
    .execute();
}

/** Deletes offers whose reservation ended before `beforeMs` and that nobody is buying. */
export async function dropCarrierOffers(db: Db, beforeMs: number): Promise<void> {
  await db
    .deleteFrom('inventory')
    .where('carrierId', 'is not', null)
    .where('ownedBy', 'is', null)
    .where((eb) => eb.or([eb('reservedUntil', 'is', null), eb('reservedUntil', '<', beforeMs)]))
    .where((eb) => eb.not(isBeingBought(eb)))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('carrierOrders')
            .select('carrierOrders.id')
            .whereRef('carrierOrders.phoneNumber', '=', 'inventory.phoneNumber')
            .where('carrierOrders.state', 'in', OPEN),
        ),
      ),
    )
    .execute();
}

interface OrderWish {
  carrierId: string;
  accountId: string;
  phoneNumber: string;
  phoneNumberId: string;
}

/**
 * The open order of a number: a new one, or one that was begun before, which then is for this purchase. `busy`:
 * somebody works on it for another purchase, or another account. Call it in a transaction.
 */
export async function takeOrder(
  db: Db,
  wish: OrderWish,
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): Promise<{ order: CarrierOrderRow; isNew: boolean } | 'busy'> {
  const open = await openOrder(db, wish.phoneNumber);
  if (open === null) {
    const order = await db
      .insertInto('carrierOrders')
      .values({
        ...wish,
        id: newId('ord'),
        state: 'ordered',
        error: null,
        attendedUntil: untilMs,
        dueAt: untilMs,
        createdAt: nowMs,
        changedAt: nowMs,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    return order === undefined ? 'busy' : { order, isNew: true };
  }
  if (open.accountId !== wish.accountId || open.carrierId !== wish.carrierId) return 'busy';
  if (open.phoneNumberId !== wish.phoneNumberId && open.attendedUntil > nowMs) return 'busy';
  const { phoneNumberId } = wish;
  const order = await updateOrder(
    db,
    open.id,
    { phoneNumberId, isUnwanted: 0, attendedUntil: untilMs, dueAt: untilMs },
    nowMs,
  );
  return order === null ? 'busy' : { order, isNew: false };
}

async function openOrder(db: Db, phoneNumber: string): Promise<CarrierOrderRow | null> {
  const row = await db
    .selectFrom('carrierOrders')
    .selectAll()
    .where('phoneNumber', '=', phoneNumber)
    .where('state', 'in', OPEN)
    .executeTakeFirst();
  return row ?? null;
}

/** Changes an open order; null where it is over. */
export async function updateOrder(
  db: Db,
  id: string,
  changes: Partial<
    Pick<CarrierOrderRow, 'state' | 'isUnwanted' | 'tries' | 'error' | 'attendedUntil' | 'dueAt' | 'phoneNumberId'>
  >,
  nowMs: number,
): Promise<CarrierOrderRow | null> {
  const row = await db
    .updateTable('carrierOrders')
    .set({ ...changes, changedAt: nowMs })
    .where('id', '=', id)
    .where('state', 'in', OPEN)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * The purchase has failed, or was undone: unless it is tried again, its order is given back. False: none is open.
 */
export async function noteUnwanted(db: Db, accountId: string, phoneNumberId: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('carrierOrders')
    .set({ isUnwanted: 1, changedAt: nowMs })
    .where('phoneNumberId', '=', phoneNumberId)
    .where('accountId', '=', accountId)
    .where('state', 'in', OPEN)
    .executeTakeFirst();
  return Number(numUpdatedRows) > 0;
}

/** The number is the account's here: called in the transaction that makes it so. */
export async function noteRecorded(db: Db, accountId: string, phoneNumber: string, nowMs: number): Promise<void> {
  await db
    .updateTable('carrierOrders')
    .set({ state: 'recorded', error: null, changedAt: nowMs })
    .where('phoneNumber', '=', phoneNumber)
    .where('accountId', '=', accountId)
    .where('state', 'in', OPEN)
    .execute();
}

/** The number is the account's no more: called in the transaction that makes it so. */
export async function noteReleased(db: Db, accountId: string, phoneNumber: string, nowMs: number): Promise<void> {
  await db
    .updateTable('carrierOrders')
    .set({ state: 'released', changedAt: nowMs })
    .where('phoneNumber', '=', phoneNumber)
    .where('accountId', '=', accountId)
    .where('state', '=', 'recorded')
    .execute();
}

interface DueOrder extends CarrierOrderRow {
  /** Of its purchase; null: nothing is charged. */
  chargeStatus: ChargeTable['status'] | null;
}

/** Open orders on which nobody works, the oldest first, but those whose charge settlement brings to an end. */
export async function dueOrders(db: Db, nowMs: number, limit: number): Promise<DueOrder[]> {
  return db
    .selectFrom('carrierOrders')
    .leftJoin('charges', (join) =>
      join
        .onRef('charges.phoneNumberId', '=', 'carrierOrders.phoneNumberId')
        .onRef('charges.accountId', '=', 'carrierOrders.accountId')
        .on('charges.isPurchase', '=', 1),
    )
    .selectAll('carrierOrders')
    .select('charges.status as chargeStatus')
    .where('carrierOrders.state', 'in', OPEN)
    .where('carrierOrders.dueAt', '<=', nowMs)
    .where('carrierOrders.attendedUntil', '<=', nowMs)
    .where((eb) => eb.or([eb('charges.status', 'is', null), eb('charges.status', '<>', 'pending')]))
    .orderBy('carrierOrders.dueAt')
    .orderBy('carrierOrders.id')
    .limit(limit)
    .execute();
}

export function listOrders(db: Db, carrierId: string, page: Page): Promise<{ rows: CarrierOrderRow[]; total: number }> {
  return newestPage(db.selectFrom('carrierOrders').selectAll().where('carrierId', '=', carrierId), page);
}

/** Numbers that accounts own, or that are being bought, at the carrier. */
export async function countCarrierNumbers(db: Db, carrierId: string): Promise<number> {
  const { owned } = await db
    .selectFrom('inventory')
    .select((eb) => eb.fn.countAll<number>().as('owned'))
    .where('carrierId', '=', carrierId)
    .where('ownedBy', 'is not', null)
    .executeTakeFirstOrThrow();
  const { open } = await db
    .selectFrom('carrierOrders')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('carrierId', '=', carrierId)
    .where('state', 'in', OPEN)
    .executeTakeFirstOrThrow();
  return Number(owned) + Number(open);
}
