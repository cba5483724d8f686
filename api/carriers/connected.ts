// The carrier of an installation: the stock, and beside it the accounts at carriers with an API that an ADMIN has
// connected. Their offers become rows beside the stock's for as long as an account has reserved them, so that a number
// has one reservation, one buyer and one owner wherever it comes from.
import type { Logger } from 'pino';
import { describeNumber } from '../../db/domain/numbers/describe-number.ts';
import { accountHasAdmin } from '../../db/queries/accounts/users.ts';
import { type CarrierOffer, noteUnwanted, reserveCarrierOffers } from '../../db/queries/numbers/carrier-orders.ts';
import { type CarrierRow, offeringCarriers } from '../../db/queries/numbers/carriers.ts';
import { getInventoryNumber, limitReservations } from '../../db/queries/numbers/inventory.ts';
import type { Billing } from '../billing/billing.ts';
import { toCents } from '../billing/billing.ts';
import type { ApiOffer } from './api/carrier-api.ts';
import { openCarrier } from './api/open.ts';
import { type Carrier, CarrierError, type CarrierNumber, type CarrierPrice, type CarrierQuery } from './carrier.ts';
import { carrierNumber, createInventoryCarrier, OFFER_MAX, RESERVATION_MS, RESERVED_MAX } from './inventory.ts';
import { giveBack, isThere, type OrderTools, placeOrder } from './orders.ts';
import { connectedPorts } from './ports.ts';
import { SearchTurns } from './search-turns.ts';

interface CarrierTools extends OrderTools {
  log: Logger;
  billing: Billing;
}

export function createCarrier(tools: CarrierTools): Carrier {
  const { db } = tools;
  const stock = createInventoryCarrier(db);
  const turns = new SearchTurns();
  return {
    ...stock,
    ports: connectedPorts(tools),
    async search(accountId, query, nowMs) {
      const inStock = await stock.search(accountId, query, nowMs);
      if (inStock.length >= OFFER_MAX) return inStock;
      const isAdmin = await accountHasAdmin(db, accountId);
      const rows = await offeringCarriers(db, isAdmin);
      if (rows.length === 0) return inStock;
      if (!turns.take(accountId, nowMs)) {
        if (inStock.length > 0) return inStock;
        throw new CarrierError('CARRIER_BUSY', 'carriers are asked too often');
      }
      const answers = await Promise.all(rows.map((row) => offersOf(tools, row, query)));
      if (inStock.length === 0 && answers.every((offers) => offers === null))
        throw new CarrierError('CARRIER_UNAVAILABLE', 'no carrier answers');
      const times = { nowMs, untilMs: nowMs + RESERVATION_MS };
      const reserved: CarrierNumber[] = [...inStock];
      for (const [index, row] of rows.entries()) {
        const offers = (answers[index] ?? []).slice(0, OFFER_MAX - reserved.length);
        const found = await db.transaction().execute(async (trx) => {
          const numbers = await reserveCarrierOffers(
            trx,
            accountId,
            { carrierId: row.id, trunkId: row.trunkId ?? '', offers },
            times,
          );
          await limitReservations(trx, accountId, RESERVED_MAX);
          return numbers;
        });
        // The carrier's own price is the installation's, not its accounts'.
        reserved.push(...found.map((one) => ({ ...carrierNumber(one), ...(isAdmin ? {} : { carrierPrice: null }) })));
      }
      return reserved;
    },
    async order(accountId, phoneNumber, reference) {
      const carrierId = await carrierIdOf(tools, phoneNumber);
      if (carrierId === null) return stock.order(accountId, phoneNumber, reference);
      return placeOrder(tools, { carrierId, accountId, phoneNumber, phoneNumberId: reference });
    },
    async releaseReservation(accountId, phoneNumber, reference) {
      // A number that may be ours at the carrier already is nobody else's: its buyer may try again.
      if (await noteUnwanted(db, accountId, reference, tools.now())) return;
      await stock.releaseReservation(accountId, phoneNumber, reference);
    },
    async release(_accountId, phoneNumber) {
      const carrierId = await carrierIdOf(tools, phoneNumber);
      if (carrierId !== null) await giveBack(tools, carrierId, phoneNumber);
    },
    async has(phoneNumber) {
      const carrierId = await carrierIdOf(tools, phoneNumber);
      return carrierId === null ? stock.has(phoneNumber) : isThere(tools, carrierId, phoneNumber);
    },
  };
}

async function carrierIdOf({ db }: OrderTools, phoneNumber: string): Promise<string | null> {
  return (await getInventoryNumber(db, phoneNumber))?.carrierId ?? null;
}

/** Null: the carrier does not answer, and the others are heard without it. */
async function offersOf(tools: CarrierTools, row: CarrierRow, query: CarrierQuery): Promise<CarrierOffer[] | null> {
  try {
    const offers = await openCarrier(row, tools).search({ ...query, limit: OFFER_MAX });
    return offers.flatMap((offer) => carrierOffer(offer, row, query, tools.billing.leastAmount) ?? []);
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    tools.log.warn({ carrierId: row.id, code: error.code, err: error }, 'a carrier did not answer a search');
    return null;
  }
}

/** Null: it is not what was asked for, or has no price in dollars. */
function carrierOffer(
  { phoneNumber, type, capabilities, price }: ApiOffer,
  row: CarrierRow,
  query: CarrierQuery,
  leastAmount: number,
): CarrierOffer | null {
  const described = describeNumber(phoneNumber);
  const kind = type ?? described.type;
  const monthlyCost = row.monthlyCost ?? inDollars(price, leastAmount);
  const fits =
    monthlyCost !== null &&
    described.country === query.country &&
    (query.areaCode === undefined || described.areaCode === query.areaCode) &&
    (query.type === undefined || kind === query.type) &&
    ['voice', ...query.capabilities].every((name) => capabilities.includes(name));
  if (!fits) return null;
  return {
    phoneNumber,
    country: described.country,
    areaCode: described.areaCode,
    type: kind,
    capabilities: capabilities.filter((name) => name === 'voice' || name === 'sms'),
    monthlyCost,
    carrierPrice: price === null ? null : JSON.stringify(price),
  };
}

/** The carrier's monthly price as an account pays it: whole cents, and no less than can be charged. */
function inDollars(price: CarrierPrice | null, leastAmount: number): number | null {
  if (price === null || price.currency !== 'USD') return null;
  return price.monthly === 0 ? 0 : Math.max(leastAmount, toCents(price.monthly + 0.00499) / 100);
}
