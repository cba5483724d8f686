// Implements the payment port with Stripe. Time-outs and retries are ours (the package's defaults of 80 s and two
// retries take minutes). Only type, code, decline code and request id of an error are logged: a card error contains the
// holder's name, a fingerprint and the client secret.
import type { Logger } from 'pino';
import Stripe from 'stripe';
import { type Billing, type Budget, type Payment, PaymentError, type PaymentState, type Payments } from './billing.ts';

interface StripeOptions {
  secretKey: string;
  /** Scheme, host and port; null: Stripe's own. */
  apiBase: string | null;
  log: Logger;
  /** Longest duration of one request; default 4 s: three of them fit into the budget of a purchase. */
  requestTimeoutMs?: number;
}

const REQUEST_TIMEOUT_MS = 4_000;
/** With less time left no request is made. */
const LEAST_REQUEST_MS = 50;
/** Stripe charges no less than 50 cents. */
const LEAST_AMOUNT = 0.5;
/** One page is enough: it contains the newest card. */
const CARDS_PER_PAGE = 100;

export function createStripeBilling(options: StripeOptions): Billing {
  return { provider: 'stripe', leastAmount: LEAST_AMOUNT, payments: stripePayments(options) };
}

function stripePayments({ secretKey, apiBase, log, requestTimeoutMs = REQUEST_TIMEOUT_MS }: StripeOptions): Payments {
  const client = new Stripe(secretKey, {
    telemetry: false,
    maxNetworkRetries: 0,
    timeout: requestTimeoutMs,
    ...(apiBase === null ? {} : endpoint(apiBase)),
  });
  const ask: Ask = (step, budget, request) =>
    askStripe(log, step, Math.min(requestTimeoutMs, budget.remainingMs()), request);
  return { ...stripeCustomers(client, ask), ...stripeIntents(client, ask) };
}

/** One request within a budget. */
type Ask = <T>(step: string, budget: Budget, request: (options: Stripe.RequestOptions) => Promise<T>) => Promise<T>;

function stripeCustomers(client: Stripe, ask: Ask): Pick<Payments, 'addCustomer' | 'setupPage' | 'newestCard'> {
  let customerSerial = 0;
  return {
    async addCustomer({ accountId, replaced }, budget) {
      // The account's id is the key: a request whose answer was lost finds its customer. A key keeps its 5xx, so a new
      // key follows; the account stores one customer only.
      const key = ['customer', accountId, replaced ?? 'first', customerSerial].join(':');
      try {
        const created = await ask('create customer', budget, (extra) =>
          client.customers.create({ metadata: { accountId } }, { ...extra, idempotencyKey: key }),
        );
        return created.id;
      } catch (error) {
        if (error instanceof PaymentError && error.code !== 'PAYMENT_UNAVAILABLE') customerSerial++;
        throw error;
      }
    },

    async setupPage(customerId, returnUrl, budget) {
      const session = await ask('create setup session', budget, (extra) =>
        client.checkout.sessions.create(
          {
            mode: 'setup',
            customer: customerId,
            currency: 'usd',
            allowed_payment_method_types: ['card'],
            success_url: returnUrl,
            cancel_url: returnUrl,
          },
          extra,
        ),
      );
      if (session.url === null) throw new PaymentError('PAYMENT_REFUSED', 'the setup session has no address');
      return session.url;
    },

    async newestCard(customerId, budget) {
      try {
        const { data } = await ask('list cards', budget, (extra) =>
          client.paymentMethods.list({ customer: customerId, type: 'card', limit: CARDS_PER_PAGE }, extra),
        );
        // Stripe lists the newest first; a stable sort keeps its order within one second.
        const [newest] = [...data].sort((a, b) => b.created - a.created);
        if (!newest) return null;
        return { id: newest.id, brand: newest.card?.brand ?? 'unknown', last4: newest.card?.last4 ?? '' };
      } catch (error) {
        // A customer that was deleted at the provider has no card.
        if (error instanceof PaymentError && error.code === 'PAYMENT_REFUSED') return null;
        throw error;
      }
    },
  };
}

