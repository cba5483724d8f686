// Purchases at carriers with an API, by a journal: ordered before the carrier is asked, bought when it has said so,
// recorded when the account has the number. A process may die between any two of these and buy nothing twice: the next
// one asks the carrier first whether the number is ours.

import type { Logger } from 'pino';
import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
import {
  type CarrierOrderRow,
  dropCarrierOffers,
  dueOrders,
  takeOrder,
  updateOrder,
} from '../../db/queries/numbers/carrier-orders.ts';
import { type CarrierRow, getCarrier } from '../../db/queries/numbers/carriers.ts';
import type { Db } from '../../db/schema.ts';
import type { ApiContext } from '../context.ts';
import type { CarrierApi, TrunkParts } from './api/carrier-api.ts';
import { type CarrierKeys, openCarrier } from './api/open.ts';
import { CarrierError } from './carrier.ts';
import { listenIfCan } from './texting.ts';

/** Longer than all requests of an order, and than a carrier works on one whose answer was lost. */
const ATTENDED_MS = 30_000;
/** An offer that nobody bought stays a little longer than its reservation. */
const OFFER_KEPT_MS = 5 * MINUTE_MS;
const AT_ONCE = 20;
const WAIT_MAX_MS = 10 * MINUTE_MS;
const DOUBLINGS_MAX = 6;

/** The journal's part of a context. */
export interface OrderTools extends CarrierKeys {
  db: Db;
  now(): number;
  log: Pick<Logger, 'info' | 'warn'>;
  /** PUBLIC_URL; null: it is not set. */
  publicUrl: string | null;
}

interface OrderWish {
  carrierId: string;
  accountId: string;
  phoneNumber: string;
  /** The purchase's number: the reference of `Carrier.order`. */
  phoneNumberId: string;
}

/** Orders a number, or goes on with what was begun. @throws {CarrierError} */
export async function placeOrder(tools: OrderTools, wish: OrderWish): Promise<void> {
  const { db, now } = tools;
  const { row, api } = await connected(tools, wish.carrierId);
  const nowMs = now();
  const taken = await db.transaction().execute((trx) => takeOrder(trx, wish, { nowMs, untilMs: nowMs + ATTENDED_MS }));
  if (taken === 'busy') throw new CarrierError('CARRIER_UNAVAILABLE', 'the number is being ordered');
  const { order, isNew } = taken;
  if (order.state === 'bought') return;
  try {
    await buyOnce(api, row, order, isNew);
    await updateOrder(db, order.id, { state: 'bought', error: null }, now());
    await listenIfCan(tools, row, wish.phoneNumber);
  } catch (error) {
    if (error instanceof CarrierError) await noteFault(tools, order, error);
    throw error;
  }
}

/** After an answer that may be lost, and after a refusal, the account's numbers decide. @throws {CarrierError} */
async function buyOnce(api: CarrierApi, row: CarrierRow, order: CarrierOrderRow, isNew: boolean): Promise<void> {
  const { id, phoneNumber } = order;
  if (!isNew && (await api.owns(phoneNumber, id))) return;
  try {
    await api.buy(phoneNumber, id, JSON.parse(row.trunkParts) as TrunkParts);
  } catch (error) {
    const isRefused = error instanceof CarrierError && error.code === 'CARRIER_REFUSED';
    if (!isRefused || !(await api.owns(phoneNumber, id))) throw error;
  }
}

async function noteFault({ db, now }: OrderTools, order: CarrierOrderRow, error: CarrierError): Promise<void> {
  const nowMs = now();
  const isRefused = error.code === 'CARRIER_REFUSED';
  const waitMs = Math.min(WAIT_MAX_MS, ATTENDED_MS * 2 ** Math.min(order.tries, DOUBLINGS_MAX));
  await updateOrder(
    db,
    order.id,
    {
      error: error.message,
      tries: order.tries + 1,
      ...(isRefused ? { state: 'refused' as const } : {}),
      // A retry of the purchase need not wait for it.
      attendedUntil: nowMs,
      dueAt: nowMs + waitMs,
    },
    nowMs,
  );
}

/** Gives a number back to the carrier; its order ends with the account's number. @throws {CarrierError} */
export async function giveBack(tools: OrderTools, carrierId: string, phoneNumber: string): Promise<void> {
  const { api } = await connected(tools, carrierId);
  await api.release(phoneNumber);
}

/** Whether a number is still the connected account's. @throws {CarrierError} */
export async function isThere(tools: OrderTools, carrierId: string, phoneNumber: string): Promise<boolean> {
  const { api } = await connected(tools, carrierId);
  return api.owns(phoneNumber, null);
}

async function connected(tools: OrderTools, carrierId: string): Promise<{ row: CarrierRow; api: CarrierApi }> {
  const row = await getCarrier(tools.db, carrierId);
  if (row === null)
    throw new CarrierError('CARRIER_UNAVAILABLE', 'the account at the carrier is not connected any more');
  return { row, api: openCarrier(row, tools) };
}

/** Brings a purchase that nobody charges for to its end; false: it cannot be. @throws {CarrierError} later perhaps */
type FinishPurchase = (order: CarrierOrderRow) => Promise<boolean>;

/** One round: orders that a dead process, or a carrier that did not answer, has left are brought to an end. */
export async function goOnWithOrders(context: ApiContext, finish: FinishPurchase): Promise<void> {
  const { db, now, log, secretKey, config } = context;
  const { carrierApiBase: apiBase, publicUrl } = config;
  const tools: OrderTools = { db, now, log, secretKey, apiBase, publicUrl };
  for (const order of await dueOrders(db, now(), AT_ONCE)) {
    const { id, carrierId, chargeStatus } = order;
    try {
      const isLost = order.isUnwanted === 1 || chargeStatus === 'refunded' || chargeStatus === 'failed';
      if (!isLost && (await finish(order))) log.info({ orderId: id, carrierId }, 'went on with an order at a carrier');
      else await undo(tools, order);
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
      log.warn({ orderId: id, carrierId, code: error.code, err: error }, 'an order at a carrier is not settled yet');
      await noteFault(tools, order, error);
    }
  }
  await dropCarrierOffers(db, now() - OFFER_KEPT_MS);
}

/** Gives the order's number back, if it has bought one. */
async function undo(tools: OrderTools, order: CarrierOrderRow): Promise<void> {
  const { db, now } = tools;
  const nowMs = now();
  const untilMs = nowMs + ATTENDED_MS;
  const taken = await updateOrder(db, order.id, { isUnwanted: 1, attendedUntil: untilMs, dueAt: untilMs }, nowMs);
  if (taken === null) return;
  const { api } = await connected(tools, order.carrierId);
  if (taken.state === 'bought' || (await api.owns(order.phoneNumber, order.id))) await api.release(order.phoneNumber);
  await updateOrder(db, order.id, { state: 'released' }, now());
}
