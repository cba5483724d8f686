// The audit log: who changed, heard and signed in, found by those who may know it.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runRetention } from '../../../api/upkeep/retention.ts';
import { usNumber } from '../../../bench/rig/api/numbers.ts';
import { bearer, logIn, PASSWORD, signedIn } from '../../../bench/rig/api/sign-in.ts';
import { makeWorld } from '../../../bench/rig/api/world.ts';
import { DAY_MS, HOUR_MS } from '../../../db/domain/hours/durations.ts';
import { AUDIT_ENTRIES_KEPT } from '../../../db/queries/accounts/audit-log.ts';
import { seedCall } from '../../support/api/resources.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();

async function entries(who: 'tenant' | 'admin', query = '') {
  const path = who === 'admin' ? ('/admin/audit-log' as const) : ('/account/audit-log' as const);
  const answer = await api[who].ask('GET', `${path}?limit=100${query}` as typeof path);
  assert.equal(answer.status, 200, answer.text);
  return answer.json.data;
}

test('changes of agents, tools, campaigns, numbers and trunks are noted with their actor and fields', async () => {
  const world = await makeWorld(api, api.tenant);
  const { agentId, campaignId, numberId } = world;
  await api.tenant.ask('PATCH', `/agents/${agentId}`, { name: 'Eve' });
  await api.tenant.ask('PATCH', `/phone-numbers/${numberId}`, { isActive: false });
  await api.tenant.ask('PATCH', `/campaigns/${campaignId}`, { name: 'Spring' });
  const trunk = { name: 'Provider', host: 'sip.example.com', port: 5060, transport: 'udp', password: 'a secret' };
  const made = await api.admin.ask('POST', '/admin/trunks', { ...trunk, username: 'u', register: false });
  assert.equal(made.status, 201, made.text);
  const ours = await entries('tenant');
  const noted = (action: string) => ours.find((entry) => entry.action === action);
  const { userId, accountId } = api.tenant;
  assert.deepEqual(
    ['updateAgent', 'updatePhoneNumber', 'updateCampaign'].map((action) => {
      const entry = noted(action);
      return [entry?.resource, entry?.resourceId, entry?.actor, entry?.accountId, entry?.fields];
    }),
    [
      ['agent', agentId, userId, accountId, ['name']],
      ['phone-number', numberId, userId, accountId, ['isActive']],
      ['campaign', campaignId, userId, accountId, ['name']],
    ],
  );
  assert.ok(ours.some(({ action, resourceId }) => action === 'createAgent' && resourceId === agentId));
  const [created] = await entries('admin', '&resource=trunk');
  assert.equal(created?.action, 'createTrunk');
  assert.equal(created?.resourceId, made.json.data.id);
  assert.ok(created?.fields.includes('password'));
  assert.doesNotMatch(JSON.stringify(await entries('admin')), /a secret|sip\.example\.com/);
  assert.ok(!ours.some(({ resource }) => resource === 'trunk'), "a tenant sees only the account's own");
});

test('what was refused, and a replayed answer, are not noted', async () => {
  const headers = { 'idempotency-key': '5f0c2b62-7f6a-4b2e-9d5b-111111111111' };
  const business = { name: 'One', industry: 'bakery', timezone: 'UTC' };
  await api.tenant.ask('POST', '/businesses', business, headers);
  await api.tenant.ask('POST', '/businesses', business, headers);
  await api.tenant.ask('POST', '/businesses', { name: 1 });
  await api.tenant.ask('DELETE', '/agents/agt_none');
  assert.deepEqual(
    (await entries('tenant')).map(({ action }) => action),
    ['createBusiness'],
  );
});

test('sign-ins are noted, those that were refused too, and a stranger has no name there', async () => {
  const { token, email } = await signedIn(api);
  await logIn(api, email, 'a wrong password');
  const answer = await api.ask('GET', '/account/audit-log', undefined, bearer(token));
  assert.deepEqual(
    answer.json.data.map(({ action, resource, actor }) => [action, resource, actor.startsWith('user_')]),
    [
      ['signInRefused', 'session', true],
      ['signIn', 'session', true],
    ],
  );
  assert.ok(answer.json.data.every(({ address }) => address !== null));
  await logIn(api, 'zenobia@nowhere.example', PASSWORD);
  const [stranger] = await entries('admin', '&action=signInRefused');
  assert.deepEqual([stranger?.actor, stranger?.accountId], ['unknown', null]);
  assert.doesNotMatch(JSON.stringify(await entries('admin')), /zenobia/i);
});

test('a token is named beside its user, and its own making and end are noted', async () => {
  const { token: session } = await signedIn(api);
  const made = (await api.ask('POST', '/auth/tokens', { name: 'CI' }, bearer(session))).json.data;
  await api.ask('PATCH', '/account', { name: 'New name' }, bearer(made.token));
  await api.ask('DELETE', `/auth/tokens/${made.id}`, undefined, bearer(session));
  const answer = await api.ask('GET', '/account/audit-log?limit=3', undefined, bearer(session));
  assert.deepEqual(
    answer.json.data.map(({ action, tokenId, resourceId }) => [action, tokenId, resourceId]),
    [
      ['revokeAccessToken', null, made.id],
      ['updateAccount', made.id, null],
      ['createAccessToken', null, made.id],
    ],
  );
});

