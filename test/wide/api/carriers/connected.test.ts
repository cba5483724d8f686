// Numbers of carriers with an API, as accounts meet them: found beside the stock, bought once whatever breaks, bound to
// the trunk, released, and never left at the carrier without an owner here.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Carrier } from '../../../../api/carriers/carrier.ts';
import { goOnWithOrders } from '../../../../api/carriers/orders.ts';
import { finishPurchase } from '../../../../api/phone-numbers/purchase.ts';
import { settleReleases } from '../../../../api/phone-numbers/release.ts';
import { stock, usNumber } from '../../../../bench/rig/api/numbers.ts';
import { destinationObstacle } from '../../../../db/rules/destinations.ts';
import { PLIVO_KEY } from '../../../support/carriers/fake-plivo.ts';
import { TELNYX_KEY } from '../../../support/carriers/fake-telnyx.ts';
import { TWILIO_KEY } from '../../../support/carriers/fake-twilio.ts';
import { connect, useCarriers } from '../../../support/carriers/use-carriers.ts';

const lab = useCarriers();
const NUMBER = '+14155550123';
const HALF_A_MINUTE = 30_000;
const BUY = 'POST api.twilio.com/2010-04-01/Accounts/:account/IncomingPhoneNumbers.json';

async function withTrunk(key: object, more: object = {}): Promise<string> {
  const id = await connect(lab.api, { ...key, ...more });
  const body = 'kind' in key && key.kind === 'plivo' ? { inboundAllow: ['198.51.100.0/24'] } : {};
  const made = await lab.api.admin.ask('POST', `/admin/carriers/${id}/trunk`, body);
  assert.equal(made.status, 200, made.text);
  return id;
}

const sell = (...numbers: string[]) => {
  for (const number of numbers) lab.twilio.forSale.set(number, { kind: 'Local', country: 'US' });
};
const search = async (who = lab.api.admin, query = '') =>
  (await who.ask('GET', `/phone-numbers/search?country=US${query}`)).json.data;
const buy = (phoneNumber = NUMBER, who = lab.api.admin) => who.ask('POST', '/phone-numbers/purchase', { phoneNumber });
const orders = async (id: string) =>
  (await lab.api.admin.ask('GET', `/admin/carriers/${id}/orders`)).json.data.map((one) => one.state);
const owned = () => [...lab.twilio.numbers.values()].map((one) => one.phone_number);
const mine = async () => (await lab.api.admin.ask('GET', '/phone-numbers')).json.data.map((one) => one.phoneNumber);

/** A round of the job, when an answer that was lost is no longer waited for. */
async function goOn(afterMs = HALF_A_MINUTE): Promise<void> {
  const { context, clock } = lab.api;
  clock.advance(afterMs);
  await goOnWithOrders(context, (order) => finishPurchase(context, order));
}

/** The process dies when the carrier has been asked. */
async function dieAfterOrder(): Promise<void> {
  const { context } = lab.api;
  const { carrier } = context;
  context.carrier = {
    ...carrier,
    async order(...asked: Parameters<Carrier['order']>) {
      await carrier.order(...asked);
      throw new Error('the process dies');
    },
  };
  assert.equal((await buy()).status, 500);
  context.carrier = carrier;
}

test('offers stand beside the stock, with the price that the carrier says for an ADMIN', async () => {
  const { api } = lab;
  await withTrunk(TWILIO_KEY);
  await stock(api, [{ phoneNumber: usNumber(1), monthlyCost: 2 }]);
  sell(NUMBER, '+12125550177');
  const offers = await search();
  assert.deepEqual(
    offers.map((one) => [one.phoneNumber, one.monthlyCost, one.carrierPrice?.monthly]),
    [
      [usNumber(1), 2, undefined],
      [NUMBER, 1.15, 1.15],
      ['+12125550177', 1.15, 1.15],
    ],
  );
  assert.deepEqual(
    (await search(api.admin, '&areaCode=212')).map((one) => one.phoneNumber),
    [usNumber(1), '+12125550177'],
  );
  assert.deepEqual(await search(api.admin, '&type=mobile'), []);
  // The stock's list has no offers.
  assert.equal((await api.admin.ask('GET', '/admin/inventory')).json.pagination.total, 1);
});

