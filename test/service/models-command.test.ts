// `npm run models` as an operator types it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { writeStreamingModel } from '../../bench/rig/onnx/models.ts';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';

const dataDir = temporaryFolder('command');

function models(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const main = fileURLToPath(new URL('../../models/install/main.ts', import.meta.url));
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, ...args], { env }, (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
}

test('it lists what there is, what it costs and what is in use', async () => {
  const before = await models('list');
  assert.equal(before.code, 0);
  assert.match(before.out, /stt +soundswallower +installed, in use +en +0\.07 ×/);
  assert.match(before.out, /kroko-de +stt +55 MB +de +0\.12 × +250 MB +CC BY-SA/);
  writeStreamingModel(join(dataDir, 'models', 'kroko-de'));
  const { out } = await models('list');
  assert.match(out, /stt +sherpa:kroko-de +installed, in use/);
  assert.match(out, /kroko-de +stt +55 MB +installed/);
});

test('the model of turn ends is listed, verified and removed as the others are, and is no recogniser', async () => {
  assert.match((await models('list')).out, /smart-turn +turn-end +9 MB +ar bn /);
  mkdirSync(join(dataDir, 'models', 'smart-turn'), { recursive: true });
  writeFileSync(join(dataDir, 'models', 'smart-turn', 'smart-turn-v3.2-cpu.onnx'), '');
  const { out } = await models('list');
  assert.match(out, /smart-turn +turn-end +9 MB +installed/);
  assert.doesNotMatch(out, /sherpa:smart-turn/);
  assert.match((await models('download', 'smart-turn')).out, /installed already/);
  assert.match((await models('verify', 'smart-turn')).out, /unknown +smart-turn/);
  assert.match((await models('remove', 'smart-turn')).out, /is removed/);
});

test('a name that is none says what may have been meant; without a command it says how it is used', async () => {
  const unknown = await models('download', 'sherpa:kroko-dd');
  assert.deepEqual([unknown.code, unknown.out], [2, '']);
  assert.match(unknown.err, /no download named kroko-dd, did you mean kroko-de/);
  assert.deepEqual([(await models()).code, (await models('verify', 'none')).code], [2, 2]);
  const help = await models('download', '--help');
  assert.equal(help.code, 0);
  assert.match(help.out, /usage: npm run models/);
});

test('it verifies and removes what is installed', async () => {
  const folder = writeStreamingModel(join(dataDir, 'models', 'zipformer-en-20m'));
  const tokens = { path: 'tokens.txt', bytes: 1, sha256: '0'.repeat(64) };
  writeFileSync(join(folder, '.manifest.json'), JSON.stringify({ name: 'zipformer-en-20m', files: [tokens] }));
  const broken = await models('verify', 'zipformer-en-20m');
  assert.equal(broken.code, 1);
  assert.match(broken.out, /CORRUPT +zipformer-en-20m\n +tokens\.txt/);
  assert.match((await models('remove', 'zipformer-en-20m')).out, /is removed/);
  assert.equal((await models('verify', 'zipformer-en-20m')).code, 2);
});