/** Stripe calls a payment an intent. */
function stripeIntents(
  client: Stripe,
  ask: Ask,
): Pick<Payments, 'openPayment' | 'readPayment' | 'confirmPayment' | 'cancelPayment' | 'refundPayment'> {
  return {
    async openPayment({ chargeId, amountCents, currency, customerId }, budget) {
      // The confirmation names the card: a key is valid only for exactly the same request, and cards change.
      return payment(
        await ask('create payment', budget, (extra) =>
          client.paymentIntents.create(
            {
              amount: amountCents,
              currency,
              customer: customerId,
              allowed_payment_method_types: ['card'],
              metadata: { chargeId },
            },
            { ...extra, idempotencyKey: chargeId },
          ),
        ),
      );
    },

    async readPayment(paymentId, budget) {
      try {
        return payment(
          await ask('read payment', budget, (extra) => client.paymentIntents.retrieve(paymentId, {}, extra)),
        );
      } catch (error) {
        if (error instanceof PaymentError && error.code === 'PAYMENT_REFUSED') return null;
        throw error;
      }
    },

    async confirmPayment(paymentId, cardId, key, budget) {
      try {
        return payment(
          await ask('confirm payment', budget, (extra) =>
            client.paymentIntents.confirm(
              paymentId,
              { payment_method: cardId, off_session: true },
              { ...extra, idempotencyKey: key },
            ),
          ),
        );
      } catch (error) {
        if (error instanceof CardDeclined) return { id: paymentId, state: 'declined' };
        throw error;
      }
    },

    async cancelPayment(paymentId, budget) {
      return payment(
        await ask('cancel payment', budget, (extra) => client.paymentIntents.cancel(paymentId, {}, extra)),
      );
    },

    async refundPayment(paymentId, key, budget) {
      try {
        await ask('refund payment', budget, (extra) =>
          client.refunds.create({ payment_intent: paymentId }, { ...extra, idempotencyKey: key }),
        );
      } catch (error) {
        if (error instanceof AlreadyRefunded) return;
        throw error;
      }
    },
  };
}

class CardDeclined extends PaymentError {}
class AlreadyRefunded extends PaymentError {}

function endpoint(apiBase: string): Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'> {
  const { hostname, port, protocol } = new URL(apiBase);
  const scheme = protocol === 'http:' ? 'http' : 'https';
  return { host: hostname, port: port || (scheme === 'http' ? 80 : 443), protocol: scheme };
}

/**
 * One request with a deadline. The package's own timeout measures silence, so a trickling provider would outlast it.
 */
async function askStripe<T>(
  log: Logger,
  step: string,
  timeoutMs: number,
  request: (options: Stripe.RequestOptions) => Promise<T>,
): Promise<T> {
  if (timeoutMs < LEAST_REQUEST_MS) throw new PaymentError('PAYMENT_UNAVAILABLE', 'no time left');
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new PaymentError('PAYMENT_UNAVAILABLE', 'timed out')), timeoutMs);
  });
  const answer = request({ timeout: Math.ceil(timeoutMs) });
  // A failure after the deadline is ignored.
  answer.catch(() => {});
  try {
    return await Promise.race([answer, deadline]);
  } catch (error) {
    throw paymentError(log, step, error);
  } finally {
    clearTimeout(timer);
  }
}

/** Converts the package's error to the port's, logged without any card data. */
function paymentError(log: Logger, step: string, error: unknown): PaymentError {
  if (error instanceof PaymentError) {
    log.warn({ step, reason: error.message }, 'payment provider did not answer');
    return error;
  }
  if (!(error instanceof Stripe.errors.StripeError)) {
    log.error({ step, name: error instanceof Error ? error.name : typeof error }, 'payment provider answered nonsense');
    return new PaymentError('PAYMENT_FAULT', 'the answer could not be read');
  }
  const { statusCode = 0, type, code, requestId } = error;
  const fields = { step, type, code, declineCode: error.decline_code, requestId };
  if (error instanceof Stripe.errors.StripeCardError) {
    log.info(fields, 'payment declined');
    return new CardDeclined('PAYMENT_REFUSED', 'declined');
  }
  if (statusCode === 401 || statusCode === 403) {
    log.error(fields, 'payment provider refuses our key: check STRIPE_SECRET_KEY');
    return new PaymentError('PAYMENT_UNAVAILABLE', 'unauthenticated');
  }
  if (code === 'charge_already_refunded') return new AlreadyRefunded('PAYMENT_REFUSED', 'refunded before');
  log.warn(fields, 'payment provider failed');
  if (statusCode >= 500) return new PaymentError('PAYMENT_FAULT', `status ${statusCode}`);
  // 409 and lock_timeout: another request is using the same object; like 429 it can be retried.
  const busy = statusCode === 409 || statusCode === 429 || code === 'lock_timeout';
  if (busy || statusCode < 400) return new PaymentError('PAYMENT_UNAVAILABLE', `status ${statusCode}`);
  return new PaymentError('PAYMENT_REFUSED', `status ${statusCode}`);
}

function payment(intent: Stripe.PaymentIntent): Payment {
  return { id: intent.id, state: paymentState(intent) };
}

/** https://docs.stripe.com/payments/paymentintents/lifecycle */
function paymentState(intent: Stripe.PaymentIntent): PaymentState {
  switch (intent.status) {
    case 'succeeded':
      return 'paid';
    case 'canceled':
      return 'cancelled';
    case 'requires_action':
      return 'declined';
    case 'requires_confirmation':
      return 'open';
    case 'requires_payment_method':
      return intent.last_payment_error ? 'declined' : 'open';
    default:
      return 'processing';
  }
}
