// `destinations` of businesses and campaigns as clients see them: kept as completed, refused by field, and never
// another tenant's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addTrunk, setUpCampaign } from '../../support/api/resources.ts';
import { useApi } from '../../support/api/use-api.ts';

const US = '+14155552671';
const api = useApi({}, async () => {
  await addTrunk(api);
  ({ business, campaign } = await setUpCampaign(api, api.tenant));
});
let business: { id: string };
let campaign: { id: string };

const patch = (destinations: unknown) => api.tenant.ask('PATCH', `/businesses/${business.id}`, { destinations });
const one = (change: object = {}) => ({ name: 'Billing', target: US, ...change });

const COMPLETED = {
  name: 'Billing',
  description: '',
  target: US,
  hours: null,
  extensionDigits: null,
  mode: 'brief',
  accept: 'key',
  after: 'leave',
  ringSeconds: 25,
  order: 1,
};

test('what is left out is filled in, and the record can be sent back', async () => {
  const made = await patch([one(), one({ name: 'Kim', mode: 'blind' }), one({ name: ' Desk ', order: 1 })]);
  assert.equal(made.status, 200, made.text);
  const { destinations } = made.json.data as { destinations: unknown[] };
  assert.deepEqual(destinations, [
    COMPLETED,
    { ...COMPLETED, name: 'Kim', mode: 'blind', accept: 'none', order: 2 },
    { ...COMPLETED, name: 'Desk' },
  ]);
  const again = await patch(destinations);
  assert.deepEqual((again.json.data as { destinations: unknown }).destinations, destinations);
  const audit = await api.tenant.ask('GET', `/businesses/${business.id}/audit-log`);
  const entries = audit.json.data as unknown as Array<{ changes: object }>;
  assert.equal(entries.filter(({ changes }) => 'destinations' in changes).length, 1);
  assert.deepEqual(((await patch([])).json.data as { destinations: unknown }).destinations, []);
});

test('a campaign has its own', async () => {
  const path = `/campaigns/${campaign.id}`;
  assert.deepEqual(((await api.tenant.ask('GET', path)).json.data as { destinations: unknown }).destinations, []);
  const made = await api.tenant.ask('PATCH', path, { destinations: [one()] });
  assert.deepEqual((made.json.data as { destinations: unknown }).destinations, [COMPLETED]);
  const bad = await api.tenant.ask('PATCH', path, { destinations: [one({ target: '+19002345678' })] });
  assert.deepEqual([bad.status, bad.json.code], [422, 'DESTINATION_NOT_ALLOWED']);
});

const HOURS = [{ day: 'monday', open: '09:00', close: '12:00' }];
const at = (change: object, field: string): [unknown, string] => [[one(change)], `destinations[0].${field}`];
const refusals: Array<[destinations: unknown, field: string]> = [
  at({ target: '555' }, 'target'),
  at({ target: 'sip:nobody' }, 'target'),
  at({ target: 'sip:desk@elsewhere.example' }, 'target'),
  at({ target: 'https://example.com' }, 'target'),
  at({ target: '+19002345678' }, 'target'),
  at({ name: '' }, 'name'),
  at({ name: '  ' }, 'name'),
  at({ name: 'Bil\nling' }, 'name'),
  at({ name: 'Bil\u202Eling' }, 'name'),
  at({ name: 'x'.repeat(81) }, 'name'),
  at({ description: 'x'.repeat(301) }, 'description'),
  at({ mode: 'warm' }, 'mode'),
  at({ accept: 'always' }, 'accept'),
  at({ mode: 'blind', accept: 'key' }, 'accept'),
  at({ mode: 'blind', extensionDigits: '12' }, 'extensionDigits'),
  at({ mode: 'blind', after: 'stay' }, 'after'),
  at({ accept: 'none', extensionDigits: '12' }, 'accept'),
  at({ extensionDigits: '12a' }, 'extensionDigits'),
  at({ extensionDigits: '1'.repeat(33) }, 'extensionDigits'),
  at({ ringSeconds: 4 }, 'ringSeconds'),
  at({ ringSeconds: 121 }, 'ringSeconds'),
  at({ order: 0 }, 'order'),
  at({ hours: [{ day: 'monday', open: '09:00', close: '09:00' }] }, 'hours[0].close'),
  at({ hours: [...HOURS, ...HOURS] }, 'hours[1]'),
  at({ hours: [{ day: 'Monday', open: '09:00', close: '12:00' }] }, 'hours[0].day'),
  at({ number: US }, 'number'),
  [[one(), one({ name: ' BILLING ' })], 'destinations[1].name'],
  [Array.from({ length: 6 }, (_, n) => one({ name: `n${n}`, order: 1 })), 'destinations[5].order'],
  [Array.from({ length: 1_000 }, (_, n) => one({ name: `n${n}` })), 'destinations'],
  [{ name: 'Billing' }, 'destinations'],
];

for (const [destinations, field] of refusals) {
  test(`refused on ${field}: ${JSON.stringify(destinations).slice(0, 90)}`, async () => {
    const answer = await patch(destinations);
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(
      answer.json.errors?.map((each) => each.field),
      [field],
    );
  });
}

test('a softphone of another tenant is none', async () => {
  const made = await api.admin.ask('POST', '/admin/sip-accounts', { username: 'desk', callsTo: campaign.id });
  assert.equal(made.status, 201, made.text);
  const own = await patch([one({ target: 'sip:DESK' })]);
  assert.equal((own.json.data as { destinations: Array<{ target: string }> }).destinations[0]?.target, 'sip:desk');
  const theirs = await setUpCampaign(api, api.other);
  for (const path of [`/businesses/${theirs.business.id}`, `/campaigns/${theirs.campaign.id}`]) {
    const answer = await api.other.ask('PATCH', path, { destinations: [one({ target: 'sip:desk' })] });
    assert.deepEqual([answer.status, answer.json.errors?.[0]?.field], [422, 'destinations[0].target']);
  }
  assert.equal((await api.other.ask('PATCH', `/businesses/${business.id}`, { destinations: [] })).status, 404);
});
