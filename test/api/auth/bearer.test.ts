// The Authorization header and everything that is not quite a token.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { startApi } from '../../../bench/rig/api/api.ts';
import { bearer, signedIn } from '../../../bench/rig/api/sign-in.ts';
import { eventually } from '../../../bench/rig/eventually.ts';
import { useApi } from '../../support/api/use-api.ts';

const JWT_SECRET = 'the same secret in both environments';
const api = useApi({ environment: { JWT_SECRET } });

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function forge(header: object, payload: object, key: string | null): string {
  const body = `${base64(header)}.${base64(payload)}`;
  return `${body}.${key === null ? '' : createHmac('sha256', key).update(body).digest('base64url')}`;
}

const CODES = {
  'No bearer token provided': 'AUTHENTICATION_REQUIRED',
  'Invalid token': 'INVALID_TOKEN',
  'Token has expired': 'TOKEN_EXPIRED',
  'Token has been revoked': 'TOKEN_REVOKED',
} as const;

async function refused(authorization: string | undefined, message: keyof typeof CODES): Promise<void> {
  const answer = await api.ask('GET', '/auth/me', undefined, authorization === undefined ? {} : { authorization });
  assert.equal(answer.status, 401, authorization);
  assert.equal(answer.text, JSON.stringify({ success: false, error: message, code: CODES[message] }), authorization);
  assert.ok(answer.headers['x-request-id']);
}

test('only `Bearer`, one space and a value is a bearer token', async () => {
  const { token } = await signedIn(api);
  assert.equal((await api.ask('GET', '/auth/me', undefined, bearer(token))).status, 200);
  for (const authorization of [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `bearer ${token}`,
    `BEARER ${token}`,
    `Bearer  ${token}`,
    `Bearer\t${token}`,
    `Bearer ${token} x`,
    `Basic ${token}`,
    token,
  ]) {
    await refused(authorization, 'No bearer token provided');
  }
});

test('what is no session token of this environment is invalid', async () => {
  const session = await signedIn(api);
  const [header = '', payload = '', signature = ''] = session.token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  assert.equal(claims.env, 'development');
  const tokens = [
    session.refreshToken,
    'nonsense',
    'a.b.c',
    `${header}.${payload}.`,
    `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    `${header}.${base64({ ...claims, sub: api.admin.userId })}.${signature}`,
    forge({ alg: 'none', typ: 'JWT' }, claims, null),
    forge({ alg: 'HS256', typ: 'JWT' }, claims, JWT_SECRET),
    forge({ alg: 'HS512', typ: 'JWT' }, claims, JWT_SECRET),
    'vcs_unknown',
  ];
  for (const token of tokens) await refused(`Bearer ${token}`, 'Invalid token');
});

test('a token of another APP_ENV is invalid, though the secret is the same', async () => {
  const staging = await startApi({ environment: { JWT_SECRET, APP_ENV: 'staging' } });
  try {
    const { token } = await signedIn(staging);
    await refused(`Bearer ${token}`, 'Invalid token');
    const { token: ours } = await signedIn(api);
    const answer = await staging.ask('GET', '/auth/me', undefined, bearer(ours));
    assert.equal(answer.json.error, 'Invalid token');
  } finally {
    await staging.close();
  }
});

test('a personal access token works until it is deleted, and is listed without its value', async () => {
  const session = await signedIn(api);
  const created = await api.ask('POST', '/auth/tokens', { name: 'CI' }, bearer(session.token));
  assert.equal(created.status, 201);
  const { id, token } = created.json.data;
  assert.match(id, /^pat_/);
  assert.equal((await api.ask('GET', '/agents', undefined, bearer(token))).status, 200);
  // The use is written beside the request.
  const list = await eventually(async () => {
    const answer = await api.ask('GET', '/auth/tokens', undefined, bearer(session.token));
    return answer.json.data[0]?.lastUsedAt === null ? null : answer;
  }, 'the use of the token');
  assert.equal(list.status, 200);
  assert.equal(list.text.includes(token), false);
  assert.deepEqual(
    list.json.data.map((row: { id: string }) => row.id),
    [id],
  );
  assert.equal(list.json.data[0]?.lastUsedAt, new Date(api.clock.now).toISOString());
  const stored = await api.context.db.selectFrom('accessTokens').selectAll().where('id', '=', id).executeTakeFirst();
  assert.equal(JSON.stringify(stored).includes(token), false);

  const foreign = await api.other.ask('DELETE', `/auth/tokens/${id}`);
  const missing = await api.other.ask('DELETE', '/auth/tokens/pat_00000000000000000000000000');
  assert.deepEqual([foreign.status, foreign.text], [404, missing.text]);

  assert.equal((await api.ask('DELETE', `/auth/tokens/${id}`, undefined, bearer(session.token))).status, 200);
  await refused(`Bearer ${token}`, 'Token has been revoked');
});

test('a personal access token keeps the role of its creation', async () => {
  const admin = await api.newTenant({ role: 'ADMIN' });
  const created = await admin.ask('POST', '/auth/tokens', { name: 'ops' });
  await api.context.db.updateTable('users').set({ role: 'USER' }).where('id', '=', admin.userId).execute();
  const byToken = await api.ask('GET', '/auth/me', undefined, bearer(created.json.data.token));
  assert.equal(byToken.json.data.role, 'ADMIN');
  assert.equal((await admin.ask('GET', '/auth/me')).json.data.role, 'USER');
});
