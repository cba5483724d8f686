// Where calls may go, as clients see it: the settings of installation, trunk and account, and what they refuse.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Answer } from '../../../bench/rig/api/api.ts';
import { addTrunk, engineIs, type Setup, seedCall, setUpCampaign } from '../../support/api/resources.ts';
import { useFreshApi } from '../../support/api/use-api.ts';

const US = '+14155552671';
const GERMAN = '+4915112345678';
const PREMIUM = '+19002345678';

const api = useFreshApi();
let set: Setup;
let trunkId: string;

beforeEach(async () => {
  set = await setUpCampaign(api, api.tenant);
  trunkId = await addTrunk(api);
  await engineIs(api);
});

const place = (toNumber: string) =>
  api.tenant.ask('POST', '/calls', { campaignId: set.campaign.id, toNumber, fromPhoneNumberId: set.number.id });
const settings = (destinations: object | null) => api.admin.ask('PATCH', '/admin/settings', { destinations });
const accountId = () => api.tenant.accountId;

function notAllowed(answer: Answer, field: string, message: RegExp): void {
  assert.equal(answer.status, 422, answer.text);
  assert.equal(answer.json.code, 'DESTINATION_NOT_ALLOWED');
  assert.deepEqual(
    answer.json.errors?.map((each) => each.field),
    [field],
  );
  assert.match(answer.json.errors?.[0]?.message ?? '', message);
}

test('a new installation calls the countries of its numbers, and nothing that costs more than a call', async () => {
  assert.equal((await place(US)).status, 201);
  notAllowed(await place(GERMAN), 'toNumber', /only US may be called, not DE/);
  for (const number of [PREMIUM, '+449098790000', '+881612345678', '+882161234567'])
    notAllowed(await place(number), 'toNumber', /not called unless destinations name them/);
  const nothing = { countries: [], prefixes: { allow: [], deny: [] }, types: [] };
  assert.deepEqual((await api.admin.ask('GET', '/admin/settings')).json.data.destinations, nothing);
});

test('the country of the trunk is a home country too', async () => {
  await api.admin.ask('PATCH', `/admin/trunks/${trunkId}`, { country: 'DE' });
  assert.equal((await place(GERMAN)).status, 201);
});

