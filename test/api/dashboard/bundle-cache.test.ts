// The dashboard's bundle is made once for its sources: later starts read it, unless it is damaged or a source has
// changed.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { MadeBundle } from '../../../api/dashboard/bundle.ts';
import { keptBundle } from '../../../api/dashboard/bundle-cache.ts';
import { makeAsset } from '../../../api/frame/assets.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';

function project() {
  const root = temporaryFolder('voice-bundle');
  const folder = join(root, 'cache');
  mkdirSync(join(root, 'app'));
  const write = (path: string, text: string): void => writeFileSync(join(root, path), text);
  write('package.json', '{"version":"1.0.0"}');
  write('app/main.tsx', 'one');
  let made = 0;
  const make = async (): Promise<MadeBundle> => {
    made++;
    const source = readFileSync(join(root, 'app/main.tsx'));
    const widget = await makeAsset('text/javascript', source);
    const named = { script: 'app-1.js', style: 'app-1.css', worklet: 'worklet-1.js', imports: [] };
    const bundle = { assets: new Map([['app-1.js', widget]]), widget, ...named };
    return { bundle, sources: ['app/main.tsx'] };
  };
  /** A browser's answer after a start, and how often the bundle has been made until then. */
  const start = async () => {
    const asset = (await keptBundle(folder, make, root)).assets.get('app-1.js');
    return [asset?.body.toString(), made];
  };
  return { start, write, folder, root };
}

test('the second start reads what the first has made', async () => {
  const { start, folder } = project();
  assert.deepEqual(await start(), ['one', 1]);
  assert.deepEqual(await start(), ['one', 1]);
  assert.deepEqual(readdirSync(folder), ['dashboard'], 'and leaves nothing beside it');
});

test('a changed source, and another version, make it anew', async () => {
  const { start, write } = project();
  await start();
  write('app/main.tsx', 'two');
  assert.deepEqual(await start(), ['two', 2]);
  write('package.json', '{"version":"1.0.1"}');
  assert.deepEqual(await start(), ['two', 3]);
  assert.deepEqual(await start(), ['two', 3]);
});

test('a damaged or cut one is made anew', async () => {
  const { start, folder } = project();
  await start();
  const file = join(folder, 'dashboard');
  const whole = readFileSync(file);
  const damaged = Buffer.from(whole);
  damaged[100] = (damaged[100] ?? 0) ^ 1;
  writeFileSync(file, damaged);
  assert.deepEqual(await start(), ['one', 2]);
  writeFileSync(file, whole.subarray(0, 40));
  assert.deepEqual(await start(), ['one', 3]);
  assert.deepEqual(readFileSync(file), whole);
});

test('where it cannot be kept, it is made all the same', async () => {
  const { start, write } = project();
  write('cache', 'a file, no folder');
  assert.deepEqual(await start(), ['one', 1]);
  assert.deepEqual(await start(), ['one', 2]);
});
