// Sign-in by an identity provider, against a real one: who comes in, and what a stranger cannot do with what they see.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ProviderDown, SignInProvider } from '../../../../api/auth/provider/provider.ts';
import { readSignInProvider } from '../../../../api/auth/provider/settings.ts';
import { startApi, type TestApi } from '../../../../bench/rig/api/api.ts';
import { bearer } from '../../../../bench/rig/api/sign-in.ts';
import { type Credential, isLiveCredential } from '../../../../db/rules/live-credential.ts';
import { CLIENT, IdentityProvider, type Person } from '../../../support/identity-provider.ts';

const PUBLIC_URL = 'https://voice.example.com';
const provider = new IdentityProvider([`${PUBLIC_URL}/signed-in`]);
let api: TestApi;

before(async () => {
  await provider.listen();
  const environment = {
    ...CLIENT,
    ...{ PUBLIC_URL, OIDC_ISSUER: provider.issuer, OIDC_NAME: 'Example ID' },
    OIDC_ROLES: 'readers=viewer,desk=operator,Team%20Leads=admin,root=installation-admin',
    OIDC_SIGN_OUT: '1',
  };
  api = await startApi({ environment, nowMs: Date.now() });
});
after(async () => {
  await api.close();
  await provider.close();
});

let people = 0;
function person(given: Partial<Person> = {}): Person {
  const name = `p${++people}-${process.pid}`;
  const one = { sub: name, email: `${name}@example.com`, email_verified: true, groups: ['readers'], ...given };
  provider.people.set(one.sub, one);
  return one;
}

async function begin() {
  const answer = await api.ask('POST', '/auth/provider/begin');
  assert.equal(answer.status, 200, answer.text);
  return answer.json.data;
}

const finish = (answer: string, proof: string) => api.ask('POST', '/auth/provider/finish', { answer, proof });

async function signIn(sub: string) {
  const { url, proof } = await begin();
  return finish(await provider.visit(url, sub), proof);
}

async function signedIn(sub: string) {
  const { status, json, text } = await signIn(sub);
  assert.equal(status, 200, text);
  const { user, token, refreshToken } = json.data;
  assert.ok(user && token && refreshToken);
  return { user, token, refreshToken };
}

async function refusedAs(code: string, answer: Promise<{ status: number; text: string; json: unknown }>) {
  const { status, text, json } = await answer;
  assert.equal((json as { code?: string }).code, code, text);
  return { status, error: (json as { error: string }).error };
}

test('somebody whom the provider signs in is a user here, with the rights of their groups', async () => {
  assert.deepEqual((await api.ask('GET', '/auth/provider')).json.data, { provider: 'Example ID', passwords: true });
  const { sub, email } = person();
  const { user, token } = await signedIn(sub);
  assert.deepEqual([user.email, user.role, user.access, user.emailVerified], [email, 'USER', 'viewer', true]);
  const me = await api.ask('GET', '/auth/me', undefined, bearer(token));
  assert.deepEqual(me.json.data, user);
  const [session] = (await api.ask('GET', '/auth/sessions', undefined, bearer(token))).json.data;
  assert.equal(session?.provider, provider.issuer);
  const log = (await api.admin.ask('GET', `/admin/audit-log?actor=${user.id}`)).json.data;
  assert.deepEqual(
    log.map(({ action, resource }) => `${action} ${resource}`),
    ['signInByProvider session', 'userByProvider user'],
  );
});

test('letters of a secret that need no encoding are sent as they are, for providers that decode nothing', async () => {
  await signedIn(person().sub);
  assert.equal(provider.credentials, 'voice-line:a-secret_of.the~voice+line');
});

test('with the session comes the address that ends it at the provider, which leads back here', async () => {
  const { sub } = person();
  const { json } = await signIn(sub);
  const url = new URL(json.data.signOutUrl ?? '');
  assert.equal(url.origin, provider.issuer);
  assert.equal(url.searchParams.get('post_logout_redirect_uri'), `${PUBLIC_URL}/`);
  const [, claims = ''] = url.searchParams.get('id_token_hint')?.split('.') ?? [];
  assert.equal(JSON.parse(Buffer.from(claims, 'base64url').toString()).sub, sub);
  const asked = await fetch(url);
  assert.equal(asked.status, 200, await asked.text());
});

