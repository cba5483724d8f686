// The id of a DATA_DIR: it says on whose disk a recording is that is not yet in the object store. It stays over
// restarts, and a backup does not carry it along.
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'disk.id';

/** Creates the id at the first call. */
export function diskIdOf(dataDir: string): string {
  const path = join(dataDir, FILE);
  try {
    writeFileSync(path, randomBytes(8).toString('hex'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(path, 'utf8').trim();
}
