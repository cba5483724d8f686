// Two-factor authentication and forgotten passwords, with codes as an app and a mail would give them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionTokens } from '../../../api/auth/session-tokens.ts';
import { passFirstFactor } from '../../../api/auth/sessions.ts';
import { bearer, logIn, mailedCode, PASSWORD, signedIn } from '../../../bench/rig/api/sign-in.ts';
import { revokeSessions } from '../../../db/queries/accounts/sessions.ts';
import { findUserByEmail } from '../../../db/queries/accounts/users.ts';
import { useApi } from '../../support/api/use-api.ts';
import { totp } from '../../support/totp.ts';

const api = useApi();

const MINUTE = 60_000;

const wrongCode = (right: string) => String((Number(right) + 500_000) % 1_000_000).padStart(6, '0');

async function withSecondFactor() {
  const session = await signedIn(api);
  const headers = bearer(session.token);
  const { secret, otpauthUrl } = (await api.ask('POST', '/auth/2fa/setup', undefined, headers)).json.data;
  assert.match(otpauthUrl, /^otpauth:\/\/totp\/.*secret=/);
  const bad = await api.ask('POST', '/auth/2fa/enable', { code: wrongCode(totp(secret, api.clock.now)) }, headers);
  assert.equal(bad.status, 400);
  const enabled = await api.ask('POST', '/auth/2fa/enable', { code: totp(secret, api.clock.now) }, headers);
  assert.equal(enabled.status, 200, enabled.text);
  const recoveryCodes: string[] = enabled.json.data.recoveryCodes;
  assert.equal(new Set(recoveryCodes).size, 10);
  api.clock.advance(MINUTE);
  return { ...session, headers, secret, recoveryCodes };
}

async function pending(email: string): Promise<string> {
  const answer = await logIn(api, email);
  assert.equal(answer.status, 200);
  assert.deepEqual(Object.keys(answer.json.data), ['requires2FA', 'pendingToken']);
  assert.equal(answer.json.data.requires2FA, true);
  return answer.json.data.pendingToken;
}

const verify = (pendingToken: string, code: string) => api.ask('POST', '/auth/verify-2fa', { pendingToken, code });

test('a login with two factors is a pending token, then a code; each code is good once', async () => {
  const user = await withSecondFactor();
  const code = totp(user.secret, api.clock.now);
  const first = await api.ask('POST', '/auth/verify-2fa', { pendingToken: await pending(user.email), code });
  assert.equal(first.status, 200, first.text);
  assert.deepEqual(Object.keys(first.json.data), ['user', 'token', 'refreshToken']);
  const second = await pending(user.email);
  const replayed = await verify(second, code);
  assert.deepEqual([replayed.status, replayed.json.error], [401, 'Invalid or expired code']);
  api.clock.advance(30_000);
  assert.equal((await verify(second, totp(user.secret, api.clock.now))).status, 200);
  api.clock.advance(30_000);
  assert.equal((await verify(second, totp(user.secret, api.clock.now))).status, 401, 'a pending token is used up');
});

test('a password that is replaced while it is checked opens no wait for the second factor', async () => {
  const { email } = await withSecondFactor();
  const { db, now } = api.context;
  const user = await findUserByEmail(db, email);
  assert.ok(user);
  await revokeSessions(db, user.id, now());
  const device = { address: '192.0.2.7', userAgent: null };
  await assert.rejects(passFirstFactor(api.context, {} as SessionTokens, user, device), {
    code: 'INVALID_CREDENTIALS',
  });
  const waits = db.selectFrom('oneTimeTokens').selectAll().where('userId', '=', user.id);
  assert.deepEqual(await waits.where('kind', '=', 'pending-2fa').execute(), []);
});

test('one step either side is taken, two are not', async () => {
  const user = await withSecondFactor();
  assert.equal((await verify(await pending(user.email), totp(user.secret, api.clock.now - 60_000))).status, 401);
  assert.equal((await verify(await pending(user.email), totp(user.secret, api.clock.now + 60_000))).status, 401);
  assert.equal((await verify(await pending(user.email), totp(user.secret, api.clock.now - 30_000))).status, 200);
  assert.equal((await verify(await pending(user.email), totp(user.secret, api.clock.now + 30_000))).status, 200);
});

test('a recovery code stands in once, typed with or without case and dash', async () => {
  const user = await withSecondFactor();
  const code = (user.recoveryCodes[3] ?? '').toUpperCase().replace('-', ' ');
  assert.equal((await verify(await pending(user.email), code)).status, 200);
  assert.equal((await verify(await pending(user.email), code)).status, 401);
  const stored = await api.context.db
    .selectFrom('recoveryCodes')
    .selectAll()
    .where('userId', '=', user.userId)
    .execute();
  assert.equal(stored.length, 10);
  for (const plain of user.recoveryCodes) assert.equal(JSON.stringify(stored).includes(plain), false);
});

