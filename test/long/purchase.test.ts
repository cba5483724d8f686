// Purchases that cost money: what the provider is asked, what a client is told, and that number and charge come
// together or not at all, whatever breaks in between.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, test } from 'node:test';
import { settleCharges } from '../../api/billing/settlement.ts';
import { type Carrier, CarrierError } from '../../api/carriers/carrier.ts';
import { usNumber } from '../../bench/rig/api/numbers.ts';
import { unattendCharges } from '../../db/queries/numbers/charges.ts';
import type { Fault } from '../support/api/fake-stripe.ts';
import {
  again,
  buyWithKey,
  customerOf,
  ledger,
  numbersOf,
  type PaidApi,
  PRIVATE,
  REQUEST_TIMEOUT_MS,
  startPaidApi,
} from '../support/api/paid-api.ts';

let paid: PaidApi;
let carrier: Carrier;
before(async () => {
  paid = await startPaidApi({ numbers: 50 });
  carrier = paid.api.context.carrier;
});
after(() => paid.close());
afterEach(() => {
  paid.stripe.rules = [];
  paid.stripe.down = false;
  paid.api.context.carrier = carrier;
  // Past the reservations of everybody.
  paid.api.clock.advance(6 * 60_000);
  assert.doesNotMatch(paid.api.logs.join('\n'), PRIVATE);
});

let next = 0;
const fresh = () => usNumber(next++);
const lastEntry = async () => (await ledger(paid.api.tenant)).at(-1);

test('the entry comes before the payment and names it; the key of the client goes nowhere', async () => {
  const { api, stripe } = paid;
  stripe.requests.length = 0;
  const key = randomUUID();
  const answer = await buyWithKey(api.tenant, fresh(), key);
  assert.equal(answer.status, 201);
  const entry = await lastEntry();
  assert.equal(entry?.status, 'paid');
  const posts = stripe.requests.filter((request) => request.method === 'POST');
  assert.deepEqual(
    posts.map(({ path, key: sent }) => [path.replace(/pi_\w+/, ':id'), sent]),
    [
      ['/v1/payment_intents', entry?.id],
      ['/v1/payment_intents/:id/confirm', `${entry?.id}:1`],
    ],
  );
  assert.deepEqual(
    [posts[0]?.form.amount, posts[0]?.form.currency, posts[0]?.form['metadata[chargeId]'], posts[1]?.form.off_session],
    ['200', 'usd', entry?.id, 'true'],
  );
  assert.ok(!JSON.stringify(stripe.requests).includes(key));
  // The same key once more: the same answer, no second charge.
  const repeated = await again(api.tenant, answer.json.data.phoneNumber, key);
  assert.equal(repeated.text, answer.text);
  assert.equal(stripe.balance, 200);
});

test('a card that is missing, declined or wants its holder is 409, and the number is on offer to all', async () => {
  const { api, stripe } = paid;
  const poor = await api.newTenant();
  const phoneNumber = fresh();
  const attempt = async () => {
    const answer = await buyWithKey(poor, phoneNumber);
    assert.equal(answer.status, 409, answer.text);
    assert.equal(answer.json.error, 'Payment was declined');
    assert.equal((await ledger(poor)).at(-1)?.status, 'failed');
    assert.doesNotMatch(answer.text, PRIVATE);
  };
  const before = stripe.balance;
  await attempt();
  const customer = await customerOf(api, stripe, poor);
  await attempt();
  stripe.addCard(customer, 'declined');
  await attempt();
  stripe.addCard(customer, 'requires_action');
  await attempt();
  assert.deepEqual(await numbersOf(poor), []);
  assert.equal(stripe.balance, before);
  const offers = (await api.other.ask('GET', '/phone-numbers/search')).json.data;
  assert.ok(offers.some((offer: { phoneNumber: string }) => offer.phoneNumber === phoneNumber));
  api.clock.advance(6 * 60_000);
  // The card that was added last counts.
  stripe.addCard(customer);
  assert.equal((await buyWithKey(poor, phoneNumber)).status, 201);
  assert.ok([...stripe.intents.values()].every((intent) => ['succeeded', 'canceled'].includes(intent.status)));
});

