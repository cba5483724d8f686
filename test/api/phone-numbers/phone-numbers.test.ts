// Phone numbers as an account meets them: search and its reservations, purchase, routing, release.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CarrierError } from '../../../api/carriers/carrier.ts';
import { startApi } from '../../../bench/rig/api/api.ts';
import { addCampaign, addLiveCall, buy, stock, usNumber } from '../../../bench/rig/api/numbers.ts';
import { finishReleases } from '../../../db/queries/numbers/phone-numbers.ts';
import { addNumber } from '../../support/api/resources.ts';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi();

const MINUTE = 60_000;

test('a search offers at most 50 numbers and keeps them from others for 5 minutes', async () => {
  const own = await startApi();
  try {
    await own.admin.ask('POST', '/admin/inventory', { from: usNumber(0), to: usNumber(59), monthlyCost: 2 });
    const mine = (await own.tenant.ask('GET', '/phone-numbers/search')).json.data;
    assert.equal(mine.length, 50);
    assert.deepEqual(mine[0], {
      phoneNumber: usNumber(0),
      country: 'US',
      areaCode: '212',
      type: 'local',
      capabilities: ['voice'],
      monthlyCost: 2,
      reservedUntil: new Date(own.clock.now + 5 * MINUTE).toISOString(),
    });
    const theirs = (await own.other.ask('GET', '/phone-numbers/search?country=US')).json.data;
    assert.equal(theirs.length, 10);
    const offered = new Set(mine.map((offer: { phoneNumber: string }) => offer.phoneNumber));
    assert.ok(theirs.every((offer: { phoneNumber: string }) => !offered.has(offer.phoneNumber)));
    // Asking again takes nothing more out of the stock.
    assert.equal((await own.tenant.ask('GET', '/phone-numbers/search')).json.data.length, 50);
    own.clock.advance(5 * MINUTE);
    assert.equal((await own.other.ask('GET', '/phone-numbers/search')).json.data.length, 50);
  } finally {
    await own.close();
  }
});

test('an account keeps 500 reservations at most, the latest', async () => {
  const own = await startApi();
  try {
    for (const area of [201, 202, 203, 205, 206, 207, 208, 209, 210, 212, 213, 214]) {
      const [from, to] = [`+1${area}5550100`, `+1${area}5550149`];
      const added = await own.admin.ask('POST', '/admin/inventory', { from, to });
      assert.equal(added.status, 201, added.text);
      own.clock.advance(1);
      await own.tenant.ask('GET', `/phone-numbers/search?areaCode=${area}`);
    }
    const reserved = await own.context.db
      .selectFrom('inventory')
      .select('phoneNumber')
      .where('reservedBy', '=', own.tenant.accountId)
      .execute();
    assert.equal(reserved.length, 500);
    assert.ok(reserved.some(({ phoneNumber }) => phoneNumber === '+12145550149'));
    assert.ok(!reserved.some(({ phoneNumber }) => phoneNumber.startsWith('+1201')));
  } finally {
    await own.close();
  }
});

test('search filters by country, area code, type and all capabilities', async () => {
  const own = await startApi();
  try {
    await stock(own, [
      { phoneNumber: usNumber(1), capabilities: ['voice'] },
      { phoneNumber: usNumber(2), capabilities: ['voice', 'sms'] },
      { phoneNumber: '+14155550123', capabilities: ['sms'] },
      { phoneNumber: '+18005550123', type: 'toll_free' },
      { phoneNumber: '+493012345678' },
    ]);
    const found = async (query: string) =>
      (await own.tenant.ask('GET', `/phone-numbers/search?${query}`)).json.data.map(
        (offer: { phoneNumber: string }) => offer.phoneNumber,
      );
    assert.deepEqual(await found('areaCode=415'), ['+14155550123']);
    assert.deepEqual(await found('capabilities=voice,sms'), [usNumber(2)]);
    assert.deepEqual(await found('capabilities=sms'), [usNumber(2), '+14155550123'].sort());
    assert.deepEqual(await found('type=toll_free'), ['+18005550123']);
    assert.deepEqual(await found('country=de'), ['+493012345678']);
    assert.deepEqual(await found('country=DE&areaCode=30'), ['+493012345678']);
    for (const [query, field] of [
      ['capabilities=fax', 'capabilities'],
      ['type=satellite', 'type'],
      ['country=USA', 'country'],
      ['areaCode=2x', 'areaCode'],
    ]) {
      const answer = await own.tenant.ask('GET', `/phone-numbers/search?${query}`);
      assert.equal(answer.status, 422);
      assert.equal(answer.json.errors?.[0]?.field, field);
    }
  } finally {
    await own.close();
  }
});

