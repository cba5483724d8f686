// A database of today's schema, as a file: migrated once in a process, then copied. Tests open hundreds of them.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.ts';

let schema: Buffer | null = null;

/** Makes the file, or brings one that exists up to date. */
export function freshDatabase(path: string): void {
  if (existsSync(path)) {
    migrate(path);
    return;
  }
  schema ??= migratedFile();
  writeFileSync(path, schema);
}

function migratedFile(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'voice-schema-'));
  try {
    const path = join(folder, 'voice.db');
    // The last connection that closes leaves nothing in the write-ahead log.
    migrate(path);
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
