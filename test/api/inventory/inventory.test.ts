// The stock of numbers: what an ADMIN can add and take away, and what an account is offered of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApi } from '../../../bench/rig/api/api.ts';
import { buy, stock, usNumber } from '../../../bench/rig/api/numbers.ts';
import { outboundTrunk } from '../../../db/queries/trunks/trunk-states.ts';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi();

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

test('the same Idempotency-Key adds a range once and gets the first answer again', async () => {
  const key = { 'idempotency-key': '5f0f4a4e-2a51-4f64-9d7b-6b1f6a9c1f11' };
  const add = () => api.admin.ask('POST', '/admin/inventory', { from: usNumber(3000), to: usNumber(3002) }, key);
  const first = await add();
  const again = await add();
  assert.deepEqual([first.status, again.status], [201, 201], again.text);
  assert.equal(again.text, first.text);
  assert.deepEqual([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']], [undefined, 'true']);
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

test('an ADMIN changes trunk and price of a number, owned or not; calls leave by the new trunk', async () => {
  const add = async (name: string) =>
    (await api.admin.ask('POST', '/admin/trunks', { name, host: 'sip.example.com' })).json.data.id;
  const [oldest, second] = [await add('oldest'), await add('second')];
  await stock(api, [{ phoneNumber: usNumber(1500) }, { phoneNumber: usNumber(1501) }]);
  const { id } = (await buy(api.tenant, usNumber(1501))).json.data;
  const patch = (number: string, body: object) => {
    const path = `/admin/inventory/${encodeURIComponent(number)}` as const;
    return api.admin.ask('PATCH', path, body);
  };
  for (const number of [usNumber(1500), usNumber(1501)]) {
    const changed = await patch(number, { trunkId: second, monthlyCost: 2.5 });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual([changed.json.data.trunkId, changed.json.data.monthlyCost], [second, 2.5]);
    assert.deepEqual((await patch(number, changed.json.data)).json.data, changed.json.data, 'it can be sent back');
  }
  const owned = (await api.tenant.ask('GET', `/phone-numbers/${id}`)).json.data;
  assert.equal(owned.trunkId, second);
  assert.equal((await outboundTrunk(api.context.db, owned.trunkId))?.trunkId, second);
  assert.equal((await patch(usNumber(1501), { trunkId: null })).json.data.trunkId, null);
  assert.equal((await outboundTrunk(api.context.db, null))?.trunkId, oldest);
  // A number that was ported in has never been in the stock.
  await api.context.db.deleteFrom('inventory').where('phoneNumber', '=', usNumber(1501)).execute();
  const ported = await patch(usNumber(1501), { trunkId: second });
  assert.deepEqual([ported.status, ported.json.data.status, ported.json.data.trunkId], [200, 'owned', second]);
  for (const [body, field] of [
    [{ trunkId: 'trk_none' }, 'trunkId'],
    [{ monthlyCost: 0.333 }, 'monthlyCost'],
    [{ country: 'DE' }, 'country'],
    [{ trunk: second }, 'trunk'],
  ] as const) {
    const refused = await patch(usNumber(1500), body);
    assert.deepEqual([refused.status, refused.json.errors?.map((error) => error.field)], [422, [field]]);
  }
  assert.equal((await patch(usNumber(1999), { monthlyCost: 1 })).status, 404);
  assert.equal((await api.tenant.ask('PATCH', '/admin/inventory/%2B12125550100', {})).status, 403);
});
