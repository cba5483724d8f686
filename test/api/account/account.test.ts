// The account, its minutes by its own calendar, its users, and what an ADMIN changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removeUser } from '../../../api/account/users.ts';
import type { Auth } from '../../../api/frame/app.ts';
import { startApi } from '../../../bench/rig/api/api.ts';
import { bearer, logIn, mailedToken } from '../../../bench/rig/api/sign-in.ts';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi({ nowMs: Date.UTC(2026, 10, 30, 23, 30) });

const use = (accountId: string, month: string, seconds: number) =>
  api.context.db.insertInto('accountUsage').values({ accountId, month, seconds }).execute();

test('minutes are those of the month in the account’s timezone, with fractions', async () => {
  const tenant = await api.newTenant();
  await use(tenant.accountId, '2026-11', 90);
  await use(tenant.accountId, '2026-12', 61);
  const utc = await tenant.ask('GET', '/account');
  assert.deepEqual(utc.json.data.minutes, { used: 1.5, limit: 500, resetsAt: '2026-12-01T00:00:00.000Z' });
  // Half an hour before midnight UTC it is December in Berlin.
  const berlin = await tenant.ask('PATCH', '/account', { timezone: 'Europe/Berlin', name: 'Ada GmbH' });
  assert.equal(berlin.status, 200);
  assert.deepEqual(berlin.json.data.minutes, { used: 61 / 60, limit: 500, resetsAt: '2026-12-31T23:00:00.000Z' });
  assert.equal(berlin.json.data.name, 'Ada GmbH');
});

test('plan, overage and minutes are read-only there; a record may be sent back whole', async () => {
  const tenant = await api.newTenant();
  const record = (await tenant.ask('GET', '/account')).json.data;
  const answer = await tenant.ask('PATCH', '/account', { ...record, plan: 'ENTERPRISE', overageEnabled: true });
  assert.deepEqual([answer.status, answer.json.data], [200, record]);
});

test('a zone that is none, and a campaign that is missing or foreign, are 422 on their field', async () => {
  for (const [body, field] of [
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ timezone: '' }, 'timezone'],
    [{ defaultCampaignId: 'cmp_none' }, 'defaultCampaignId'],
    [{ name: '' }, 'name'],
    [{ colour: 'red' }, 'colour'],
  ] as const) {
    const answer = await api.tenant.ask('PATCH', '/account', body);
    assert.deepEqual([answer.status, answer.json.errors?.map((error) => error.field)], [422, [field]]);
  }
});

test('plan and overage are an ADMIN’s to change; others are told 403', async () => {
  const tenant = await api.newTenant();
  const path = `/admin/accounts/${tenant.accountId}` as const;
  const refused = await tenant.ask('PATCH', path, { plan: 'PRO' });
  assert.deepEqual(refused.json, {
    success: false,
    error: 'Insufficient permissions',
    code: 'INSUFFICIENT_PERMISSIONS',
  });
  assert.equal((await tenant.ask('GET', '/admin/accounts')).status, 403);
  const changed = await api.admin.ask('PATCH', path, { plan: 'ENTERPRISE', overageEnabled: true });
  assert.equal(changed.status, 200);
  assert.deepEqual([changed.json.data.minutes.limit, changed.json.data.overageEnabled], [null, true]);
  assert.equal((await tenant.ask('GET', '/auth/me')).json.data.plan, 'ENTERPRISE');
  assert.equal((await api.admin.ask('PATCH', '/admin/accounts/acc_none', { plan: 'PRO' })).status, 404);
  const list = await api.admin.ask('GET', '/admin/accounts?limit=1');
  assert.deepEqual([list.json.data[0]?.id, list.json.pagination.hasNext], [tenant.accountId, true]);
});

test('of two users who remove each other at once one stays', async () => {
  const owner = await api.newTenant();
  await owner.ask('POST', '/account/users', { email: 'eve@example.com' });
  const token = mailedToken(api, 'eve@example.com');
  await api.ask('POST', '/auth/accept-invite', { token, password: 'twelve letters' });
  const eve = (await logIn(api, 'eve@example.com', 'twelve letters')).json.data;
  // Her request was let in before she was removed.
  const { accountId } = owner;
  const ids = { accountId, userId: eve.user.id, tokenId: 'jti', familyId: 'f', generation: 0, endsAt: null };
  const session: Auth = { ...ids, role: 'USER', scopes: ['change'], kind: 'session', expiresAt: null, seen: '' };
  assert.equal((await owner.ask('DELETE', `/account/users/${eve.user.id}`)).status, 200);
  await assert.rejects(removeUser(api.context, session, owner.userId), { code: 'TOKEN_REVOKED' });
  assert.equal((await owner.ask('GET', '/account/users')).json.pagination.total, 1);
});

