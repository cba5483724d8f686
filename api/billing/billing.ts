// The payment port. With `none` there is no provider and the ledger only records costs. Each request to a provider is
// one small step with a deadline, never inside a database transaction.
import { type ApiError, retryLater } from '../frame/errors.ts';

interface Card {
  id: string;
  brand: string;
  last4: string;
}

/**
 * The state of a payment. `open`: no attempt is recorded; `declined`: the card was refused or its holder must act;
 * `processing`: the provider does not know the outcome yet.
 */
export type PaymentState = 'open' | 'declined' | 'processing' | 'paid' | 'cancelled';

export interface Payment {
  id: string;
  state: PaymentState;
}

/**
 * `UNAVAILABLE`: no answer, a broken connection, 401, 429; the request may have been carried out. `FAULT`: a 5xx
 * answer, which the provider repeats for the same idempotency key. `REFUSED`: a 4xx answer to this request.
 */
type PaymentErrorCode = 'PAYMENT_UNAVAILABLE' | 'PAYMENT_FAULT' | 'PAYMENT_REFUSED';

/** Contains none of the provider's text. */
export class PaymentError extends Error {
  readonly code: PaymentErrorCode;
  constructor(code: PaymentErrorCode, message: string) {
    super(message);
    this.name = 'PaymentError';
    this.code = code;
  }
}

const RETRY_AFTER_SECONDS = 5;

/** The answer to a client while the provider is down. */
export const providerDown = (): ApiError =>
  retryLater('PAYMENT_PROVIDER_DOWN', 'The payment provider is unavailable', RETRY_AFTER_SECONDS);

/** The remaining time for all provider calls of one request. */
export interface Budget {
  /** Milliseconds, never negative. */
  remainingMs(): number;
}

/** 12 s: with the carrier's share a client still gets its 503 within 15 s. */
const PROVIDER_BUDGET_MS = 12_000;

export function startBudget(totalMs = PROVIDER_BUDGET_MS): Budget {
  const endsAtMs = performance.now() + totalMs;
  return { remainingMs: () => Math.max(0, endsAtMs - performance.now()) };
}

interface NewPayment {
  /** The ledger entry: idempotency key and metadata of the payment. */
  chargeId: string;
  /** Cents. */
  amountCents: number;
  currency: string;
  customerId: string;
}

/** A payment provider. Every function throws {PaymentError} and nothing else. */
export interface Payments {
  /** Creates the account's customer, or finds the one created before; `replaced`: a customer that the provider lost. */
  addCustomer(account: { accountId: string; replaced: string | null }, budget: Budget): Promise<string>;
  /** The provider's page on which the customer adds a card. */
  setupPage(customerId: string, returnUrl: string, budget: Budget): Promise<string>;
  /** The last added card, or null. */
  newestCard(customerId: string, budget: Budget): Promise<Card | null>;
  /** Creates the payment, or finds the one created before for the entry. */
  openPayment(payment: NewPayment, budget: Budget): Promise<Payment>;
  /** Null if the provider knows no such payment. */
  readPayment(paymentId: string, budget: Budget): Promise<Payment | null>;
  /** Charges a card off session; a refused card is a result (`declined`), not an error. */
  confirmPayment(paymentId: string, cardId: string, key: string, budget: Budget): Promise<Payment>;
  cancelPayment(paymentId: string, budget: Budget): Promise<Payment>;
  /** Refunds everything; idempotent. */
  refundPayment(paymentId: string, key: string, budget: Budget): Promise<void>;
}

export interface Billing {
  readonly provider: 'none' | 'stripe';
  /** Dollars; smaller amounts cannot be charged (0 is always allowed). */
  readonly leastAmount: number;
  /** Null: nothing is charged. */
  readonly payments: Payments | null;
}

export const ledgerBilling: Billing = { provider: 'none', leastAmount: 0, payments: null };

/** Dollars as whole cents, without binary rounding errors. */
export const toCents = (dollars: number): number => Math.round(dollars * 100);

/** Whether an amount has at most two decimals. */
export const isWholeCents = (dollars: number): boolean => Math.abs(dollars * 100 - toCents(dollars)) < 1e-6;