test('the second time it is the same user, also with another address', async () => {
  const one = person();
  const first = await signedIn(one.sub);
  provider.people.set(one.sub, { ...one, email: `renamed-${one.email}` });
  const second = await signedIn(one.sub);
  assert.equal(second.user.id, first.user.id);
});

test('a viewer reads and does nothing else; an operator works; an admin of the account changes it', async () => {
  const may = async (groups: string[]) => {
    const { token } = await signedIn(person({ groups }).sub);
    const status = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
      (await api.ask(method, path, body, bearer(token))).status;
    return {
      reads: await status('GET', '/calls'),
      calls: await status('POST', '/calls', {}),
      listens: await status('POST', '/calls/call_none/listen'),
      works: await status('POST', '/campaigns/cmp_none/pause'),
      contacts: await status('DELETE', '/campaigns/cmp_none/contacts/con_none'),
      changes: await status('PATCH', '/account', {}),
      makesTokens: await status('POST', '/auth/tokens', { name: 'CI' }),
      invites: await status('POST', '/account/users', { email: 'nobody@example.com' }),
      administers: await status('GET', '/admin/accounts'),
      endsOwnSessions: await status('DELETE', '/auth/sessions'),
    };
  };
  const own = { reads: 200, endsOwnSessions: 200 };
  const nothing = { calls: 403, listens: 403, works: 403, contacts: 403 };
  const noChange = { changes: 403, makesTokens: 403, invites: 403, administers: 403 };
  const work = { calls: 422, listens: 404, works: 404, contacts: 404 };
  assert.deepEqual(await may(['readers']), { ...own, ...nothing, ...noChange });
  assert.deepEqual(await may(['readers', 'desk']), { ...own, ...work, ...noChange });
  const change = { changes: 200, makesTokens: 201, invites: 201 };
  assert.deepEqual(await may(['Team Leads']), { ...own, ...work, ...change, administers: 403 });
  assert.deepEqual(await may(['root', 'readers']), { ...own, ...work, ...change, administers: 200 });
});

test('a group that is gone takes its rights at the next sign-in, of tokens and other sessions too', async () => {
  const one = person({ groups: ['root'] });
  const { token, user } = await signedIn(one.sub);
  const made = await api.ask('POST', '/auth/tokens', { name: 'CI' }, bearer(token));
  assert.equal(made.status, 201);
  provider.people.set(one.sub, { ...one, groups: ['readers'] });
  assert.equal((await signedIn(one.sub)).user.access, 'viewer');
  assert.equal((await api.ask('PATCH', '/account', {}, bearer(token))).status, 403);
  assert.equal((await api.ask('GET', '/admin/accounts', undefined, bearer(token))).status, 403);
  assert.equal((await api.ask('GET', '/account', undefined, bearer(made.json.data.token))).status, 401);
  const log = (await api.admin.ask('GET', `/admin/audit-log?actor=${user.id}&action=rightsByProvider`)).json.data;
  assert.equal(log.length, 1);
  provider.people.set(one.sub, { ...one, groups: ['others'] });
  const { error } = await refusedAs('PROVIDER_REFUSED', signIn(one.sub));
  assert.match(error, /None of your groups/);
});

test('a call that an operator listens to is closed to them with the right', async () => {
  const one = person({ groups: ['desk'] });
  const { user, token } = await signedIn(one.sub);
  const [session] = (await api.ask('GET', '/auth/sessions', undefined, bearer(token))).json.data;
  const held: Credential = {
    ...{ accountId: user.accountId, userId: user.id, kind: 'session', tokenId: 'jti', familyId: session?.id ?? '' },
    ...{ generation: 0, needs: 'call' },
  };
  const isLive = () => isLiveCredential(api.context.read, held, api.clock.now);
  assert.equal(await isLive(), true);
  provider.people.set(one.sub, { ...one, groups: ['readers'] });
  await signedIn(one.sub);
  assert.equal(await isLive(), false);
});

