// A database file with the current schema: migrated once per process, then copied, because tests open hundreds of them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../../../db/sqlite/migrate.ts';
import { temporaryFolder } from '../temporary-folder.ts';

let schema: Buffer | null = null;

/** Creates the file, or migrates an existing one. */
export function freshDatabase(path: string): void {
  if (existsSync(path)) {
    migrate(path);
    return;
  }
  schema ??= migratedFile();
  writeFileSync(path, schema);
}

function migratedFile(): Buffer {
  const path = join(temporaryFolder('voice-schema'), 'voice.db');
  // Closing the last connection empties the write-ahead log.
  migrate(path);
  return readFileSync(path);
}
