// Trunks: what an ADMIN may write, what is shown, and that a password goes in and never out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApi } from '../../../bench/rig/api/api.ts';
import { addReadInvites, listReadInvites } from '../../../db/queries/trunks/read-invites.ts';
import { outboundTrunk, writeTrunkState } from '../../../db/queries/trunks/trunk-states.ts';
import { listTrunkConfigs } from '../../../db/queries/trunks/trunks.ts';
import type { TrunkStateTable } from '../../../db/schema/lines/trunks.ts';
import { newId } from '../../../db/shared/id.ts';
import { seedCall } from '../../support/api/resources.ts';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi();

test('name and host are enough', async () => {
  const answer = await api.admin.ask('POST', '/admin/trunks', { name: 'Main', host: 'sip.example.com' });
  assert.equal(answer.status, 201);
  const { id, createdAt, ...trunk } = answer.json.data;
  assert.match(id, /^trk_/);
  assert.equal(createdAt, new Date(api.clock.now).toISOString());
  assert.deepEqual(trunk, {
    name: 'Main',
    host: 'sip.example.com',
    port: 5060,
    transport: 'udp',
    username: null,
    register: false,
    inboundAllow: [],
    codecs: ['PCMU', 'PCMA'],
    maxConcurrentCalls: 100,
    callsPerSecond: 10,
    authUsername: null,
    fromDomain: null,
    outboundProxy: null,
    country: null,
    inboundFormat: 'auto',
    dialFormat: 'e164',
    dialPrefix: null,
    callerIdHeader: 'from',
    srtp: false,
    optionsPing: true,
    acceptsRefer: true,
    backupTrunkId: null,
    destinations: { countries: [], prefixes: { allow: [], deny: [] }, types: [] },
    registration: { state: 'off', expiresAt: null },
    health: { state: 'unknown', checkedAt: null },
    lastError: null,
    lastErrorAt: null,
    activeCalls: 0,
    deletedAt: null,
  });
});

test('every field is kept; the password only sealed, and only the engine gets it back', async () => {
  const fields = {
    name: 'All of it',
    host: '203.0.113.7',
    port: 5071,
    transport: 'tls',
    username: 'user@example.com',
    register: true,
    inboundAllow: ['203.0.113.0/24', '2001:db8::/32', '198.51.100.4'],
    codecs: ['PCMA'],
    maxConcurrentCalls: 3,
    callsPerSecond: 2,
    authUsername: 'auth-1',
    fromDomain: 'example.com',
    outboundProxy: 'proxy.example.com:5081',
    country: 'de',
    dialFormat: 'national',
    dialPrefix: '0',
    callerIdHeader: 'both',
    srtp: true,
    optionsPing: false,
    acceptsRefer: false,
  };
  const created = await api.admin.ask('POST', '/admin/trunks', { ...fields, password: 'a "secret" word' });
  assert.equal(created.status, 201);
  const { id } = created.json.data;
  const inboundAllow = [...fields.inboundAllow.slice(0, 2), '198.51.100.4/32'];
  assert.deepEqual({ ...created.json.data, ...fields, country: 'DE', inboundAllow }, created.json.data);
  const shown = [
    created,
    await api.admin.ask('GET', '/admin/trunks'),
    await api.admin.ask('GET', `/admin/trunks/${id}`),
  ];
  for (const answer of shown) assert.doesNotMatch(answer.text, /secret|password/i);
  assert.ok(!api.logs.join('\n').includes('a \\"secret'));
  const row = await api.context.db
    .selectFrom('trunks')
    .select('passwordSealed')
    .where('id', '=', id)
    .executeTakeFirst();
  assert.match(row?.passwordSealed ?? '', /^v1\./);
  const config = (await listTrunkConfigs(api.context.db, api.context.secretKey)).find((trunk) => trunk.id === id);
  assert.equal(config?.password, 'a "secret" word');
  assert.equal(config?.register, true);
  assert.equal(config?.acceptsRefer, false);
  const without = (await listTrunkConfigs(api.context.db, Buffer.alloc(32))).find((trunk) => trunk.id === id);
  assert.equal(without?.password, null);
  // A read-back record changes nothing, the password included.
  const { json } = await api.admin.ask('PATCH', `/admin/trunks/${id}`, shown[2]?.json.data);
  assert.deepEqual(json.data, shown[2]?.json.data);
  const kept = (await listTrunkConfigs(api.context.db, api.context.secretKey)).find((trunk) => trunk.id === id);
  assert.equal(kept?.password, 'a "secret" word');
  // Another host, or another proxy on the way, is told no digest of it, unless it comes anew.
  const passwordAfter = async (patch: object): Promise<string | null | undefined> => {
    assert.equal((await api.admin.ask('PATCH', `/admin/trunks/${id}`, patch)).status, 200);
    return (await listTrunkConfigs(api.context.db, api.context.secretKey)).find((trunk) => trunk.id === id)?.password;
  };
  assert.equal(await passwordAfter({ host: 'evil.example.com' }), null);
  assert.equal(await passwordAfter({ host: 'sip2.example.com', password: 'another one' }), 'another one');
  assert.equal(await passwordAfter({ port: 5070 }), 'another one');
  assert.equal(await passwordAfter({ outboundProxy: 'evil.example.com' }), null);
});

