// The pages tell no untruth that a machine can find: each file that the pages for developers name exists, each link of
// any page leads somewhere, and each log line that operators look for is logged. The index of pages names all of them.
import { strict as assert } from 'node:assert';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const ROOMS = 'engine|api|media|models|db|bench|test|docs';
/** A file of the repository in backquotes, or a braced list of them: `engine/sync/{trunks,metrics}.ts`. */
const NAMED_FILE = new RegExp(`\`((?:${ROOMS})/[\\w./{},-]+\\.(?:tsx|ts|mjs|cjs|md|txt|json|yaml))\\b`, 'g');
const LINK = /\]\((?!https?:|mailto:|#)([^)\s#]+)(?:#[^)]*)?\)/g;

const forDevelopers = ['ARCHITECTURE.md', 'HACKING.md', ...globSync('docs/inside/*.md')];
const all = ['README.md', ...forDevelopers, ...globSync('docs/*.md'), ...globSync('docs/decisions/*.md')];

function spread(path: string): string[] {
  const braced = /^(.*)\{([^}]*)\}(.*)$/.exec(path);
  if (braced === null) return [path];
  const [, before = '', names = '', after = ''] = braced;
  return names.split(',').flatMap((name) => spread(`${before}${name.trim()}${after}`));
}

/** Generated or downloaded, so not in the repository. */
const isMade = (path: string): boolean => path.startsWith('bench/results/');

test('each file that a page for developers names exists', () => {
  const missing = forDevelopers.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(NAMED_FILE)]
      .flatMap(([, path = '']) => spread(path))
      .filter((path) => !isMade(path) && !existsSync(path))
      .map((path) => `${page} names ${path}`),
  );
  assert.deepEqual(missing, []);
});

test('the index of pages names each of them', () => {
  const index = readFileSync('docs/README.md', 'utf8');
  const pages = globSync(['docs/*.md', 'docs/inside/*.md', 'docs/decisions/*.md']);
  const unnamed = pages.filter(
    (page) => page !== 'docs/README.md' && !index.includes(`(${page.slice('docs/'.length)}`),
  );
  assert.deepEqual(unnamed, []);
});

test('each link of a page leads to a file', () => {
  const broken = all.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(LINK)]
      .map(([, target = '']) => join(dirname(page), target))
      .filter((path) => !existsSync(path))
      .map((path) => `${page} links to ${path}`),
  );
  assert.deepEqual(broken, []);
});

test('the code logs each line by which the page for operators knows a fault', () => {
  const [, table = ''] = readFileSync('docs/operations.md', 'utf8').split('## When something is wrong');
  const rows = (table.split('\n\n')[1] ?? '').split('\n').slice(2);
  // A line has several words. One that begins with three dots is a trunk's state, which is put together.
  const logged = rows.flatMap((row) => [
    ...[...(row.split(' | ')[0] ?? '').matchAll(/`(\w+(?: \w+)+(?:[:,] [\w ]+)?)`/g)].map(([, line = '']) => line),
    ...[...row.matchAll(/`([^`]+)` in the log/g)].map(([, line = '']) => line),
  ]);
  const code = globSync('{engine,db,media,models}/**/*.ts').map((path) => readFileSync(path, 'utf8'));
  assert.deepEqual(
    [...new Set(logged)].filter((line) => !code.some((text) => text.includes(line))),
    [],
  );
  assert.ok(logged.length >= 5, logged.join());
});
