// Recordings on the disk of an engine on another machine: read through its control port with ranges, and erased there,
// or not at all. The control port is the real one.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { sweepCalls } from '../../../../api/calls/erase/sweep.ts';
import { engineRow } from '../../../../bench/rig/rows/table-rows.ts';
import { temporaryFolder } from '../../../../bench/rig/temporary-folder.ts';
import { writeEngine } from '../../../../db/queries/engine/engines.ts';
import type { EngineTable } from '../../../../db/schema/processes.ts';
import { controlKey, signControl } from '../../../../db/shared/secrets/control-signature.ts';
import { type ControlServer, startControl } from '../../../../engine/cluster/control-server.ts';
import { seedCall } from '../../../support/api/resources.ts';
import { useApi } from '../../../support/api/use-api.ts';

const DAY = 86_400_000;
const audio = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251));
const folder = temporaryFolder('engine-disk');
let base: string;
let engine: ControlServer;

const api = useApi({}, async () => {
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}/api/v1`;
  engine = await startControl({
    host: '127.0.0.1',
    port: 0,
    sealingKey: api.context.secretKey,
    now: api.context.now,
    renderSample: () => Promise.reject(new Error('not asked')),
    endCall: () => undefined,
    disk: { id: 'disk1', recordingsDir: folder },
  });
});
after(() => engine.close());
beforeEach(() => engineIs({}));

const engineIs = (changes: Partial<EngineTable>) =>
  writeEngine(api.context.db, engineRow(api.clock.now, { home: 'disk1', controlUrl: engine.url, ...changes }));

const get = (id: string, headers: Record<string, string> = {}, more: RequestInit = {}) =>
  fetch(`${base}/calls/${id}/audio`, { headers: { authorization: `Bearer ${api.tenant.token}`, ...headers }, ...more });

/** Reads the body, too: an answer that nobody reads holds up the end of the API. */
async function statusOf(id: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await get(id, headers);
  await response.arrayBuffer();
  return response.status;
}

const erase = (id: string) => api.tenant.ask('DELETE', `/calls/${id}`);

const pathOf = (id: string, end = 'wav') => join(folder, `${id}.${end}`);

/** An ended call whose recording is on the engine's disk. */
async function recorded({ name, ...changes }: { name?: string; startedAt?: number } = {}): Promise<string> {
  const { id } = await seedCall(api, api.tenant, { recordingFormat: 'wav', ...changes });
  await api.context.db
    .updateTable('calls')
    .set({ recordingPath: `/elsewhere/${name ?? `${id}.wav`}`, recordingState: 'engine:disk1' })
    .where('id', '=', id)
    .execute();
  if (name === undefined) writeFileSync(pathOf(id), audio);
  return id;
}

test('the whole recording and parts of it come from the engine, as from a disk of the API', async () => {
  const id = await recorded();
  const shown = ['content-type', 'accept-ranges', 'content-length', 'cache-control', 'content-range', 'last-modified'];
  const seen = async (range?: string) => {
    const response = await get(id, range === undefined ? {} : { range });
    const body = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: shown.map((name) => response.headers.get(name)), body };
  };
  const ranges = [undefined, 'bytes=10-19', 'bytes=299990-', 'bytes=-5', 'bytes=5-999999', 'bytes=9-3', 'lines=1-2'];
  const fromEngine = [];
  for (const range of ranges) fromEngine.push(await seen(range));
  assert.deepEqual(
    fromEngine.map(({ status, body }) => [status, body.length]),
    [200, 206, 206, 206, 206, 200, 200].map((status, at) => [
      status,
      [300_000, 10, 10, 5, 299_995, 300_000, 300_000][at],
    ]),
  );
  assert.deepEqual(fromEngine[0]?.body, audio);
  assert.deepEqual(fromEngine[1]?.body, audio.subarray(10, 20));
  assert.deepEqual(fromEngine[0]?.headers.slice(0, 4), ['audio/wav', 'bytes', '300000', 'private, no-cache']);
  assert.equal(fromEngine[1]?.headers[4], 'bytes 10-19/300000');
  assert.ok(fromEngine[0]?.headers[5]);
});

test('what an engine of this folder had recorded before it lost the call is not taken for its recording', async () => {
  const id = await recorded();
  const { recordingsDir } = api.context.config;
  const read = async () => Buffer.from(await (await get(id)).arrayBuffer());
  writeFileSync(join(recordingsDir, `${id}.wav`), 'the first part');
  writeFileSync(join(recordingsDir, 'disk.id'), 'disk2');
  try {
    assert.deepEqual(await read(), audio);
    writeFileSync(join(recordingsDir, 'disk.id'), 'disk1');
    assert.equal((await read()).toString(), 'the first part', 'the same folder');
  } finally {
    rmSync(join(recordingsDir, 'disk.id'));
  }
});

test('HEAD has the length and no body, and a range past the end is 416', async () => {
  const id = await recorded();
  const head = await get(id, {}, { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, '300000', '']);
  const beyond = await get(id, { range: 'bytes=300000-' });
  assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, 'bytes */300000']);
});

test('an engine that is away is 503 with the time to come again, and one that lost the file 404', async () => {
  const id = await recorded();
  const states: Array<Partial<EngineTable>> = [
    { controlUrl: 'http://127.0.0.1:9' },
    { state: 'stopped' },
    { state: 'dead' },
    { controlUrl: null },
    // Another engine has its address now.
    { home: 'disk2' },
  ];
  for (const changes of states) {
    await api.context.db.deleteFrom('engines').execute();
    await engineIs(changes);
    const response = await get(id);
    const { code, error } = (await response.json()) as { code: string; error: string };
    const shown = JSON.stringify(changes);
    assert.deepEqual([response.status, code], [503, 'FILES_DOWN'], shown);
    assert.equal(error, 'Recording is on an engine that does not answer', shown);
    assert.ok(response.headers.get('retry-after'), shown);
  }
  await api.context.db.deleteFrom('engines').execute();
  assert.equal(await statusOf(id), 503, 'its row is forgotten, its disk may return');
  await engineIs({});
  assert.equal(await statusOf(id), 200);
  const missing = await recorded({ name: 'call_missing.wav' });
  assert.equal(await statusOf(missing), 404);
});

test("foreign and erased calls, and files that are no recording, are never an engine's to give", async () => {
  const id = await recorded();
  const headers = { authorization: `Bearer ${api.other.token}` };
  assert.equal(await statusOf(id, headers), 404);
  writeFileSync(join(folder, 'secret.key'), 'secret');
  writeFileSync(join(folder, '..', 'outside.wav'), 'secret');
  symlinkSync('/etc/hostname', join(folder, 'link.wav'));
  for (const name of ['secret.key', '../outside.wav', '..%2foutside.wav', 'link.wav', 'disk.id']) {
    assert.notEqual(await statusOf(await recorded({ name })), 200, name);
  }
  assert.equal((await erase(id)).status, 200);
  assert.equal(await statusOf(id), 404);
});

/** The engine's answer to a request that is sent as it is written. */
const ask = (method: string, path: string, signed: boolean): Promise<number> =>
  new Promise((resolve, reject) => {
    const key = controlKey(api.context.secretKey);
    const headers = signed ? { authorization: signControl(key, { method, path }, api.clock.now) } : {};
    const { hostname, port } = new URL(engine.url);
    request({ hostname, port, method, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

test('whoever reaches the control port needs the signature, and gets nothing but recordings of this disk', async () => {
  const id = await recorded();
  const path = `/disks/disk1/recordings/${id}`;
  assert.equal(await ask('GET', `${path}.wav`, false), 401);
  assert.equal(await ask('DELETE', path, false), 401);
  assert.equal(await ask('GET', `${path}.wav`, true), 200);
  assert.equal(await ask('GET', `/disks/other/recordings/${id}.wav`, true), 421);
  assert.equal(await ask('DELETE', `/disks/other/recordings/${id}`, true), 421);
  for (const name of ['../secret.key', '..%2Fsecret.key', 'disk.id', '.wav', `../recordings/${id}.wav`]) {
    assert.equal(await ask('GET', `/disks/disk1/recordings/${name}`, true), 404, name);
  }
  assert.ok(existsSync(pathOf(id)));
});

test('a client that goes away ends the reading at the engine', async () => {
  const id = await recorded();
  writeFileSync(pathOf(id), Buffer.alloc(64 * 1024 * 1024));
  const { port } = new URL(engine.url);
  const closed: Array<Promise<unknown>> = [];
  const relay = createServer((inner) => {
    const outer = connect(Number(port), '127.0.0.1');
    closed.push(new Promise((resolve) => inner.on('close', resolve)));
    inner.pipe(outer).pipe(inner);
    for (const socket of [inner, outer]) socket.on('error', () => undefined);
    inner.on('close', () => outer.destroy());
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  await engineIs({ controlUrl: `http://127.0.0.1:${(relay.address() as AddressInfo).port}` });
  const abort = new AbortController();
  const response = await get(id, {}, { signal: abort.signal });
  await response.body?.getReader().read();
  abort.abort();
  await Promise.all(closed);
  relay.close();
});