test('what cannot work is refused by its field', async () => {
  const base = { name: 'x', host: 'sip.example.com' };
  const cases: Array<[Record<string, unknown>, string]> = [
    [{ host: undefined }, 'host'],
    [{ name: undefined }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ host: 'sip example' }, 'host'],
    [{ host: '999.1.1.1' }, 'host'],
    [{ host: 'sip.example.com:5060' }, 'host'],
    [{ port: 0 }, 'port'],
    [{ port: 70_000 }, 'port'],
    [{ transport: 'sctp' }, 'transport'],
    [{ register: true }, 'username'],
    [{ username: 'a\r\nRoute: x' }, 'username'],
    [{ inboundAllow: ['10.0.0.0/8', '10.1'] }, 'inboundAllow[1]'],
    [{ inboundAllow: ['10.0.0.0/33'] }, 'inboundAllow[0]'],
    [{ codecs: ['G729'] }, 'codecs[0]'],
    [{ codecs: [] }, 'codecs'],
    [{ maxConcurrentCalls: 0 }, 'maxConcurrentCalls'],
    [{ callsPerSecond: 1.5 }, 'callsPerSecond'],
    [{ country: 'XX' }, 'country'],
    [{ dialFormat: 'national' }, 'country'],
    [{ inboundFormat: 'national' }, 'country'],
    [{ inboundFormat: '00' }, 'inboundFormat'],
    [{ dialFormat: '+' }, 'dialFormat'],
    [{ dialPrefix: 'abc' }, 'dialPrefix'],
    [{ callerIdHeader: 'rpid' }, 'callerIdHeader'],
    [{ srtp: true }, 'srtp'],
    [{ outboundProxy: 'proxy example' }, 'outboundProxy'],
    [{ passwort: 'x' }, 'passwort'],
  ];
  for (const [fields, field] of cases) {
    const answer = await api.admin.ask('POST', '/admin/trunks', { ...base, ...fields });
    assert.equal(answer.status, 422, JSON.stringify(fields));
    assert.equal(answer.json.errors?.[0]?.field, field, answer.text);
  }
});

test('a change is held against the whole trunk', async () => {
  const { id } = (await api.admin.ask('POST', '/admin/trunks', { name: 'y', host: 'h', transport: 'tls', srtp: true }))
    .json.data;
  const answer = await api.admin.ask('PATCH', `/admin/trunks/${id}`, { transport: 'udp' });
  assert.equal(answer.status, 422);
  assert.equal(answer.json.errors?.[0]?.field, 'srtp');
  const changed = await api.admin.ask('PATCH', `/admin/trunks/${id}`, { transport: 'udp', srtp: false, port: 5080 });
  assert.equal(changed.json.data.port, 5080);
});

test('what the engine reports is shown, and the calls under way', async () => {
  const { id } = (await api.admin.ask('POST', '/admin/trunks', { name: 'z', host: 'h' })).json.data;
  const at = api.clock.now;
  const reported: TrunkStateTable = {
    trunkId: id,
    registrationState: 'failed',
    registrationExpiresAt: null,
    healthState: 'down',
    healthCheckedAt: at,
    lastError: '403 Forbidden',
    lastErrorAt: at,
    updatedAt: at,
  };
  await writeTrunkState(api.context.db, { ...reported, healthState: 'up', lastError: null, lastErrorAt: null });
  await writeTrunkState(api.context.db, { ...reported, updatedAt: at + 1 });
  await seedCall(api, api.tenant, { trunkId: id, endedAt: null });
  await seedCall(api, api.tenant, { trunkId: id });
  const { data } = (await api.admin.ask('GET', `/admin/trunks/${id}`)).json;
  const iso = new Date(at).toISOString();
  assert.deepEqual(data.registration, { state: 'failed', expiresAt: null });
  assert.deepEqual(data.health, { state: 'down', checkedAt: iso });
  assert.deepEqual([data.lastError, data.lastErrorAt, data.activeCalls], ['403 Forbidden', iso, 1]);
});

