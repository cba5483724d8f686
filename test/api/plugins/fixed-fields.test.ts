// A PATCH that cannot do what it is asked says so: every route, every field of its record that it does not take.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fill, makeWorld, type World } from '../../../bench/rig/api/world.ts';
import { useApi } from '../../support/api/use-api.ts';

let world: World;
const api = useApi({}, async () => {
  world = await makeWorld(api, api.tenant);
});

const refusals = [
  ['/phone-numbers/{numberId}', { trunkId: 'trk_other' }, ': an ADMIN does by PATCH /admin/inventory/{phoneNumber}'],
  ['/phone-numbers/{numberId}', { phoneNumber: '+12025550199' }, ''],
  ['/appointments/{appointmentId}', { name: 'Somebody else' }, ''],
  ['/appointments/{appointmentId}', { service: 'Shave' }, ''],
  ['/webhooks/{webhookId}', { secret: 'whsec_mine' }, ': POST /webhooks/{id}/rotate-secret makes a new one'],
  ['/admin/accounts/{accountId}', { name: 'Theirs' }, ': the users of the account do by PATCH /account'],
  ['/admin/accounts/{accountId}', { timezone: 'Europe/Berlin' }, ': the users of the account do by PATCH /account'],
] as const;

for (const [path, body, elsewhere] of refusals) {
  test(`PATCH ${path} with ${Object.keys(body)} is 422 on that field, and changes nothing`, async () => {
    const caller = path.startsWith('/admin') ? api.admin : api.tenant;
    const answer = await caller.ask('PATCH', fill(path, world), body);
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(answer.json.errors, [
      { field: Object.keys(body)[0], message: `cannot be changed here${elsewhere}` },
    ]);
  });
}

test('the masked secret of a webhook, and the one that it was created with, may be sent back', async () => {
  const path = `/webhooks/${world.webhookId}` as const;
  const record = (await api.tenant.ask('GET', path)).json.data;
  assert.equal((await api.tenant.ask('PATCH', path, { secret: record.secret, isActive: true })).status, 200);
  const { secret } = (await api.tenant.ask('POST', `${path}/rotate-secret`)).json.data;
  assert.equal((await api.tenant.ask('PATCH', path, { secret })).status, 200);
});

test('what is not there is 404 before anything else', async () => {
  assert.equal((await api.tenant.ask('PATCH', '/phone-numbers/pn_none', { trunkId: 'x' })).status, 404);
  assert.equal((await api.other.ask('PATCH', `/appointments/${world.appointmentId}`, { name: 'x' })).status, 404);
});
