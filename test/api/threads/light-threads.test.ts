// Threads that begin for one task: whatever they import is loaded for each page, calendar and document anew.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const source = (file: string): string => readFileSync(join(project, file), 'utf8');
/** Of values: types are gone before anything is loaded. */
const IMPORTS = /^(?:import|export) (?!type )[^;]*?from '([^']+)';/gm;
const HEAVY = new Set(['undici', 'fastify', 'kysely', 'better-sqlite3', 'unpdf/pdfjs']);

/** Packages that loading the file loads at once. */
function packagesOf(file: string, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>();
  if (seen.has(file)) return packages;
  seen.add(file);
  for (const [, name = ''] of source(file).matchAll(IMPORTS)) {
    if (!name.startsWith('.')) packages.add(name);
    else for (const found of packagesOf(normalize(join(dirname(file), name)), seen)) packages.add(found);
  }
  return packages;
}

const threads = globSync('api/**/*.ts', { cwd: project }).flatMap((file) => {
  const text = source(file);
  if (!text.includes('onLimitedThread<')) return [];
  return [...text.matchAll(/new URL\('(\.[^']+-thread\.ts)', import\.meta\.url\)/g)].map(([, name = '']) =>
    normalize(join(dirname(file), name)),
  );
});

test('a thread for one task loads neither the network, nor the database, nor the reader of PDF', () => {
  assert.ok(threads.length >= 3, 'the threads are no longer found by how they begin');
  for (const thread of threads) {
    assert.ok(existsSync(join(project, thread)), thread);
    const heavy = [...packagesOf(thread)].filter((name) => HEAVY.has(name));
    assert.deepEqual(heavy, [], thread);
  }
});
