// The first sign-in by the identity provider, and passwords beside it: by which rules somebody is a user who is here
// already, and what remains of passwords where they are off.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startApi, type TestApi, type TestApiOptions } from '../../../../../bench/rig/api/api.ts';
import { bearer, logIn, mailedToken, PASSWORD, signedIn, verified } from '../../../../../bench/rig/api/sign-in.ts';
import { updateUser } from '../../../../../db/queries/accounts/users.ts';
import { CLIENT, IdentityProvider, type Person } from '../../../../support/identity-provider.ts';
import { totp } from '../../../../support/totp.ts';

const PUBLIC_URL = 'https://voice.example.com';
const provider = new IdentityProvider([`${PUBLIC_URL}/signed-in`]);
const apis: TestApi[] = [];

before(() => provider.listen());
after(async () => {
  for (const api of apis) await api.close();
  await provider.close();
});

async function start(more: Record<string, string>, options: TestApiOptions = {}): Promise<TestApi> {
  const environment = { ...CLIENT, PUBLIC_URL, OIDC_ISSUER: provider.issuer, OIDC_ROLES: 'readers=viewer', ...more };
  const api = await startApi({ ...options, environment, nowMs: Date.now() });
  apis.push(api);
  return api;
}

let people = 0;
function person(given: Partial<Person> = {}): Person {
  const name = `q${++people}-${process.pid}`;
  const one = { sub: name, email: `${name}@example.com`, email_verified: true, groups: ['readers'], ...given };
  provider.people.set(one.sub, one);
  return one;
}

async function signIn(api: TestApi, { sub }: Person) {
  const begun = await api.ask('POST', '/auth/provider/begin');
  assert.equal(begun.status, 200, begun.text);
  const { url, proof } = begun.json.data;
  return api.ask('POST', '/auth/provider/finish', { answer: await provider.visit(url, sub), proof });
}

test('where addresses link, a verified one is the user who is here, once, and nobody else is any more', async () => {
  const api = await start({ OIDC_LINK_BY_EMAIL: '1' });
  const user = await signedIn(api);
  const made = await api.ask('POST', '/auth/tokens', { name: 'CI' }, bearer(user.token));
  const linked = await signIn(api, person({ email: user.email.toUpperCase() }));
  assert.equal(linked.status, 200, linked.text);
  assert.deepEqual([linked.json.data.user?.id, linked.json.data.user?.access], [user.userId, 'viewer']);
  // The rights of now are those of the groups, by whichever way one comes.
  const { token } = linked.json.data;
  assert.equal((await api.ask('PATCH', '/account', {}, bearer(token ?? ''))).status, 403);
  // Another may have registered the address, and had its owner verify it.
  for (const old of [user.token, made.json.data.token])
    assert.equal((await api.ask('GET', '/account', undefined, bearer(old))).status, 401);
  assert.equal((await logIn(api, user.email)).json.code, 'INVALID_CREDENTIALS');
  // Another person with the same address is nobody.
  const second = await signIn(api, person({ email: user.email }));
  assert.deepEqual([second.status, second.json.code], [403, 'PROVIDER_REFUSED']);
  const unverified = await signIn(api, person({ email: (await verified(api)).email, email_verified: false }));
  assert.equal(unverified.status, 403);
});

test('no address is that of an ADMIN of the installation, and no unaccepted invitation is in the way', async () => {
  const api = await start({ OIDC_LINK_BY_EMAIL: '1' });
  const admin = await signIn(api, person({ email: api.admin.email }));
  assert.deepEqual([admin.status, admin.json.code], [403, 'PROVIDER_REFUSED']);
  const invited = person();
  const invitation = await api.tenant.ask('POST', '/account/users', { email: invited.email });
  assert.equal(invitation.status, 201);
  const entered = await signIn(api, invited);
  assert.equal(entered.json.data.user?.accountId, api.admin.accountId);
  const late = { token: mailedToken(api, invited.email ?? ''), password: PASSWORD };
  assert.equal((await api.ask('POST', '/auth/accept-invite', late)).status, 400);
});

test('a sign-in by password that waits for its second factor ends when the user becomes somebody of the provider', async () => {
  const api = await start({ OIDC_LINK_BY_EMAIL: '1' });
  const user = await signedIn(api);
  const { secret } = (await api.ask('POST', '/auth/2fa/setup', undefined, bearer(user.token))).json.data;
  await api.ask('POST', '/auth/2fa/enable', { code: totp(secret, api.clock.now) }, bearer(user.token));
  const { pendingToken } = (await logIn(api, user.email)).json.data;
  assert.ok(pendingToken);
  assert.equal((await signIn(api, person({ email: user.email }))).status, 200);
  api.clock.advance(60_000);
  const late = await api.ask('POST', '/auth/verify-2fa', { pendingToken, code: totp(secret, api.clock.now) });
  assert.deepEqual([late.status, late.json.code], [401, 'SECOND_FACTOR_FAILED']);
});

test('the installation is given to people of its own account, and to nobody whom a tenant has invited', async () => {
  const api = await start({ OIDC_LINK_BY_EMAIL: '1', OIDC_ROLES: 'root=installation-admin' });
  const invited = await signedIn(api);
  const elsewhere = await signIn(api, person({ email: invited.email, groups: ['root'] }));
  const { user } = elsewhere.json.data;
  assert.deepEqual([user?.id, user?.role, user?.access], [invited.userId, 'USER', 'admin']);
  const { role } = (await signIn(api, person({ groups: ['root'] }))).json.data.user ?? assert.fail();
  assert.equal(role, 'ADMIN');
});

