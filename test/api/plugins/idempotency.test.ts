// Idempotency-Key against a route that counts its side effects.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type KyselyPlugin, sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../../../api/frame/app.ts';
import { refused, retryLater } from '../../../api/frame/errors.ts';
import { rememberCreated } from '../../../api/plugins/idempotency.ts';
import { startApi } from '../../../bench/rig/api/api.ts';
import { fileOnly, serverOnly } from '../../../bench/rig/database/postgres.ts';
import { eventually } from '../../../bench/rig/eventually.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { pidNamespace } from '../../../db/shared/process/pid-namespace.ts';

const dataDir = temporaryFolder('voice-api');

/** POST /effects {mode}: how many effects there were so far. */
function effects() {
  const state = { count: 0, release: Promise.resolve() };
  const routes = (app: App) => {
    app.post(
      '/effects',
      { config: { idempotent: true }, schema: { body: Type.Object({ mode: Type.String() }) } },
      async (request, reply) => {
        const { mode } = request.body;
        await state.release;
        state.count++;
        if (mode === 'down') throw retryLater('CARRIER_DOWN', 'The carrier is down', 5);
        if (mode === 'limit') throw retryLater('TEXT_LIMIT', 'Too many texts', 60);
        if (mode === 'conflict') throw refused('NUMBER_TAKEN', 'taken');
        reply.code(201);
        return { data: { count: state.count } };
      },
    );
  };
  return { state, routes };
}

test('the same key and body get the first answer again, to the byte, with a header that says so', async () => {
  const { state, routes } = effects();
  const api = await startApi({ routes });
  try {
    const key = { 'idempotency-key': randomUUID() };
    const first = await api.tenant.ask('POST', '/effects', { mode: 'a' }, key);
    const again = await api.tenant.ask('POST', '/effects', { mode: 'a' }, key);
    assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text]);
    assert.equal(first.headers['idempotent-replayed'], undefined);
    assert.equal(again.headers['idempotent-replayed'], 'true');
    assert.equal(state.count, 1);

    const mismatch = await api.tenant.ask('POST', '/effects', { mode: 'b' }, key);
    assert.equal(mismatch.status, 422);
    assert.deepEqual(
      mismatch.json.errors?.map(({ field }) => field),
      ['Idempotency-Key'],
    );
    assert.equal((await api.other.ask('POST', '/effects', { mode: 'b' }, key)).status, 201, 'keys are of an account');
    assert.equal((await api.tenant.ask('POST', '/effects', { mode: 'a' })).status, 201, 'the header is optional');
    assert.equal(state.count, 3);

    api.clock.advance(24 * 3_600_000);
    assert.deepEqual((await api.tenant.ask('POST', '/effects', { mode: 'b' }, key)).json.data, { count: 4 });
  } finally {
    await api.close();
  }
});

test('a key that is no UUID is 422 on the header', async () => {
  const api = await startApi({ routes: effects().routes });
  try {
    for (const key of ['1', '', 'x'.repeat(36), `${randomUUID()}0`]) {
      const answer = await api.tenant.ask('POST', '/effects', { mode: 'a' }, { 'idempotency-key': key });
      assert.equal(answer.status, 422, key);
      assert.equal(answer.json.errors?.[0]?.field, 'Idempotency-Key');
    }
  } finally {
    await api.close();
  }
});

test('of 50 posts with one key at once one has an effect, and none another answer', async () => {
  const { state, routes } = effects();
  const api = await startApi({ routes });
  try {
    let open = () => {};
    state.release = new Promise((resolve) => {
      open = resolve;
    });
    const key = { 'idempotency-key': randomUUID() };
    const asked = Array.from({ length: 50 }, () => api.tenant.ask('POST', '/effects', { mode: 'a' }, key));
    // The others are refused while the first runs.
    const refused = await Promise.race(asked);
    assert.equal(refused.status, 409);
    open();
    const answers = await Promise.all(asked);
    assert.equal(state.count, 1);
    for (const { status, json } of answers) {
      assert.ok(status === 409 || (status === 201 && isDeepStrictEqual(json.data, { count: 1 })), String(status));
    }
    assert.ok(answers.some(({ status }) => status === 201));
  } finally {
    await api.close();
  }
});

