// A SQLite file: opening, pragmas, and connections for scripts.
import Database from 'better-sqlite3';
import { CamelCasePlugin, Kysely, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { OpenOptions } from '../open-options.ts';
import type { Db, Schema } from '../schema.ts';
import { SqliteDialectAdapter } from './dialect.ts';
import { ImmediateDriver } from './driver.ts';

/** Longest time that a raw connection blocks its thread while another one writes. Other code waits by `LockWait`. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens `path` (WAL) as kysely. Statements are synchronous underneath, so inside a transaction nothing may be awaited
 * but queries. @throws SqliteError when the file cannot be opened
 */
export function openSqlite(path: string, options: OpenOptions = {}): Db {
  const raw = new Database(path, { readonly: options.readonly ?? false, timeout: BUSY_TIMEOUT_MS });
  if (!options.readonly) {
    raw.pragma('journal_mode = WAL');
    raw.pragma(`synchronous = ${options.synchronous ?? 'FULL'}`);
    raw.pragma(`wal_autocheckpoint = ${options.autocheckpointPages ?? 0}`);
    raw.pragma('foreign_keys = ON');
    // Overwrites deleted and replaced content with zeros, also in freed pages.
    raw.pragma('secure_delete = ON');
    if (options.maxPages !== undefined) raw.pragma(`max_page_count = ${options.maxPages}`);
  }
  raw.pragma('cache_size = -16000');
  raw.pragma('temp_store = MEMORY');
  // From here on no statement blocks the thread.
  raw.pragma('busy_timeout = 0');
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteDialectAdapter(),
      createDriver: () => new ImmediateDriver(raw),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    plugins: [new CamelCasePlugin()],
  });
}

/** A raw connection, for pragmas, backup and migration scripts, which kysely cannot express. */
export function openRaw(path: string, options: { readonly?: boolean } = {}): Database.Database {
  const raw = new Database(path, { readonly: options.readonly ?? false, timeout: BUSY_TIMEOUT_MS });
  if (!options.readonly) raw.pragma('secure_delete = ON');
  return raw;
}

/** `data_version` of a connection: changes when another connection or process has committed. 10-20 µs, never waits. */
export function watchDataVersion(path: string): { read(): number; close(): void } {
  const raw = new Database(path, { readonly: true, timeout: 0 });
  const statement = raw.prepare('pragma data_version').pluck();
  return { read: () => statement.get() as number, close: () => raw.close() };
}
