// The id of a folder of recordings: it says on whose disk a recording is that is not in the object store, and names the
// engine of that folder, whom the others ask for it. It lies beside the recordings, so that it is missing where their
// disk is: another id then, and none of them is taken for lost. It is one id for both, because whoever copies a folder
// for another engine must not have to think of two.
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'disk.id';

/** Creates the id at the first call. */
export function diskIdOf(recordingsDir: string): string {
  const known = knownDiskId(recordingsDir);
  if (known !== null) return known;
  const path = join(recordingsDir, FILE);
  const fresh = randomBytes(8).toString('hex');
  const draft = `${path}.${fresh}`;
  writeFileSync(draft, fresh, { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch {
    // Another process was first, a kill has left an empty one, or the file system has no links.
    if (knownDiskId(recordingsDir) === null) renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
  return knownDiskId(recordingsDir) ?? fresh;
}

/** Null where no engine has been: an API gives a folder no id. */
export function knownDiskId(recordingsDir: string): string | null {
  try {
    return readFileSync(join(recordingsDir, FILE), 'utf8').trim() || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
