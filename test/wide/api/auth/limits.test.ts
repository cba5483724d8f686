// Limits on tries and mails: reset codes and invitations.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Passwords } from '../../../../api/auth/passwords.ts';
import { runRetention } from '../../../../api/upkeep/retention.ts';
import { startApi } from '../../../../bench/rig/api/api.ts';
import { bearer, logIn, mailedCode, mailedToken, PASSWORD, signedIn } from '../../../../bench/rig/api/sign-in.ts';
import { useTenants } from '../../../support/api/use-api.ts';

const HOUR = 3_600_000;

const api = useTenants();

const reset = (email: string, code: string, ip: string) =>
  api.inject({
    method: 'POST',
    url: '/api/v1/auth/reset-password',
    payload: { email, code, newPassword: 'another fine password' },
    remoteAddress: ip,
  });

function throttled(answer: Awaited<ReturnType<typeof reset>>, code: string): void {
  assert.equal(answer.status, 429, answer.text);
  assert.equal(answer.json.code, code);
  const seconds = Number(answer.headers['retry-after']);
  assert.ok(seconds > 0 && seconds <= 24 * 3_600, `Retry-After: ${seconds}`);
}

test('twenty wrong reset codes from one IP address, over any accounts, are enough for an hour', async () => {
  const user = await signedIn(api);
  for (let i = 0; i < 20; i++)
    assert.equal((await reset(`target${i}@example.com`, '000000', '203.0.113.9')).status, 400);
  throttled(await reset('target20@example.com', '000000', '203.0.113.9'), 'RESET_THROTTLED');
  await api.ask('POST', '/auth/forgot-password', { email: user.email });
  const code = mailedCode(api, user.email);
  throttled(await reset(user.email, code, '203.0.113.9'), 'RESET_THROTTLED');
  assert.equal((await reset(user.email, code, '203.0.113.10')).status, 200, 'another address goes on');
  api.clock.advance(HOUR + 1);
  assert.equal((await reset('target21@example.com', '000000', '203.0.113.9')).status, 400);
});

test('ten wrong reset codes for one address are enough, whether or not it is known', async () => {
  const user = await signedIn(api);
  for (const email of [user.email, 'stranger@example.com']) {
    for (let i = 0; i < 10; i++) {
      if (i % 4 === 0) await api.ask('POST', '/auth/forgot-password', { email });
      const right = email === user.email ? Number(mailedCode(api, email)) : 0;
      const wrong = String((right + 1) % 1_000_000).padStart(6, '0');
      assert.equal((await reset(email.toUpperCase(), wrong, `203.0.113.${20 + i}`)).status, 400);
    }
    throttled(await reset(email, '000000', '203.0.113.50'), 'RESET_THROTTLED');
  }
  throttled(await reset(user.email, mailedCode(api, user.email), '203.0.113.51'), 'RESET_THROTTLED');
});

test('wrong codes side by side have no more tries than in a row', async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => reset('crowd@example.com', '000000', `198.51.100.${i}`)),
  );
  assert.equal(answers.filter(({ status }) => status === 400).length, 10);
  assert.equal(answers.filter(({ status }) => status === 429).length, 20);
});

test('a right code costs no try', async () => {
  const user = await signedIn(api);
  for (let i = 0; i < 9; i++) await reset(user.email, '000000', '203.0.113.60');
  for (let i = 0; i < 2; i++) {
    await api.ask('POST', '/auth/forgot-password', { email: user.email });
    assert.equal((await reset(user.email, mailedCode(api, user.email), '203.0.113.61')).status, 200);
  }
});

const invite = (email: string, tenant = api.tenant) => tenant.ask('POST', '/account/users', { email });

test('an account sends twenty invitations an hour, an address gets three a day', async () => {
  for (let i = 0; i < 20; i++) assert.equal((await invite(`friend${i}@example.com`)).status, 201);
  const mails = api.mails.length;
  throttled(await invite('friend20@example.com'), 'INVITATION_LIMIT');
  assert.equal(api.mails.length, mails);
  const { total } = (await api.tenant.ask('GET', '/account/users')).json.pagination;
  assert.equal(total, 21, 'one that was refused adds nobody');
  assert.equal((await invite('friend20@example.com', api.other)).status, 201);
  api.clock.advance(HOUR + 1);
  assert.equal((await invite('friend21@example.com')).status, 201);

  for (let i = 0; i < 3; i++) assert.equal((await invite('often@example.com')).status, 201);
  throttled(await invite('often@example.com'), 'INVITATION_LIMIT');
  api.clock.advance(23 * HOUR);
  throttled(await invite('often@example.com'), 'INVITATION_LIMIT');
  api.clock.advance(HOUR + 1);
  assert.equal((await invite('often@example.com')).status, 201);
});

