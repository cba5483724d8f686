// The built-in carrier: the stock of numbers of the installation's trunks, added by an ADMIN. Ownership passes in the
// transaction that creates the number (db/queries/numbers/phone-numbers.ts), so an order only checks the stock again.
import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
import {
  getInventoryNumber,
  holdInInventory,
  type InventoryRow,
  limitReservations,
  releaseInventoryReservation,
  reserveFromInventory,
} from '../../db/queries/numbers/inventory.ts';
import type { Db } from '../../db/schema.ts';
import { type Carrier, CarrierError, type CarrierNumber, type CarrierPrice } from './carrier.ts';

export const RESERVATION_MS = 5 * MINUTE_MS;
export const OFFER_MAX = 50;
/** Reservations per account over all its searches: ten searches' worth. */
export const RESERVED_MAX = 500;

export function createInventoryCarrier(db: Db): Carrier {
  return {
    name: 'inventory',
    // The ADMIN does the work at the carriers, reads the documents here and moves the order.
    ports: {
      async create() {},
      async addDocument() {},
      status: async () => null,
      async cancel() {},
    },
    async search(accountId, query, nowMs) {
      const untilMs = nowMs + RESERVATION_MS;
      const rows = await db.transaction().execute(async (trx) => {
        const reserved = await reserveFromInventory(trx, accountId, { ...query, limit: OFFER_MAX }, { nowMs, untilMs });
        await limitReservations(trx, accountId, RESERVED_MAX);
        return reserved;
      });
      return rows.map(carrierNumber);
    },
    async hold(accountId, phoneNumber, { nowMs, again }) {
      const times = { nowMs, untilMs: nowMs + RESERVATION_MS, again };
      const row = await holdInInventory(db, accountId, phoneNumber, times);
      if (row === 'unknown') throw new CarrierError('CARRIER_NUMBER_UNKNOWN', 'the number is not in stock');
      if (row === 'free')
        throw new CarrierError('CARRIER_NUMBER_FREE', 'no search has reserved the number for the account');
      if (row === 'taken') throw new CarrierError('CARRIER_NUMBER_TAKEN', 'the number is not reserved for the account');
      return carrierNumber(row);
    },
    async order(accountId, phoneNumber) {
      const row = await getInventoryNumber(db, phoneNumber);
      const free = row !== null && row.ownedBy === null && row.retiredAt === null && row.reservedBy === accountId;
      if (!free) throw new CarrierError('CARRIER_NUMBER_TAKEN', 'the number is not reserved for the account any more');
    },
    async releaseReservation(accountId, phoneNumber) {
      await releaseInventoryReservation(db, accountId, phoneNumber);
    },
    // The stock has no rent; the number leaves it in the transaction that takes it from the account.
    async release() {},
    has: async () => true,
  };
}

export function carrierNumber(row: InventoryRow): CarrierNumber {
  return {
    phoneNumber: row.phoneNumber,
    country: row.country,
    areaCode: row.areaCode,
    type: row.type,
    capabilities: JSON.parse(row.capabilities) as string[],
    monthlyCost: row.monthlyCost,
    reservedUntil: row.reservedUntil ?? 0,
    trunkId: row.trunkId,
    carrierPrice: row.carrierPrice === null ? null : (JSON.parse(row.carrierPrice) as CarrierPrice),
  };
}
