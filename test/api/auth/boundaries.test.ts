// The bounds of a token: it may not change credentials and people, cross into another environment, or outlive a
// password reset.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startApi, type TestApi } from '../../../bench/rig/api/api.ts';
import {
  bearer,
  logIn,
  mailedCode,
  mailedToken,
  PASSWORD,
  registered,
  signedIn,
} from '../../../bench/rig/api/sign-in.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { adoptTokens } from '../../../db/queries/accounts/sessions.ts';

const dataDir = temporaryFolder('voice-auth');
let api: TestApi;
let staging: TestApi;
before(async () => {
  api = await startApi({ dataDir });
  staging = await startApi({ dataDir, environment: { APP_ENV: 'staging' } });
});
after(async () => {
  await api.close();
  await staging.close();
});

test('a personal access token may do nothing to credentials and people', async () => {
  const session = await signedIn(api);
  const { token, id } = (await api.ask('POST', '/auth/tokens', { name: 'CI' }, bearer(session.token))).json.data;
  const forbidden = [
    ['POST', '/auth/2fa/setup', undefined],
    ['POST', '/auth/2fa/enable', { code: '123456' }],
    ['POST', '/auth/2fa/disable', { password: PASSWORD, code: '123456' }],
    ['GET', '/auth/tokens', undefined],
    ['POST', '/auth/tokens', { name: 'another' }],
    ['DELETE', `/auth/tokens/${id}`, undefined],
    ['GET', '/auth/sessions', undefined],
    ['DELETE', '/auth/sessions', undefined],
    ['DELETE', '/auth/sessions/some', undefined],
    ['POST', '/auth/change-password', { currentPassword: PASSWORD, newPassword: 'another long password' }],
    ['GET', '/account/users', undefined],
    ['POST', '/account/users', { email: 'friend@example.com' }],
    ['DELETE', '/account/users/user_x', undefined],
    // A body at fault is none of its business either.
    ['POST', '/auth/tokens', { nonsense: 1 }],
  ] as const;
  for (const [method, path, body] of forbidden) {
    const answer = await api.ask(method, path, body, bearer(token));
    assert.equal(answer.status, 403, `${method} ${path}`);
    assert.equal(
      answer.text,
      '{"success":false,"error":"This needs a signed-in session","code":"SESSION_REQUIRED"}',
      `${method} ${path}`,
    );
  }
  assert.equal((await api.ask('GET', '/auth/me', undefined, bearer(token))).status, 200);
  assert.equal((await api.ask('GET', '/account', undefined, bearer(token))).status, 200);
  assert.equal((await api.ask('POST', '/auth/2fa/setup', undefined, bearer(session.token))).status, 200);
});

test('refresh and personal access tokens work in the environment that issued them, and in no other', async () => {
  const session = await signedIn(api);
  const { token, id } = (await api.ask('POST', '/auth/tokens', { name: 'CI' }, bearer(session.token))).json.data;
  const there = await staging.ask('POST', '/auth/refresh', { refreshToken: session.refreshToken });
  assert.deepEqual([there.status, there.json.error], [401, 'Invalid token']);
  const byToken = await staging.ask('GET', '/account', undefined, bearer(token));
  assert.deepEqual([byToken.status, byToken.json.error], [401, 'Invalid token']);

  const other = (await logIn(staging, session.email)).json.data;
  assert.deepEqual((await staging.ask('GET', '/auth/tokens', undefined, bearer(other.token))).json.data, []);
  assert.equal((await staging.ask('DELETE', `/auth/tokens/${id}`, undefined, bearer(other.token))).status, 404);
  assert.equal((await api.ask('POST', '/auth/refresh', { refreshToken: other.refreshToken })).status, 401);

  assert.equal((await api.ask('GET', '/account', undefined, bearer(token))).status, 200);
  const here = await api.ask('POST', '/auth/refresh', { refreshToken: session.refreshToken });
  assert.equal(here.status, 200, 'the other environment has not used it up');
  assert.equal((await api.ask('GET', '/auth/me', undefined, bearer(here.json.data.token))).status, 200);
});

test('mailed links and codes work in the environment that sent them, and in no other', async () => {
  const { email } = await registered(api);
  const link = mailedToken(api, email);
  assert.equal((await staging.ask('POST', '/auth/verify-email', { token: link })).status, 400);
  assert.equal((await api.ask('POST', '/auth/verify-email', { token: link })).status, 200);

  const invited = 'invited-elsewhere@example.com';
  assert.equal((await api.tenant.ask('POST', '/account/users', { email: invited })).status, 201);
  const invitation = { token: mailedToken(api, invited), password: PASSWORD };
  assert.equal((await staging.ask('POST', '/auth/accept-invite', invitation)).status, 400);
  assert.equal((await api.ask('POST', '/auth/accept-invite', invitation)).status, 200);

  await api.ask('POST', '/auth/forgot-password', { email });
  const reset = { email, code: mailedCode(api, email), newPassword: 'another fine password' };
  const there = await staging.ask('POST', '/auth/reset-password', reset);
  assert.deepEqual([there.status, there.json.error], [400, 'Invalid or expired reset code']);
  await staging.ask('POST', '/auth/forgot-password', { email });
  assert.equal(
    (await api.ask('POST', '/auth/reset-password', reset)).status,
    200,
    'a newer code elsewhere is no matter',
  );
});

test('tokens from before they were bound belong to the environment that starts first', async () => {
  const session = await signedIn(api);
  const { token } = (await api.ask('POST', '/auth/tokens', { name: 'old' }, bearer(session.token))).json.data;
  for (const table of ['accessTokens', 'refreshTokens', 'oneTimeTokens'] as const)
    await api.context.db.updateTable(table).set({ appEnv: null }).execute();
  assert.equal((await api.ask('GET', '/account', undefined, bearer(token))).status, 401);
  await adoptTokens(staging.context.db, 'staging');
  await adoptTokens(api.context.db, 'development');
  assert.equal((await staging.ask('GET', '/account', undefined, bearer(token))).status, 200);
  assert.equal((await api.ask('GET', '/account', undefined, bearer(token))).status, 401);
  assert.equal((await staging.ask('POST', '/auth/refresh', { refreshToken: session.refreshToken })).status, 200);
});

test('a clock that is set back does not revoke the sessions after a password reset', async () => {
  const user = await signedIn(api);
  await api.ask('POST', '/auth/forgot-password', { email: user.email });
  const newPassword = 'another fine password';
  const code = mailedCode(api, user.email);
  assert.equal((await api.ask('POST', '/auth/reset-password', { email: user.email, code, newPassword })).status, 200);
  const old = await api.ask('GET', '/auth/me', undefined, bearer(user.token));
  assert.deepEqual([old.status, old.json.error], [401, 'Token has been revoked'], 'in the same millisecond');

  api.clock.advance(-10 * 60_000);
  const session = await logIn(api, user.email, newPassword);
  assert.equal(session.status, 200);
  assert.equal((await api.ask('GET', '/auth/me', undefined, bearer(session.json.data.token))).status, 200);
  const next = await api.ask('POST', '/auth/refresh', { refreshToken: session.json.data.refreshToken });
  assert.equal((await api.ask('GET', '/auth/me', undefined, bearer(next.json.data.token))).status, 200);
  assert.equal((await api.ask('GET', '/auth/me', undefined, bearer(user.token))).status, 401);
});