test('other accounts find them only where an ADMIN offers them, at that price and without the carrier’s', async () => {
  const { api } = lab;
  const id = await withTrunk(TWILIO_KEY);
  sell(NUMBER);
  assert.deepEqual(await search(api.tenant), []);
  await api.admin.ask('PATCH', `/admin/carriers/${id}`, { offeredTo: 'accounts', monthlyCost: 3.5 });
  const [offer] = await search(api.tenant);
  assert.deepEqual([offer?.phoneNumber, offer?.monthlyCost, offer?.carrierPrice], [NUMBER, 3.5, undefined]);
  // Reserved for it: nobody else finds or buys it.
  assert.deepEqual(await search(api.other), []);
  assert.equal((await buy(NUMBER, api.other)).status, 409);
  assert.equal((await buy(NUMBER, api.tenant)).status, 201);
});

test('a search opens no destinations: an offer is no number of the installation', async () => {
  const { api, twilio } = lab;
  await withTrunk(TWILIO_KEY);
  twilio.forSale.set('+442079460123', { kind: 'Local', country: 'GB' });
  await api.admin.ask('PATCH', `/admin/carriers/${(await api.admin.ask('GET', '/admin/carriers')).json.data[0]?.id}`, {
    monthlyCost: 1,
  });
  assert.equal((await api.admin.ask('GET', '/phone-numbers/search?country=GB')).json.data.length, 1);
  const whose = { accountId: api.admin.accountId, trunkId: null };
  const obstacle = (toNumber: string) => destinationObstacle(api.context.db, { ...whose, toNumber });
  await stock(api, [{ phoneNumber: usNumber(1) }]);
  assert.equal(await obstacle('+12125550188'), null);
  assert.match((await obstacle('+442079460188')) ?? '', /GB|United Kingdom|countr/);
});

for (const [key, number, bought] of [
  [
    TWILIO_KEY,
    NUMBER,
    () => [...lab.twilio.numbers.values()].map((one) => one.trunk_sid === [...lab.twilio.trunks.keys()][0]),
  ],
  [
    TELNYX_KEY,
    NUMBER,
    () => [...lab.telnyx.numbers.values()].map((one) => one.connection_id === [...lab.telnyx.connections.keys()][0]),
  ],
  [
    PLIVO_KEY,
    NUMBER,
    () => [...lab.plivo.numbers.values()].map((one) => one.app_id === [...lab.plivo.trunks.keys()][0]),
  ],
] as const)
  test(`${key.kind}: a number is bought, bound to the trunk, and given back`, async () => {
    const { api } = lab;
    const id = await withTrunk(key);
    sell(number);
    lab.telnyx.forSale.add(number);
    lab.plivo.forSale.set(number.slice(1), null);
    const found = await search(api.admin, '&areaCode=415&type=local&capabilities=voice');
    assert.deepEqual(
      found.map((one) => one.phoneNumber),
      [number],
    );
    const answer = await buy(number);
    assert.equal(answer.status, 201, answer.text);
    const trunkId = (await api.admin.ask('GET', `/admin/carriers/${id}`)).json.data.trunkId;
    assert.equal(answer.json.data.trunkId, trunkId);
    assert.deepEqual(bought(), [true]);
    assert.deepEqual(await orders(id), ['recorded']);
    assert.equal((await api.admin.ask('DELETE', `/admin/carriers/${id}`)).json.code, 'CARRIER_IN_USE');
    assert.equal((await api.admin.ask('DELETE', `/phone-numbers/${answer.json.data.id}`)).status, 200);
    assert.deepEqual(bought(), []);
    assert.deepEqual(await orders(id), ['released']);
    assert.equal((await api.admin.ask('DELETE', `/admin/carriers/${id}?undo=true`)).status, 200);
  });

