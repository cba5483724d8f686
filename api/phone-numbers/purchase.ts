// Buying a number: reserve, write the ledger entry, take the money, order from the carrier, create the number. If a
// step fails, the entry records the progress, and the same client (by its key) or settlement continues from there. The
// result is number and charge, or neither.
//
//   hold ─► entry pending ─► payment paid ─► carrier ordered ─► number + entry paid   (one transaction)
//                │ declined        │ carrier fails
//                ▼                 ▼
//             failed            refunded (or pending and undone, until the provider answers)

import { setTimeout as delay } from 'node:timers/promises';
import { DAY_MS } from '../../db/domain/hours/durations.ts';
import { accountTimezone } from '../../db/queries/accounts/accounts.ts';
import {
  addCharge,
  attendCharge,
  type ChargeRow,
  findPendingPurchase,
  findPurchaseByKey,
  reopenCharge,
  settleCharge,
  updateCharge,
} from '../../db/queries/numbers/charges.ts';
import { findNumberInUse } from '../../db/queries/numbers/inventory.ts';
import { createPhoneNumber, getPhoneNumber, type PhoneNumberRow } from '../../db/queries/numbers/phone-numbers.ts';
import { hasCurrent } from '../../db/queries/tenant-rows.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../db/shared/id.ts';
import { type Budget, PaymentError, type Payments, providerDown, startBudget } from '../billing/billing.ts';
import { collect, isPaid, takeBack } from '../billing/collect.ts';
import { monthOf } from '../billing/months.ts';
import { CarrierError, type CarrierNumber } from '../carriers/carrier.ts';
import { carrierAnswer, holdNumber, numberTaken, orderNumber } from '../carriers/carrier-calls.ts';
import type { ApiContext } from '../context.ts';
import { ApiError, invalid, refused, retryLater } from '../frame/errors.ts';

interface PurchaseOrder {
  phoneNumber: string;
  campaignId: string | null;
  /** The client's Idempotency-Key. */
  key: string | null;
  /** Called in the transaction that creates the number: stores the answer for the key. */
  remember(trx: Db, number: PhoneNumberRow): Promise<void>;
}

/** Longest work of a live request on its entry: the budgets of provider and carrier, plus a margin. */
const ATTENDED_MS = 18_000;
const KEY_MEMORY_MS = DAY_MS;
/** Longest wait of a retry for settlement, which may be working on its entry. */
const SETTLEMENT_WAIT_MS = 5_000;
const SETTLEMENT_POLL_MS = 100;
const RETRY_AFTER_SECONDS = 5;
/**
 * A second entry is needed when a 5xx made the first one's key unusable; a third would mean that the provider is down.
 */
const ENTRIES_MAX = 2;

/** @throws {ApiError} 404, 409, 422, 503 */
export async function purchaseNumber(
  context: ApiContext,
  accountId: string,
  order: PurchaseOrder,
): Promise<PhoneNumberRow> {
  if (order.campaignId !== null && !(await hasCurrent(context.read, 'campaigns', accountId, order.campaignId))) {
    throw invalid([{ field: 'campaignId', message: 'names no campaign of this account' }]);
  }
  const earlier = await findEarlier(context, accountId, order);
  if (earlier?.number) return earlier.number;
  // Also one that no carrier here offers.
  if (earlier === null && (await findNumberInUse(context.read, order.phoneNumber))) throw numberTaken();
  const budget = startBudget();
  const pending = await takeOver(context, accountId, order);
  try {
    return await buy(context, accountId, order, { pending, again: pending !== null || earlier !== null, budget });
  } catch (error) {
    if (error instanceof PaymentError) throw providerDown();
    throw error;
  }
}

/** The outcome of an earlier request with the same key; a number means success. */
async function findEarlier(
  context: ApiContext,
  accountId: string,
  order: PurchaseOrder,
): Promise<{ number: PhoneNumberRow | null } | null> {
  if (order.key === null) return null;
  const charge = await findPurchaseByKey(context.db, accountId, order.key, context.now() - KEY_MEMORY_MS);
  if (charge === null || charge.phoneNumber !== order.phoneNumber) return null;
  const bought = charge.status === 'paid' || charge.status === 'recorded';
  const number = bought ? await getPhoneNumber(context.db, accountId, charge.phoneNumberId ?? '') : null;
  return { number };
}

/** Takes over the entry that an earlier request of this account left pending for the number. */
async function takeOver(context: ApiContext, accountId: string, order: PurchaseOrder): Promise<ChargeRow | null> {
  const waitUntilMs = performance.now() + SETTLEMENT_WAIT_MS;
  for (;;) {
    const found = await findPendingPurchase(context.db, order.phoneNumber);
    if (found === null) return null;
    if (found.accountId !== accountId) throw numberTaken();
    const nowMs = context.now();
    const taken = await attendCharge(context.db, accountId, found.id, { nowMs, untilMs: nowMs + ATTENDED_MS });
    if (taken !== null) return taken;
    if (order.key === null || found.idempotencyKey !== order.key) {
      throw refused('PURCHASE_UNDER_WAY', 'A purchase of this number is under way');
    }
    // Same key: settlement works on the entry, or the process that did has just died.
    if (performance.now() >= waitUntilMs)
      throw retryLater('PURCHASE_SETTLING', 'The purchase is being settled', RETRY_AFTER_SECONDS);
    await delay(SETTLEMENT_POLL_MS);
  }
}

