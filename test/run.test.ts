// The closing line of `npm test` counts every test that ran.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const runner = fileURLToPath(new URL('./run.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'runner-'));
after(() => rmSync(folder, { recursive: true }));

test('two thousand results of one file all arrive', () => {
  mkdirSync(join(folder, 'test'));
  writeFileSync(
    join(folder, 'test/many.test.ts'),
    `import { test } from 'node:test';
    for (let index = 0; index < 2_000; index++) test(\`number \${index}\`, () => {});`,
  );
  // Without the variable by which the test runner knows its own children.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout, status } = spawnSync(process.execPath, [runner], { cwd: folder, env, encoding: 'utf8' });
  assert.equal(stdout.trimEnd().split('\n').at(-1), '2000 passed, 0 failed');
  assert.equal(status, 0);
});