test('a number that needs papers is not offered', async () => {
  await withTrunk(PLIVO_KEY);
  lab.plivo.forSale.set(NUMBER.slice(1), 'Proof of identity');
  assert.deepEqual(await search(), []);
});

test('a refusal is 409 and leaves nothing; the journal has the carrier’s words', async () => {
  const { api, twilio } = lab;
  const id = await withTrunk(TWILIO_KEY);
  sell(NUMBER);
  await search();
  twilio.refusing = 'Your account has no balance';
  const answer = await buy();
  assert.deepEqual([answer.status, answer.json.code], [409, 'NUMBER_NOT_SOLD']);
  assert.doesNotMatch(answer.text, /balance/);
  const [order] = (await api.admin.ask('GET', `/admin/carriers/${id}/orders`)).json.data;
  assert.deepEqual([order?.state, order?.error], ['refused', 'Your account has no balance']);
  twilio.refusing = null;
  await search();
  assert.equal((await buy()).status, 201);
});

test('an answer that was lost: the same purchase again has the number, bought once', async () => {
  const { http, twilio } = lab;
  const id = await withTrunk(TWILIO_KEY);
  sell(NUMBER);
  await search();
  http.planned = [{ route: BUY, kind: 'broken-after' }];
  assert.equal((await buy()).status, 503);
  assert.deepEqual(owned(), [NUMBER]);
  // The offer's reservation has ended with the failure, and the carrier has nothing on sale: it goes on all the same.
  const again = await buy();
  assert.equal(again.status, 201, again.text);
  assert.deepEqual([twilio.purchases, owned(), await mine()], [1, [NUMBER], [NUMBER]]);
  assert.deepEqual(await orders(id), ['recorded']);
});

test('an answer that was lost, and nobody asks again: the number is given back', async () => {
  const { http, twilio } = lab;
  const id = await withTrunk(TWILIO_KEY);
  sell(NUMBER);
  await search();
  http.planned = [{ route: BUY, kind: 'broken-after' }];
  assert.equal((await buy()).status, 503);
  await goOn(1_000);
  assert.deepEqual(owned(), [NUMBER], 'the carrier may still be working on it');
  await goOn();
  assert.deepEqual([owned(), await mine(), twilio.purchases], [[], [], 1]);
  assert.deepEqual(await orders(id), ['released']);
});

test('a carrier that is away is asked until it answers', async () => {
  const { http } = lab;
  const id = await withTrunk(TWILIO_KEY);
  sell(NUMBER);
  await search();
  http.planned = [
    { route: BUY, kind: 'broken-after' },
    { route: BUY.replace('POST', 'GET'), kind: 'status', status: 503 },
  ];
  assert.equal((await buy()).status, 503);
  await goOn();
  assert.deepEqual(await orders(id), ['ordered']);
  await goOn(10 * 60_000);
  assert.deepEqual([owned(), await orders(id)], [[], ['released']]);
});

test('a process that dies between order and row: the account has the number, bought once', async () => {
  const { twilio } = lab;
  const id = await withTrunk(TWILIO_KEY);
  sell(NUMBER);
  await search();
  await dieAfterOrder();
  assert.deepEqual([await orders(id), await mine()], [['bought'], []]);
  // Offers that have expired are dropped, but not this one.
  await goOn(2 * 60 * 60_000);
  assert.deepEqual([owned(), await mine(), twilio.purchases], [[NUMBER], [NUMBER], 1]);
  assert.deepEqual(await orders(id), ['recorded']);
});

test('two purchases at once: one number, one purchase', async () => {
  const { twilio } = lab;
  await withTrunk(TWILIO_KEY);
  sell(NUMBER);
  await search();
  const answers = await Promise.all([buy(), buy()]);
  assert.deepEqual([twilio.purchases, owned(), await mine()], [1, [NUMBER], [NUMBER]]);
  assert.ok(answers.some(({ status }) => status === 201));
  await goOn();
  assert.deepEqual([owned(), await mine()], [[NUMBER], [NUMBER]]);
});