const FAULTS: Array<[string, Fault]> = [
  ['a broken connection', { kind: 'broken' }],
  ['status 500', { kind: 'status', status: 500 }],
  ['status 503', { kind: 'status', status: 503 }],
  ['status 429', { kind: 'status', status: 429 }],
  ['status 401', { kind: 'status', status: 401 }],
  ['no answer in time', { kind: 'slow', ms: REQUEST_TIMEOUT_MS * 2 }],
  ['a broken connection after the deed', { kind: 'broken', after: true }],
  ['status 500 after the deed', { kind: 'status', status: 500, after: true }],
];
const ROUTES = ['POST /v1/payment_intents', 'GET /v1/payment_methods', 'POST /v1/payment_intents/:id/confirm'];

for (const [name, fault] of FAULTS) {
  for (const route of ROUTES) {
    test(`${name} at ${route}: 503, and the same key gives 201 with one charge`, async () => {
      const { api, stripe } = paid;
      const [phoneNumber, key, before] = [fresh(), randomUUID(), stripe.balance];
      stripe.rules = [{ route, fault }];
      const answer = await buyWithKey(api.tenant, phoneNumber, key);
      const wentThrough = answer.status === 201;
      if (wentThrough) {
        // Only where it was done: the payment told so when it was read, or the same key when it was sent again.
        assert.ok('after' in fault, name);
      } else {
        assert.equal(answer.status, 503, answer.text);
        assert.equal(answer.headers['retry-after'], '5');
        assert.doesNotMatch(answer.text, PRIVATE);
        stripe.rules = [];
        let repeated = await again(api.tenant, phoneNumber, key);
        // A key that was burned by a 5xx needs no third request.
        if (repeated.status === 503) repeated = await again(api.tenant, phoneNumber, key);
        assert.equal(repeated.status, 201, repeated.text);
      }
      assert.equal(stripe.balance, before + 200);
      assert.equal((await lastEntry())?.status, 'paid');
      await settleCharges(api.context);
      assert.equal(stripe.balance, before + 200);
      assert.ok((await ledger(api.tenant)).every((entry) => entry.status === 'paid' || entry.status === 'failed'));
    });
  }
}

test('a provider that is down is 503; when it is back, what nobody asks about is settled to neither', async () => {
  const { api, stripe } = paid;
  const [phoneNumber, before] = [fresh(), stripe.balance];
  stripe.down = true;
  assert.equal((await buyWithKey(api.tenant, phoneNumber)).status, 503);
  assert.equal((await lastEntry())?.status, 'pending');
  assert.equal(await settleCharges(api.context), 0);
  // Nobody else is offered a number whose purchase is open.
  api.clock.advance(6 * 60_000);
  const offered = async () =>
    (await api.other.ask('GET', '/phone-numbers/search')).json.data.some(
      (offer: { phoneNumber: string }) => offer.phoneNumber === phoneNumber,
    );
  assert.equal(await offered(), false);
  stripe.down = false;
  assert.equal(await settleCharges(api.context), 1);
  assert.equal((await lastEntry())?.status, 'failed');
  assert.equal(stripe.balance, before);
  assert.equal(await offered(), true);
});

test('a client that comes back only after settlement still gets the number, with one charge', async () => {
  const { api, stripe } = paid;
  const [phoneNumber, key, before] = [fresh(), randomUUID(), stripe.balance];
  stripe.rules = [{ route: 'POST /v1/payment_intents/:id/confirm', fault: { kind: 'status', status: 500 } }];
  assert.equal((await buyWithKey(api.tenant, phoneNumber, key)).status, 503);
  stripe.rules = [];
  await settleCharges(api.context);
  assert.equal((await lastEntry())?.status, 'failed');
  assert.equal((await again(api.tenant, phoneNumber, key)).status, 201);
  assert.equal(stripe.balance, before + 200);
});

test('a confirmation that the provider finishes late is found and gives the number', async () => {
  const { api, stripe } = paid;
  const [phoneNumber, before] = [fresh(), stripe.balance];
  const fault: Fault = { kind: 'slow', ms: REQUEST_TIMEOUT_MS * 2, doneLate: true };
  stripe.rules = [{ route: 'POST /v1/payment_intents/:id/confirm', fault, times: 1 }];
  assert.equal((await buyWithKey(api.tenant, phoneNumber)).status, 503);
  while (stripe.balance === before) await new Promise((resolve) => setTimeout(resolve, 20));
  await settleCharges(api.context);
  assert.equal((await lastEntry())?.status, 'paid');
  assert.ok((await numbersOf(api.tenant)).includes(phoneNumber));
});

