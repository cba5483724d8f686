// The runner: its closing line counts every test that ran, the folder decides the kind, and a change reaches its tests.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';

const runner = fileURLToPath(new URL('../run.ts', import.meta.url));

/** A separate project with these files; `run` returns the runner's output. */
function project(files: Record<string, string>) {
  const folder = temporaryFolder('runner');
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  // Without the variables that mark children of the test runner, and CI.
  const { NODE_TEST_CONTEXT: _, CI: __, ...env } = process.env;
  const run = (...args: (string | NodeJS.ProcessEnv)[]) => {
    const options = args.filter((arg) => typeof arg === 'string');
    const [added] = args.filter((arg) => typeof arg === 'object');
    const { stdout, stderr, status } = spawnSync(process.execPath, [runner, ...options], {
      cwd: folder,
      env: { ...env, ...added },
      encoding: 'utf8',
    });
    return { last: stdout.trimEnd().split('\n').at(-1), stdout, stderr, status };
  };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  return { folder, run, git, write };
}

const passing = (...names: string[]): string =>
  `import { test } from 'node:test';\n${names.map((name) => `test('${name}', () => {});`).join('\n')}\n`;

test('two thousand results of one file all arrive', () => {
  const { run } = project({
    'test/many.test.ts': `import { test } from 'node:test';
    for (let index = 0; index < 2_000; index++) test(\`number \${index}\`, () => {});`,
  });
  const { last, status } = run();
  assert.equal(last, '2000 passed, 0 failed');
  assert.equal(status, 0);
});

test('a folder decides the kind: the loop leaves services, browsers, peers and long tests to --all', () => {
  const { run } = project({
    'test/a.test.ts': passing('quick'),
    'test/deep/long/b.test.ts': passing('quick too'),
    'test/long/c.test.ts': passing('storm'),
    'test/service/d.test.ts': passing('service'),
    'test/browser/e.test.ts': passing('browser'),
    'test/peers/f.test.ts': passing('peer'),
  });
  assert.equal(run().last, '2 passed, 0 failed');
  assert.equal(run('--all').last, '6 passed, 0 failed');
  assert.equal(run('service', 'peers').last, '2 passed, 0 failed');
});

test('--all without the loop runs what the loop has left', () => {
  const { run } = project({ 'test/a.test.ts': passing('quick'), 'test/long/b.test.ts': passing('slow', 'slower') });
  assert.equal(run('--all', '--without-loop').last, '2 passed, 0 failed');
});

test('files that share a process keep their hooks, and a file that cannot be imported fails', () => {
  const { run } = project({
    'test/a.test.ts': `import assert from 'node:assert/strict';
      import { after, beforeEach, test } from 'node:test';
      let count = 0;
      beforeEach(() => { count++; });
      after(() => assert.equal(count, 2));
      test('one', () => {});
      test('two', () => assert.equal(count, 2));`,
    'test/b.test.ts': passing('of another file'),
    'test/c.test.ts': `throw new Error('broken');`,
  });
  const { last, status, stdout } = run();
  assert.equal(last, '3 passed, 1 failed');
  assert.match(stdout, /broken/);
  assert.equal(status, 1);
});

test('a file that ends its process fails, and takes no other file with it', () => {
  const names = Array.from({ length: 40 }, (_, index) => `test/${index}.test.ts`);
  const { run } = project({
    ...Object.fromEntries(names.map((name) => [name, passing(name)])),
    'test/0.test.ts': `import { test } from 'node:test';\ntest('leaves', () => process.exit(0));`,
  });
  const { last, status } = run();
  assert.match(last ?? '', /^39 passed, [12] failed$/);
  assert.equal(status, 1);
});

test('where every process ends early, the files that were left to them fail', () => {
  const names = Array.from({ length: 40 }, (_, index) => `test/${index}.test.ts`);
  const { run } = project(Object.fromEntries(names.map((name) => [name, `process.exit(0);\n${passing(name)}`])));
  const { last, status } = run();
  assert.match(last ?? '', /^0 passed, [1-9]\d* failed$/);
  assert.equal(status, 1);
});

test('--since runs the tests that a change reaches, by imports, workers and data, and none for a page of docs', () => {
  const { run, git, write } = project({
    'media/low.ts': 'export const low = 1;',
    'engine/high.ts': `import { low } from '../media/low.ts';\nexport const high = low;`,
    'engine/other.ts': 'export const other = 1;',
    'test/high.test.ts': `import '../engine/high.ts';\n${passing('high')}`,
    'test/other.test.ts': `import '../engine/other.ts';\n${passing('other')}`,
    'test/worker.test.ts': `const url = new URL('../engine/high.ts', import.meta.url);\n${passing('worker')}`,
    'docs/page.md': 'one',
  });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'all');
  write('media/low.ts', 'export const low = 2;');
  assert.equal(run('--since', 'HEAD').last, '2 passed, 0 failed');
  git('commit', '-qam', 'low');
  write('docs/page.md', 'two');
  assert.equal(run('--since', 'HEAD').last, '0 passed, 0 failed');
  assert.equal(run('--since', 'HEAD~1').last, '2 passed, 0 failed');
  assert.match(run('--since', 'nowhere').stderr, /git does not know what changed since nowhere/);
  assert.equal(run('--sinse').status, 2);
});

test('in CI a file of a kind in real time that failed is run once more at the end and named; one of the loop is not', () => {
  const once = (name: string): string => `import { existsSync, writeFileSync } from 'node:fs';
    import { test } from 'node:test';
    test('${name}', () => {
      if (existsSync('${name}')) return;
      writeFileSync('${name}', '');
      throw new Error('misheard');
    });`;
  const { run, folder } = project({
    'test/quick.test.ts': passing('quick'),
    'test/service/sometimes.test.ts': once('sometimes'),
    'test/service/never.test.ts': `import { test } from 'node:test';\ntest('never', () => { throw new Error('wrong'); });`,
  });
  const outside = run('--all');
  assert.equal(outside.last, '1 passed, 2 failed');
  rmSync(join(folder, 'sometimes'));
  const ci = run({ CI: 'true' }, '--all');
  assert.match(ci.stdout, /^failed beside others, passed again: test\/service\/sometimes\.test\.ts$/m);
  assert.equal(ci.last, '2 passed, 1 failed');
  assert.equal(ci.status, 1);

  const loop = project({ 'test/loop.test.ts': once('loop') });
  assert.equal(loop.run({ CI: 'true' }).last, '0 passed, 1 failed');
});
