// A database file with the current schema: migrated once per process, then copied, because tests open hundreds of them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../../../db/sqlite/migrate.ts';
import { openRaw } from '../../../db/sqlite/open.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** More than the file has: all of it in one step, which nobody sees half done. */
const PAGES_MAX = 100_000;

let template: { path: string; content: Buffer } | null = null;

/** Creates the file, or migrates an existing one. */
export function freshDatabase(path: string): void {
  if (existsSync(path)) {
    migrate(path);
    return;
  }
  writeFileSync(path, migrated().content);
}

/** Makes the file what `freshDatabase` created, below connections that stay open: they see one more commit. */
export async function renewDatabase(path: string): Promise<void> {
  const source = openRaw(migrated().path, { readonly: true });
  await source.backup(path, { progress: () => PAGES_MAX });
  source.close();
}

function migrated() {
  if (template === null) {
    const path = join(temporaryFolder('voice-schema'), 'voice.db');
    // Closing the last connection empties the write-ahead log.
    migrate(path);
    template = { path, content: readFileSync(path) };
  }
  return template;
}