test('a crash between charge and number leaves both after the next start, and the client its answer', async () => {
  const { api, stripe } = paid;
  const [phoneNumber, key, before] = [fresh(), randomUUID(), stripe.balance];
  api.context.carrier = {
    ...carrier,
    order: () => Promise.reject(new Error('the process died here')),
  };
  assert.equal((await buyWithKey(api.tenant, phoneNumber, key)).status, 500);
  assert.equal((await lastEntry())?.status, 'pending');
  assert.equal(stripe.balance, before + 200);
  api.context.carrier = carrier;
  await unattendCharges(api.context.db);
  assert.equal(await settleCharges(api.context), 1);
  assert.equal((await lastEntry())?.status, 'paid');
  assert.ok((await numbersOf(api.tenant)).includes(phoneNumber));
  const repeated = await again(api.tenant, phoneNumber, key);
  assert.equal(repeated.status, 201);
  assert.equal(repeated.json.data.phoneNumber, phoneNumber);
  assert.equal(stripe.balance, before + 200);
});

test('a carrier that fails after the charge is 503 and the money goes back', async () => {
  const { api, stripe } = paid;
  const [phoneNumber, key, before] = [fresh(), randomUUID(), stripe.balance];
  const down = () => Promise.reject(new CarrierError('CARRIER_UNAVAILABLE', 'down'));
  api.context.carrier = { ...carrier, order: down };
  const answer = await buyWithKey(api.tenant, phoneNumber, key);
  assert.equal(answer.status, 503);
  assert.match(answer.json.error ?? '', /carrier/i);
  assert.equal((await lastEntry())?.status, 'refunded');
  assert.equal(stripe.balance, before);
  api.context.carrier = carrier;
  assert.equal((await again(api.tenant, phoneNumber, key)).status, 201);
  assert.equal(stripe.balance, before + 200);
  // The number went to somebody else meanwhile.
  api.context.carrier = {
    ...carrier,
    order: () => Promise.reject(new CarrierError('CARRIER_NUMBER_TAKEN', 'taken')),
  };
  assert.equal((await buyWithKey(api.tenant, fresh())).status, 409);
  assert.equal((await lastEntry())?.status, 'refunded');
  assert.equal(stripe.balance, before + 200);
});

test('a refund that fails is made later, once', async () => {
  const { api, stripe } = paid;
  const before = stripe.balance;
  api.context.carrier = {
    ...carrier,
    order: () => Promise.reject(new CarrierError('CARRIER_UNAVAILABLE', 'down')),
  };
  stripe.rules = [{ route: 'POST /v1/refunds', fault: { kind: 'status', status: 500, after: true } }];
  assert.equal((await buyWithKey(api.tenant, fresh())).status, 503);
  assert.equal((await lastEntry())?.status, 'pending');
  api.context.carrier = carrier;
  assert.equal(await settleCharges(api.context), 0);
  stripe.rules = [];
  assert.equal(await settleCharges(api.context), 1);
  assert.equal((await lastEntry())?.status, 'refunded');
  assert.equal(stripe.balance, before);
});

test('of 50 concurrent purchases of one number one is charged', async () => {
  const { api, stripe } = paid;
  const [phoneNumber, before] = [fresh(), stripe.balance];
  await api.tenant.ask('GET', '/phone-numbers/search');
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => api.tenant.ask('POST', '/phone-numbers/purchase', { phoneNumber })),
  );
  assert.equal(answers.filter((answer) => answer.status === 201).length, 1);
  assert.equal(answers.filter((answer) => answer.status === 409).length, 49);
  assert.equal(stripe.balance, before + 200);
});

test('a refused key is an error line that names its variable, and nothing of it', async () => {
  const { api, stripe } = paid;
  stripe.rules = [{ route: '*', fault: { kind: 'status', status: 401 } }];
  const answer = await api.tenant.ask('GET', '/account/billing');
  assert.equal(answer.status, 503);
  assert.ok(Number(answer.headers['retry-after']) >= 1);
  const line = JSON.parse(api.logs.filter((entry) => entry.includes('STRIPE_SECRET_KEY')).at(-1) ?? '{}');
  assert.equal(line.level, 'error');
  assert.equal(line.requestId, 'req_fake');
});
