// Login as clients see it: right and wrong credentials, lockout, cool-down, verification.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { Passwords } from '../../../api/auth/passwords.ts';
import { startApi } from '../../../bench/rig/api/api.ts';
import {
  bearer,
  logIn,
  mailedToken,
  PASSWORD,
  registered,
  signedIn,
  verified,
} from '../../../bench/rig/api/sign-in.ts';
import { fileOnly } from '../../../bench/rig/database/postgres.ts';
import { deleteUnverifiedAccounts } from '../../../db/rules/retention.ts';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi();

const MINUTE = 60_000;

test('an account that is verified while it is about to be deleted as nobody’s stays', { skip: fileOnly }, async () => {
  const { email } = await registered(api);
  const { db } = api.context;
  // The link is followed between the look and the deletion: on one connection statements follow one another.
  let verification: Promise<unknown> | null = null;
  const meanwhile: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      verification ??= db.updateTable('users').set({ emailVerifiedAt: 1 }).where('email', '=', email).execute();
      return result;
    },
  };
  await deleteUnverifiedAccounts(db.withPlugin(meanwhile), api.clock.now + 1, 100);
  await verification;
  assert.equal((await logIn(api, email)).status, 200);
});

test('a registered user must verify the e-mail, then signs in and is told who they are', async () => {
  const email = 'Ada@Example.com';
  const answer = await api.ask('POST', '/auth/register', { email, password: PASSWORD, accountName: 'Ada Ltd' });
  assert.equal(answer.status, 201);
  const { user } = answer.json.data;
  assert.match(user.id, /^user_/);
  assert.deepEqual([user.email, user.role, user.plan], ['ada@example.com', 'USER', 'STARTER']);
  assert.equal(JSON.stringify(answer.json).includes(PASSWORD), false);

  const early = await logIn(api, email);
  assert.deepEqual([early.status, early.json.error], [403, 'Please verify your email before logging in.']);

  assert.equal((await api.ask('POST', '/auth/verify-email', { token: mailedToken(api, email) })).status, 200);
  const session = await logIn(api, 'ADA@example.COM');
  assert.equal(session.status, 200);
  assert.deepEqual(Object.keys(session.json.data), ['user', 'token', 'refreshToken']);
  const me = await api.ask('GET', '/auth/me', undefined, bearer(session.json.data.token));
  assert.deepEqual(me.json, { success: true, data: session.json.data.user });
});

test('a verification token is good once, for 24 hours, and another mail can be asked for', async () => {
  const { email } = await registered(api);
  const token = mailedToken(api, email);
  const refused = {
    success: false,
    error: 'Invalid or expired verification token',
    code: 'INVALID_VERIFICATION_TOKEN',
  };
  api.clock.advance(24 * 60 * MINUTE + 1);
  assert.deepEqual((await api.ask('POST', '/auth/verify-email', { token })).json, refused);
  assert.equal((await api.ask('POST', '/auth/resend-verification', { email })).status, 200);
  const second = mailedToken(api, email);
  assert.notEqual(second, token);
  assert.equal((await api.ask('POST', '/auth/verify-email', { token: second })).status, 200);
  const again = await api.ask('POST', '/auth/verify-email', { token: second });
  assert.deepEqual([again.status, again.json], [400, refused]);
});

test('a duplicate e-mail is 409 whatever its case, also for registrations side by side', async () => {
  const { email } = await registered(api);
  const again = await api.ask('POST', '/auth/register', { email: email.toUpperCase(), password: PASSWORD });
  assert.equal(again.status, 409);
  const body = { email: 'twins@example.com', password: PASSWORD };
  const answers = await Promise.all(Array.from({ length: 6 }, () => api.ask('POST', '/auth/register', body)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409]);
});