test('a purchase gives the record, recorded in the ledger at its price', async () => {
  await stock(api, [{ phoneNumber: usNumber(100), monthlyCost: 1.25 }]);
  const campaignId = await addCampaign(api.context.db, api.tenant.accountId, 'RUNNING');
  const answer = await buy(api.tenant, usNumber(100), { campaignId });
  assert.equal(answer.status, 201);
  const { id, createdAt, ...rest } = answer.json.data;
  assert.match(id, /^pn_[0-9a-z]{26}$/);
  assert.equal(createdAt, new Date(api.clock.now).toISOString());
  assert.deepEqual(rest, {
    phoneNumber: usNumber(100),
    country: 'US',
    type: 'local',
    capabilities: ['voice'],
    campaignId,
    isActive: true,
    trunkId: null,
    routes: [],
  });
  const charges = (await api.tenant.ask('GET', '/account/charges')).json;
  assert.equal(charges.pagination.total, 1);
  const [only] = charges.data;
  assert.ok(only);
  const { id: chargeId, createdAt: _createdAt, ...charge } = only;
  assert.match(chargeId, /^chg_/);
  assert.deepEqual(charge, {
    kind: 'number',
    phoneNumber: usNumber(100),
    amount: 1.25,
    currency: 'usd',
    status: 'recorded',
  });
  assert.equal((await api.other.ask('GET', '/account/charges')).json.pagination.total, 0);
});

test('a number that costs nothing leaves no entry', async () => {
  await stock(api, [{ phoneNumber: usNumber(110) }]);
  const before = (await api.other.ask('GET', '/account/charges')).json.pagination.total;
  assert.equal((await buy(api.other, usNumber(110))).status, 201);
  assert.equal((await api.other.ask('GET', '/account/charges')).json.pagination.total, before);
});

test('a purchase is refused by what is wrong with it', async () => {
  await stock(api, [{ phoneNumber: usNumber(120) }, { phoneNumber: usNumber(121) }]);
  const purchase = (body: unknown, tenant = api.tenant) => tenant.ask('POST', '/phone-numbers/purchase', body);
  const codeOf = async (tenant = api.tenant) => {
    const { status, json } = await purchase({ phoneNumber: usNumber(120) }, tenant);
    assert.equal(status, 409);
    return (json as { code?: string }).code;
  };
  // Free, but never offered to this account.
  assert.equal(await codeOf(), 'NUMBER_NOT_RESERVED');
  await api.other.ask('GET', '/phone-numbers/search');
  // Reserved for another account.
  assert.equal(await codeOf(), 'NUMBER_TAKEN');
  assert.equal((await purchase({ phoneNumber: usNumber(999) })).status, 404);
  // In use, though it never was in the stock.
  const { phoneNumber } = await addNumber(api, api.other);
  assert.equal((await purchase({ phoneNumber })).json.code, 'NUMBER_TAKEN');
  const malformed = await purchase({ phoneNumber: '12125550120' });
  assert.equal(malformed.status, 422);
  assert.equal(malformed.json.errors?.[0]?.field, 'phoneNumber');
  const foreign = await addCampaign(api.context.db, api.other.accountId, 'DRAFT');
  const refused = await purchase({ phoneNumber: usNumber(120), campaignId: foreign }, api.tenant);
  assert.equal(refused.status, 422);
  assert.equal(refused.json.errors?.[0]?.field, 'campaignId');
  // A reservation that has run out.
  api.clock.advance(5 * MINUTE + 1);
  assert.equal(await codeOf(api.other), 'NUMBER_NOT_RESERVED');
  // Sold to somebody else.
  assert.equal((await buy(api.other, usNumber(120))).status, 201);
  assert.equal(await codeOf(), 'NUMBER_TAKEN');
});