test('a registration that nobody verified is in nobody’s way, and its password is worth nothing', async () => {
  const api = await start({ REGISTRATION: 'open' });
  const one = person();
  const registered = await api.ask('POST', '/auth/register', { email: one.email, password: PASSWORD });
  assert.equal(registered.status, 201, registered.text);
  const link = mailedToken(api, one.email ?? '');
  const entered = await signIn(api, one);
  assert.equal(entered.status, 200, entered.text);
  assert.equal(entered.json.data.user?.accountId, api.admin.accountId);
  assert.equal((await api.ask('POST', '/auth/verify-email', { token: link })).status, 400);
  assert.equal((await logIn(api, one.email ?? '')).json.code, 'INVALID_CREDENTIALS');
  const accounts = (await api.admin.ask('GET', '/admin/accounts?limit=100')).json.data;
  assert.ok(!accounts.some(({ name }) => name === one.email), 'nothing of it remains');
});

test('an id that no provider gives makes nobody', async () => {
  const api = await start({});
  for (const sub of ['x'.repeat(256), 'a\u0000b'])
    assert.match((await signIn(api, person({ sub }))).json.error ?? '', /an id that is none/);
});

test('a second factor that a user has here is asked for, and the session after it is of the provider', async () => {
  const api = await start({ OIDC_LINK_BY_EMAIL: '1' });
  const user = await signedIn(api);
  const { secret } = (await api.ask('POST', '/auth/2fa/setup', undefined, bearer(user.token))).json.data;
  const enabled = await api.ask('POST', '/auth/2fa/enable', { code: totp(secret, api.clock.now) }, bearer(user.token));
  assert.equal(enabled.status, 200, enabled.text);
  const { json } = await signIn(api, person({ email: user.email }));
  assert.deepEqual([json.data.requires2FA, json.data.token], [true, undefined]);
  api.clock.advance(60_000);
  const code = totp(secret, api.clock.now);
  const passed = await api.ask('POST', '/auth/verify-2fa', { pendingToken: json.data.pendingToken, code });
  assert.equal(passed.status, 200, passed.text);
  const sessions = (await api.ask('GET', '/auth/sessions', undefined, bearer(passed.json.data.token))).json.data;
  assert.deepEqual(
    sessions.map((each) => each.provider),
    [provider.issuer],
  );
  assert.equal(Date.parse(sessions[0]?.expiresAt ?? '') - api.clock.now, 12 * 3_600_000);
});

test('nobody is made where that is off, nor in an account that there is not', async () => {
  const closed = await start({ OIDC_CREATE_USERS: '0' });
  assert.match((await signIn(closed, person())).json.error ?? '', /no user here yet/);
  const lost = await start({ OIDC_ACCOUNT: 'acc_none' });
  assert.match((await signIn(lost, person())).json.error ?? '', /OIDC_ACCOUNT/);
});

test('others than those of a domain are not let in', async () => {
  const api = await start({ OIDC_DOMAINS: 'example.org, example.net' });
  assert.equal((await signIn(api, person({ email: 'kim@EXAMPLE.net' }))).status, 200);
  for (const email of [
    'kim@example.com',
    'kim@sub.example.net',
    'kim@example.net.example.com',
    'x@example.net@example.com',
  ])
    assert.equal((await signIn(api, person({ email }))).status, 403, email);
});

test('an address of which the provider says nothing counts where that is trusted, a denied one never', async () => {
  const api = await start({ OIDC_TRUST_EMAIL: '1' });
  const silent = person();
  provider.people.set(silent.sub, { sub: silent.sub, email: silent.email ?? '', groups: ['readers'] });
  assert.equal((await signIn(api, silent)).status, 200);
  assert.equal((await signIn(api, person({ email_verified: false }))).status, 403);
});

test('where passwords are off, only an ADMIN has one, nobody registers, and the page is told', async () => {
  const api = await start({ OIDC_ONLY: '1', REGISTRATION: 'open' });
  assert.deepEqual((await api.ask('GET', '/auth/provider')).json.data, {
    provider: 'your organisation',
    passwords: false,
  });
  const registering = await api.ask('POST', '/auth/register', { email: 'new@example.com', password: PASSWORD });
  assert.equal(registering.json.code, 'REGISTRATION_CLOSED');
  const passwordHash = await api.context.passwords.hash(PASSWORD);
  for (const { userId } of [api.tenant, api.admin]) await updateUser(api.context.db, userId, { passwordHash });
  assert.equal((await logIn(api, api.tenant.email)).json.code, 'PASSWORDS_OFF');
  assert.equal((await logIn(api, api.tenant.email, 'a wrong password')).json.code, 'INVALID_CREDENTIALS');
  assert.equal((await logIn(api, api.admin.email)).status, 200);
  const change = { currentPassword: PASSWORD, newPassword: 'another long password' };
  assert.equal((await api.tenant.ask('POST', '/auth/change-password', change)).json.code, 'PASSWORDS_OFF');
});

test('a user whom the provider made gets no password by mail, and is gone with the user', async () => {
  const api = await start({});
  const one = person();
  const { user } = (await signIn(api, one)).json.data;
  assert.equal(user?.hasPassword, false);
  assert.equal((await api.ask('POST', '/auth/forgot-password', { email: one.email })).status, 200);
  assert.deepEqual(api.mails, []);
  assert.equal((await api.admin.ask('DELETE', `/account/users/${user?.id ?? ''}`)).status, 200);
  const again = (await signIn(api, one)).json.data.user;
  assert.notEqual(again?.id, user?.id);
});