test('registering an invited address that never accepted replaces the invitation', async () => {
  const email = 'owner@example.com';
  assert.equal((await invite(email)).status, 201);
  const link = mailedToken(api, email);
  const answer = await api.ask('POST', '/auth/register', { email: 'Owner@Example.com', password: PASSWORD });
  assert.equal(answer.status, 201, answer.text);
  assert.notEqual(answer.json.data.user.accountId, api.tenant.accountId);
  assert.equal((await api.ask('POST', '/auth/accept-invite', { token: link, password: PASSWORD })).status, 400);
  assert.equal((await api.ask('POST', '/auth/verify-email', { token: mailedToken(api, email) })).status, 200);
  assert.equal((await logIn(api, email)).status, 200);
  assert.equal((await api.tenant.ask('GET', '/account/users')).json.pagination.total, 1);
  assert.equal((await invite(email)).status, 409);
  assert.equal((await api.ask('POST', '/auth/register', { email, password: PASSWORD })).status, 409);
});

test('an invitation expires after seven days; then another account may invite the address', async () => {
  const email = 'late@example.com';
  await invite(email);
  const accept = () => api.ask('POST', '/auth/accept-invite', { token: mailedToken(api, email), password: PASSWORD });
  assert.equal((await invite(email, api.other)).status, 409);
  api.clock.advance(7 * 24 * HOUR);
  assert.equal((await accept()).status, 400);
  assert.equal((await invite(email, api.other)).status, 201);
  const accepted = await accept();
  assert.equal(accepted.status, 200);
  assert.equal(accepted.json.data.user.accountId, api.other.accountId);
});

test('the name of the account is short in the mail, on one line, and carries no link', async () => {
  const { token } = await signedIn(api);
  const names = [
    'Click https://evil.example/win now',
    'www.evil.example',
    'evil.example/prize?x=1',
    'mail me@evil.example',
    'evil。example or evil．example',
    `Dr. Smith & Sons, (Berlin)\r\nBcc: all@evil.example ${'long '.repeat(30)}`,
  ];
  for (const [i, name] of names.entries()) {
    assert.equal((await api.ask('PATCH', '/account', { name }, bearer(token))).status, 200);
    assert.equal((await api.ask('POST', '/account/users', { email: `g${i}@example.com` }, bearer(token))).status, 201);
    const mail = api.mails.at(-1);
    assert.ok(mail);
    const words = mail.text.replace(/http:\/\/127\.0\.0\.1:8080\/accept-invite\?token=[\w-]+/, '');
    for (const text of [mail.subject, words]) {
      assert.doesNotMatch(text, /:\/\/|www\.|@|\w[.。．]\w|\w\/\w/);
    }
    assert.doesNotMatch(mail.subject, /[\r\n]/);
    assert.ok(mail.subject.length <= 85, mail.subject);
  }
  assert.match(api.mails.at(-1)?.subject ?? '', /Dr\. Smith & Sons, \(Berlin\)/);
});

test('failed logins from one IPv6 network count together, whatever the address in it', async () => {
  for (let i = 0; i < 20; i++) {
    assert.equal((await logIn(api, `guess${i}@example.com`, 'wrong password', `2001:db8:7:1::${i + 1}`)).status, 401);
  }
  assert.equal((await logIn(api, 'guess@example.com', 'wrong password', '2001:db8:7:1:9::9')).status, 429);
  assert.equal((await logIn(api, 'guess@example.com', 'wrong password', '2001:db8:7:2::1')).status, 401);
});

test('five accounts an hour are registered from one network; this machine is counted in production only', async () => {
  const register = (email: string, remoteAddress: string, from = api) =>
    from.inject({
      method: 'POST',
      url: '/api/v1/auth/register',
      payload: { email, password: PASSWORD },
      remoteAddress,
    });
  for (let n = 0; n < 5; n++) assert.equal((await register(`a${n}@example.com`, '203.0.113.70')).status, 201);
  throttled(await register('a5@example.com', '203.0.113.70'), 'REGISTRATION_THROTTLED');
  assert.equal((await register('a6@example.com', '203.0.113.71')).status, 201);
  for (let n = 0; n < 7; n++) assert.equal((await register(`b${n}@example.com`, '127.0.0.1')).status, 201);
  api.clock.advance(HOUR + 1);
  assert.equal((await register('a7@example.com', '203.0.113.70')).status, 201);
});

