// The numbered SQL files of a kind of database, `NNNN-what.sql`.
import { readdirSync, readFileSync } from 'node:fs';

export interface Migration {
  version: number;
  name: string;
  sql: string;
}

/** The database cannot be used as it is; the message says what to do. */
export class UnsuitableDatabaseError extends Error {
  override name = 'UnsuitableDatabaseError';
}

/** A newer release has migrated the database. The message names both versions and the remedy. */
export class NewerDatabaseError extends UnsuitableDatabaseError {
  override name = 'NewerDatabaseError';
  constructor(database: string, found: number, known: number) {
    super(
      `${database} has schema ${found}, this release knows ${known}: start a newer release, or restore the backup made before the upgrade`,
    );
  }
}

/** The migrations of a folder in order. */
export function migrationsIn(folder: URL): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}-.+\.sql$/.test(file))
    .sort()
    .map((file) => ({
      version: Number(file.slice(0, 4)),
      name: file.slice(5, -4),
      sql: readFileSync(new URL(file, folder), 'utf8'),
    }));
}

/** Says which migration failed. */
export function failedMigration({ version, name }: Migration, error: unknown): unknown {
  if (error instanceof Error) error.message = `migration ${version} (${name}): ${error.message}`;
  return error;
}
