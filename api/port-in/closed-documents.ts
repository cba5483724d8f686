// Deletes documents of finished orders: letters with signatures and bills that nobody needs any more. Documents of a
// cancelled or rejected order are deleted with it, those of a completed one a month later: a port may be disputed.

import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isStoreKey } from '../../db/queries/files/deletions.ts';
import { deleteClosedDocuments } from '../../db/queries/numbers/port-orders.ts';
import { KEPT_MS } from '../../db/rules/kept.ts';
import type { ApiContext } from '../context.ts';

type Documents = Pick<ApiContext, 'db' | 'log'>;

/** Deletes at most `limit` documents; returns their number. */
export async function dropClosedDocuments({ db, log }: Documents, nowMs: number, limit: number): Promise<number> {
  const paths = await deleteClosedDocuments(db, {
    completedBefore: nowMs - KEPT_MS.portDocuments,
    nowMs,
    limit,
  });
  for (const path of paths.filter((each) => !isStoreKey(each))) {
    await unlink(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') log.error({ err: error }, 'could not delete a document of a port order');
    });
  }
  return paths.length;
}

/** Removes, at the start, uploads that a dead process left unfinished. */
export async function dropUnfinishedUploads({ config }: Pick<ApiContext, 'config'>): Promise<void> {
  const folder = join(config.dataDir, 'port-documents');
  const names = await readdir(folder).catch(() => []);
  for (const name of names) if (name.endsWith('.part')) await unlink(join(folder, name)).catch(() => {});
}
