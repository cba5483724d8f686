// Models: listed and downloaded for an ADMIN alone; what has nothing to download says so.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { claimRequests, finishRequest } from '../../../db/rules/engine-claims.ts';
import { engineIs } from '../../support/api/resources.ts';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi();

test('models are listed with their state', async () => {
  const { data, pagination } = (await api.admin.ask('GET', '/admin/models?limit=100')).json;
  assert.equal(pagination.total, data.length);
  const silero = data.find((model) => model.name === 'silero');
  assert.equal(silero?.kind, 'vad');
  assert.equal(silero?.state, 'installed');
  assert.equal(silero?.progress, null);
  assert.deepEqual((await api.admin.ask('GET', '/admin/models/silero')).json.data, silero);
  const second = (await api.admin.ask('GET', '/admin/models?limit=1&page=2')).json;
  assert.deepEqual(second.data, [data[1]]);
});

test('only an ADMIN; unknown models are 404, bundled ones 409', async () => {
  for (const [method, path] of [
    ['GET', '/admin/models'],
    ['GET', '/admin/models/silero'],
    ['POST', '/admin/models/silero/download'],
  ] as const) {
    assert.equal((await api.tenant.ask(method, path)).status, 403, path);
    assert.equal((await api.ask(method, path)).status, 401, path);
  }
  assert.equal((await api.admin.ask('GET', '/admin/models/none')).status, 404);
  assert.equal((await api.admin.ask('POST', '/admin/models/none/download')).status, 404);
  assert.equal((await api.admin.ask('POST', '/admin/models/silero/download')).status, 409);
});

test('a local model is downloaded by the engine, and its progress is reported in bytes', async () => {
  const path = '/admin/models/sherpa:kroko-en';
  const ask = async () => (await api.admin.ask('GET', path)).json.data;
  const first = await ask();
  assert.deepEqual([first.kind, first.state, first.progress], ['stt', 'downloadable', null]);
  assert.deepEqual([first.download?.name, first.download?.installed], ['kroko-en', false]);
  assert.equal((await api.admin.ask('POST', `${path}/download`)).status, 503);
  await engineIs(api);
  assert.equal((await api.admin.ask('POST', `${path}/download`)).json.data.progress?.state, 'waiting');

  const claim = () =>
    claimRequests(api.context.db, { engineId: 'engine-1', nowMs: api.clock.now, limit: 10, places: true });
  const [request] = await claim();
  assert.deepEqual([request?.kind, request?.payload], ['model-download', '{"name":"sherpa:kroko-en"}']);
  const models = join(api.context.config.dataDir, 'models');
  mkdirSync(models, { recursive: true });
  writeFileSync(join(models, 'kroko-en.tar.bz2.part'), 'twelve bytes');
  const { progress } = await ask();
  assert.deepEqual([progress?.state, progress?.bytes, progress?.totalBytes], ['running', 12, first.download?.bytes]);
  assert.equal((await api.admin.ask('POST', `${path}/download`)).status, 200);
  assert.deepEqual(await claim(), []);

  await engineIs(api, { state: 'dead' });
  await engineIs(api, { id: 'engine-2' });
  assert.match((await ask()).progress?.error ?? '', /restarted: ask again/);
  assert.equal((await api.admin.ask('POST', `${path}/download`)).json.data.progress?.state, 'waiting');
  const [again] = await claim();
  mkdirSync(join(models, 'kroko-en'));
  await finishRequest(api.context.db, { id: again?.id ?? '', result: { ok: true }, nowMs: api.clock.now });
  const done = await ask();
  assert.deepEqual([done.state, done.progress?.state, done.download?.installed], ['installed', 'done', true]);
  assert.equal((await api.admin.ask('POST', `${path}/download`)).status, 409);
});
