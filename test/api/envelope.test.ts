// The shape of every answer, whatever went wrong.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startApi, type TestApi } from '../support/api.ts';

let api: TestApi;
before(async () => {
  api = await startApi();
});
after(() => api.close());

test('an unknown route is 404 in the envelope, with a request id, also without a token', async () => {
  const answer = await api.inject({ method: 'GET', url: '/api/v1/nonsense' });
  assert.equal(answer.status, 404);
  assert.equal(answer.json.success, false);
  assert.match(String(answer.headers['x-request-id']), /^[0-9a-f-]{36}$/);
  assert.ok(answer.headers.ratelimit);
});

test('a request id of the client is kept only if it is harmless', async () => {
  for (const [given, kept] of [
    ['abc.DEF_1-2', true],
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
    ['a b', false],
    ['', false],
  ] as const) {
    const answer = await api.inject({ method: 'GET', url: '/api/v1/nonsense', headers: { 'x-request-id': given } });
    assert.equal(answer.headers['x-request-id'] === given, kept, given);
  }
});