test('a pending token lives five tries and five minutes, and is no bearer token', async () => {
  const user = await withSecondFactor();
  const token = await pending(user.email);
  const bad = wrongCode(totp(user.secret, api.clock.now));
  for (let i = 0; i < 5; i++) assert.equal((await verify(token, bad)).status, 401);
  assert.equal((await verify(token, totp(user.secret, api.clock.now))).status, 401);
  const late = await pending(user.email);
  assert.equal((await api.ask('GET', '/auth/me', undefined, bearer(late))).json.error, 'Invalid token');
  api.clock.advance(5 * MINUTE);
  assert.equal((await verify(late, totp(user.secret, api.clock.now))).status, 401);
});

test('guessing second factors over ever new pending logins is locked', async () => {
  const user = await withSecondFactor();
  const statuses: number[] = [];
  for (let i = 0; i < 21; i++) {
    statuses.push((await verify(await pending(user.email), wrongCode(totp(user.secret, api.clock.now)))).status);
  }
  assert.deepEqual(statuses, [...Array(20).fill(401), 423]);
});

test('disabling needs the password and a code', async () => {
  const user = await withSecondFactor();
  const code = totp(user.secret, api.clock.now);
  const body = { password: PASSWORD, code };
  const badPassword = await api.ask('POST', '/auth/2fa/disable', { ...body, password: 'wrong' }, user.headers);
  const badCode = await api.ask('POST', '/auth/2fa/disable', { ...body, code: wrongCode(code) }, user.headers);
  assert.deepEqual([badPassword.status, badCode.status], [400, 400]);
  assert.equal((await api.ask('POST', '/auth/2fa/disable', body, user.headers)).status, 200);
  assert.equal((await logIn(api, user.email)).json.data.requires2FA, undefined);
});

test('a forgotten password: one answer for all, a code by mail, all sessions end', async () => {
  const user = await signedIn(api);
  const mails = api.mails.length;
  const unknown = await api.ask('POST', '/auth/forgot-password', { email: 'stranger@example.com' });
  assert.equal(api.mails.length, mails);
  const known = await api.ask('POST', '/auth/forgot-password', { email: user.email.toUpperCase() });
  assert.deepEqual([unknown.status, unknown.text], [200, known.text]);
  const code = mailedCode(api, user.email);
  const newPassword = 'another fine password';
  const body = { email: user.email, code, newPassword };
  api.clock.advance(1);
  assert.equal((await api.ask('POST', '/auth/reset-password', body)).status, 200);

  const old = await api.ask('GET', '/auth/me', undefined, bearer(user.token));
  assert.deepEqual([old.status, old.json.error], [401, 'Token has been revoked']);
  assert.equal((await api.ask('POST', '/auth/refresh', { refreshToken: user.refreshToken })).status, 401);
  assert.equal((await logIn(api, user.email)).status, 401);
  const session = await logIn(api, user.email, newPassword);
  assert.equal(session.status, 200);
  assert.equal((await api.ask('GET', '/auth/me', undefined, bearer(session.json.data.token))).status, 200);

  const again = await api.ask('POST', '/auth/reset-password', body);
  assert.deepEqual([again.status, again.json.error], [400, 'Invalid or expired reset code']);
});

test('a reset code lives five tries and 15 minutes; an unknown address reads the same', async () => {
  const user = await signedIn(api);
  const ask = (email: string, code: string) =>
    api.ask('POST', '/auth/reset-password', { email, code, newPassword: 'another fine password' });
  await api.ask('POST', '/auth/forgot-password', { email: user.email });
  const code = mailedCode(api, user.email);
  for (let i = 0; i < 5; i++) assert.equal((await ask(user.email, wrongCode(code))).status, 400);
  const sixth = await ask(user.email, code);
  const stranger = await ask('stranger@example.com', code);
  assert.deepEqual([sixth.status, sixth.text], [400, stranger.text]);
  await api.ask('POST', '/auth/forgot-password', { email: user.email });
  api.clock.advance(15 * MINUTE);
  assert.equal((await ask(user.email, mailedCode(api, user.email))).status, 400);
});

test('nothing secret was logged', () => {
  const log = api.logs.join('\n');
  for (const mail of api.mails) {
    const secret = /\?token=([\w-]+)/.exec(mail.text)?.[1] ?? /^(\d{6})$/m.exec(mail.text)?.[1];
    // As a word: six digits may turn up inside a duration or an id.
    assert.ok(secret && !new RegExp(`(?<![\\w.-])${secret}(?![\\w.-])`).test(log));
  }
  for (const word of [PASSWORD, 'vcr_', 'vcp_', 'eyJ']) assert.equal(log.includes(word), false, word);
});