test('an account that nobody verified is deleted after seven days, with its user and links', async () => {
  await api.inject({
    method: 'POST',
    url: '/api/v1/auth/register',
    payload: { email: 'lost@example.com', password: PASSWORD },
  });
  const accounts = async () =>
    (await api.context.read.selectFrom('users').select('id').where('email', '=', 'lost@example.com').execute()).length;
  const used = await signedIn(api);
  api.clock.advance(6 * 24 * HOUR);
  await runRetention(api.context);
  assert.equal(await accounts(), 1);
  api.clock.advance(25 * HOUR);
  await runRetention(api.context);
  assert.equal(await accounts(), 0);
  const kept = await api.context.read.selectFrom('users').select('id').where('email', '=', used.email).execute();
  assert.equal(kept.length, 1);
});

test('a password is kept as argon2id with 19 MiB and two passes', async () => {
  const passwords = new Passwords();
  const hash = await passwords.hash(PASSWORD);
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.deepEqual([await passwords.verify(hash, PASSWORD), await passwords.verify(hash, 'another')], [true, false]);
});

test('sign-in goes before registrations that wait', async () => {
  const passwords = new Passwords();
  const order: string[] = [];
  const note = (what: string) => () => order.push(what);
  const work = [
    passwords.hashLast(PASSWORD).then(note('first registration')),
    passwords.hashLast(PASSWORD).then(note('second registration')),
    passwords.verify(null, PASSWORD).then(note('sign-in')),
  ];
  await Promise.all(work);
  assert.deepEqual(order, ['first registration', 'sign-in', 'second registration']);
  const many = Array.from({ length: 20 }, () => passwords.hashLast(PASSWORD).then(String, ({ code }) => code));
  assert.equal((await Promise.all(many)).filter((code) => code === 'SIGN_IN_BUSY').length, 11);
});

test('an account has no more requests by having more tokens, and a user has at most fifty', async () => {
  const small = await startApi({ environment: { RATE_LIMIT_PER_MINUTE: '60' } });
  const user = await signedIn(small);
  const asked = (token: string) => small.inject({ url: '/api/v1/account', headers: bearer(token) });
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      small.inject({
        method: 'POST',
        url: '/api/v1/auth/tokens',
        payload: { name: `token ${n}` },
        headers: bearer(user.token),
      }),
    ),
  );
  const tokens = made.map(({ json }) => (json.data as { token: string }).token);
  let allowed = 0;
  let last = '';
  for (const token of tokens)
    for (let n = 0; n < 50; n++) {
      const answer = await asked(token);
      if (answer.status === 200) allowed++;
      else last = `${answer.status} ${answer.json.error}`;
    }
  assert.equal(allowed, 300 - 8 - 0);
  assert.equal(last, "429 Too many requests by the account's tokens together");
  await small.close();

  const owner = await signedIn(api);
  const create = () => api.ask('POST', '/auth/tokens', { name: 'one more' }, bearer(owner.token));
  for (let n = 0; n < 50; n++) assert.equal((await create()).status, 201);
  assert.equal((await create()).json.code, 'TOKEN_LIMIT');
});

test('pages for everybody are limited by address, probes are not', async () => {
  const small = await startApi({ environment: { RATE_LIMIT_PER_MINUTE: '5' } });
  const get = async (url: string, remoteAddress: string) => (await small.inject({ url, remoteAddress })).status;
  for (let n = 0; n < 5; n++) assert.equal(await get('/openapi.json', '203.0.113.80'), 200);
  for (const url of ['/openapi.json', '/docs/trunks.md', '/', '/dashboard/icon.svg'])
    assert.equal(await get(url, '203.0.113.80'), 429);
  assert.equal(await get('/openapi.json', '203.0.113.81'), 200);
  for (let n = 0; n < 20; n++) assert.equal(await get('/healthz', '203.0.113.80'), 200);
  await small.close();
});

test('a reset of the password ends personal tokens too', async () => {
  const user = await signedIn(api);
  const made = await api.ask('POST', '/auth/tokens', { name: 'left behind' }, bearer(user.token));
  const token = made.json.data.token as string;
  assert.equal((await api.ask('GET', '/account', undefined, bearer(token))).status, 200);
  await api.ask('POST', '/auth/forgot-password', { email: user.email });
  assert.equal((await reset(user.email, mailedCode(api, user.email), '203.0.113.90')).status, 200);
  assert.equal((await api.ask('GET', '/account', undefined, bearer(token))).json.code, 'TOKEN_REVOKED');
});