test('a deleted trunk is gone for the API, the engine and the numbers that named it', async () => {
  const own = await startApi();
  try {
    const add = async (name: string) =>
      (await own.admin.ask('POST', '/admin/trunks', { name, host: 'h' })).json.data.id;
    const [first, second] = [await add('first'), await add('second')];
    const { db } = own.context;
    await own.admin.ask('POST', '/admin/inventory', { numbers: [{ phoneNumber: '+12125550100' }], trunkId: first });
    assert.equal((await outboundTrunk(db, null))?.trunkId, first, 'the oldest');
    assert.equal((await outboundTrunk(db, first))?.trunkId, first);
    const deleted = await own.admin.ask('DELETE', `/admin/trunks/${first}`);
    assert.equal(deleted.status, 200);
    assert.equal(deleted.json.data.deletedAt, new Date(own.clock.now).toISOString());
    for (const method of ['GET', 'DELETE'] as const) {
      assert.equal((await own.admin.ask(method, `/admin/trunks/${first}`)).status, 404);
    }
    assert.deepEqual(
      (await listTrunkConfigs(db)).map((trunk) => trunk.id),
      [second],
    );
    assert.equal((await own.admin.ask('GET', '/admin/inventory')).json.data[0]?.trunkId, null);
    assert.equal((await outboundTrunk(db, first))?.trunkId, second);
    assert.equal((await own.tenant.ask('GET', '/admin/trunks')).status, 403);
  } finally {
    await own.close();
  }
});

test('a backup is another trunk in service, and is forgotten with it', async () => {
  const own = await startApi();
  try {
    const add = async (name: string, more: object = {}) =>
      own.admin.ask('POST', '/admin/trunks', { name, host: 'sip.example.com', ...more });
    const backup = (await add('Backup')).json.data.id;
    const first = await add('First', { backupTrunkId: backup });
    assert.equal(first.json.data.backupTrunkId, backup);
    const path = `/admin/trunks/${first.json.data.id}` as const;
    for (const backupTrunkId of ['trk_nobody', first.json.data.id]) {
      const refused = await own.admin.ask('PATCH', path, { backupTrunkId });
      assert.equal(refused.status, 422);
      assert.equal(refused.json.errors?.[0]?.field, 'backupTrunkId');
    }
    await own.admin.ask('DELETE', `/admin/trunks/${backup}`);
    assert.equal((await own.admin.ask('GET', path)).json.data.backupTrunkId, null);
  } finally {
    await own.close();
  }
});

test('how its last ten INVITEs were read, the newest first, for an ADMIN alone; nothing once it is gone', async () => {
  const { id } = (await api.admin.ask('POST', '/admin/trunks', { name: 'z', host: 'h' })).json.data;
  const other = (await api.admin.ask('POST', '/admin/trunks', { name: 'o', host: 'o' })).json.data;
  const reading = { callerReceived: '2025550143', callerNumber: '+12025550143', rule: 'own_number' } as const;
  for (let i = 0; i < 12; i++) {
    const called = { calledReceived: `20255501${10 + i}`, calledNumber: `+120255501${10 + i}` };
    const row = { ...reading, ...called, id: newId('inv'), trunkId: String(id), createdAt: api.clock.now };
    await addReadInvites(api.context.db, { rows: [row] });
    api.clock.advance(5);
  }
  const { data } = (await api.admin.ask('GET', `/admin/trunks/${id}/invites`)).json;
  assert.deepEqual(
    data.map(({ calledReceived }) => calledReceived),
    Array.from({ length: 10 }, (_, i) => `20255501${21 - i}`),
  );
  const { id: _, createdAt: __, ...newest } = data[0] ?? {};
  assert.deepEqual(newest, { ...reading, calledReceived: '2025550121', calledNumber: '+12025550121' });
  assert.deepEqual((await api.admin.ask('GET', `/admin/trunks/${other.id}/invites`)).json.data, []);
  assert.equal((await api.tenant.ask('GET', `/admin/trunks/${id}/invites`)).status, 403);
  await api.admin.ask('DELETE', `/admin/trunks/${id}`);
  assert.equal((await api.admin.ask('GET', `/admin/trunks/${id}/invites`)).status, 404);
  assert.deepEqual(await listReadInvites(api.context.db, String(id)), []);
});
