// A SQLite file: opening, pragmas, and connections for scripts.
import Database from 'better-sqlite3';
import { CamelCasePlugin, Kysely, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { isBusy } from '../faults/faults.ts';
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
    switchToWal(raw, BUSY_TIMEOUT_MS);
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
export function openRaw(path: string, options: { readonly?: boolean; busyTimeoutMs?: number } = {}): Database.Database {
  const { readonly = false, busyTimeoutMs = BUSY_TIMEOUT_MS } = options;
  const raw = new Database(path, { readonly, timeout: busyTimeoutMs });
  if (!readonly) raw.pragma('secure_delete = ON');
  return raw;
}

/** A migration of an empty file holds the lock for a few milliseconds at a time. */
const WAL_RETRY_MS = 10;

/**
 * Switches the file to WAL, which it then keeps. SQLite's busy handler does not cover the switch: while another
 * connection writes to a new file, it fails at once, so it is tried again, and the thread sleeps in between.
 * @throws SqliteError SQLITE_BUSY after `waitMaxMs`
 */
export function switchToWal(raw: Database.Database, waitMaxMs: number): void {
  const deadlineMs = performance.now() + waitMaxMs;
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      raw.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadlineMs) throw error;
    }
    Atomics.wait(sleeper, 0, 0, WAL_RETRY_MS);
  }
}

/** `data_version` of a connection: changes when another connection or process has committed. 10-20 µs, never waits. */
export function watchDataVersion(path: string): { read(): number; close(): void } {
  const raw = new Database(path, { readonly: true, timeout: 0 });
  const statement = raw.prepare('pragma data_version').pluck();
  return { read: () => statement.get() as number, close: () => raw.close() };
}
