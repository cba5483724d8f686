// While another process holds the write lock the API goes on: reads are answered, writes wait beside them for up to 5
// s.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../../bench/rig/eventually.ts';
import { useApi } from '../../support/api/use-api.ts';

const HOLDER = fileURLToPath(new URL('../../../bench/rig/faults/lock-holder.ts', import.meta.url));

let token: string;
const api = useApi({}, async () => {
  token = (
    await api.app.inject({
      method: 'POST',
      url: '/api/v1/auth/tokens',
      headers: { authorization: `Bearer ${api.tenant.token}` },
      payload: { name: 'reader' },
    })
  ).json().data.token;
  // Warm: the first request to a route compiles it.
  await create();
  await read();
});

async function holdLock(forMs: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [HOLDER, api.context.config.database, String(forMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  return child;
}

async function timed<T>(work: Promise<T>): Promise<{ answer: T; tookMs: number }> {
  const startedAt = performance.now();
  const answer = await work;
  return { answer, tookMs: performance.now() - startedAt };
}

const create = () => api.tenant.ask('POST', '/do-not-call', { phoneNumber: '+14155552671' });
const read = () => api.ask('GET', '/account', undefined, { authorization: `Bearer ${token}` });

/** Asks `/healthz` all the time until `done`; the times that it took, ascending. */
async function healthTimes(done: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let over = false;
  void done.finally(() => {
    over = true;
  });
  while (!over) {
    const { answer, tookMs } = await timed(api.inject({ method: 'GET', url: '/healthz' }));
    assert.equal(answer.status, 200);
    times.push(tookMs);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return times.sort((a, b) => a - b);
}

test('under a lock of another process nothing freezes: reads answer, writes wait, then 503', {
  timeout: 60_000,
}, async () => {
  const holder = await holdLock(7_000);
  const gone = once(holder, 'exit');
  // The use of the token is due to be written.
  api.clock.advance(3_600_000);
  const early = Array.from({ length: 20 }, () => timed(create()));
  const reads = Array.from({ length: 20 }, () => timed(read()));
  const sessionReads = Array.from({ length: 20 }, () => timed(api.tenant.ask('GET', '/account')));
  const later = new Promise((resolve) => setTimeout(resolve, 4_000)).then(() => timed(create()));
  const times = await healthTimes(gone);

  const p99 = times[Math.floor(times.length * 0.99)] ?? Number.POSITIVE_INFINITY;
  assert.ok(p99 < 50, `p99 of /healthz: ${p99} ms`);
  for (const { answer, tookMs } of await Promise.all([...reads, ...sessionReads])) {
    assert.equal(answer.status, 200, answer.text);
    assert.ok(tookMs < 1_000, `a read took ${tookMs} ms`);
  }
  for (const { answer, tookMs } of await Promise.all(early)) {
    assert.equal(answer.status, 503, answer.text);
    assert.equal(answer.json.code, 'DATABASE_BUSY');
    assert.equal(answer.headers['retry-after'], '2');
    assert.ok(tookMs > 4_500 && tookMs < 6_500, `refused after ${tookMs} ms`);
  }
  const waited = await later;
  assert.equal(waited.answer.status, 200, 'a write that began 3 s before the end of the lock is done');
});

test('the use of a token is written once the database can be', async () => {
  api.clock.advance(3_600_000);
  assert.equal((await read()).status, 200);
  await eventually(async () => {
    const { data } = (await api.tenant.ask('GET', '/auth/tokens')).json;
    return data[0]?.lastUsedAt === new Date(api.clock.now).toISOString();
  }, 'the use of the token');
});
