// GET /account/billing and POST /account/billing/setup.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startApi } from '../../../bench/rig/api/api.ts';
import { type PaidApi, startPaidApi } from '../../support/api/paid-api.ts';

let paid: PaidApi;
before(async () => {
  paid = await startPaidApi({ numbers: 1 });
});
after(() => paid.close());

test('without a provider nothing is asked and nothing can be set up', async () => {
  const api = await startApi();
  try {
    assert.deepEqual((await api.tenant.ask('GET', '/account/billing')).json.data, {
      provider: 'none',
      hasCard: false,
      brand: null,
      last4: null,
    });
    assert.equal((await api.tenant.ask('POST', '/account/billing/setup')).status, 409);
  } finally {
    await api.close();
  }
});

test('the card added last is shown, and the provider is asked each time', async () => {
  const { api, stripe, customer } = paid;
  const shown = async () => (await api.tenant.ask('GET', '/account/billing')).json.data;
  assert.deepEqual(await shown(), { provider: 'stripe', hasCard: true, brand: 'visa', last4: '4242' });
  stripe.addCard(customer, 'ok', '1881');
  assert.equal((await shown()).last4, '1881');
  const fresh = await api.newTenant();
  stripe.down = true;
  // Also for an account that has never had a card: nothing is guessed.
  assert.equal((await fresh.ask('GET', '/account/billing')).status, 503);
  assert.equal((await api.tenant.ask('GET', '/account/billing')).status, 503);
  assert.equal((await api.tenant.ask('POST', '/account/billing/setup')).status, 503);
  stripe.down = false;
  assert.equal((await fresh.ask('GET', '/account/billing')).json.data.hasCard, false);
});

test('an account has one customer, however often and however badly its setup begins', async () => {
  const { api, stripe } = paid;
  const tenant = await api.newTenant();
  const before = stripe.customers.size;
  stripe.rules = [{ route: 'POST /v1/customers', fault: { kind: 'broken', after: true }, times: 1 }];
  // The answer of the first is lost; the package asks again by itself where the connection had been used before.
  const first = await tenant.ask('POST', '/account/billing/setup');
  assert.ok(first.status === 503 || first.status === 200);
  const answers = await Promise.all(Array.from({ length: 10 }, () => tenant.ask('POST', '/account/billing/setup')));
  for (const answer of answers) {
    assert.equal(answer.status, 200);
    assert.equal(answer.json.data.url, 'https://checkout.fake/c/pay');
  }
  assert.equal(stripe.customers.size, before + 1);
  const session = stripe.requests.filter((request) => request.path === '/v1/checkout/sessions').at(-1);
  assert.equal(session?.form.mode, 'setup');
  // One that the provider has lost is made anew.
  stripe.customers.clear();
  assert.equal((await tenant.ask('POST', '/account/billing/setup')).status, 200);
  assert.equal((await tenant.ask('GET', '/account/billing')).json.data.hasCard, false);
});

test('a 500 that the provider keeps for the key of a customer does not last', async () => {
  const { api, stripe } = paid;
  const tenant = await api.newTenant();
  stripe.rules = [{ route: 'POST /v1/customers', fault: { kind: 'status', status: 500 }, times: 1 }];
  assert.equal((await tenant.ask('POST', '/account/billing/setup')).status, 503);
  assert.equal((await tenant.ask('POST', '/account/billing/setup')).status, 200);
});