test('a release that the carrier does not take leaves the account its number', async () => {
  const { api, http } = lab;
  await withTrunk(TWILIO_KEY);
  sell(NUMBER);
  await search();
  const { id } = (await buy()).json.data;
  const route = 'DELETE api.twilio.com/2010-04-01/Accounts/:account/IncomingPhoneNumbers/:sid.json';
  http.planned = [{ route, kind: 'status', status: 500 }];
  assert.equal((await api.admin.ask('DELETE', `/phone-numbers/${id}`)).status, 503);
  assert.deepEqual(await mine(), [NUMBER]);
  http.planned = [{ route, kind: 'status', status: 400 }];
  const refused = await api.admin.ask('DELETE', `/phone-numbers/${id}`);
  assert.deepEqual([refused.status, refused.json.code], [409, 'CARRIER_REFUSED']);
  await settleReleases(api.context);
  assert.deepEqual(await mine(), [NUMBER]);
  // Given back there, and the answer lost: again is no error.
  http.planned = [{ route, kind: 'broken-after' }];
  assert.equal((await api.admin.ask('DELETE', `/phone-numbers/${id}`)).status, 503);
  assert.equal((await api.admin.ask('DELETE', `/phone-numbers/${id}`)).status, 200);
  assert.deepEqual([owned(), await mine()], [[], []]);
});

for (const [name, kind, isGone] of [
  ['gave it back and did not say so', 'broken-after', true],
  ['never heard of it', 'broken', false],
] as const)
  test(`a release without an answer: the account has the number unless the carrier ${name}`, async () => {
    const { api, http } = lab;
    const carrierId = await withTrunk(TWILIO_KEY);
    sell(NUMBER);
    await search();
    const { id } = (await buy()).json.data;
    const route = 'DELETE api.twilio.com/2010-04-01/Accounts/:account/IncomingPhoneNumbers/:sid.json';
    http.planned = [{ route, kind }];
    assert.equal((await api.admin.ask('DELETE', `/phone-numbers/${id}`)).status, 503);
    await settleReleases(api.context);
    assert.deepEqual(await mine(), [NUMBER], 'the carrier may still be working on it');
    api.clock.advance(HALF_A_MINUTE);
    await settleReleases(api.context);
    const left = isGone ? [] : [NUMBER];
    assert.deepEqual([owned(), await mine()], [left, left]);
    assert.deepEqual(await orders(carrierId), [isGone ? 'released' : 'recorded']);
  });

test('a process that dies between the carrier and the row: the account loses the number that is gone', async () => {
  const { api } = lab;
  await withTrunk(TWILIO_KEY);
  sell(NUMBER);
  await search();
  const { id } = (await buy()).json.data;
  const { context } = api;
  const { carrier } = context;
  context.carrier = {
    ...carrier,
    async release(...asked: Parameters<Carrier['release']>) {
      await carrier.release(...asked);
      throw new Error('the process dies');
    },
  };
  assert.equal((await api.admin.ask('DELETE', `/phone-numbers/${id}`)).status, 500);
  context.carrier = carrier;
  assert.deepEqual([owned(), await mine()], [[], [NUMBER]]);
  api.clock.advance(HALF_A_MINUTE);
  // While the carrier is away nothing is known; it is asked again.
  lab.http.planned = [{ route: BUY.replace('POST', 'GET'), kind: 'status', status: 503 }];
  await settleReleases(context);
  assert.deepEqual(await mine(), [NUMBER]);
  api.clock.advance(HALF_A_MINUTE);
  await settleReleases(context);
  assert.deepEqual(await mine(), []);
});

test('one carrier that does not answer keeps nobody from the others', async () => {
  const { api, telnyx } = lab;
  await withTrunk(TWILIO_KEY);
  sell(NUMBER);
  await withTrunk(TELNYX_KEY);
  telnyx.forSale.add('+14155550199');
  lab.http.planned = [
    { route: 'GET pricing.twilio.com/v1/PhoneNumbers/Countries/:country', kind: 'status', status: 500 },
  ];
  assert.deepEqual(
    (await search()).map((one) => one.phoneNumber),
    ['+14155550199'],
  );
  await lab.http.close();
  assert.equal((await api.admin.ask('GET', '/phone-numbers/search?country=CA')).status, 503);
});