test('what comes back is worth nothing twice, in another browser, with another state, or after ten minutes', async () => {
  const { sub } = person();
  const mine = await begin();
  const stranger = await begin();
  const answer = await provider.visit(mine.url, sub);
  await refusedAs('PROVIDER_SIGN_IN_INVALID', finish(answer, stranger.proof));
  await refusedAs('PROVIDER_SIGN_IN_INVALID', finish(answer, 'made up'));
  const state = new URLSearchParams(answer);
  state.set('state', 'another');
  await refusedAs('PROVIDER_SIGN_IN_INVALID', finish(state.toString(), mine.proof));
  assert.equal((await finish(answer, mine.proof)).status, 200);
  await refusedAs('PROVIDER_SIGN_IN_INVALID', finish(answer, mine.proof));
  const late = await begin();
  const lateAnswer = await provider.visit(late.url, sub);
  api.clock.advance(10 * 60_000);
  await refusedAs('PROVIDER_SIGN_IN_INVALID', finish(lateAnswer, late.proof));
});

test('of two uses at the same moment one signs in', async () => {
  const { url, proof } = await begin();
  const answer = await provider.visit(url, person().sub);
  const statuses = await Promise.all([finish(answer, proof), finish(answer, proof)]);
  assert.deepEqual(statuses.map(({ status }) => status).sort(), [200, 401]);
});

test('the code of another sign-in is refused: its nonce and verifier are others', async () => {
  const { sub } = person();
  const [mine, lured] = [await begin(), await begin()];
  const stolen = new URLSearchParams(await provider.visit(lured.url, sub));
  const own = new URLSearchParams(await provider.visit(mine.url, sub));
  own.set('code', stolen.get('code') ?? '');
  const { error } = await refusedAs('PROVIDER_REFUSED', finish(own.toString(), mine.proof));
  assert.equal(error, 'The provider refused it: invalid_grant');
});

test('an ID token whose nonce is another is refused', async () => {
  const { url, proof } = await begin();
  const changed = new URL(url);
  changed.searchParams.set('nonce', 'of somebody else');
  const answer = await provider.visit(changed.href, person().sub);
  await refusedAs('PROVIDER_SIGN_IN_INVALID', finish(answer, proof));
});

test('a person who declines, or comes back with nothing, is told so', async () => {
  const { url, proof } = await begin();
  const declined = await provider.visit(url, '');
  assert.match(declined, /error=access_denied/);
  const { error } = await refusedAs('PROVIDER_REFUSED', finish(declined, proof));
  assert.equal(error, 'The provider refused it: access_denied');
  assert.equal((await finish('', (await begin()).proof)).status, 422);
});

test('an address that is not verified, or is taken, makes nobody; nor does a verified one take a user over', async () => {
  const unverified = person({ email_verified: false });
  const first = await refusedAs('PROVIDER_REFUSED', signIn(unverified.sub));
  assert.match(first.error, /verified/);
  const silent = person();
  provider.people.set(silent.sub, { sub: silent.sub, email: silent.email ?? '', groups: ['readers'] });
  await refusedAs('PROVIDER_REFUSED', signIn(silent.sub));
  const taken = person({ email: api.tenant.email });
  const second = await refusedAs('PROVIDER_REFUSED', signIn(taken.sub));
  assert.match(second.error, /here already/);
});

test('the browser is sent on to the sign-in page, with what it brought in the hash', async () => {
  const answer = await api.inject({ method: 'GET', url: '/signed-in?code=a%26b&state=c' });
  assert.equal(answer.status, 302);
  assert.equal(answer.headers.location, './#/sign-in?answer=code%3Da%2526b%26state%3Dc');
  assert.equal(answer.headers['referrer-policy'], 'no-referrer');
});