test('of 50 concurrent purchases of one number exactly one wins, from one account or from many', async () => {
  const own = await startApi();
  try {
    await stock(own, [
      { phoneNumber: usNumber(1), monthlyCost: 3 },
      { phoneNumber: usNumber(2), monthlyCost: 3 },
    ]);
    await own.tenant.ask('GET', '/phone-numbers/search');
    const same = await Promise.all(
      Array.from({ length: 50 }, () => own.tenant.ask('POST', '/phone-numbers/purchase', { phoneNumber: usNumber(1) })),
    );
    assert.deepEqual(tally(same), { 201: 1, 409: 49 });
    own.clock.advance(6 * MINUTE);
    const tenants = await Promise.all(Array.from({ length: 50 }, () => own.newTenant()));
    const many = await Promise.all(tenants.map((tenant) => buy(tenant, usNumber(2))));
    assert.deepEqual(tally(many), { 201: 1, 409: 49 });
    const owners = await own.context.db.selectFrom('phoneNumbers').select('phoneNumber').execute();
    assert.equal(owners.length, 2);
    const charges = await own.context.db.selectFrom('charges').select('id').execute();
    assert.equal(charges.length, 2);
  } finally {
    await own.close();
  }
});

const tally = (answers: ReadonlyArray<{ status: number }>) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

test('the list is newest first, filtered by campaign, and another account sees nothing of it', async () => {
  const own = await startApi();
  try {
    await own.admin.ask('POST', '/admin/inventory', { from: usNumber(0), to: usNumber(4) });
    const campaignId = await addCampaign(own.context.db, own.tenant.accountId, 'DRAFT');
    for (let i = 0; i < 5; i++) {
      own.clock.advance(1);
      await buy(own.tenant, usNumber(i), i < 2 ? { campaignId } : {});
    }
    const list = await own.tenant.ask('GET', '/phone-numbers?limit=2');
    assert.deepEqual(
      list.json.data.map((number: { phoneNumber: string }) => number.phoneNumber),
      [usNumber(4), usNumber(3)],
    );
    assert.equal(list.json.pagination.total, 5);
    const ofCampaign = await own.tenant.ask('GET', `/phone-numbers?campaignId=${campaignId}`);
    assert.equal(ofCampaign.json.pagination.total, 2);
    assert.equal((await own.other.ask('GET', '/phone-numbers')).json.pagination.total, 0);
    const id = list.json.data[0]?.id;
    const missing = await own.tenant.ask('PATCH', '/phone-numbers/pn_nothing', { isActive: false });
    for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', { isActive: false }]] as const) {
      const foreign = await own.other.ask(method, `/phone-numbers/${id}`, body);
      assert.equal(foreign.status, 404);
      assert.equal(foreign.text, missing.text);
    }
  } finally {
    await own.close();
  }
});

test('a number moves between campaigns unless the one it serves is active', async () => {
  await stock(api, [{ phoneNumber: usNumber(130) }]);
  const db = api.context.db;
  const [draft, running] = [
    await addCampaign(db, api.tenant.accountId, 'DRAFT'),
    await addCampaign(db, api.tenant.accountId, 'RUNNING'),
  ];
  const { id } = (await buy(api.tenant, usNumber(130), { campaignId: draft })).json.data;
  const patch = (body: unknown) => api.tenant.ask('PATCH', `/phone-numbers/${id}`, body);
  assert.equal((await patch({ campaignId: running })).json.data.campaignId, running);
  assert.equal((await patch({ campaignId: draft })).status, 409);
  assert.equal((await patch({ campaignId: running })).status, 200);
  assert.equal((await patch({ isActive: false })).json.data.isActive, false);
  assert.equal((await patch({ campaignId: null })).json.data.campaignId, null);
  assert.equal((await patch({ campaignId: draft, isActive: true })).json.data.isActive, true);
  const foreign = await patch({ campaignId: await addCampaign(db, api.other.accountId, 'DRAFT') });
  assert.equal(foreign.status, 422);
  assert.equal(foreign.json.errors?.[0]?.field, 'campaignId');
  // A client may send back what it read; a field that nobody knows is told.
  const record = (await api.tenant.ask('GET', `/phone-numbers/${id}`)).json.data;
  assert.deepEqual((await patch(record)).json.data, record);
  assert.equal((await patch({ active: true })).json.errors?.[0]?.field, 'active');
});

