// A start's code from its cache must be what Node would have made of the sources as they are.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A project of few files beside the real packages. */
function project() {
  const root = temporaryFolder('voice-cache');
  for (const name of ['start-cache.mjs', 'start-cache-make.mjs']) {
    writeFileSync(join(root, name), readFileSync(join(ROOT, name)));
  }
  mkdirSync(join(root, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    const [from, to] = [join(ROOT, 'node_modules', name), join(root, 'node_modules', name)];
    if (name === '.package-lock.json') copyFileSync(from, to);
    else symlinkSync(from, to);
  }
  const folder = join(root, 'cache');
  const node = (...args: string[]): string => {
    const env = { ...process.env, START_CACHE: folder };
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env });
    assert.deepEqual([stderr, status], ['', 0]);
    return stdout;
  };
  const write = (text: string, path = 'db/main.ts'): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  return {
    root,
    folder,
    write,
    make: () => node('--disable-warning=ExperimentalWarning', 'start-cache-make.mjs'),
    start: (path = 'db/main.ts') => node('--import', './start-cache.mjs', path).trim(),
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

/** Tells of itself, of a part and of a thread, and whether each comes from a program. */
const ENGINE = `import { Worker } from 'node:worker_threads';
import 'libphonenumber-js/max';
import { answers, told } from '../db/part.ts';
const thread = new Worker(new URL('../db/writing/writer-thread.ts', import.meta.url));
thread.on('message', async (said: string) => {
  const { late } = await import('../db/late.ts');
  console.log(told('engine'), said, late(), import.meta.url.endsWith('/engine/main.ts'), answers.length);
});`;
const PART = `export const told = (who: string): string =>
  who + (new Error().stack?.includes('/programs-') ? ' of a program' : ' by itself');
  export const answers: string[] = [];`;
const THREAD = `import { parentPort } from 'node:worker_threads';
import { told } from '../part.ts';
parentPort?.postMessage(told('thread'));`;
const LATE = `import { answers, told } from './part.ts';
answers.push('late');
  export const late = (): string => told('late');`;

function engine() {
  const made = project();
  made.write(ENGINE, 'engine/main.ts');
  made.write(PART, 'db/part.ts');
  made.write(THREAD, 'db/writing/writer-thread.ts');
  made.write(LATE, 'db/late.ts');
  return { ...made, start: () => made.start('engine/main.ts') };
}
const [BY_ITSELF, OF_PROGRAMS] = ['by itself', 'of a program'].map(
  (how) => `engine ${how} thread ${how} late ${how} true 1`,
);

test('a process and its threads each run as one program, in which modules are where they were', () => {
  const { make, start, folder } = engine();
  assert.equal(start(), BY_ITSELF);
  make();
  assert.equal(start(), OF_PROGRAMS);
  const made = readdirSync(folder);
  make();
  assert.deepEqual(readdirSync(folder), made, 'they are made once');
});

test('a program takes one byte a letter, and its expressions find what they found', () => {
  const { write, make, start, folder } = engine();
  const found = `/^[„“…]é𝄞?$/u.test('…é') && /^[^’]\\u00e9$/.test('„é') && '’'.length === 1 // – a comment`;
  write(PART.replace("' of a program'", `' of a program ' + (${found}\n)`), 'db/part.ts');
  make();
  assert.match(start(), /^engine of a program true thread of a program true/);
  const at = readdirSync(folder).findLast((name) => /^programs-\d/.test(name)) ?? '';
  for (const name of readdirSync(join(folder, at), { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.mjs')) assert.match(readFileSync(join(folder, at, name), 'utf8'), /^[\0-\x7f]*$/, name);
  }
});

test('a program is not run where a source or a package is another, and runs again where it is made anew', () => {
  const { root, write, make, start } = engine();
  make();
  utimesSync(join(root, 'db/part.ts'), 1, 1);
  assert.equal(start(), OF_PROGRAMS, 'a source that was only copied');
  write(PART.replace('by itself', 'anew').replace(' of a', ' by a'), 'db/part.ts');
  assert.equal(start(), BY_ITSELF?.replaceAll('by itself', 'anew'));
  make();
  assert.equal(start(), OF_PROGRAMS?.replaceAll('of a', 'by a'));
  writeFileSync(join(root, 'node_modules', '.package-lock.json'), '{}');
  assert.equal(start(), BY_ITSELF?.replaceAll('by itself', 'anew'));
});

test('a damaged program is not run, and is made anew', () => {
  const { make, start, folder } = engine();
  for (const file of ['engine+main.ts/program.mjs', 'db+writing+writer-thread.ts/program.mjs']) {
    make();
    const at = readdirSync(folder).findLast((name) => /^programs-\d/.test(name)) ?? '';
    writeFileSync(join(folder, at, file), 'throw new Error("damaged");');
    const found = start();
    assert.match(found, /by itself/, file);
    assert.match(found, /true 1$/, 'nothing is loaded twice');
  }
  writeFileSync(join(folder, 'programs.json'), '{');
  assert.equal(start(), BY_ITSELF);
  make();
  assert.equal(start(), OF_PROGRAMS);
});
