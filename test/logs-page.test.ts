// Checks docs/logs.md against the program: an operator who searches for a documented log line must find it.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

test('each line that the page names is written by the program', () => {
  const page = readFileSync(`${ROOT}docs/logs.md`, 'utf8');
  const section = page.split('## Lines to search for')[1]?.split('```')[0] ?? '';
  const lines = [...section.matchAll(/^\| `([^`]+)` \| (?:info|warn|error)/gm)].map(([, line = '']) => line);
  assert.ok(lines.length > 15);
  const program = globSync('{api,engine,db,models,media}/**/*.ts', { cwd: ROOT })
    .map((file) => readFileSync(`${ROOT}${file}`, 'utf8'))
    .join('\n');
  assert.deepEqual(
    lines.filter((line) => !program.includes(`'${line}'`)),
    [],
  );
});
