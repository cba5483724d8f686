// The pages tell no untruth that a machine can find: each file that the pages for developers name exists, each link of
// any page leads somewhere, and each log line that operators look for is logged. The index of pages names all of them.
// Files and folders that decisions and comments of the code name exist.
import { strict as assert } from 'node:assert';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const ROOMS = 'engine|api|media|models|db|bench|test|docs';
/** A file of the repository in backquotes, or a braced list of them: `engine/sync/{trunks,metrics}.ts`. */
const NAMED_FILE = new RegExp(`\`((?:${ROOMS})/[\\w./{},-]+\\.(?:tsx|ts|mjs|cjs|md|txt|json|yaml))\\b`, 'g');
const LINK = /\]\((?!https?:|mailto:|#)([^)\s#]+)(?:#[^)]*)?\)/g;

const forDevelopers = ['ARCHITECTURE.md', 'HACKING.md', ...globSync('docs/inside/*.md')];
const all = [
  ...globSync('*.md'),
  ...globSync('docs/inside/*.md'),
  ...globSync('docs/*.md'),
  ...globSync('docs/decisions/*.md'),
];

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

/** With the end of its name, or from a room on without one: `hunt-machine.ts`, `sync/trunks.ts`, `engine/sync`. */
const PATH = new RegExp(
  `(?<![\\w/.$@}*-])(?:[\\w{},-]+(?:/[\\w.{},-]+)*\\.(?:tsx?|mjs|cjs|sql|md|c)\\b|(?:${ROOMS})/[\\w-]+(?:/[\\w.-]+)*)(?![\\w*])`,
  'g',
);
const COMMENT = /^\s*(?:\/\/|\/\*\*?|\*)\s?(.*)$|[;,{})\]]\s+\/[/*]\*?\s+(.*)$/gm;

/** Named, and not in the repository: of history, of a library, made by a run, or of a user's data folder. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...['word-check.ts', 'evidence.ts'],
  ...['src/fsg_history.c', 'src/fsg_model.c', 'src/jsgf.c', 'legacy/preview1/docs.md'],
  ...['NNNN-what.sql', 'test/pictures', 'models/smart-turn'],
]);

/** Each path of the repository, each end of one, with and without the end of its name, and each decision's number. */
function knownPaths(): Set<string> {
  const known = new Set(globSync('*.{md,mjs,cjs}'));
  for (const path of globSync(`{${ROOMS.replaceAll('|', ',')}}/**/*`, { exclude: ['**/node_modules/**'] })) {
    const names = path.split('/');
    for (const index of names.keys()) {
      const end = names.slice(index).join('/');
      known.add(end).add(end.replace(/\.\w+$/, ''));
      known.add(end.replace(/^(docs\/decisions\/\d+)-.*$/, '$1'));
    }
  }
  return known;
}

test('each path that a decision or a comment names exists', () => {
  const known = knownPaths();
  const decisions = globSync('docs/decisions/*.md').map((page) => [page, readFileSync(page, 'utf8')] as const);
  const code = globSync(`{*.mjs,{${ROOMS.replaceAll('|', ',')}}/**/*.{ts,tsx,mjs,cjs,c}}`, {
    exclude: ['**/node_modules/**', 'test/fixtures/**', 'bench/results/**'],
  });
  const comments = code.map((file) => {
    const found = [...readFileSync(file, 'utf8').matchAll(COMMENT)];
    return [file, found.map(([, whole, trailing]) => whole ?? trailing).join('\n')] as const;
  });
  const named = [...decisions, ...comments].flatMap(([from, text]) =>
    [...text.matchAll(PATH)].flatMap(([path]) => spread(path.replace(/\.$/, ''))).map((path) => ({ from, path })),
  );
  const missing = named.filter(({ path }) => !isMade(path) && !known.has(path) && !ELSEWHERE.has(path));
  assert.deepEqual(
    missing.map(({ from, path }) => `${from} names ${path}`),
    [],
  );
  assert.ok(named.length > 500, `${named.length}`);
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