test('an account that searches again and again is slowed down, and the stock is found all the same', async () => {
  const { api } = lab;
  await withTrunk(TWILIO_KEY);
  sell(NUMBER);
  for (let searches = 0; searches < 12; searches++) await search();
  const answer = await api.admin.ask('GET', '/phone-numbers/search?country=US');
  assert.deepEqual([answer.status, answer.json.code], [429, 'CARRIER_SEARCHES_BUSY']);
  await stock(api, [{ phoneNumber: usNumber(1) }]);
  assert.equal((await search()).length, 1);
  api.clock.advance(60_000);
  assert.equal((await search()).length, 2);
});

test('the account at the carrier is not changed under its numbers', async () => {
  const { api } = lab;
  const id = await withTrunk(TWILIO_KEY);
  sell(NUMBER);
  await search();
  await buy();
  const { trunkId } = (await api.admin.ask('GET', `/admin/carriers/${id}`)).json.data;
  await api.admin.ask('DELETE', `/admin/trunks/${trunkId}`);
  const answer = await api.admin.ask('PATCH', `/admin/carriers/${id}`, { keyId: `AC${'0'.repeat(32)}` });
  assert.deepEqual([answer.status, answer.json.errors?.[0]?.field], [422, 'keyId']);
});

for (const [key, own, boundTo] of [
  [
    TWILIO_KEY,
    () => lab.twilio.numbers.set('PN1', { sid: 'PN1', phone_number: NUMBER }),
    () => lab.twilio.numbers.get('PN1')?.trunk_sid,
  ],
  [
    TELNYX_KEY,
    () => lab.telnyx.numbers.set('n1', { id: 'n1', phone_number: NUMBER, connection_id: '', customer_reference: '' }),
    () => lab.telnyx.numbers.get('n1')?.connection_id,
  ],
  [
    PLIVO_KEY,
    () => lab.plivo.numbers.set(NUMBER.slice(1), { number: NUMBER.slice(1), app_id: '' }),
    () => lab.plivo.numbers.get(NUMBER.slice(1))?.app_id,
  ],
] as const)
  test(`${key.kind}: a number that the account has already is taken over, and given back in the end`, async () => {
    const { api } = lab;
    const id = await withTrunk(key);
    own();
    const there = async () => (await api.admin.ask('GET', `/admin/carriers/${id}/numbers`)).json.data;
    const take = (body: object) => api.admin.ask('POST', `/admin/carriers/${id}/numbers`, body);
    assert.deepEqual(await there(), [{ phoneNumber: NUMBER, accountId: null }]);
    const taken = await take({ phoneNumber: NUMBER, accountId: api.tenant.accountId });
    assert.equal(taken.status, 201, taken.text);
    const parts = [...lab.twilio.trunks.keys(), ...lab.telnyx.connections.keys(), ...lab.plivo.trunks.keys()];
    assert.equal(boundTo(), parts[0]);
    assert.deepEqual(await there(), [{ phoneNumber: NUMBER, accountId: api.tenant.accountId }]);
    assert.deepEqual([(await take({ phoneNumber: NUMBER })).json.code], ['NUMBER_OWNED']);
    const foreign = await take({ phoneNumber: '+14155550188' });
    assert.deepEqual([foreign.status, foreign.json.code], [409, 'CARRIER_REFUSED']);
    assert.equal((await take({ phoneNumber: '+14155550188', accountId: 'acc_none' })).status, 422);
    assert.equal((await api.admin.ask('DELETE', `/admin/carriers/${id}`)).json.code, 'CARRIER_IN_USE');
    assert.equal((await api.tenant.ask('DELETE', `/phone-numbers/${taken.json.data.id}`)).status, 200);
    assert.deepEqual(await there(), []);
  });
