// The bytes that an account is answered with in a minute.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useApi } from '../../../support/api/use-api.ts';

const LONG = 'x'.repeat(40_000_000);

const api = useApi({
  environment: { RATE_LIMIT_PER_MINUTE: '600' },
  routes: (app) => {
    app.get('/long', async (_request, reply) => reply.type('text/plain').send(LONG));
  },
});

test('an account whose answers are too long together waits for the next minute, and nobody else does', async () => {
  const statusOf = async (who = api.tenant) => {
    const answer = await who.ask('GET', '/long');
    if (answer.status !== 429) return answer.status;
    assert.equal(answer.json.code, 'RATE_LIMITED');
    assert.match(answer.text, /shorter pages/);
    return `429 after ${answer.headers['retry-after']}`;
  };
  for (let n = 0; n < 4; n++) assert.equal(await statusOf(), 200);
  api.clock.advance(20_000);
  assert.equal(await statusOf(), '429 after 40');
  assert.equal((await api.tenant.ask('GET', '/account')).status, 429);
  assert.equal(await statusOf(api.other), 200);
  api.clock.advance(40_000);
  assert.equal(await statusOf(), 200);
});
