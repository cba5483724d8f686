// The dashboard's code runs in the browser: it imports nothing of the service, and the service nothing of it.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const app = join(root, 'api/dashboard/app');

function relativeImports(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path]) =>
    resolve(dirname(file), path ?? ''),
  );
}

const isInside = (path: string): boolean => !relative(app, path).startsWith('..');

test('it imports its own files only', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: app }).map((name) => join(app, name));
  assert.ok(files.length > 20);
  for (const file of files)
    assert.deepEqual(
      relativeImports(file).filter((path) => !isInside(path)),
      [],
      file,
    );
});

test('the service imports none of its files', () => {
  const files = globSync('{api,db,engine,media,models,bench}/**/*.ts', { cwd: root })
    .map((name) => join(root, name))
    .filter((file) => !isInside(file));
  for (const file of files) assert.deepEqual(relativeImports(file).filter(isInside), [], file);
});
