import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, type TestContext, test } from 'node:test';
import { eventually } from '../../../bench/rig/eventually.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { installModel, removeModel, verifyModel } from '../../../models/install/install.ts';
import { downloadPath } from '../../../models/install/local-models.ts';
import { unpackTarBz2 } from '../../../models/install/unpack.ts';

const fixture = (name: string): string => new URL(`../../fixtures/models/${name}.tar.bz2`, import.meta.url).pathname;
const ARCHIVE = readFileSync(fixture('whole'));
const sha256 = createHash('sha256').update(ARCHIVE).digest('hex');
const FILES = ['tokens.txt', 'espeak-ng-data/phontab', 'model.onnx'];
const quick = { retryDelayMs: 1, stallTimeoutMs: 500 };

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('install');
});

/** Serves the archive and its checksum.txt; breaks the first answer off after `cutAt` bytes. */
async function publisher(t: TestContext, { checksums = `tiny-model.tar.bz2\t${sha256}\n`, cutAt = 0 } = {}) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.range ?? ''}`.trim());
    if (request.url === '/checksum.txt') {
      if (checksums === '') response.writeHead(404).end();
      else response.end(checksums);
      return;
    }
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': ARCHIVE.length - from });
    if (cutAt === 0 || from > 0) {
      response.end(ARCHIVE.subarray(from));
      return;
    }
    response.write(ARCHIVE.subarray(0, cutAt));
    const part = join(folder, 'tiny.tar.bz2.part');
    void eventually(() => existsSync(part) && statSync(part).size >= cutAt).then(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    model: {
      name: 'tiny',
      bytes: ARCHIVE.length,
      url: `${base}/tiny-model.tar.bz2`,
      checksumUrl: `${base}/checksum.txt`,
    },
    asked,
  };
}

test('a model is downloaded, checked against its publisher, unpacked and verified', async (t) => {
  const served = await publisher(t);
  const steps: string[] = [];
  const manifest = await installModel(served.model, folder, { ...quick, onStep: (step) => steps.push(step) });
  assert.deepEqual(steps, ['download', 'unpack']);
  assert.equal(manifest?.sha256, sha256);
  assert.equal(manifest?.checkedAgainst, served.model.checksumUrl);
  assert.deepEqual(
    manifest?.files.map(({ path }) => path),
    FILES,
  );
  assert.equal(readFileSync(join(folder, 'tiny', 'tokens.txt'), 'utf8'), 'a 0\nb 1\n');
  assert.equal(statSync(join(folder, 'tiny', 'espeak-ng-data', 'phontab')).size, 10_240);
  assert.deepEqual(readdirSync(folder), ['tiny']);
  assert.deepEqual(await verifyModel(folder, 'tiny'), { broken: [], hasManifest: true });
  await installModel(served.model, folder, quick);
  assert.deepEqual(served.asked, ['/checksum.txt', '/tiny-model.tar.bz2']);
});

test('a file that was changed or is gone is found', async (t) => {
  const served = await publisher(t);
  await installModel(served.model, folder, quick);
  writeFileSync(join(folder, 'tiny', 'tokens.txt'), 'a 0\nb 2\n');
  rmSync(join(folder, 'tiny', 'model.onnx'));
  assert.deepEqual((await verifyModel(folder, 'tiny')).broken, ['tokens.txt', 'model.onnx']);
});

test('a download that breaks off is resumed', async (t) => {
  const served = await publisher(t, { cutAt: 200 });
  await installModel(served.model, folder, quick);
  assert.deepEqual(served.asked, ['/checksum.txt', '/tiny-model.tar.bz2', '/tiny-model.tar.bz2 bytes=200-']);
  assert.deepEqual((await verifyModel(folder, 'tiny')).broken, []);
});

test('what the publisher did not publish is refused, and leaves nothing', async (t) => {
  const served = await publisher(t, { checksums: `${'0'.repeat(64)}  tiny-model.tar.bz2\n` });
  await assert.rejects(installModel(served.model, folder, quick), { code: 'DOWNLOAD_CORRUPT' });
  assert.deepEqual(readdirSync(folder), []);
});

test("without a publisher's sum nothing is downloaded, unless the operator says so; the sum is recorded then", async (t) => {
  for (const checksums of ['', 'another.tar.bz2\t00\n']) {
    const served = await publisher(t, { checksums });
    const model = { ...served.model, name: `tiny${checksums.length}` };
    await assert.rejects(installModel(model, folder, quick), { code: 'DOWNLOAD_UNCHECKED', message: /--sha256 SUM/ });
    assert.deepEqual(served.asked, ['/checksum.txt']);
    const manifest = await installModel(model, folder, { ...quick, unchecked: true });
    assert.equal(manifest?.checkedAgainst, null);
    assert.equal(manifest?.sha256, sha256);
  }
});

test('a sum that is known counts, and the publisher is not asked', async (t) => {
  const served = await publisher(t, { checksums: `${'0'.repeat(64)}  tiny-model.tar.bz2\n` });
  const wrong = { ...served.model, sha256: '1'.repeat(64) };
  await assert.rejects(installModel(wrong, folder, quick), { code: 'DOWNLOAD_CORRUPT' });
  assert.equal((await installModel({ ...served.model, sha256 }, folder, quick))?.checkedAgainst, 'given');
  assert.ok(!served.asked.includes('/checksum.txt'));
});

test('a model is removed with what is left of its download', async (t) => {
  const served = await publisher(t);
  await installModel(served.model, folder, quick);
  writeFileSync(join(folder, 'tiny.tar.bz2.part'), 'half');
  assert.equal(await removeModel(folder, 'tiny'), true);
  assert.deepEqual(readdirSync(folder), []);
  assert.equal(await removeModel(folder, 'tiny'), false);
});

test('a folder that was put there by hand has nothing to be compared with', async () => {
  mkdirSync(join(folder, 'own'));
  assert.deepEqual(await verifyModel(folder, 'own'), { broken: [], hasManifest: false });
});

const limits = { maxBytes: 1_000_000, maxFiles: 10 };
for (const [name, message] of [
  ['escapes', /leaves its folder/],
  ['absolute', /leaves its folder/],
  ['second-root', /beside tiny-model/],
  ['symlink', /is a SymbolicLink, not a file/],
  ['hardlink', /is a Link, not a file/],
] as const)
  test(`an archive with ${name.replace('-', ' ')} is refused`, async () => {
    const into = join(folder, 'deep', 'tiny');
    await assert.rejects(unpackTarBz2(fixture(name), into, limits), message);
    assert.equal(existsSync(join(folder, 'outside.txt')), false);
    assert.equal(existsSync('/tmp/outside.txt'), false);
  });

test('an archive that grows past what is expected is refused before the rest of it is unzipped', async () => {
  const bomb = readFileSync(fixture('bomb'));
  const cut = join(folder, 'bomb.tar.bz2');
  // A reader who unzips to the end finds that it is not complete.
  writeFileSync(cut, bomb.subarray(0, bomb.length - 50));
  await assert.rejects(unpackTarBz2(cut, join(folder, 'bomb'), limits), /larger than expected/);
  assert.deepEqual(readdirSync(folder), ['bomb.tar.bz2']);
});

test('an archive with too many files, a cut one and no archive at all are refused', async () => {
  await assert.rejects(
    unpackTarBz2(fixture('whole'), join(folder, 'a'), { ...limits, maxFiles: 2 }),
    /more than expected/,
  );
  const cut = join(folder, 'cut.tar.bz2');
  writeFileSync(cut, ARCHIVE.subarray(0, ARCHIVE.length - 50));
  await assert.rejects(unpackTarBz2(cut, join(folder, 'b'), limits), /not a complete .tar.bz2/);
  writeFileSync(cut, 'no archive at all');
  await assert.rejects(unpackTarBz2(cut, join(folder, 'c'), limits), /not a complete .tar.bz2/);
});

test('a model of one file is checked against the pointer that stands for it, and kept under its name', async (t) => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${ARCHIVE.length}\n`;
  const served = await publisher(t, { checksums: pointer });
  const single = { ...served.model, name: 'single', file: 'single.onnx' };
  const manifest = await installModel(single, folder, quick);
  assert.deepEqual(manifest?.files, [{ path: 'single.onnx', bytes: ARCHIVE.length, sha256 }]);
  assert.equal(manifest?.checkedAgainst, single.checksumUrl);
  assert.deepEqual(readFileSync(join(folder, 'single', 'single.onnx')), ARCHIVE);
  assert.equal(existsSync(downloadPath(folder, single)), false);
  assert.deepEqual(await verifyModel(folder, 'single'), { broken: [], hasManifest: true });
  writeFileSync(join(folder, 'single', 'single.onnx'), 'broken');
  assert.deepEqual((await verifyModel(folder, 'single')).broken, ['single.onnx']);
  writeFileSync(`${downloadPath(folder, single)}.part`, 'half');
  assert.equal(await removeModel(folder, 'single'), true);
  assert.deepEqual(readdirSync(folder), []);
});

test('one file that is not the one the pointer names is refused', async (t) => {
  const served = await publisher(t, { checksums: `oid sha256:${'0'.repeat(64)}\n` });
  const single = { ...served.model, name: 'single', file: 'single.onnx' };
  await assert.rejects(installModel(single, folder, quick), { code: 'DOWNLOAD_CORRUPT' });
  assert.equal(existsSync(join(folder, 'single')), false);
});
