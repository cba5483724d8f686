// Recordings in an object store: read with ranges through the API, and erased there with every version, or not at all.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { sweepCalls } from '../../../../api/calls/erase/sweep.ts';
import { CallSweeps } from '../../../../api/calls/erase/sweep-job.ts';
import { eventually } from '../../../../bench/rig/eventually.ts';
import { ObjectStore, type StoreFault } from '../../../../bench/rig/fakes/object-store.ts';
import { FilesError } from '../../../../db/shared/files/files.ts';
import { seedCall } from '../../../support/api/resources.ts';
import { useApi } from '../../../support/api/use-api.ts';

const DAY = 86_400_000;
const audio = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251));
const store = await new ObjectStore({ versions: 'kept' }).start();
let base: string;

const api = useApi({ environment: store.environment }, async () => {
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}/api/v1`;
});
after(() => store.stop());
beforeEach(() => {
  store.fault = null;
  store.faultMethod = null;
});

const get = (id: string, headers: Record<string, string> = {}, more: RequestInit = {}) =>
  fetch(`${base}/calls/${id}/audio`, { headers: { authorization: `Bearer ${api.tenant.token}`, ...headers }, ...more });

const localPath = (id: string) => join(api.context.config.recordingsDir, `${id}.wav`);

/** An ended call whose recording is in the store only. */
async function stored(changes: object = {}) {
  const { id } = await seedCall(api, api.tenant, { recordingFormat: 'wav', ...changes });
  const key = `recordings/${id}.wav`;
  const row = { recordingPath: `/elsewhere/${id}.wav`, recordingState: 'stored', recordingKey: key };
  await api.context.db
    .updateTable('calls')
    .set({ ...row, recordingBytes: audio.length, ...changes })
    .where('id', '=', id)
    .execute();
  store.store(`phone/${key}`, audio, 'audio/wav');
  return { id, key: `phone/${key}` };
}

const onDiskOnly = (state: string) => stored({ recordingState: state, recordingKey: null, recordingBytes: null });

const settled = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
};

test('the whole recording, and parts of it, have the headers that a file of the disk has', async () => {
  const { id } = await stored();
  const shown = ['content-type', 'accept-ranges', 'content-length', 'cache-control', 'content-range'];
  const seen = async (range?: string) => {
    const response = await get(id, range === undefined ? {} : { range });
    const body = Buffer.from(await response.arrayBuffer());
    const headers = shown.map((name) => response.headers.get(name));
    assert.ok(response.headers.get('last-modified'));
    return { status: response.status, headers, body };
  };
  const ranges = [undefined, 'bytes=10-19', 'bytes=299990-', 'bytes=-5', 'bytes=5-999999', 'bytes=9-3', 'lines=1-2'];
  const fromStore = [];
  for (const range of ranges) fromStore.push(await seen(range));
  writeFileSync(localPath(id), audio);
  const asked = store.requests.length;
  for (const [index, range] of ranges.entries()) assert.deepEqual(await seen(range), fromStore[index], range);
  assert.equal(store.requests.length, asked, 'what is on the disk is not fetched');
  assert.deepEqual(fromStore[0]?.body, audio);
  assert.deepEqual(fromStore[1]?.body, audio.subarray(10, 20));
  assert.deepEqual(
    fromStore.map(({ status }) => status),
    [200, 206, 206, 206, 206, 200, 200],
  );
});

test('a range past the end is 416, and HEAD sends no body: neither asks the store', async () => {
  const { id } = await stored();
  const asked = store.requests.length;
  const beyond = await get(id, { range: 'bytes=300000-' });
  assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, 'bytes */300000']);
  const head = await get(id, {}, { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, '300000']);
  assert.equal(store.requests.length, asked);
});

test('a store that is away is 503 with the time to come again; one that lost the file is 404', async () => {
  const { id, key } = await stored();
  for (const fault of ['away', 'slow-down', 'denied'] as StoreFault[]) {
    store.fault = fault;
    const response = await get(id);
    const { code, error } = (await response.json()) as { code: string; error: string };
    assert.deepEqual([response.status, code], [503, 'FILES_DOWN'], fault);
    assert.ok(response.headers.get('retry-after'));
    assert.doesNotMatch(error, /127\.0\.0\.1|AKTEST|secret/);
  }
  store.fault = null;
  assert.equal((await get(id)).status, 200);
  await api.context.files.delete(key.replace('phone/', ''));
  assert.equal((await get(id)).status, 404);
});

test('a body that breaks off reaches the client as broken, not as a shorter recording', async () => {
  const { id } = await stored();
  store.fault = 'cut-body';
  await assert.rejects((await get(id)).arrayBuffer());
  store.store(`phone/recordings/${id}.wav`, audio.subarray(1));
  store.fault = null;
  assert.equal((await get(id)).status, 503, 'the file is not what was stored');
});

test('a client that goes away leaves nothing open towards the store', async () => {
  const { id } = await stored();
  store.fault = 'hang-in-body';
  const abort = new AbortController();
  const response = await get(id, {}, { signal: abort.signal });
  await response.body?.getReader().read();
  assert.equal(store.openBodies, 1);
  abort.abort();
  await settled(() => store.openBodies === 0);
  // Before the store has answered anything.
  store.fault = 'hang';
  const early = new AbortController();
  const asked = store.requests.length;
  const waiting = get(id, {}, { signal: early.signal });
  await settled(() => store.requests.length > asked);
  early.abort();
  await assert.rejects(waiting);
  await settled(() => store.openRequests === 0);
});

test('a recording that is on another machine is 503, one that was lost is 404', async () => {
  const elsewhere = await onDiskOnly('engine:another');
  const response = await get(elsewhere.id);
  assert.deepEqual([response.status, ((await response.json()) as { code: string }).code], [503, 'FILES_DOWN']);
  writeFileSync(localPath(elsewhere.id), audio);
  assert.equal((await get(elsewhere.id)).status, 200, 'a folder that both processes share');
  const lost = await stored({ recordingState: 'lost', recordingPath: null, recordingKey: null });
  assert.equal((await get(lost.id)).status, 404);
});

test('a file of another length than was stored is not the recording: a lost engine’s first part of it', async () => {
  const { id } = await stored();
  writeFileSync(localPath(id), audio.subarray(0, 1_000));
  const response = await get(id);
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), audio);
});

test('no reader of the API sees where a recording lies', async () => {
  const { id } = await stored();
  const { text } = await api.tenant.ask('GET', `/calls/${id}`);
  const list = await api.tenant.ask('GET', '/calls');
  for (const body of [text, list.text]) assert.doesNotMatch(body, /recordingKey|recordingState|recordings\/call_/);
});

const erase = (id: string) => api.tenant.ask('DELETE', `/calls/${id}`);
const row = (id: string) =>
  api.context.db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('an erasure deletes every version in the store, and the file on the disk', async () => {
  const { id, key } = await stored();
  store.store(key, Buffer.from('an earlier aubergine'));
  store.store(key, audio);
  writeFileSync(localPath(id), audio);
  assert.equal((await erase(id)).status, 200);
  assert.equal(store.versionCount(key), 0);
  assert.ok(!store.everything().includes('aubergine'));
  assert.equal((await get(id)).status, 404);
  const { recordingKey, recordingState, recordingBytes } = await row(id);
  assert.deepEqual([recordingKey, recordingState, recordingBytes], [null, null, null]);
});

test('while the store is away an erasure claims nothing, and succeeds later', async () => {
  const { id, key } = await stored();
  for (const fault of ['away', 'denied', 'keeps-all'] as StoreFault[]) {
    store.fault = fault;
    const answer = await erase(id);
    assert.deepEqual([answer.status, answer.json.code], [503, 'FILES_DOWN'], fault);
    assert.equal((await row(id)).erasedAt, null);
  }
  store.fault = null;
  assert.equal((await erase(id)).status, 200);
  assert.equal(store.versionCount(key), 0);
});

test('an erasure waits for a recording that is on its way to the store', async () => {
  const { id } = await onDiskOnly('engine:here');
  let looks = 0;
  Object.defineProperty(api.context.files, 'kind', { get: () => ++looks && 's3' });
  const answer = erase(id);
  await eventually(() => looks > 0);
  const key = `recordings/${id}.wav`;
  await api.context.db
    .updateTable('calls')
    .set({ recordingState: 'stored', recordingKey: key, recordingBytes: audio.length })
    .where('id', '=', id)
    .execute();
  assert.equal((await answer).status, 200);
  assert.equal(store.versionCount(`phone/${key}`), 0);
});

test('the sweep erases what it can, and comes back to what the store keeps', async () => {
  const account = { accountId: api.tenant.accountId };
  await api.context.db.updateTable('accounts').set({ retentionDays: 30 }).where('id', '=', account.accountId).execute();
  const startedAt = api.clock.now - 40 * DAY;
  const plain = await seedCall(api, api.tenant, { startedAt });
  const inStore = await stored({ startedAt: startedAt + 1 });
  const elsewhere = await onDiskOnly('engine:another');
  await api.context.db
    .updateTable('calls')
    .set({ startedAt: startedAt + 2 })
    .where('id', '=', elsewhere.id)
    .execute();
  const later = await stored({ startedAt: startedAt + 3 });
  api.clock.now = Date.UTC(2026, 10, 19, 3);
  const sweep = () =>
    sweepCalls(api.context.db, {
      recordingsDir: api.context.config.recordingsDir,
      files: api.context.files,
      secretKey: api.context.secretKey,
      nowMs: api.clock.now,
      now: api.context.now,
      rest: () => Promise.resolve(),
      isStopped: () => false,
    });
  const erased = async () =>
    (await Promise.all([plain, inStore, elsewhere, later].map(({ id }) => row(id)))).map(
      ({ erasedAt }) => erasedAt !== null,
    );
  store.fault = 'away';
  await assert.rejects(sweep(), FilesError);
  assert.deepEqual(await erased(), [true, false, false, false]);
  store.fault = null;
  await assert.rejects(sweep(), FilesError);
  assert.deepEqual(await erased(), [true, true, false, true]);
  await api.context.db
    .updateTable('calls')
    .set({ recordingState: 'stored', recordingKey: `recordings/${elsewhere.id}.wav` })
    .where('id', '=', elsewhere.id)
    .execute();
  // As the API runs it, on its thread.
  await new CallSweeps(api.context).run();
  assert.deepEqual(await erased(), [true, true, true, true]);
  assert.deepEqual(
    [inStore, later].map(({ key }) => store.versionCount(key)),
    [0, 0],
  );
});

test('a file that vanishes from the disk between look and answer is read from the store', async () => {
  const { id } = await stored();
  writeFileSync(localPath(id), audio);
  rmSync(localPath(id));
  assert.equal((await (await get(id)).arrayBuffer()).byteLength, audio.length);
});