test('a key that was read while its request ran, whose answer is stored meanwhile, is no free one', {
  skip: serverOnly,
}, async () => {
  const { state, routes } = effects();
  const api = await startApi({ routes });
  try {
    let finishFirst = () => {};
    state.release = new Promise((resolve) => {
      finishFirst = resolve;
    });
    const key = { 'idempotency-key': randomUUID() };
    const first = api.tenant.ask('POST', '/effects', { mode: 'a' }, key);
    const claimed = api.context.db.selectFrom('idempotencyKeys').select('key');
    await eventually(async () => (await claimed.execute()).length > 0);
    let hasRead = false;
    api.context.db = api.context.db.withPlugin(
      afterReading(async ({ statusCode }) => {
        if (statusCode !== null || hasRead) return;
        hasRead = true;
        finishFirst();
        await first;
      }),
    );
    const second = await api.tenant.ask('POST', '/effects', { mode: 'a' }, key);
    assert.ok(hasRead);
    assert.deepEqual([(await first).status, second.status, second.json.code], [201, 409, 'IDEMPOTENCY_KEY_BUSY']);
    assert.equal(state.count, 1);
  } finally {
    await api.close();
  }
});

/** Waits between the database's answer to a search for a key and its use. */
function afterReading(wait: (row: { statusCode?: unknown }) => Promise<void>): KyselyPlugin {
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const [row] = result.rows;
      if (row && 'bodyHash' in row) await wait(row);
      return result;
    },
  };
}

test('answers below 500 are kept, a 503 and a 429 can be tried again', async () => {
  const { state, routes } = effects();
  const api = await startApi({ routes });
  try {
    const down = { 'idempotency-key': randomUUID() };
    const first = await api.tenant.ask('POST', '/effects', { mode: 'down' }, down);
    assert.deepEqual([first.status, first.headers['retry-after']], [503, '5']);
    await api.tenant.ask('POST', '/effects', { mode: 'down' }, down);
    assert.equal(state.count, 2);
    const limited = { 'idempotency-key': randomUUID() };
    for (const count of [3, 4]) {
      const answer = await api.tenant.ask('POST', '/effects', { mode: 'limit' }, limited);
      assert.deepEqual([answer.status, answer.headers['retry-after'], state.count], [429, '60', count]);
    }
    const taken = { 'idempotency-key': randomUUID() };
    await api.tenant.ask('POST', '/effects', { mode: 'conflict' }, taken);
    const again = await api.tenant.ask('POST', '/effects', { mode: 'conflict' }, taken);
    assert.deepEqual([again.status, again.headers['idempotent-replayed'], state.count], [409, 'true', 5]);
  } finally {
    await api.close();
  }
});

test('an answer survives a restart; a key whose process died while running is free again', async () => {
  const { state, routes } = effects();
  const key = { 'idempotency-key': randomUUID() };
  const first = await startApi({ routes, dataDir });
  const answer = await first.tenant.ask('POST', '/effects', { mode: 'a' }, key);
  const { accountId, token } = first.tenant;
  await first.close();

  const second = await startApi({ routes, dataDir });
  try {
    const headers = { authorization: `Bearer ${token}`, ...key };
    const replayed = await second.ask('POST', '/effects', { mode: 'a' }, headers);
    assert.deepEqual([replayed.status, replayed.text, state.count], [201, answer.text, 1]);

    // As a process leaves it that died between the claim and the answer: no process has number 2^22 + 1.
    const leave = (owner: string) =>
      second.context.db
        .updateTable('idempotencyKeys')
        .set({ statusCode: null, response: null, owner })
        .where('accountId', '=', accountId)
        .execute();
    await leave(`${hostname()} ${process.ppid} x ${pidNamespace()}`);
    assert.equal((await second.ask('POST', '/effects', { mode: 'a' }, headers)).status, 409, 'its process lives');
    await leave(`${hostname()} 4194305 x pid:[1]`);
    assert.equal((await second.ask('POST', '/effects', { mode: 'a' }, headers)).status, 409, 'it may live elsewhere');
    await leave(`${hostname()} 4194305 x ${pidNamespace()}`);
    assert.equal((await second.ask('POST', '/effects', { mode: 'a' }, headers)).status, 201);
    assert.equal(state.count, 2);
  } finally {
    await second.close();
  }
});

test('an answer kept in the transaction of its effect is replayed though none was sent', async () => {
  const routes = (app: App, context: { db: import('../../../db/schema.ts').Db }) => {
    app.post('/effects', { config: { idempotent: true } }, async (request) => {
      await context.db.transaction().execute((tx) => rememberCreated(tx, request, { count: 7 }));
      // As if the process had died here.
      request.idempotency = null;
      throw new Error('died');
    });
  };
  const api = await startApi({ routes });
  try {
    const key = { 'idempotency-key': randomUUID() };
    assert.equal((await api.tenant.ask('POST', '/effects', undefined, key)).status, 500);
    const again = await api.tenant.ask('POST', '/effects', undefined, key);
    assert.deepEqual([again.status, again.json], [201, { success: true, data: { count: 7 } }]);
  } finally {
    await api.close();
  }
});

