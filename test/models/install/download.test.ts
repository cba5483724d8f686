import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { eventually } from '../../../bench/rig/eventually.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { download, isIntact } from '../../../models/install/download.ts';

const CONTENT = randomBytes(300_000);
const sha256 = createHash('sha256').update(CONTENT).digest('hex');

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('models');
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse, count: number) => void) {
  const ranges: Array<string | undefined> = [];
  const server = createServer((request, response) => {
    ranges.push(request.headers.range);
    answer(request, response, ranges.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/model.bin`;
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { wanted: { url, bytes: CONTENT.length, sha256 }, ranges, stop };
}

/** Serves the requested range; with `until` it breaks off there, once the client has that much on disk. */
function sendRange(request: IncomingMessage, response: ServerResponse, until = CONTENT.length): void {
  const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
  response.writeHead(from > 0 ? 206 : 200, { 'content-length': CONTENT.length - from });
  response.write(CONTENT.subarray(from, until));
  if (until === CONTENT.length) {
    response.end();
    return;
  }
  const part = join(folder, 'model.bin.part');
  void eventually(() => statSync(part).size >= until).then(() => response.destroy());
}

const options = { retryDelayMs: 1 };

test('a file comes whole, with progress, and is not fetched twice', async () => {
  const { wanted, ranges, stop } = await serve((request, response) => sendRange(request, response));
  const path = join(folder, 'deep', 'model.bin');
  const seen: number[] = [];
  await download(wanted, path, { ...options, onProgress: (bytes) => seen.push(bytes) });
  assert.deepEqual(readFileSync(path), CONTENT);
  assert.equal(seen.at(-1), CONTENT.length);
  await download(wanted, path, options);
  assert.equal(ranges.length, 1);
  await stop();
});

test('an interrupted download resumes where it stopped, even in a later process', async () => {
  const { wanted, ranges, stop } = await serve((request, response, count) =>
    sendRange(request, response, count === 1 ? 120_000 : undefined),
  );
  const path = join(folder, 'model.bin');
  writeFileSync(`${path}.part`, CONTENT.subarray(0, 50_000));
  await download(wanted, path, options);
  assert.deepEqual(readFileSync(path), CONTENT);
  assert.equal(ranges[0], 'bytes=50000-');
  assert.equal(ranges[1], 'bytes=120000-');
  await stop();
});

test('a server that ignores the range is downloaded from the start', async () => {
  const { wanted, stop } = await serve((_request, response) => response.end(CONTENT));
  const path = join(folder, 'model.bin');
  writeFileSync(`${path}.part`, randomBytes(1_000));
  await download(wanted, path, options);
  assert.ok(await isIntact(wanted, path));
  await stop();
});

test('wrong content never gets the final name and leaves nothing', async () => {
  const other = randomBytes(CONTENT.length);
  const { wanted, stop } = await serve((_request, response) => response.end(other));
  const path = join(folder, 'model.bin');
  await assert.rejects(download(wanted, path, options), { code: 'DOWNLOAD_CORRUPT' });
  assert.equal(existsSync(path), false);
  assert.equal(existsSync(`${path}.part`), false);
  await stop();
});

test('more bytes than announced are not written to the disk', async () => {
  const { wanted, stop } = await serve((_request, response) => {
    response.writeHead(200);
    const flood = (): boolean => !response.destroyed && response.write(randomBytes(100_000), flood);
    flood();
  });
  const path = join(folder, 'model.bin');
  await assert.rejects(download(wanted, path, options), { code: 'DOWNLOAD_CORRUPT' });
  assert.ok(!existsSync(`${path}.part`) || statSync(`${path}.part`).size < 2 * CONTENT.length);
  await stop();
});

test('a missing file is not asked for again; a failing server is, four times', async () => {
  const missing = await serve((_request, response) => response.writeHead(404).end());
  await assert.rejects(download(missing.wanted, join(folder, 'a'), options), /answered 404/);
  assert.equal(missing.ranges.length, 1);
  await missing.stop();
  const failing = await serve((_request, response) => response.writeHead(503).end());
  await assert.rejects(download(failing.wanted, join(folder, 'b'), options), { code: 'DOWNLOAD_FAILED' });
  assert.equal(failing.ranges.length, 4);
  await failing.stop();
});

test('a stalled server is dropped and asked again', async () => {
  const { wanted, ranges, stop } = await serve((request, response, count) => {
    if (count > 1) return sendRange(request, response);
    response.writeHead(200, { 'content-length': CONTENT.length });
    response.write(CONTENT.subarray(0, 10_000));
    return undefined;
  });
  await download(wanted, join(folder, 'model.bin'), {
    ...options,
    // Of the first request alone: the second has the time that it needs on a busy machine.
    get stallTimeoutMs() {
      return ranges.length === 0 ? 100 : 60_000;
    },
  });
  assert.equal(ranges.length, 2);
  await stop();
});

test('a cancelled download says so and keeps what it has', async () => {
  const { wanted, stop } = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': CONTENT.length });
    response.write(CONTENT.subarray(0, 10_000));
  });
  const cancel = new AbortController();
  const path = join(folder, 'model.bin');
  const running = download(wanted, path, {
    stallTimeoutMs: 5_000,
    signal: cancel.signal,
    onProgress: () => cancel.abort(),
  });
  await assert.rejects(running, { code: 'DOWNLOAD_CANCELLED' });
  await stop();
});
