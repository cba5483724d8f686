// The stock of numbers: what an ADMIN can add and take away, and what an account is offered of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startApi, type TestApi } from '../../support/api.ts';
import { buy, stock, usNumber } from '../../support/numbers.ts';

let api: TestApi;
before(async () => {
  api = await startApi();
});
after(() => api.close());

test('only an ADMIN sees the stock', async () => {
  for (const [method, path] of [
    ['GET', '/admin/inventory'],
    ['POST', '/admin/inventory'],
    ['DELETE', '/admin/inventory/+12125550100'],
  ] as const) {
    const answer = await api.tenant.ask(method, path, method === 'POST' ? {} : undefined);
    assert.equal(answer.status, 403);
    assert.equal(answer.json.error, 'Insufficient permissions');
  }
});

test('a range is added whole, listed newest first, and a number can be taken away again', async () => {
  const added = await api.admin.ask('POST', '/admin/inventory', {
    from: usNumber(1000),
    to: usNumber(1029),
    monthlyCost: 1.5,
    capabilities: ['voice', 'sms'],
  });
  assert.equal(added.status, 201);
  assert.equal(added.json.data.added, 30);
  assert.deepEqual(
    { ...added.json.data.numbers[0], createdAt: null },
    {
      phoneNumber: usNumber(1000),
      country: 'US',
      areaCode: '212',
      type: 'local',
      capabilities: ['voice', 'sms'],
      monthlyCost: 1.5,
      trunkId: null,
      status: 'free',
      accountId: null,
      reservedUntil: null,
      createdAt: null,
    },
  );
  const list = await api.admin.ask('GET', '/admin/inventory?limit=10&page=3');
  assert.equal(list.json.data.length, 10);
  assert.equal(list.json.pagination.total, 30);
  const path = `/admin/inventory/${encodeURIComponent(usNumber(1029))}`;
  assert.equal((await api.admin.ask('DELETE', path)).status, 200);
  assert.equal((await api.admin.ask('DELETE', path)).status, 404);
});

test('what is wrong with a list is told by its path', async () => {
  const cases: Array<[unknown, string]> = [
    [{ numbers: [{ phoneNumber: usNumber(1) }, { phoneNumber: '+1212' }] }, 'numbers[1].phoneNumber'],
    [{ numbers: [{ phoneNumber: usNumber(1), monthlyCost: 1.005 }] }, 'numbers[0].monthlyCost'],
    [{ numbers: [{ phoneNumber: usNumber(1), monthlyCost: -1 }] }, 'numbers[0].monthlyCost'],
    [{ numbers: [{ phoneNumber: usNumber(1), kind: 'local' }] }, 'numbers[0].kind'],
    [{ numbers: [{ phoneNumber: usNumber(1) }, { phoneNumber: usNumber(1) }] }, 'numbers[1].phoneNumber'],
    [{ numbers: [{ phoneNumber: usNumber(1) }], from: usNumber(2) }, 'from'],
    [{ numbers: [{ phoneNumber: usNumber(1) }], trunkId: 'trk_none' }, 'trunkId'],
    [{ from: usNumber(1) }, 'to'],
    [{ to: usNumber(1) }, 'from'],
    [{ from: usNumber(2), to: usNumber(1) }, 'to'],
    [{ from: usNumber(1000), to: usNumber(2000) }, 'to'],
    [{}, 'numbers'],
  ];
  for (const [body, field] of cases) {
    const answer = await api.admin.ask('POST', '/admin/inventory', body);
    assert.equal(answer.status, 422, JSON.stringify(body));
    assert.equal(answer.json.errors?.[0]?.field, field, answer.text);
  }
});

test('with Stripe a price below its least amount is refused, as it could never be charged', async () => {
  const stripe = await startApi({ environment: { BILLING: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1' } });
  try {
    const numbers = [
      { phoneNumber: usNumber(1), monthlyCost: 0 },
      { phoneNumber: usNumber(2), monthlyCost: 0.49 },
    ];
    const answer = await stripe.admin.ask('POST', '/admin/inventory', { numbers });
    assert.equal(answer.status, 422);
    assert.deepEqual(answer.json.errors, [{ field: 'numbers[1].monthlyCost', message: 'must be 0 or at least 0.50' }]);
  } finally {
    await stripe.close();
  }
});

test('an owned number stays; a released one is offered again only when it is added again', async () => {
  const own = await startApi();
  try {
    await stock(own, [{ phoneNumber: usNumber(7) }]);
    const bought = await buy(own.tenant, usNumber(7));
    assert.equal(bought.status, 201);
    const path = `/admin/inventory/${usNumber(7)}`;
    assert.equal((await own.admin.ask('DELETE', path)).status, 409);
    assert.equal(
      (await own.admin.ask('POST', '/admin/inventory', { numbers: [{ phoneNumber: usNumber(7) }] })).status,
      409,
    );
    await own.tenant.ask('DELETE', `/phone-numbers/${bought.json.data.id}`);
    assert.deepEqual((await own.tenant.ask('GET', '/phone-numbers/search')).json.data, []);
    assert.equal((await own.admin.ask('GET', '/admin/inventory')).json.data[0]?.status, 'retired');
    await stock(own, [{ phoneNumber: usNumber(7) }]);
    assert.equal((await own.other.ask('GET', '/phone-numbers/search')).json.data.length, 1);
    assert.equal((await buy(own.other, usNumber(7))).status, 201);
  } finally {
    await own.close();
  }
});
