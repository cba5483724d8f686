// Deletes files of the object store that were noted for it, all versions of each, until none is left. Several APIs may
// do so side by side: what is gone already is no error.
import { dueFileDeletions, endFileDeletion } from '../../db/queries/files/deletions.ts';
import type { ApiContext } from '../context.ts';

const AT_ONCE = 50;

/** @throws {FilesError} while the store is away; the rest is tried at the next time */
export async function deleteNotedFiles({
  db,
  read,
  files,
  now,
}: Pick<ApiContext, 'db' | 'read' | 'files' | 'now'>): Promise<number> {
  if (files.kind === 'local') return 0;
  const keys = await dueFileDeletions(read, now(), AT_ONCE);
  for (const key of keys) {
    await files.delete(key);
    await endFileDeletion(db, key);
  }
  return keys.length;
}