test('an answer kept in the transaction of its effect stays, whatever was erased from it before it was sent', async () => {
  const routes = (app: App, { db }: { db: import('../../../db/schema.ts').Db }) => {
    app.post('/effects', { config: { idempotent: true } }, async (request, reply) => {
      await db.transaction().execute((tx) => rememberCreated(tx, request, { name: 'Zenobia' }));
      const response = JSON.stringify({ success: true, data: { name: '' } });
      await db.updateTable('idempotencyKeys').set({ response }).execute();
      reply.code(201);
      return { data: { name: 'Zenobia' } };
    });
  };
  const api = await startApi({ routes });
  try {
    const key = { 'idempotency-key': randomUUID() };
    assert.equal((await api.tenant.ask('POST', '/effects', undefined, key)).status, 201);
    assert.deepEqual((await api.tenant.ask('POST', '/effects', undefined, key)).json.data, { name: '' });
  } finally {
    await api.close();
  }
});

test('a key whose answer could neither be stored nor freed can be used again at once', { skip: fileOnly }, async () => {
  const { state, routes } = effects();
  const api = await startApi({ routes });
  try {
    const { db } = api.context;
    // Between the claim and the answer the database stops taking writes.
    const refuseWrites = (on: boolean) => sql`pragma query_only = ${sql.raw(on ? '1' : '0')}`.execute(db);
    for (const mode of ['a', 'down'] as const) {
      const key = { 'idempotency-key': randomUUID() };
      let release = () => {};
      state.release = new Promise((resolve) => {
        release = resolve;
      });
      const asked = api.tenant.ask('POST', '/effects', { mode }, key);
      await eventually(
        async () =>
          (await db.selectFrom('idempotencyKeys').selectAll().where('statusCode', 'is', null).execute()).length === 1,
      );
      const busy = await api.tenant.ask('POST', '/effects', { mode }, key);
      assert.deepEqual([busy.status, busy.json.code], [409, 'IDEMPOTENCY_KEY_BUSY']);
      await refuseWrites(true);
      release();
      const first = await asked;
      assert.equal(first.status, mode === 'a' ? 201 : 503, 'the answer is the true one');
      await refuseWrites(false);
      const again = await api.tenant.ask('POST', '/effects', { mode: 'a' }, key);
      assert.equal(again.status, 201, again.text);
    }
  } finally {
    await api.close();
  }
});

test('each request that makes something honours the key, and one that does not says so', async () => {
  const api = await startApi();
  try {
    const key = { 'idempotency-key': randomUUID() };
    const made = async () => api.tenant.ask('POST', '/agents', { name: 'Ada', voiceId: 'flite-slt' }, key);
    const [first, again] = [await made(), await made()];
    assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text]);
    assert.equal((await api.tenant.ask('POST', '/agents', { name: 'Bo', voiceId: 'flite-slt' }, key)).status, 422);
    assert.equal((await api.tenant.ask('GET', '/agents')).json.pagination.total, 1);
    for (const [path, body] of [
      ['/webhooks', { url: 'https://example.com/hook', events: ['call.ended'] }],
      ['/webhooks/whk_1/deliveries/dlv_1/replay', {}],
      ['/calls/call_1/keep-as-test', { suiteId: 'tst_1' }],
      ['/auth/tokens', { name: 'CI' }],
      ['/auth/login', { email: 'a@example.com', password: 'a' }],
    ] as const) {
      const refused = await api.inject({
        method: 'POST',
        url: `/api/v1${path}`,
        payload: body,
        headers: { authorization: `Bearer ${api.tenant.token}`, 'idempotency-key': randomUUID() },
      });
      assert.equal(refused.status, 422, `${path} ${refused.text}`);
      assert.match(refused.text, /Idempotency-Key/);
    }
  } finally {
    await api.close();
  }
});

test('the document names the key at each request that honours it, and at no other', () => {
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
    paths: Record<string, { post?: { parameters?: Array<{ name: string }> } }>;
  };
  const honoured = (path: string) =>
    paths[`/api/v1${path}`]?.post?.parameters?.some(({ name }) => name === 'Idempotency-Key') === true;
  for (const path of ['/agents', '/businesses', '/tools', '/campaigns/{id}/contacts', '/campaigns/{id}/start'])
    assert.ok(honoured(path), path);
  for (const path of ['/auth/login', '/auth/tokens', '/webhooks', '/do-not-call']) assert.ok(!honoured(path), path);
});
