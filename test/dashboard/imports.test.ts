// The dashboard's code runs in the browser: of the service it imports the rules of db/domain alone, without their heavy
// packages, and the service imports nothing of it.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const app = join(root, 'api/dashboard/app');
const domain = join(root, 'db/domain');

function relativeImports(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path]) =>
    resolve(dirname(file), path ?? ''),
  );
}

const isInside = (path: string, room = app): boolean => !relative(room, path).startsWith('..');

test('it imports its own files, and rules', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: app }).map((name) => join(app, name));
  assert.ok(files.length > 20);
  for (const file of files)
    assert.deepEqual(
      relativeImports(file).filter((path) => !isInside(path) && !isInside(path, domain)),
      [],
      file,
    );
});

test('no file imports itself by way of others, types included', () => {
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    const from = path.indexOf(file);
    if (from >= 0) circles.push([...path.slice(from), file].map((each) => relative(app, each)).join(' -> '));
    if (from >= 0 || done.has(file)) return;
    for (const next of relativeImports(file)) if (isInside(next)) walk(next, [...path, file]);
    done.add(file);
  };
  for (const name of globSync('**/*.{ts,tsx}', { cwd: app })) walk(join(app, name), []);
  assert.deepEqual(circles, []);
});

test('a rule that it imports at once brings no package along', () => {
  const atOnce = (file: string): string[] =>
    [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type\b)[^;]*?from '([^']+)'/gm)].map(
      ([, path = '']) => (path.startsWith('.') ? resolve(dirname(file), path) : path),
    );
  const seen = new Set<string>();
  const walk = (file: string, from: string): void => {
    assert.ok(file.startsWith('/'), `${file}, by ${from}`);
    if (seen.has(file)) return;
    seen.add(file);
    for (const next of atOnce(file)) walk(next, file);
  };
  for (const name of globSync('**/*.{ts,tsx}', { cwd: app })) {
    const file = join(app, name);
    for (const next of atOnce(file)) if (isInside(next, domain)) walk(next, file);
  }
  assert.ok(seen.size > 0);
});

test('the service imports none of its files', () => {
  const files = globSync('{api,db,engine,media,models,bench}/**/*.ts', { cwd: root })
    .map((name) => join(root, name))
    .filter((file) => !isInside(file));
  // The rig reads answers by the types that are generated from the OpenAPI document; types are gone when it runs.
  const types = ['api-types.ts', 'api-operations.ts', 'api-addresses.ts'].map((name) => join(app, name));
  const isTypeOfTheRig = (file: string): boolean =>
    isInside(file, join(root, 'bench')) &&
    !/^import (?!type\b)[^;]*api-(types|operations|addresses)\.ts'/m.test(readFileSync(file, 'utf8'));
  for (const file of files)
    assert.deepEqual(
      relativeImports(file).filter((path) => isInside(path) && !(types.includes(path) && isTypeOfTheRig(file))),
      [],
      file,
    );
});