test('passwords are 12 to 128 characters, and fields at fault are named', async () => {
  for (const password of ['x'.repeat(11), 'x'.repeat(129)]) {
    const answer = await api.ask('POST', '/auth/register', { email: 'p@example.com', password });
    assert.equal(answer.status, 422);
    assert.deepEqual(
      answer.json.errors?.map(({ field }) => field),
      ['password'],
    );
  }
  const empty = await api.ask('POST', '/auth/register', {});
  assert.deepEqual(empty.json.errors?.map(({ field }) => field).sort(), ['email', 'password']);
  const typo = await api.ask('POST', '/auth/login', { emial: 'a@example.com', password: 'x' });
  assert.equal(typo.status, 422);
  assert.match(typo.json.errors?.find(({ field }) => field === 'emial')?.message ?? '', /did you mean "email"/);
});

test('wrong credentials read the same whether or not the user exists, to the byte', async () => {
  const { email } = await verified(api);
  const known = await logIn(api, email, 'not the password');
  const unknown = await logIn(api, 'nobody@example.com', 'not the password');
  assert.equal(known.status, 401);
  assert.equal(known.text, '{"success":false,"error":"Invalid email or password","code":"INVALID_CREDENTIALS"}');
  assert.deepEqual([unknown.status, unknown.text], [known.status, known.text]);
});

test('the log names the address that a refused login came from, and not whose login it was', async () => {
  const before = api.logs.length;
  await logIn(api, 'somebody@example.com', 'wrong password', '198.51.100.77');
  const lines = api.logs.slice(before).map((line) => JSON.parse(line));
  const { reason, sourceAddress } = lines.find(({ msg }) => msg === 'login refused') ?? {};
  assert.deepEqual({ reason, sourceAddress }, { reason: 'wrong email or password', sourceAddress: '198.51.100.77' });
  assert.ok(!JSON.stringify(lines).includes('somebody'));
});

test('five failures lock for 30 minutes, known and unknown addresses alike, also with the right password', async () => {
  const { email } = await verified(api);
  const attempts = async (address: string, ip: string) => {
    for (let i = 0; i < 5; i++) assert.equal((await logIn(api, address, 'wrong password', ip)).status, 401);
    return logIn(api, address, PASSWORD, ip);
  };
  const known = await attempts(email, '203.0.113.2');
  const unknown = await attempts('ghost@example.com', '203.0.113.3');
  assert.equal(known.status, 423);
  assert.equal(known.json.error, 'Account temporarily locked. Try again in 30 minutes.');
  assert.deepEqual([unknown.status, unknown.text], [known.status, known.text]);
  api.clock.advance(29.5 * MINUTE);
  const late = await logIn(api, email, PASSWORD, '203.0.113.2');
  assert.equal(late.json.error, 'Account temporarily locked. Try again in 1 minute.');
  api.clock.advance(MINUTE);
  assert.equal((await logIn(api, email, PASSWORD, '203.0.113.2')).status, 200);
});

test('four failures and a success do not lock', async () => {
  const { email } = await verified(api);
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 4; i++) await logIn(api, email, 'wrong password', '203.0.113.4');
    assert.equal((await logIn(api, email, PASSWORD, '203.0.113.4')).status, 200);
  }
});

test('attempts side by side have no more tries than attempts in a row', async () => {
  const { email } = await verified(api);
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => logIn(api, email, `wrong password ${i}`, '203.0.113.5')),
  );
  assert.equal(answers.filter(({ status }) => status === 401).length, 5);
  assert.equal(answers.filter(({ status }) => status === 423).length, 7);
});

test('twenty failures from one address cool it down for 15 minutes, other addresses go on', async () => {
  const { email } = await verified(api);
  const ip = '203.0.113.6';
  for (let i = 0; i < 20; i++) assert.equal((await logIn(api, `spray${i}@example.com`, 'x', ip)).status, 401);
  const cooled = await logIn(api, email, PASSWORD, ip);
  assert.deepEqual([cooled.status, cooled.json.error], [429, 'Too many failed login attempts']);
  assert.equal(cooled.headers['retry-after'], '900');
  assert.equal((await logIn(api, email, PASSWORD, '203.0.113.7')).status, 200);
  api.clock.advance(15 * MINUTE + 1);
  assert.equal((await logIn(api, email, PASSWORD, ip)).status, 200);
});

