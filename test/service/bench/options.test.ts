// The options of each part of the bench: its usage on request, one line for what is wrong, never a stack trace.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { nightly } from '../../support/nightly.ts';

const MAIN = new URL('../../../bench/main.ts', import.meta.url).pathname;
/** Forty starts of the bench, which would strip and compile the same files each time. */
const STRIPPED = ['--import', new URL('../../support/stripped.mjs', import.meta.url).href];
const NODE_COMPILE_CACHE = new URL('../../../node_modules/.cache/compile', import.meta.url).pathname;

function bench(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', ...STRIPPED, MAIN, ...args], {
    encoding: 'utf8',
    timeout: 30_000,
    env: { NODE_COMPILE_CACHE, ...process.env },
  });
  return { status, stdout, stderr };
}

const PARTS = [...bench('--help').stdout.matchAll(/^ {2}(\S+) {2,}/gm)].map((match) => match[1] ?? '');

/** Of the parts so many-th outside of the nightly run: each is a process. */
const EVERY = 5;

test('the bench lists its parts', () => {
  assert.ok(PARTS.length >= 13, PARTS.join());
});

describe('each part', { concurrency: 2 }, () => {
  for (const [index, part] of PARTS.entries()) {
    test(`${part} --help prints its usage`, { skip: index % EVERY > 0 && nightly }, () => {
      const { status, stdout, stderr } = bench(part, '--help');
      assert.deepEqual([status, stderr], [0, '']);
      assert.match(stdout, new RegExp(`^usage: npm run bench -- ${part}\\b`));
    });
  }
});

// All parts read their options by the function that prints the usage.
test('an unknown option ends with one line', () => {
  const { status, stderr } = bench('api', '--nonsense');
  assert.equal(status, 2);
  assert.match(stderr, /^Unknown option '--nonsense'.*see --help\n$/);
});

test('a number that is none ends with one line', () => {
  const { status, stderr } = bench('kill', '--kills', 'many');
  assert.equal(status, 2);
  assert.equal(stderr, '--kills "many" is not a number; see --help\n');
});

test('a part that there is none of ends with the list of parts', () => {
  const { status, stderr } = bench('nonsense');
  assert.equal(status, 2);
  assert.match(stderr, /^there is no part "nonsense"\n/);
});