interface Attempt {
  pending: ChargeRow | null;
  again: boolean;
  budget: Budget;
}

async function buy(
  context: ApiContext,
  accountId: string,
  order: PurchaseOrder,
  { pending, again, budget }: Attempt,
): Promise<PhoneNumberRow> {
  const { payments, leastAmount } = context.billing;
  let entry = pending;
  try {
    if (entry !== null && entry.isUndone === 1) {
      if (payments === null) throw providerDown();
      await undo(context, payments, entry, budget);
      entry = null;
    }
    const offer = await hold(context, accountId, order.phoneNumber, again);
    const charged = payments !== null && offer.monthlyCost > 0 && offer.monthlyCost >= leastAmount;
    if (!charged && entry === null) return await buyUncharged(context, accountId, order, offer);
    if (payments === null) throw providerDown();
    for (let round = 1; ; round++) {
      const resumed = entry !== null;
      entry ??= await openEntry(context, accountId, order, offer);
      const outcome = await collect(context, payments, entry, budget);
      if (outcome === 'paid') {
        const paid = entry;
        // From now on `complete` decides about the entry.
        entry = null;
        return await complete(context, payments, paid, { offer, budget, remember: order.remember });
      }
      if (outcome === 'declined') {
        await fail(context, entry);
        entry = null;
        throw refused('PAYMENT_DECLINED', 'Payment was declined');
      }
      if (!resumed || round >= ENTRIES_MAX) throw providerDown();
      // The payment's key is unusable and nothing was charged: continue with a new entry and key.
      await settleCharge(context.db, accountId, entry.id, 'failed', { nowMs: context.now() });
      entry = null;
    }
  } finally {
    if (entry !== null) await updateCharge(context.db, accountId, entry.id, { attendedUntil: 0 });
  }
}

async function hold(
  context: ApiContext,
  accountId: string,
  phoneNumber: string,
  again: boolean,
): Promise<CarrierNumber> {
  try {
    return await holdNumber(context, accountId, phoneNumber, again);
  } catch (error) {
    throw carrierAnswer(error);
  }
}

/** Without a provider: the number and its ledger entry, if any, are written in one transaction. */
async function buyUncharged(
  context: ApiContext,
  accountId: string,
  order: PurchaseOrder,
  offer: CarrierNumber,
  id: string = newId('pn'),
): Promise<PhoneNumberRow> {
  try {
    await orderNumber(context, accountId, offer.phoneNumber, id);
  } catch (error) {
    if (error instanceof CarrierError)
      await endReservation(context, { accountId, phoneNumber: offer.phoneNumber, phoneNumberId: id });
    throw carrierAnswer(error);
  }
  const timezone = await accountTimezone(context.db, accountId);
  const number = await context.db.transaction().execute(async (trx) => {
    const nowMs = context.now();
    const campaignId = await stillThere(trx, accountId, order.campaignId);
    const created = await createPhoneNumber(trx, accountId, { ...offer, id, campaignId, nowMs });
    if (created !== null && offer.monthlyCost > 0) {
      await addCharge(trx, accountId, {
        ...purchaseEntry(order, offer, id, monthOf(nowMs, timezone)),
        status: 'recorded',
        attendedUntil: 0,
        nowMs,
      });
    }
    if (created !== null) await order.remember(trx, created);
    return created;
  });
  if (number === null) throw numberTaken();
  return number;
}

const purchaseEntry = (order: PurchaseOrder, offer: CarrierNumber, phoneNumberId: string, month: string) => ({
  kind: 'number' as const,
  phoneNumber: offer.phoneNumber,
  amount: offer.monthlyCost,
  purpose: `number:${phoneNumberId}:${month}`,
  idempotencyKey: order.key,
  failingSince: null,
  phoneNumberId,
  campaignId: order.campaignId,
  isPurchase: true,
});

/** Writes the pending entry; only one of several concurrent requests succeeds. */
async function openEntry(
  context: ApiContext,
  accountId: string,
  order: PurchaseOrder,
  offer: CarrierNumber,
): Promise<ChargeRow> {
  const timezone = await accountTimezone(context.db, accountId);
  const entry = await context.db.transaction().execute(async (trx) => {
    if (await findNumberInUse(trx, offer.phoneNumber)) throw numberTaken();
    const nowMs = context.now();
    return addCharge(trx, accountId, {
      ...purchaseEntry(order, offer, newId('pn'), monthOf(nowMs, timezone)),
      status: 'pending',
      attendedUntil: nowMs + ATTENDED_MS,
      nowMs,
    });
  });
  if (entry === null) throw refused('PURCHASE_UNDER_WAY', 'A purchase of this number is under way');
  return entry;
}

