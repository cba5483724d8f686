// When a call would be answered, told from the engine's row; and what time throws away.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notReady } from '../../api/peers/engines.ts';
import { runRetention } from '../../api/upkeep/retention.ts';
import { engineRow } from '../../bench/rig/rows/table-rows.ts';
import { useApi } from '../support/api/use-api.ts';

const api = useApi();

const NOW = 1_000_000;
const up = engineRow(NOW - 1_000);

test('ready needs a living engine that is up, with telephony', () => {
  assert.equal(notReady(up, NOW), null);
  assert.equal(notReady(undefined, NOW), 'The engine has not started yet');
  assert.equal(notReady({ ...up, heartbeatAt: NOW - 5_000 }, NOW), 'The engine does not answer');
  assert.equal(notReady({ ...up, telephonyUp: 0 }, NOW), 'Telephony is down');
  assert.equal(notReady({ ...up, state: 'starting' }, NOW), 'The engine is starting');
  assert.equal(notReady({ ...up, state: 'draining' }, NOW), 'The engine is shutting down');
  assert.equal(notReady({ ...up, state: 'stopped' }, NOW), 'The engine has stopped');
});

test('a dead process of this host is known at once, one of another host by its heartbeat', () => {
  // Process numbers of Linux end at 2^22.
  const dead = { ...up, pid: 4_194_305 };
  assert.equal(notReady(dead, NOW), 'The engine is not running');
  assert.equal(notReady({ ...dead, hostname: 'elsewhere' }, NOW), null);
  // Two containers may have one host name, and each its own process numbers.
  assert.equal(notReady({ ...dead, pidNamespace: 'pid:[1]' }, NOW), null);
  assert.equal(notReady({ ...dead, pidNamespace: null }, NOW), null);
  assert.equal(notReady({ ...dead, pidNamespace: null }, NOW + 4_000), 'The engine does not answer');
});

test('readiness is 503 with Retry-After while there is no engine, liveness is not', async () => {
  const ready = await api.inject({ method: 'GET', url: '/readyz' });
  assert.deepEqual([ready.status, ready.headers['retry-after']], [503, '1']);
  assert.deepEqual(ready.json, { success: false, error: 'The engine has not started yet', code: 'ENGINE_DOWN' });
  assert.equal((await api.inject({ method: 'GET', url: '/healthz' })).status, 200);
  await api.context.db.insertInto('engines').values(engineRow(api.clock.now)).execute();
  assert.equal((await api.inject({ method: 'GET', url: '/readyz' })).status, 200);
});

test('retention deletes what is due and nothing else, once an interval, a bounded number a run', async () => {
  const { db } = api.context;
  const insert = (prefix: string, count: number, expiresAt: number) =>
    db
      .insertInto('revokedTokens')
      .values(Array.from({ length: count }, (_, index) => ({ jti: `${prefix}${index}`, expiresAt })))
      .execute();
  for (let block = 0; block < 6; block++) await insert(`old-${block}-`, 1_000, api.clock.now - 1);
  await insert('live-', 3, api.clock.now + 1);
  const remaining = async () => (await db.selectFrom('revokedTokens').select('jti').execute()).length;
  assert.equal((await runRetention(api.context))['revoked-tokens'], 5_000);
  assert.equal(await remaining(), 1_003);
  assert.equal((await runRetention(api.context))['revoked-tokens'], undefined, 'not due again yet');
  api.clock.advance(3_600_000 - 1);
  assert.equal((await runRetention(api.context))['revoked-tokens'], undefined);
  await db
    .updateTable('revokedTokens')
    .set({ expiresAt: api.clock.now + 60_000 })
    .where('jti', 'like', 'live-%')
    .execute();
  api.clock.advance(1);
  assert.equal((await runRetention(api.context))['revoked-tokens'], 1_000);
  assert.equal(await remaining(), 3);
});

test('a job that fails is logged and does not keep the others from running', async () => {
  const ran: string[] = [];
  const job = (name: string, run: () => Promise<number>) => ({ name, table: 'events' as const, everyMs: 1, run });
  await runRetention(api.context, [
    job('test-broken', async () => {
      throw new Error('broken');
    }),
    job('test-fine', async () => {
      ran.push('fine');
      return 0;
    }),
  ]);
  assert.deepEqual(ran, ['fine']);
  assert.ok(api.logs.some((line) => line.includes('"job":"test-broken"')));
});