test('installation, trunk and account must all allow what they speak of, and say whose rule refused', async () => {
  assert.equal((await settings({ countries: ['us', 'DE'] })).status, 200);
  assert.equal((await place(GERMAN)).status, 201);
  const trunk = await api.admin.ask('PATCH', `/admin/trunks/${trunkId}`, { destinations: { countries: ['US'] } });
  assert.deepEqual(trunk.json.data.destinations.countries, ['US']);
  notAllowed(await place(GERMAN), 'toNumber', /the trunk's destinations do not include DE/);
  await api.admin.ask('PATCH', `/admin/trunks/${trunkId}`, { destinations: null });
  const account = await api.admin.ask('PATCH', `/admin/accounts/${accountId()}`, {
    destinations: { prefixes: { deny: ['+4915'] } },
  });
  assert.equal(account.status, 200, account.text);
  notAllowed(await place(GERMAN), 'toNumber', /the account's destinations deny \+4915/);
  assert.equal((await place(US)).status, 201);
  const own = (await api.tenant.ask('GET', '/account')).json.data.destinations;
  assert.deepEqual(own.prefixes.deny, ['+4915']);
  const sneaky = await api.tenant.ask('PATCH', '/account', { destinations: null });
  assert.deepEqual(sneaky.json.data.destinations, own, 'nobody changes their own');
});

test('premium numbers are called where a policy names their kind or their prefix', async () => {
  await settings({ prefixes: { allow: ['+1900'] } });
  assert.equal((await place(PREMIUM)).status, 201);
  assert.equal((await place(US)).status, 201);
});

test('contacts are refused all or nothing, each on its field', async () => {
  const path = `/campaigns/${set.campaign.id}/contacts`;
  const contacts = [{ phoneNumber: US }, { phoneNumber: PREMIUM }];
  notAllowed(await api.tenant.ask('POST', path, { contacts }), 'contacts[1].phoneNumber', /premium rate numbers/);
  const rows = await api.context.read.selectFrom('contacts').select('id').execute();
  assert.equal(rows.length, 0);
  const many = [...Array(60).keys()].map((n) => ({ phoneNumber: `+1415555${2600 + n}` }));
  const answer = await api.tenant.ask('POST', path, { contacts: [...many, { phoneNumber: GERMAN }] });
  notAllowed(answer, 'contacts[60].phoneNumber', /not DE/);
});

test('a preflight counts the contacts that may not be called any more', async () => {
  const path = `/campaigns/${set.campaign.id}`;
  await api.tenant.ask('POST', `${path}/contacts`, {
    contacts: [{ phoneNumber: US }, { phoneNumber: '+12025550143' }],
  });
  await settings({ prefixes: { deny: ['+1202'] } });
  const started = await api.tenant.ask('POST', `${path}/start`);
  assert.deepEqual((started.json.data as { preflight: object }).preflight, {
    willCall: 1,
    willSkip: { destination: 1 },
  });
});

test('a transfer number is one that may be called', async () => {
  const path = `/businesses/${set.business.id}`;
  notAllowed(await api.tenant.ask('PATCH', path, { transferNumber: PREMIUM }), 'transferNumber', /premium rate/);
  assert.equal((await api.tenant.ask('PATCH', path, { transferNumber: US })).status, 200);
  const body = { name: 'Shop', industry: 'retail', timezone: 'UTC', transferNumber: GERMAN };
  notAllowed(await api.tenant.ask('POST', '/businesses', body), 'transferNumber', /not DE/);
});

test('settings say which field is wrong, and are an ADMIN’s', async () => {
  for (const [destinations, field] of [
    [{ countries: ['UK'] }, 'destinations.countries[0]'],
    [{ prefixes: { allow: ['0049'] } }, 'destinations.prefixes.allow[0]'],
    [{ types: ['premium'] }, 'destinations.types[0]'],
    [{ country: ['US'] }, 'destinations.country'],
  ] as const) {
    const answer = await settings(destinations);
    assert.equal(answer.status, 422, answer.text);
    assert.equal(answer.json.errors?.[0]?.field, field);
  }
  assert.equal((await api.tenant.ask('GET', '/admin/settings')).status, 403);
});

test('calls under way reserve their minutes: the last one is not shared by all who ask at once', async () => {
  const starter = await api.newTenant({ plan: 'STARTER' });
  const own = await setUpCampaign(api, starter);
  await api.context.db
    .insertInto('accountUsage')
    .values({ accountId: starter.accountId, month: '2026-05', seconds: 500 * 60 - 1 })
    .execute();
  const [month] = new Date(api.clock.now).toISOString().match(/^\d{4}-\d\d/) ?? [];
  await api.context.db
    .updateTable('accountUsage')
    .set({ month: month ?? '' })
    .execute();
  const asked = await Promise.all(
    Array.from({ length: 8 }, () =>
      starter.ask('POST', '/calls', { campaignId: own.campaign.id, toNumber: US, fromPhoneNumberId: own.number.id }),
    ),
  );
  assert.deepEqual(asked.map(({ status }) => status).sort(), [201, ...Array(7).fill(429)]);
  const running = await api.newTenant({ plan: 'STARTER' });
  const theirs = await setUpCampaign(api, running);
  await seedCall(api, running, {
    status: 'IN_PROGRESS',
    endedAt: null,
    answeredAt: api.clock.now - 500 * 60_000,
  });
  const late = await running.ask('POST', '/calls', {
    campaignId: theirs.campaign.id,
    toNumber: US,
    fromPhoneNumberId: theirs.number.id,
  });
  assert.equal(late.json.code, 'MINUTES_EXHAUSTED', late.text);
});
