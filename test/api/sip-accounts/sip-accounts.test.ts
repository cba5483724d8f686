// SIP accounts: what an ADMIN may write, what is shown, and whose phones a business may name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listSipAccountConfigs } from '../../../db/queries/trunks/sip-accounts.ts';
import { writeSipBinding } from '../../../db/queries/trunks/sip-bindings.ts';
import { engineIs, setUpCampaign } from '../../support/api/resources.ts';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi();

const add = (body: object) => api.admin.ask('POST', '/admin/sip-accounts', body);
const change = (id: string, body: object) => api.admin.ask('PATCH', `/admin/sip-accounts/${id}`, body);
const fieldsOf = (answer: { json: { errors?: Array<{ field: string }> } }) =>
  (answer.json.errors ?? []).map(({ field }) => field);

test('a username is enough; the password is made, shown once, and only the engine gets it back', async () => {
  const made = await add({ username: 'Reception' });
  assert.equal(made.status, 201, made.text);
  const { id, password, createdAt: _, ...account } = made.json.data;
  assert.match(id, /^sip_/);
  assert.match(password, /^\w{20}$/);
  assert.deepEqual(account, {
    accountId: api.admin.accountId,
    username: 'reception',
    displayName: null,
    callsTo: null,
    enabled: true,
    registration: null,
    deletedAt: null,
  });
  const shown = await api.admin.ask('GET', `/admin/sip-accounts/${id}`);
  assert.ok(!('password' in shown.json.data) && !shown.text.includes(password));
  const rows = await api.context.db.selectFrom('sipAccounts').selectAll().execute();
  assert.ok(!JSON.stringify(rows).includes(password));
  const configs = await listSipAccountConfigs(api.context.db, api.context.secretKey);
  assert.equal(configs.find((each) => each.id === id)?.password, password);
  assert.ok(!api.logs.join().includes(password));
});

test('an account belongs to the tenant whose campaign it calls', async () => {
  const { campaign } = await setUpCampaign(api, api.tenant);
  const made = await add({
    username: 'tenants-own',
    callsTo: campaign.id,
    displayName: 'Kim',
    password: 'a-good-password',
  });
  assert.equal(made.status, 201, made.text);
  assert.equal(made.json.data.accountId, api.tenant.accountId);
  assert.equal(made.json.data.password, 'a-good-password');
  const changed = await change(made.json.data.id, { callsTo: null, enabled: false });
  assert.deepEqual([changed.json.data.callsTo, changed.json.data.enabled], [null, false]);
  assert.equal(changed.json.data.accountId, api.tenant.accountId);
  const configs = await listSipAccountConfigs(api.context.db, api.context.secretKey);
  assert.ok(!configs.some(({ username }) => username === 'tenants-own'));
});

test('fields at fault are 422, a name in use is 409, and a deleted account gives its name back', async () => {
  for (const [body, field] of [
    [{}, 'username'],
    [{ username: 'a b' }, 'username'],
    [{ username: '10.0.0.1' }, 'username'],
    [{ username: 'short', password: 'short' }, 'password'],
    [{ username: 'nowhere', callsTo: 'cmp_unknown' }, 'callsTo'],
    // DEMO=0: there is none.
    [{ username: 'nowhere', callsTo: 'demo' }, 'callsTo'],
    [{ username: 'nowhere', extension: 12 }, 'extension'],
  ] as const) {
    const answer = await add(body);
    assert.equal(answer.status, 422, JSON.stringify(body));
    assert.deepEqual(fieldsOf(answer), [field]);
  }
  const first = await add({ username: 'taken' });
  const second = await add({ username: 'TAKEN' });
  assert.deepEqual([second.status, second.json.code], [409, 'SIP_USERNAME_TAKEN']);
  const other = await add({ username: 'other-name' });
  assert.equal((await change(other.json.data.id, { username: 'taken' })).status, 409);
  const same = await change(first.json.data.id, { ...first.json.data, password: undefined });
  assert.equal(same.status, 200, same.text);
  const gone = await api.admin.ask('DELETE', `/admin/sip-accounts/${first.json.data.id}`);
  assert.equal(gone.status, 200);
  assert.notEqual(gone.json.data.deletedAt, null);
  assert.equal((await api.admin.ask('GET', `/admin/sip-accounts/${first.json.data.id}`)).status, 404);
  assert.equal((await add({ username: 'taken' })).status, 201);
});

test('the registration is shown until it expires; a phone that is not registered is nothing wrong', async () => {
  const { id } = (await add({ username: 'seen' })).json.data;
  const nowMs = api.clock.now;
  await writeSipBinding(api.context.db, {
    sipAccountId: id,
    contact: 'sip:seen@192.168.1.20:5060',
    transport: 'udp',
    address: '198.51.100.7',
    port: 40_000,
    userAgent: 'baresip',
    sipCallId: 'x',
    cseq: 1,
    hash: 'MD5',
    path: null,
    registeredAt: nowMs - 1_000,
    expiresAt: nowMs + 60_000,
  });
  const registration = async () => (await api.admin.ask('GET', `/admin/sip-accounts/${id}`)).json.data.registration;
  assert.deepEqual(await registration(), {
    contact: 'sip:seen@192.168.1.20:5060',
    transport: 'udp',
    address: '198.51.100.7',
    port: 40_000,
    userAgent: 'baresip',
    since: new Date(nowMs - 1_000).toISOString(),
    expiresAt: new Date(nowMs + 60_000).toISOString(),
  });
  api.clock.advance(60_001);
  assert.equal(await registration(), null);
  await engineIs(api);
  const status = await api.admin.ask('GET', '/admin/status');
  assert.equal(status.status, 200);
  assert.ok(!/softphone|sip.?account/i.test(status.text), status.text);
});

test('only an ADMIN sees them', async () => {
  assert.equal((await api.tenant.ask('GET', '/admin/sip-accounts')).status, 403);
  assert.equal((await api.tenant.ask('POST', '/admin/sip-accounts', { username: 'mine' })).status, 403);
});

test('a business transfers to a softphone of its own account, and to no other', async () => {
  const { campaign } = await setUpCampaign(api, api.tenant);
  await add({ username: 'front-desk', callsTo: campaign.id });
  const body = { name: 'Shop', industry: 'retail', timezone: 'UTC', transferNumber: 'sip:front-desk' };
  const own = await api.tenant.ask('POST', '/businesses', body);
  assert.equal(own.status, 201, own.text);
  assert.equal(own.json.data.transferNumber, 'sip:front-desk');
  for (const [tenant, transferNumber] of [
    [api.other, 'sip:front-desk'],
    [api.tenant, 'sip:nobody'],
    [api.tenant, 'sip:front-desk@elsewhere.example'],
    [api.tenant, 'sips:front-desk'],
  ] as const) {
    const answer = await tenant.ask('POST', '/businesses', { ...body, transferNumber });
    assert.equal(answer.status, 422, transferNumber);
    assert.deepEqual(fieldsOf(answer), ['transferNumber']);
  }
  const patch = (change: object) => api.tenant.ask('PATCH', `/businesses/${own.json.data.id}`, change);
  assert.equal((await patch({ transferNumber: 'sip:nobody' })).status, 422);
  assert.equal((await patch({ transferNumber: '+12025550142' })).status, 200);
});
