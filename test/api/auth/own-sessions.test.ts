// Users' own sessions, which they see and end, and a password that is changed by the old one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearer, logIn, PASSWORD, signedIn } from '../../../bench/rig/api/sign-in.ts';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi();

const NEXT = 'another long password';
const sessions = async (token: string) => {
  const answer = await api.ask('GET', '/auth/sessions', undefined, bearer(token));
  assert.equal(answer.status, 200, answer.text);
  return answer.json.data;
};
const isIn = async (token: string) => (await api.ask('GET', '/auth/me', undefined, bearer(token))).status === 200;
const refreshed = (refreshToken: string) => api.ask('POST', '/auth/refresh', { refreshToken });

/** A further session of the user, from a browser elsewhere. */
async function elsewhere(email: string, userAgent = 'Mozilla/5.0 Firefox/140.0', password = PASSWORD) {
  const payload = { email, password };
  const headers = { 'user-agent': userAgent };
  const request = {
    method: 'POST',
    url: '/api/v1/auth/login',
    payload,
    headers,
    remoteAddress: '198.51.100.7',
  } as const;
  const { status, json } = await api.inject(request);
  assert.equal(status, 200);
  return (json as { data: { token: string; refreshToken: string } }).data;
}

test('the sessions of a user are listed with device, address and last use, and without any token', async () => {
  const { email, token } = await signedIn(api);
  api.clock.advance(60_000);
  const other = await elsewhere(email);
  const [newest, first, ...more] = await sessions(token);
  assert.deepEqual(more, []);
  assert.deepEqual(
    [newest?.isCurrent, newest?.userAgent, newest?.address],
    [false, 'Mozilla/5.0 Firefox/140.0', '198.51.100.7'],
  );
  assert.deepEqual([first?.isCurrent, first?.address], [true, '203.0.113.1']);
  assert.equal(newest?.signedInAt, newest?.lastUsedAt);
  // Renewed, it is the same session, and used since.
  api.clock.advance(10 * 60_000);
  const renewed = (await refreshed(other.refreshToken)).json.data;
  const [again] = await sessions(renewed.token);
  assert.deepEqual([again?.id, again?.isCurrent, again?.signedInAt], [newest?.id, true, newest?.signedInAt]);
  assert.equal(Date.parse(again?.lastUsedAt ?? '') - Date.parse(newest?.lastUsedAt ?? ''), 10 * 60_000);
  const text = JSON.stringify(await sessions(token));
  for (const secret of [token, renewed.token, renewed.refreshToken]) assert.equal(text.includes(secret), false);
});

test('a user ends one session, or all others; nobody ends those of another user', async () => {
  const mine = await signedIn(api);
  const [a, b, c] = [await elsewhere(mine.email), await elsewhere(mine.email), await elsewhere(mine.email)];
  const stranger = await signedIn(api);
  const idOf = async (token: string) => (await sessions(token)).find(({ isCurrent }) => isCurrent)?.id ?? '';
  const id = await idOf(a.token);
  const foreign = await api.ask('DELETE', `/auth/sessions/${id}`, undefined, bearer(stranger.token));
  assert.deepEqual([foreign.status, foreign.json.error], [404, 'Session not found']);
  const ended = await api.ask('DELETE', `/auth/sessions/${id}`, undefined, bearer(mine.token));
  assert.equal(ended.status, 200);
  assert.deepEqual([await isIn(a.token), (await refreshed(a.refreshToken)).status], [false, 401]);
  assert.equal((await api.ask('DELETE', `/auth/sessions/${id}`, undefined, bearer(mine.token))).status, 404);
  const others = await api.ask('DELETE', '/auth/sessions', undefined, bearer(mine.token));
  assert.deepEqual(others.json.data, { ended: 2 });
  assert.deepEqual([await isIn(b.token), await isIn(c.token)], [false, false]);
  assert.deepEqual([await isIn(mine.token), await isIn(stranger.token)], [true, true]);
  assert.equal((await sessions(mine.token)).length, 1);
});

test('the password is changed by the old one; this session goes on as a new one, all others end', async () => {
  const { email, token, refreshToken } = await signedIn(api);
  const other = await elsewhere(email);
  const change = (currentPassword: string, newPassword: string, by = token) =>
    api.ask('POST', '/auth/change-password', { currentPassword, newPassword }, bearer(by));
  const wrong = await change('not the password', NEXT);
  assert.deepEqual([wrong.status, wrong.json.error], [400, 'Invalid password']);
  assert.equal((await change(PASSWORD, 'short')).status, 422);
  assert.equal(await isIn(other.token), true);
  const { status, json } = await change(PASSWORD, NEXT);
  assert.equal(status, 200);
  assert.equal(json.data.user.email, email);
  assert.deepEqual([await isIn(json.data.token), (await refreshed(json.data.refreshToken)).status], [true, 200]);
  for (const old of [token, other.token]) assert.equal(await isIn(old), false);
  assert.equal((await refreshed(refreshToken)).status, 401);
  assert.equal((await logIn(api, email)).status, 401);
  assert.equal((await logIn(api, email, NEXT)).status, 200);
});

test('a stolen session cannot try old passwords without end', async () => {
  const { token } = await signedIn(api);
  const body = { currentPassword: 'not the password', newPassword: NEXT };
  const statuses: number[] = [];
  for (let round = 0; round < 12; round++)
    statuses.push((await api.ask('POST', '/auth/change-password', body, bearer(token))).status);
  assert.equal(statuses[0], 400);
  assert.equal(statuses.at(-1), 423);
  const right = { ...body, currentPassword: PASSWORD };
  assert.equal((await api.ask('POST', '/auth/change-password', right, bearer(token))).status, 423);
});
