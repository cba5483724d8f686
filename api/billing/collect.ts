// Collects the money of one pending ledger entry, or cancels the entry. Both are idempotent: the state of an earlier
// attempt is read from the payment first.
import { billingCustomer, type ChargeRow, updateCharge } from '../../db/queries/numbers/charges.ts';
import type { ApiContext } from '../context.ts';
import { type Budget, type Payment, PaymentError, type Payments, toCents } from './billing.ts';
import { ensureCustomer } from './customer.ts';

type CollectContext = Pick<ApiContext, 'db' | 'log' | 'now'>;

/**
 * Attempts to confirm within one request: the second only after a 5xx, which shows that the first is over.
 */
const CONFIRMATIONS_MAX = 2;

/**
 * Returns whether the entry's payment is paid or never will be (`declined`: no card, refused, or its holder must act).
 * `faulty`: the payment could not be created, and a 5xx made its key unusable; nothing was charged, and a new entry is
 * needed.
 * @throws {PaymentError} when the state is unknown at the moment
 */
export async function collect(
  context: CollectContext,
  payments: Payments,
  charge: ChargeRow,
  budget: Budget,
): Promise<'paid' | 'declined' | 'faulty'> {
  const customerId = await ensureCustomer(context, payments, charge.accountId, budget);
  let payment = await findOrOpen(context, payments, charge, customerId, budget);
  if (payment === 'faulty') return 'faulty';
  let { attempts } = charge;
  for (let round = 0; round < CONFIRMATIONS_MAX && payment?.state === 'open'; round++) {
    const card = await payments.newestCard(customerId, budget);
    if (card === null) return giveUp(payments, payment, budget);
    // Counted durably before the attempt: a key is never used for two attempts.
    attempts++;
    await updateCharge(context.db, charge.accountId, charge.id, { attempts });
    const { id } = payment;
    try {
      payment = await payments.confirmPayment(id, card.id, `${charge.id}:${attempts}`, budget);
    } catch (error) {
      if (!(error instanceof PaymentError) || error.code === 'PAYMENT_UNAVAILABLE') throw error;
      payment = await payments.readPayment(id, budget);
      if (error.code === 'PAYMENT_REFUSED' && payment?.state === 'open') return giveUp(payments, payment, budget);
    }
  }
  if (payment === null) {
    context.log.error({ chargeId: charge.id }, 'the payment provider does not know the payment of a charge');
    return 'declined';
  }
  if (payment.state === 'paid') return 'paid';
  if (payment.state === 'declined') return giveUp(payments, payment, budget);
  if (payment.state === 'cancelled') return 'declined';
  throw new PaymentError('PAYMENT_UNAVAILABLE', `the payment is ${payment.state}`);
}

async function findOrOpen(
  context: CollectContext,
  payments: Payments,
  charge: ChargeRow,
  customerId: string,
  budget: Budget,
): Promise<Payment | null | 'faulty'> {
  if (charge.paymentIntentId !== null) return payments.readPayment(charge.paymentIntentId, budget);
  try {
    const payment = await payments.openPayment(newPayment(charge, customerId), budget);
    await updateCharge(context.db, charge.accountId, charge.id, { paymentIntentId: payment.id });
    return payment;
  } catch (error) {
    if (error instanceof PaymentError && error.code === 'PAYMENT_FAULT') return 'faulty';
    if (error instanceof PaymentError && error.code === 'PAYMENT_REFUSED') return null;
    throw error;
  }
}

const newPayment = (charge: ChargeRow, customerId: string) => ({
  chargeId: charge.id,
  amountCents: toCents(charge.amount),
  currency: charge.currency,
  customerId,
});

/** Abandons a payment: it is not confirmed again. Cancelling only cleans up, so its failure does not matter. */
async function giveUp(payments: Payments, payment: Payment, budget: Budget): Promise<'paid' | 'declined'> {
  try {
    const cancelled = await payments.cancelPayment(payment.id, budget);
    return cancelled.state === 'paid' ? 'paid' : 'declined';
  } catch {
    return 'declined';
  }
}

/** Reads the state of an entry's payment without changing it. */
export async function isPaid(payments: Payments, charge: ChargeRow, budget: Budget): Promise<boolean> {
  if (charge.paymentIntentId === null) return false;
  const payment = await payments.readPayment(charge.paymentIntentId, budget);
  return payment?.state === 'paid';
}

/**
 * Cancels or refunds the payment of an entry: afterwards nothing is charged for it, nor will be.
 * @throws {PaymentError} when this is impossible at the moment
 */
export async function takeBack(
  context: CollectContext,
  payments: Payments,
  charge: ChargeRow,
  budget: Budget,
): Promise<'failed' | 'refunded'> {
  let payment = await findForTakingBack(context, payments, charge, budget);
  if (payment === null) return 'failed';
  if (payment.state === 'open' || payment.state === 'declined') payment = await cancel(payments, payment, budget);
  if (payment.state === 'cancelled') return 'failed';
  if (payment.state !== 'paid') throw new PaymentError('PAYMENT_UNAVAILABLE', `the payment is ${payment.state}`);
  const attempts = charge.attempts + 1;
  await updateCharge(context.db, charge.accountId, charge.id, { attempts });
  await payments.refundPayment(payment.id, `${charge.id}:refund:${attempts}`, budget);
  return 'refunded';
}

/**
 * The payment of an entry whose payment id may not have been stored. An unconfirmed payment has taken no money: if the
 * provider works but does not know the payment of the entry's key, there is nothing to take back.
 */
async function findForTakingBack(
  context: CollectContext,
  payments: Payments,
  charge: ChargeRow,
  budget: Budget,
): Promise<Payment | null> {
  const customerId = await billingCustomer(context.db, charge.accountId);
  if (customerId === null) return null;
  const payment = await findOrOpen(context, payments, charge, customerId, budget);
  if (payment !== 'faulty') return payment;
  await payments.newestCard(customerId, budget);
  return null;
}

async function cancel(payments: Payments, payment: Payment, budget: Budget): Promise<Payment> {
  try {
    return await payments.cancelPayment(payment.id, budget);
  } catch (error) {
    // A slow confirmation may have finished first.
    if (!(error instanceof PaymentError) || error.code !== 'PAYMENT_REFUSED') throw error;
    return (await payments.readPayment(payment.id, budget)) ?? { id: payment.id, state: 'cancelled' };
  }
}
