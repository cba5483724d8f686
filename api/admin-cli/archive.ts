// The contents of a backup, for the commands that write and read it.
import { sqliteMigrations } from '../../db/sqlite/migrate.ts';
import { openRaw } from '../../db/sqlite/open.ts';

const FOLDERS = ['port-documents', 'outbox'];

/** Whether a backup contains a file of DATA_DIR, by its relative path; the database is copied separately. */
export function isCopied(name: string, withRecordings: boolean): boolean {
  const [top = '', ...rest] = name.split(/[\\/]/);
  if (rest.length === 0) return top === 'secret.key' || top.endsWith('.secret');
  return FOLDERS.includes(top) || (withRecordings && top === 'recordings');
}

/** @throws Error if the file is damaged, or of a newer release */
export function verifyDatabase(path: string): void {
  const copy = openRaw(path);
  try {
    // The copy is one file, without a write-ahead log.
    copy.pragma('journal_mode = DELETE');
    const found = copy.pragma('quick_check', { simple: true });
    if (found !== 'ok') throw new Error(`the database is damaged: ${String(found)}`);
    const schema = Number(copy.pragma('user_version', { simple: true }));
    const known = sqliteMigrations().at(-1)?.version ?? 0;
    if (schema > known) throw new Error(`its schema is ${schema}, this release knows ${known}: take a newer release`);
  } finally {
    copy.close();
  }
}
