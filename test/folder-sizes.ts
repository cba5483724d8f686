// A folder has at most 30 files of code: beyond that its names no longer say where to look, and it holds more than one
// subject. The exceptions are the folders of today with their numbers, which only fall.
import { globSync } from 'node:fs';
import { dirname } from 'node:path';

const MOST = 30;
const EXCEPTIONS: Readonly<Record<string, number>> = {
  'bench/parts': 39,
};

const files = globSync('{engine,api,media,models,db,bench,test}/**/*.{ts,tsx,mjs,cjs}', {
  exclude: ['**/node_modules/**', '**/migrations/**', '**/fixtures/**'],
});
const counts = new Map<string, number>();
for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);

const faults = [...new Set([...counts.keys(), ...Object.keys(EXCEPTIONS)])].sort().flatMap((folder) => {
  const count = counts.get(folder) ?? 0;
  const most = EXCEPTIONS[folder] ?? MOST;
  if (count > most) return [`${folder} has ${count} files, ${most} may be there: give a subject of it a folder`];
  if (most > MOST && count <= MOST)
    return [`${folder} has ${count} files: its exception can go from test/folder-sizes.ts`];
  if (most > MOST && count < most) return [`${folder} has ${count} files: lower its exception from ${most}`];
  return [];
});
if (faults.length > 0) {
  process.stdout.write(`${faults.join('\n')}\n`);
  process.exit(1);
}
