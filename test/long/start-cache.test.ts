// A start's code from its cache must be what Node would have made of the sources as they are.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A project of one file beside the real packages. */
function project() {
  const root = temporaryFolder('voice-cache');
  for (const name of ['start-cache.mjs', 'start-cache-make.mjs']) {
    writeFileSync(join(root, name), readFileSync(join(ROOT, name)));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  mkdirSync(join(root, 'db'));
  const folder = join(root, 'cache');
  const node = (...args: string[]): string => {
    const env = { ...process.env, START_CACHE: folder };
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env });
    assert.deepEqual([stderr, status], ['', 0]);
    return stdout;
  };
  return {
    folder,
    write: (text: string) => writeFileSync(join(root, 'db', 'main.ts'), text),
    make: () => node('--disable-warning=ExperimentalWarning', 'start-cache-make.mjs'),
    start: () => node('--import', './start-cache.mjs', 'db/main.ts').trim(),
    /** The stripped code of that file. */
    kept: join(folder, 'code', 'db+main.ts.mjs'),
  };
}

/** Prints what the packages do, and where one of them comes from. */
const SOURCE = `import { Type } from 'typebox';
import { sql } from 'kysely';
import { parsePhoneNumberFromString as parse } from 'libphonenumber-js/max';
const found: string | undefined = parse('+4930123456')?.country;
const resolved: string = import.meta.resolve('kysely');
console.log(found, Type.String().type, typeof sql, resolved.includes('/cache/packages-') ? 'bundled' : 'plain');`;

test('a start runs the same code with the cache and without', () => {
  const { write, make, start, folder } = project();
  write(SOURCE);
  assert.equal(start(), 'DE string function plain');
  make();
  assert.equal(start(), 'DE string function bundled');
  assert.deepEqual(readdirSync(join(folder, 'code')), ['db+main.ts.mjs']);
});

test('an edited file runs as it is now, and the cache follows', () => {
  const { write, make, start, kept } = project();
  write(`const word: string = 'one'; console.log(word);`);
  make();
  write(`const word: string = 'two'; console.log(word);`);
  assert.equal(start(), 'two');
  make();
  assert.match(readFileSync(kept, 'utf8'), /^const word {9}= 'two'/);
  assert.equal(start(), 'two');
});

test('damaged code is not run, and is made anew', () => {
  const { write, make, start, kept } = project();
  write(`const word: string = 'one'; console.log(word);`);
  make();
  const whole = readFileSync(kept, 'utf8');
  for (const damaged of [whole.replace('one', 'two'), whole.slice(0, 20), '']) {
    writeFileSync(kept, damaged);
    assert.equal(start(), 'one');
    make();
    assert.equal(readFileSync(kept, 'utf8'), whole);
  }
});

test('damaged packages are not loaded, and are made anew', () => {
  const { write, make, start, folder } = project();
  write(SOURCE);
  make();
  const packages = join(folder, readdirSync(folder).find((name) => name.startsWith('packages-')) ?? '');
  for (const file of ['kysely.mjs', 'sums.json']) {
    writeFileSync(join(packages, file), 'throw new Error("damaged");');
    assert.equal(start(), 'DE string function plain');
    make();
    assert.equal(start(), 'DE string function bundled');
  }
});
