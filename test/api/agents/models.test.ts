// Models: listed for an ADMIN alone; what has nothing to download says so.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
before(async () => {
  api = await startApi();
});
after(() => api.close());

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
