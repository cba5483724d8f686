// Public keys of web sites, as the account makes, changes, replaces and deletes them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SITE, useWidget } from '../../support/api/widget-lab.ts';

const lab = useWidget();
const { api } = lab;

test('a key names its pages exactly, and has caps where none was said', async () => {
  const key = await lab.key({ origins: ['https://Shop.example:443/', 'http://localhost:3000', SITE] });
  assert.match(key.key, /^pk_[\w-]{32}$/);
  assert.deepEqual(key.origins, ['https://shop.example', 'http://localhost:3000', SITE]);
  assert.deepEqual(key.allows, ['call', 'text']);
  assert.deepEqual(
    [key.callsPerDay, key.minutesPerDay, key.messagesPerDay, key.callsAtOnce, key.isActive],
    [100, 300, 1_000, 5, true],
  );
  assert.deepEqual(key.today, { calls: 0, callsNow: 0, minutes: 0, messages: 0, refused: [] });
});

test('an origin with a path, a star, a name or another scheme is none', async () => {
  const wrong = [
    'https://a.example/shop',
    'https://*.a.example',
    'https://me@a.example',
    'ftp://a.example',
    'a',
    'null',
  ];
  const body = { campaignId: lab.set.campaign.id, name: 'Shop', origins: [SITE, ...wrong] };
  const { status, json } = await api.tenant.ask('POST', '/widget-keys', body);
  assert.equal(status, 422);
  assert.deepEqual(
    json.errors?.map(({ field }) => field),
    wrong.map((_, at) => `origins[${at + 1}]`),
  );
});

test('what a key asks for is refused where it cannot be', async () => {
  const refused = async (changes: object) => {
    const body = { campaignId: lab.set.campaign.id, name: 'Shop', origins: [SITE], ...changes };
    const { status, json } = await api.tenant.ask('POST', '/widget-keys', body);
    return [status, json.errors?.[0]?.field];
  };
  assert.deepEqual(await refused({ campaignId: 'cmp_none' }), [422, 'campaignId']);
  assert.deepEqual(await refused({ allows: [] }), [422, 'allows']);
  assert.deepEqual(await refused({ origins: [] }), [422, 'origins']);
  assert.deepEqual(await refused({ callsPerDay: 0 }), [422, 'callsPerDay']);
  assert.deepEqual(await refused({ expiresAt: '2020-01-01T00:00:00Z' }), [422, 'expiresAt']);
  assert.deepEqual(await refused({ captchaUrl: 'http://captcha.example' }), [422, 'captchaUrl']);
  assert.deepEqual(await refused({ captchaUrl: 'https://127.0.0.1/' }), [422, 'captchaUrl']);
  assert.deepEqual(await refused({ captchaUrl: 'https://169.254.169.254/' }), [422, 'captchaUrl']);
});

test("another account's key is none, and neither is its campaign", async () => {
  const { id } = await lab.key();
  for (const [method, path, body] of [
    ['GET', `/widget-keys/${id}`, undefined],
    ['PATCH', `/widget-keys/${id}`, { callsPerDay: 1 }],
    ['POST', `/widget-keys/${id}/rotate`, {}],
    ['DELETE', `/widget-keys/${id}`, undefined],
  ] as const)
    assert.equal((await api.other.ask(method, path, body)).status, 404, method);
  assert.deepEqual((await api.other.ask('GET', '/widget-keys')).json.data, []);
  const body = { campaignId: lab.set.campaign.id, name: 'Mine', origins: [SITE] };
  assert.equal((await api.other.ask('POST', '/widget-keys', body)).status, 422);
});

test('a change acts at once, and leaves the rest as it was', async () => {
  const { id, key } = await lab.key();
  assert.equal((await lab.visit(key, '')).status, 200);
  const changed = await api.tenant.ask('PATCH', `/widget-keys/${id}`, { isActive: false });
  assert.deepEqual(changed.json.data.origins, [SITE]);
  assert.deepEqual([(await lab.visit(key, '')).status, (await lab.visit(key, '')).code], [403, 'WIDGET_KEY_OFF']);
  await api.tenant.ask('PATCH', `/widget-keys/${id}`, { isActive: true, origins: ['https://other.example'] });
  assert.equal((await lab.visit(key, '')).code, 'ORIGIN_NOT_ALLOWED');
  assert.equal((await lab.visit(key, '', {}, 'https://other.example')).status, 200);
});

test('a replaced key is taken for a while, or not at all', async () => {
  const { id, key } = await lab.key();
  const rotated = (await api.tenant.ask('POST', `/widget-keys/${id}/rotate`, { keepHours: 2 })).json.data;
  assert.notEqual(rotated.key, key);
  assert.equal(rotated.previousKeyUntil, new Date(api.clock.now + 7_200_000).toISOString());
  for (const each of [key, rotated.key]) assert.equal((await lab.visit(each, '')).status, 200);
  api.clock.advance(7_200_001);
  assert.equal((await lab.visit(key, '')).status, 404);
  await api.tenant.ask('POST', `/widget-keys/${id}/rotate`, { keepHours: 0 });
  assert.equal((await lab.visit(rotated.key, '')).status, 404);
});

test('a token that may place no calls makes no key that allows them', async () => {
  const made = await api.tenant.ask('POST', '/auth/tokens', { name: 'Shop', scopes: ['change', 'read'] });
  const authorization = `Bearer ${made.json.data.token}`;
  const ask = (allows: string[]) =>
    api.tenant.ask(
      'POST',
      '/widget-keys',
      { campaignId: lab.set.campaign.id, name: 'Shop', origins: [SITE], allows },
      { authorization },
    );
  assert.equal((await ask(['call'])).json.code, 'SCOPE_MISSING');
  const texts = await ask(['text']);
  assert.equal(texts.status, 201, texts.text);
  const path = `/widget-keys/${texts.json.data.id}`;
  const patched = await api.tenant.ask('PATCH', path, { allows: ['call', 'text'] }, { authorization });
  assert.equal(patched.json.code, 'SCOPE_MISSING');
});

test('what was changed stands in the audit log', async () => {
  const { id } = await lab.key();
  await api.tenant.ask('POST', `/widget-keys/${id}/rotate`, {});
  await api.tenant.ask('DELETE', `/widget-keys/${id}`);
  const { data } = (await api.tenant.ask('GET', '/account/audit-log')).json;
  assert.deepEqual(
    data
      .filter(({ resource }) => resource === 'widget-key')
      .map(({ action, resource, resourceId }) => [action, resource, resourceId])
      .reverse(),
    ['createWidgetKey', 'rotateWidgetKey', 'deleteWidgetKey'].map((action) => [action, 'widget-key', id]),
  );
});