test('an invited user sets a password by the link, sees the same account, and is removed with all access', async () => {
  const owner = await api.newTenant();
  const invited = await owner.ask('POST', '/account/users', { email: 'Bob@Example.com' });
  assert.equal(invited.status, 201);
  assert.deepEqual([invited.json.data.email, invited.json.data.emailVerified], ['bob@example.com', false]);
  assert.equal((await logIn(api, 'bob@example.com', 'twelve letters')).status, 401);

  const first = mailedToken(api, 'bob@example.com');
  assert.equal((await owner.ask('POST', '/account/users', { email: 'bob@example.com' })).status, 201, 'a new link');
  const accept = (token: string) => api.ask('POST', '/auth/accept-invite', { token, password: 'twelve letters' });
  assert.equal((await accept(first)).status, 400, 'the new link replaced it');
  const token = mailedToken(api, 'bob@example.com');
  assert.equal((await accept(token)).status, 200);
  assert.equal((await accept(token)).status, 400);
  assert.equal((await owner.ask('POST', '/account/users', { email: 'bob@example.com' })).status, 409);
  assert.equal((await api.other.ask('POST', '/account/users', { email: 'bob@example.com' })).status, 409);

  const session = await logIn(api, 'bob@example.com', 'twelve letters');
  assert.equal(session.status, 200);
  const bob = bearer(session.json.data.token);
  assert.equal((await api.ask('GET', '/account', undefined, bob)).json.data.id, owner.accountId);
  const pat = (await api.ask('POST', '/auth/tokens', { name: 'x' }, bob)).json.data.token;
  assert.equal((await owner.ask('GET', '/account/users')).json.pagination.total, 2);

  const bobId = session.json.data.user.id;
  const self = await api.ask('DELETE', `/account/users/${bobId}`, undefined, bob);
  assert.deepEqual([self.status, self.json.error], [409, 'You cannot remove yourself']);
  const foreign = await api.other.ask('DELETE', `/account/users/${bobId}`);
  assert.deepEqual([foreign.status, foreign.json.error], [404, 'User not found']);
  assert.equal((await owner.ask('DELETE', `/account/users/${bobId}`)).status, 200);
  for (const token of [session.json.data.token, pat]) {
    assert.equal((await api.ask('GET', '/account', undefined, bearer(token))).json.error, 'Token has been revoked');
  }
  assert.equal((await api.ask('POST', '/auth/refresh', { refreshToken: session.json.data.refreshToken })).status, 401);
});

test('with REGISTRATION=invite nobody registers, but invitations work', async () => {
  const closed = await startApi({ environment: { REGISTRATION: 'invite' } });
  try {
    const body = { email: 'x@example.com', password: 'twelve letters' };
    assert.equal((await closed.ask('POST', '/auth/register', body)).status, 403);
    assert.equal((await closed.tenant.ask('POST', '/account/users', { email: 'x@example.com' })).status, 201);
  } finally {
    await closed.close();
  }
});

test('how far the set-up has come is kept; a step that is none is 422, and an older record gains what it lacks', async () => {
  const setup = {
    step: 'voice',
    skipped: ['website'],
    website: 'https://salon.example',
    language: 'de',
    country: 'DE',
    businessId: 'biz_1',
    agentId: null,
    campaignId: null,
  } as const;
  const read = async () => (await api.tenant.ask('GET', '/account')).json.data.setup;
  assert.equal(await read(), null);
  await api.tenant.ask('PATCH', '/account', { setup: { ...setup, skipped: ['website'] } });
  assert.deepEqual(await read(), setup);
  const wrong = await api.tenant.ask('PATCH', '/account', { setup: { ...setup, step: 'lunch' } });
  assert.equal(wrong.status, 422);
  await api.context.db.updateTable('accounts').set({ setup: '{"step":"talk"}' }).execute();
  assert.deepEqual(
    { ...(await read()) },
    { ...setup, step: 'talk', skipped: [], website: null, language: null, country: null, businessId: null },
  );
  await api.tenant.ask('PATCH', '/account', { setup: null });
  assert.equal(await read(), null);
});
