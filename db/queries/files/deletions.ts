// Files of the object store that are to be deleted: kept until the store has deleted them, however long it is away.
import { isAbsolute } from 'node:path';
import type { Db } from '../../schema.ts';

/** A document's `path` is absolute in DATA_DIR, else a key of the object store. */
export const isStoreKey = (path: string): boolean => !isAbsolute(path);

/** Deletes the files of `paths` that are in the object store, from `dueAt` on. */
export async function addFileDeletions(
  db: Db,
  paths: readonly string[],
  { nowMs, dueAt = nowMs }: { nowMs: number; dueAt?: number },
): Promise<void> {
  const rows = paths.filter(isStoreKey).map((key) => ({ key, dueAt, createdAt: nowMs }));
  if (rows.length === 0) return;
  await db
    .insertInto('fileDeletions')
    .values(rows)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ dueAt }))
    .execute();
}

/** The file is gone, or is kept after all. */
export async function endFileDeletion(db: Db, key: string): Promise<void> {
  await db.deleteFrom('fileDeletions').where('key', '=', key).execute();
}

export async function dueFileDeletions(db: Db, nowMs: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('fileDeletions')
    .select('key')
    .where('dueAt', '<=', nowMs)
    .orderBy('dueAt')
    .limit(limit)
    .execute();
  return rows.map(({ key }) => key);
}

/** How many files wait for their deletion, and since when the oldest could have been deleted. */
export async function waitingFileDeletions(db: Db, nowMs: number): Promise<{ count: number; oldestAt: number | null }> {
  const row = await db
    .selectFrom('fileDeletions')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('dueAt').as('oldestAt')])
    .where('dueAt', '<=', nowMs)
    .executeTakeFirstOrThrow();
  return { count: Number(row.count), oldestAt: row.oldestAt ?? null };
}