test('a release waits for the calls on the number, and is out of sight at once', async () => {
  await stock(api, [{ phoneNumber: usNumber(140) }, { phoneNumber: usNumber(141) }]);
  const db = api.context.db;
  const idle = (await buy(api.tenant, usNumber(140))).json.data;
  const busy = (await buy(api.tenant, usNumber(141))).json.data;
  const callId = await addLiveCall(db, api.tenant.accountId, busy.id, api.clock.now);
  assert.deepEqual((await api.tenant.ask('DELETE', `/phone-numbers/${idle.id}`)).json.data, {
    id: idle.id,
    phoneNumber: usNumber(140),
    status: 'released',
  });
  assert.equal((await api.tenant.ask('DELETE', `/phone-numbers/${busy.id}`)).json.data.status, 'releasing');
  assert.equal((await api.tenant.ask('GET', `/phone-numbers/${busy.id}`)).status, 404);
  assert.equal((await api.tenant.ask('DELETE', `/phone-numbers/${busy.id}`)).status, 404);
  assert.deepEqual(await finishReleases(db, api.clock.now), []);
  await db.updateTable('calls').set({ endedAt: api.clock.now }).where('id', '=', callId).execute();
  assert.deepEqual(await finishReleases(db, api.clock.now), [usNumber(141)]);
  assert.deepEqual(await finishReleases(db, api.clock.now), []);
  const stored = await db.selectFrom('phoneNumbers').select('status').where('id', '=', busy.id).executeTakeFirst();
  assert.equal(stored?.status, 'released');
  const shelf = await db
    .selectFrom('inventory')
    .select(['retiredAt', 'ownedBy'])
    .where('phoneNumber', '=', usNumber(141))
    .executeTakeFirst();
  assert.deepEqual(shelf, { retiredAt: api.clock.now, ownedBy: null });
});

test('a release is told to the carrier first, and a carrier that is down keeps the number', async (t) => {
  await stock(api, [{ phoneNumber: usNumber(150) }]);
  const { id } = (await buy(api.tenant, usNumber(150))).json.data;
  const told: string[] = [];
  let isDown = true;
  t.mock.method(api.context.carrier, 'release', async (_accountId: string, phoneNumber: string) => {
    told.push(phoneNumber);
    if (isDown) throw new CarrierError('CARRIER_UNAVAILABLE', 'down');
  });
  const refused = await api.tenant.ask('DELETE', `/phone-numbers/${id}`);
  assert.deepEqual([refused.status, refused.json.code], [503, 'CARRIER_DOWN']);
  assert.equal((await api.tenant.ask('GET', `/phone-numbers/${id}`)).status, 200);
  isDown = false;
  assert.equal((await api.other.ask('DELETE', `/phone-numbers/${id}`)).status, 404, 'of another account');
  assert.equal((await api.tenant.ask('DELETE', `/phone-numbers/${id}`)).json.data.status, 'released');
  assert.deepEqual(told, [usNumber(150), usNumber(150)]);
});

test('a country that is none is 422, with a hint where one is meant', async () => {
  const search = async (country: string) => {
    const answer = await api.tenant.ask('GET', `/phone-numbers/search?country=${country}`);
    return [answer.status, answer.json.errors?.[0]?.field, answer.json.errors?.[0]?.message];
  };
  const must = 'must be an ISO 3166-1 alpha-2 code';
  assert.deepEqual(await search('UK'), [422, 'country', `${must}: that of the United Kingdom is GB`]);
  assert.deepEqual(await search('uk'), [422, 'country', `${must}: that of the United Kingdom is GB`]);
  assert.deepEqual(await search('QQ'), [422, 'country', must]);
  assert.equal((await search('gb'))[0], 200);
});