/** Payment succeeded: order and create the number, or refund. */
async function complete(
  context: ApiContext,
  payments: Payments,
  entry: ChargeRow,
  { offer, budget, remember }: { offer: CarrierNumber; budget: Budget; remember: PurchaseOrder['remember'] },
): Promise<PhoneNumberRow> {
  let problem: unknown = null;
  try {
    const number = await orderAndCreate(context, entry, offer, remember);
    if (number !== null) return number;
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    problem = error;
  }
  try {
    await undo(context, payments, entry, budget);
  } catch (error) {
    // The entry stays pending and marked as undone: settlement refunds it.
    if (!(error instanceof PaymentError)) throw error;
    await updateCharge(context.db, entry.accountId, entry.id, { attendedUntil: 0 });
  }
  throw problem === null ? numberTaken() : carrierAnswer(problem);
}

async function orderAndCreate(
  context: ApiContext,
  entry: ChargeRow,
  offer: CarrierNumber,
  remember: PurchaseOrder['remember'] | null,
): Promise<PhoneNumberRow | null> {
  const { accountId } = entry;
  const id = entry.phoneNumberId ?? '';
  await orderNumber(context, accountId, offer.phoneNumber, id);
  return context.db.transaction().execute(async (trx) => {
    const nowMs = context.now();
    if (!(await settleCharge(trx, accountId, entry.id, 'paid', { nowMs }))) {
      // Another process settled the entry; the number exists if the purchase was completed.
      return getPhoneNumber(trx, accountId, id);
    }
    const campaignId = await stillThere(trx, accountId, entry.campaignId);
    const number = await createPhoneNumber(trx, accountId, { ...offer, id, campaignId, nowMs });
    if (number === null) await reopenCharge(trx, accountId, entry.id, entry.attendedUntil);
    else await remember?.(trx, number);
    return number;
  });
}

/** Cancels or refunds the payment and releases the number. @throws {PaymentError} */
async function undo(context: ApiContext, payments: Payments, entry: ChargeRow, budget: Budget): Promise<void> {
  await updateCharge(context.db, entry.accountId, entry.id, { isUndone: 1 });
  const status = await takeBack(context, payments, entry, budget);
  await settleCharge(context.db, entry.accountId, entry.id, status, { nowMs: context.now() });
  await endReservation(context, entry);
}

async function fail(context: ApiContext, entry: ChargeRow): Promise<void> {
  await settleCharge(context.db, entry.accountId, entry.id, 'failed', { nowMs: context.now() });
  await endReservation(context, entry);
}

async function endReservation(
  context: ApiContext,
  { accountId, phoneNumber, phoneNumberId }: Pick<ChargeRow, 'accountId' | 'phoneNumber' | 'phoneNumberId'>,
): Promise<void> {
  try {
    await context.carrier.releaseReservation(accountId, phoneNumber ?? '', phoneNumberId ?? '');
  } catch (error) {
    // The reservation expires anyway.
    context.log.warn({ phoneNumberId, code: (error as { code?: unknown }).code }, 'could not end the reservation');
  }
}

/** If the campaign was deleted during payment, the number stays unassigned. */
async function stillThere(trx: Db, accountId: string, campaignId: string | null): Promise<string | null> {
  return campaignId !== null && (await hasCurrent(trx, 'campaigns', accountId, campaignId)) ? campaignId : null;
}

/**
 * Settles an abandoned purchase; `entry` is already taken over. If it is paid and the carrier accepts the order, the
 * number is created; otherwise the money is refunded. @throws {PaymentError}
 */
export async function settlePurchase(context: ApiContext, payments: Payments, entry: ChargeRow): Promise<void> {
  const budget = startBudget();
  const { accountId } = entry;
  if (entry.isUndone === 0 && (await isPaid(payments, entry, budget))) {
    try {
      const offer = await holdNumber(context, accountId, entry.phoneNumber ?? '', true);
      if ((await orderAndCreate(context, entry, offer, null)) !== null) return;
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
    }
  }
  await undo(context, payments, entry, budget);
}

const MAY_BE_LATER: ReadonlySet<string> = new Set(['CARRIER_UNAVAILABLE', 'CARRIER_KEY_REFUSED']);

/**
 * Goes on with a purchase without a charge whose process died when the carrier had been asked: the account gets the
 * number. False where it cannot be had any more. @throws {CarrierError} while the carrier does not say
 */
export async function finishPurchase(
  context: ApiContext,
  { accountId, phoneNumber, phoneNumberId }: { accountId: string; phoneNumber: string; phoneNumberId: string },
): Promise<boolean> {
  const order: PurchaseOrder = { phoneNumber, campaignId: null, key: null, async remember() {} };
  try {
    const offer = await holdNumber(context, accountId, phoneNumber, true);
    await orderNumber(context, accountId, phoneNumber, phoneNumberId);
    await buyUncharged(context, accountId, order, offer, phoneNumberId);
    return true;
  } catch (error) {
    const mayBeLater = error instanceof CarrierError && MAY_BE_LATER.has(error.code);
    if (mayBeLater || !(error instanceof CarrierError || error instanceof ApiError)) throw error;
    return false;
  }
}
