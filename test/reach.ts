// Finds the test files that a change reaches: they import a changed file directly or indirectly, or name it (a worker,
// a fixture) by `new URL('…', import.meta.url)`.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const SOURCES = '{engine,api,media,models,db,bench,test}/**/*.{ts,tsx}';
const NAMED = /(?:from|import|import\(|new URL\()\s*['"`](\.[^'"`$]+)/g;

/**
 * Paths that differ from `revision`, including untracked ones. @throws {Error} if git does not know the revision
 */
export function changedSince(revision: string): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
      .split('\n')
      .filter((line) => line !== '');
  return [...git('diff', '--name-only', revision), ...git('ls-files', '--others', '--exclude-standard')];
}

/** @param changed paths below the root; @returns the test files that use one of them */
export function reachedTests(changed: readonly string[]): string[] {
  const users = new Map<string, string[]>();
  for (const file of globSync(SOURCES, { exclude: ['**/node_modules/**'] })) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(NAMED)) {
      const target = normalize(join(dirname(file), name));
      users.set(target, [...(users.get(target) ?? []), file]);
    }
  }
  const reached = new Set<string>();
  const open = [...changed];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    open.push(...(users.get(path) ?? []));
    // A data file, such as a transcript, is read by the file that names its folder.
    const folder = dirname(path);
    if (folder !== '.') open.push(...(users.get(`${folder}/`) ?? []));
  }
  return [...reached].filter((path) => path.startsWith('test/') && path.endsWith('.test.ts')).sort();
}
