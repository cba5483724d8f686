// The id of a folder of recordings: it says on whose disk a recording is that is not yet in the object store. It lies
// beside them, so that it is missing where their disk is: another id then, and none of them is taken for lost.
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'disk.id';

/** Creates the id at the first call. */
export function diskIdOf(recordingsDir: string): string {
  const path = join(recordingsDir, FILE);
  try {
    writeFileSync(path, randomBytes(8).toString('hex'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(path, 'utf8').trim();
}