test('a recording is noted once an hour for a player, whichever part of it is asked for first', async () => {
  mkdirSync(api.context.config.recordingsDir, { recursive: true });
  writeFileSync(join(api.context.config.recordingsDir, 'heard.wav'), Buffer.alloc(1_000));
  const { id } = await seedCall(api, api.tenant, { recordingPath: 'heard.wav', recordingFormat: 'wav' });
  const hear = async (range: string, who = api.tenant) => {
    const { status } = await who.ask('GET', `/calls/${id}/audio`, undefined, { range });
    assert.ok(status === 206 || status === 200, `${range}: ${status}`);
  };
  const noted = async () => (await entries('tenant', '&action=getRecording')).length;
  await hear('bytes=1-');
  assert.equal(await noted(), 1);
  for (const range of ['bytes=0-', 'bytes=500-', 'bytes=-200']) await hear(range);
  assert.equal(await noted(), 1);
  api.clock.advance(HOUR_MS);
  await hear('bytes=00-');
  assert.equal(await noted(), 2);
  const another = (await signedIn(api)).token;
  assert.equal((await api.ask('GET', `/calls/${id}/audio`, undefined, bearer(another))).status, 404);
});

test('the number of a person is in no entry', async () => {
  const phoneNumber = usNumber(4_711);
  await api.tenant.ask('POST', '/do-not-call', { phoneNumber, reason: 'Zenobia' });
  await api.tenant.ask('DELETE', `/do-not-call/${encodeURIComponent(phoneNumber)}`);
  const noted = await entries('tenant');
  assert.equal(noted.length, 2);
  assert.doesNotMatch(JSON.stringify(noted), new RegExp(`${phoneNumber.slice(1)}|Zenobia`));
});

test('the log is read between two moments, and a range that ends before it begins is refused', async () => {
  const tenant = await api.newTenant();
  await tenant.ask('PATCH', '/account', { name: 'Monday' });
  const monday = new Date(api.clock.now).toISOString();
  api.clock.advance(DAY_MS);
  await tenant.ask('PATCH', '/account', { name: 'Tuesday' });
  const tuesday = new Date(api.clock.now).toISOString();
  const found = async (query: string) => {
    const path = `/account/audit-log?action=updateAccount${query}` as '/account/audit-log';
    const answer = await tenant.ask('GET', path);
    return answer.status === 200 ? answer.json.pagination.total : answer.status;
  };
  assert.equal(await found(''), 2);
  assert.equal(await found(`&endDate=${monday}`), 1);
  assert.equal(await found(`&startDate=${tuesday}`), 1);
  assert.equal(await found(`&startDate=${monday}&endDate=${tuesday}`), 2);
  assert.equal(await found(`&startDate=${tuesday}&endDate=${monday}`), 422);
});

test('entries are deleted after 400 days, and only ADMINs read the log of the installation', async () => {
  await api.tenant.ask('PATCH', '/account', { name: 'Old' });
  assert.equal((await api.tenant.ask('GET', '/admin/audit-log')).status, 403);
  api.clock.advance(399 * DAY_MS);
  await runRetention(api.context);
  const fresh = await api.newTenant();
  const left = async () => (await fresh.ask('GET', '/account/audit-log')).status;
  assert.equal(await left(), 200);
  const count = async () =>
    (await api.context.db.selectFrom('auditLog').select('id').where('accountId', '=', api.tenant.accountId).execute())
      .length;
  assert.equal(await count(), 1);
  api.clock.advance(2 * DAY_MS);
  await runRetention(api.context);
  assert.equal(await count(), 0);
});

test('of an account the newest entries are kept, looked at every hundred', async () => {
  const { accountId, userId } = api.tenant;
  const rows = Array.from({ length: AUDIT_ENTRIES_KEPT }, (_, n) => ({
    ...{ id: `aud_old${String(n).padStart(6, '0')}`, accountId, actor: userId, tokenId: null, action: 'updateAgent' },
    ...{ resource: 'agent', resourceId: null, fields: '[]', address: null, createdAt: api.clock.now + n },
  }));
  while (rows.length > 0) await api.context.db.insertInto('auditLog').values(rows.splice(0, 2_000)).execute();
  api.clock.advance(AUDIT_ENTRIES_KEPT);
  for (let n = 0; n < 100; n++) await api.tenant.ask('PATCH', '/account', { name: `N${n}` });
  const answer = await api.tenant.ask('GET', '/account/audit-log?limit=1');
  assert.ok(answer.json.pagination.total <= AUDIT_ENTRIES_KEPT, `${answer.json.pagination.total}`);
  const oldest = await api.context.db.selectFrom('auditLog').select('id').where('id', '=', 'aud_old000000').execute();
  assert.deepEqual(oldest, []);
});