test('X-Forwarded-For is not believed unless a proxy is configured', async () => {
  for (let i = 0; i < 20; i++) {
    await api.inject({
      method: 'POST',
      url: '/api/v1/auth/login',
      payload: { email: `fwd${i}@example.com`, password: 'x' },
      remoteAddress: '203.0.113.8',
      headers: { 'x-forwarded-for': `198.51.100.${i}` },
    });
  }
  assert.equal((await logIn(api, 'fwd@example.com', 'x', '203.0.113.8')).status, 429);
});

test('more sign-ins at once than the queue holds are told to come back, and cost no try', async (t) => {
  // With hashes at the service's own cost: the queue fills faster than it empties.
  const slow = await startApi({ context: { passwords: new Passwords() } });
  t.after(() => slow.close());
  const { email } = await verified(slow);
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) => logIn(slow, `crowd${i}@example.com`, 'x', `198.51.100.${i}`)),
  );
  const turnedAway = answers.filter(({ status }) => status === 429);
  assert.ok(turnedAway.length > 0);
  for (const answer of turnedAway) assert.ok(Number(answer.headers['retry-after']) >= 1);
  assert.equal(answers.filter(({ status }) => status === 401).length, 60 - turnedAway.length);
  assert.equal((await logIn(slow, email)).status, 200);
});

test('refreshing rotates: the new pair works, the old refresh token ends its whole family', async () => {
  const session = await signedIn(api);
  const first = await api.ask('POST', '/auth/refresh', { refreshToken: session.refreshToken });
  assert.equal(first.status, 200);
  assert.deepEqual(Object.keys(first.json.data), ['token', 'refreshToken']);
  assert.equal((await api.ask('GET', '/auth/me', undefined, bearer(first.json.data.token))).status, 200);

  const reused = await api.ask('POST', '/auth/refresh', { refreshToken: session.refreshToken });
  assert.deepEqual([reused.status, reused.json.error], [401, 'Token has been revoked']);
  const child = await api.ask('POST', '/auth/refresh', { refreshToken: first.json.data.refreshToken });
  assert.deepEqual([child.status, child.json.error], [401, 'Token has been revoked']);
});

test('of 50 refreshes with one token at once exactly one wins', async () => {
  const { refreshToken } = await signedIn(api);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => api.ask('POST', '/auth/refresh', { refreshToken })),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.equal(answers.filter(({ status }) => status === 401).length, 49);
});

test('a refresh token lives seven days, a session token fifteen minutes', async () => {
  const session = await signedIn(api);
  api.clock.advance(15 * MINUTE - 1000);
  assert.equal((await api.ask('GET', '/auth/me', undefined, bearer(session.token))).status, 200);
  api.clock.advance(1000);
  const expired = await api.ask('GET', '/auth/me', undefined, bearer(session.token));
  assert.deepEqual([expired.status, expired.json.error], [401, 'Token has expired']);
  api.clock.advance(7 * 24 * 60 * MINUTE);
  const late = await api.ask('POST', '/auth/refresh', { refreshToken: session.refreshToken });
  assert.deepEqual([late.status, late.json.error], [401, 'Token has expired']);
});

test('logout refuses the presented token before its expiry, and its refresh family', async () => {
  const session = await signedIn(api);
  const other = await logIn(api, session.email);
  assert.equal((await api.ask('POST', '/auth/logout', undefined, bearer(session.token))).status, 200);
  const refused = await api.ask('GET', '/auth/me', undefined, bearer(session.token));
  assert.deepEqual([refused.status, refused.json.error], [401, 'Token has been revoked']);
  assert.equal((await api.ask('POST', '/auth/refresh', { refreshToken: session.refreshToken })).status, 401);
  assert.equal((await api.ask('GET', '/auth/me', undefined, bearer(other.json.data.token))).status, 200);
});