test('a session of the provider ends after its hours however often it is renewed', async () => {
  const { user, token, refreshToken } = await signedIn(person().sub);
  const [session] = (await api.ask('GET', '/auth/sessions', undefined, bearer(token))).json.data;
  assert.ok(session);
  // As a stream holds it that was opened meanwhile.
  const held: Credential = {
    ...{ accountId: user.accountId, userId: user.id, kind: 'session', tokenId: 'jti', familyId: session.id },
    ...{ generation: 0, endsAt: Date.parse(session.expiresAt) },
  };
  const isLive = () => isLiveCredential(api.context.read, held, api.clock.now);
  const renew = (given: string) => api.ask('POST', '/auth/refresh', { refreshToken: given });
  let pair = { token, refreshToken };
  for (let hour = 0; hour < 11; hour++) {
    api.clock.advance(60 * 60_000);
    const renewed = await renew(pair.refreshToken);
    assert.equal(renewed.status, 200, `hour ${hour}`);
    pair = renewed.json.data;
  }
  api.clock.advance(55 * 60_000);
  pair = (await renew(pair.refreshToken)).json.data;
  assert.equal((await api.ask('GET', '/auth/me', undefined, bearer(pair.token))).status, 200);
  assert.equal(await isLive(), true);
  api.clock.advance(5 * 60_000 + 1);
  assert.equal(await isLive(), false);
  assert.equal((await api.ask('GET', '/auth/me', undefined, bearer(pair.token))).status, 401);
  assert.equal((await renew(pair.refreshToken)).status, 401);
});

test('keys that were replaced a moment ago are asked for anew', async () => {
  const one = person();
  await signedIn(one.sub);
  provider.replaceKeys();
  await signedIn(one.sub);
});

test('while the provider is away its sign-in says so, and passwords go on; then it is asked again', async () => {
  const { url, proof } = await begin();
  const answer = await provider.visit(url, person().sub);
  await provider.close();
  const { error } = await refusedAs('PROVIDER_DOWN', finish(answer, proof));
  assert.match(error, /^Example ID cannot be asked/);
  await provider.listen();
  await signedIn(person().sub);
  const broken = await begin();
  const brokenAnswer = await provider.visit(broken.url, person().sub);
  provider.mode = 'broken';
  await refusedAs('PROVIDER_DOWN', finish(brokenAnswer, broken.proof));
  provider.mode = 'up';
  await signedIn(person().sub);
});

test('a provider that cannot be described begins nothing, and is asked again the next time', async () => {
  const settings = readSignInProvider(
    { ...CLIENT, OIDC_ISSUER: provider.issuer, OIDC_DEFAULT_ROLE: 'viewer' },
    'staging',
  );
  assert.ok(settings);
  const fresh = new SignInProvider(settings, { withinMs: 200 });
  const proof = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) };
  const address = () => fresh.addressFor('https://voice.example.com/signed-in', proof);
  provider.mode = 'broken';
  await assert.rejects(address, /unexpected/);
  const before = provider.asked.length;
  provider.mode = 'silent';
  await assert.rejects(address, ProviderDown);
  assert.equal(provider.asked.length, before + 1, 'after a silence nobody waits for another');
  provider.mode = 'up';
  assert.match(await address(), /code_challenge_method=S256/);
  const asked = provider.asked.length;
  await address();
  assert.equal(provider.asked.length, asked, 'its description is kept');
});

test('sign-ins that come to nothing are counted by network, and the next ones wait', async () => {
  const from = (remoteAddress: string) =>
    api.inject({
      method: 'POST',
      url: '/api/v1/auth/provider/finish',
      payload: { answer: 'state=a', proof: 'made up' },
      remoteAddress,
    });
  const statuses: number[] = [];
  for (let n = 0; n < 21; n++) statuses.push((await from('198.51.100.77')).status);
  assert.deepEqual([statuses[0], statuses[19], statuses[20]], [401, 401, 429]);
  assert.equal((await from('198.51.101.1')).status, 401);
});
