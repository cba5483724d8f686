// A folder has at most 30 files of code: beyond that its names no longer say where to look, and it holds more than one
// subject.
import { globSync } from 'node:fs';
import { dirname } from 'node:path';

const MOST = 30;

const files = globSync('{engine,api,media,models,db,bench,test}/**/*.{ts,tsx,mjs,cjs}', {
  exclude: ['**/node_modules/**', '**/migrations/**', '**/fixtures/**'],
});
const counts = new Map<string, number>();
for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);

const faults = [...counts]
  .filter(([, count]) => count > MOST)
  .map(([folder, count]) => `${folder} has ${count} files, ${MOST} may be there: give a subject of it a folder`);
if (faults.length > 0) {
  process.stdout.write(`${faults.join('\n')}\n`);
  process.exit(1);
}