test('an erasure reaches the disk of the engine, and is refused while it does not', async () => {
  const id = await recorded();
  writeFileSync(pathOf(id, 'mp3'), 'mp3');
  const other = await recorded();
  await engineIs({ state: 'stopped' });
  const refused = await erase(id);
  assert.deepEqual([refused.status, 'code' in refused.json && refused.json.code], [503, 'FILES_DOWN']);
  await engineIs({});
  assert.equal(await statusOf(id), 200, 'nothing was erased');
  assert.equal((await erase(id)).status, 200);
  assert.deepEqual(
    [existsSync(pathOf(id)), existsSync(pathOf(id, 'mp3')), existsSync(pathOf(other))],
    [false, false, true],
  );
});

test('the sweep reaches the disk of the engine, and comes back to a call whose engine is away', async () => {
  const startedAt = api.clock.now - 40 * DAY;
  const account = { accountId: api.tenant.accountId };
  await api.context.db.updateTable('accounts').set({ retentionDays: 30 }).where('id', '=', account.accountId).execute();
  const id = await recorded({ startedAt });
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
  await engineIs({ state: 'stopped' });
  await assert.rejects(sweep(), { code: 'unreachable' });
  assert.ok(existsSync(pathOf(id)));
  await engineIs({});
  assert.equal(await sweep(), 1);
  assert.equal(existsSync(pathOf(id)), false);
});
