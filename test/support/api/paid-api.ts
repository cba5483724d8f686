// An API that charges through a fake Stripe, and a tenant with a card.
import { randomUUID } from 'node:crypto';
import { createStripeBilling } from '../../../api/billing/stripe.ts';
import { startApi, type Tenant, type TestApi } from '../../../bench/rig/api/api.ts';
import { stock, usNumber } from '../../../bench/rig/api/numbers.ts';
import { FakeStripe } from './fake-stripe.ts';

const SECRET_KEY = 'sk_test_must_not_be_logged';
/** Time-out of a request to the fake: its slow answers take longer, a busy machine's normal ones must not. */
export const REQUEST_TIMEOUT_MS = 1_500;

export interface PaidApi {
  api: TestApi;
  stripe: FakeStripe;
  /** Customer of `api.tenant`. */
  customer: string;
  close(): Promise<void>;
}

export async function startPaidApi(options: { numbers?: number; monthlyCost?: number } = {}): Promise<PaidApi> {
  const { numbers = 5, monthlyCost = 2 } = options;
  const stripe = await FakeStripe.start();
  const api = await startApi({
    environment: { BILLING: 'stripe', STRIPE_SECRET_KEY: SECRET_KEY, STRIPE_API_BASE: stripe.url },
  });
  api.context.billing = createStripeBilling({
    secretKey: SECRET_KEY,
    apiBase: stripe.url,
    log: api.context.log,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
  });
  await stock(
    api,
    Array.from({ length: numbers }, (_, index) => ({ phoneNumber: usNumber(index), monthlyCost })),
  );
  const customer = await customerOf(api, stripe, api.tenant);
  stripe.addCard(customer);
  return {
    api,
    stripe,
    customer,
    async close() {
      await api.close();
      await stripe.close();
    },
  };
}

/** Starts the setup for a tenant; returns its customer id at the fake. */
export async function customerOf(api: TestApi, stripe: FakeStripe, tenant: Tenant): Promise<string> {
  const answer = await tenant.ask('POST', '/account/billing/setup');
  if (answer.status !== 200) throw new Error(`setup: ${answer.status} ${answer.text}`);
  const found = [...stripe.customers].find(([, { accountId }]) => accountId === tenant.accountId);
  if (!found) throw new Error(`no customer of ${tenant.accountId}; ${api.logs.at(-1)}`);
  return found[0];
}

/** Searches and buys with an idempotency key; the key may be reused. */
export async function buyWithKey(tenant: Tenant, phoneNumber: string, key: string = randomUUID()) {
  await tenant.ask('GET', '/phone-numbers/search');
  return again(tenant, phoneNumber, key);
}

/** The same purchase again, without a new search. */
export const again = (tenant: Tenant, phoneNumber: string, key: string) =>
  tenant.ask('POST', '/phone-numbers/purchase', { phoneNumber }, { 'idempotency-key': key });

/** The account's ledger, oldest first. */
export async function ledger(
  tenant: Tenant,
): Promise<Array<{ id: string; status: string; amount: number; kind: string }>> {
  return (await tenant.ask('GET', '/account/charges?limit=100')).json.data.reverse();
}

export const numbersOf = async (tenant: Tenant): Promise<string[]> =>
  (await tenant.ask('GET', '/phone-numbers?limit=100')).json.data.map((number) => number.phoneNumber).sort();

/** Texts of the provider that must not appear in a log line or an answer. */
export const PRIVATE = /must.not.be.logged|Ada Holder|insufficient funds|told to fail/i;
