// Everything specific to SQLite: opening, pragmas, and a kysely driver that begins IMMEDIATE transactions. kysely's own
// driver begins deferred ones; there a write after a read can fail with SQLITE_BUSY_SNAPSHOT at once, with any
// busy_timeout.
import Database from 'better-sqlite3';
import {
  CamelCasePlugin,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { LockWait, Mutex } from './lock-wait.ts';
import type { Schema } from './schema.ts';

export type Db = Kysely<Schema>;

export interface OpenOptions {
  /** A second connection that cannot write; lists use it so that they never wait for a writer. */
  readonly?: boolean;
  /** FULL survives a power cut (the engine's writer, every terminal event); default FULL. */
  synchronous?: 'FULL' | 'NORMAL';
  /** Pages of WAL after which a commit checkpoints; 0 leaves it to the engine's writer. Default 0. */
  autocheckpointPages?: number;
  /** Pages that the file may grow to. */
  maxPages?: number;
}

/** Longest time that a raw connection blocks its thread while another one writes. Other code waits by `LockWait`. */
const BUSY_TIMEOUT_MS = 5_000;
/** Hot statements stay prepared: a list takes 22 µs, or 73 µs when compiled each time. */
const PREPARED_STATEMENTS_MAX = 400;

/**
 * Opens `path` (WAL) as kysely. Statements are synchronous underneath, so inside a transaction nothing may be awaited
 * but queries. @throws SqliteError when the file cannot be opened
 */
export function openDatabase(path: string, options: OpenOptions = {}): Db {
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
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new ImmediateDriver(raw),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    plugins: [new CamelCasePlugin()],
  });
}

/** Checkpoints as much of the write-ahead log as it can without waiting for readers. */
export async function checkpoint(db: Db): Promise<void> {
  await sql`pragma wal_checkpoint(passive)`.execute(db);
}

/** Checkpoints all of the write-ahead log and cuts it to nothing; false while other connections use it. */
export async function truncateLog(db: Db): Promise<boolean> {
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
  return rows[0]?.busy === 0;
}

/** Rows on either side whose pages may hold a copy: the cells of two neighbouring pages. */
const SCRUBBED_NEIGHBOURS = 32;

/**
 * Moves the rows of a table, and their neighbours, to its end. A split page keeps, between its cells, bytes of rows
 * that moved to the next page; secure_delete does not clear them. Emptied pages are overwritten completely. Call it in
 * the transaction that changed the rows.
 */
export async function scrubPages(
  trx: Db,
  table: 'calls' | 'dialAttempts' | 'appointments' | 'refusedCalls',
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const name = sql.table(table);
  const { rows } = await sql<{
    at: number;
  }>`select rowid as at from ${name} where id in (${sql.join(ids)}) order by rowid`.execute(trx);
  let doneTo = 0;
  const moving: number[] = [];
  for (const { at } of rows) {
    const from = Math.max(doneTo + 1, at - SCRUBBED_NEIGHBOURS);
    doneTo = at + SCRUBBED_NEIGHBOURS;
    const near = await sql<{
      at: number;
    }>`select rowid as at from ${name} where rowid between ${from} and ${doneTo} order by rowid`.execute(trx);
    moving.push(...near.rows.map((row) => row.at));
  }
  const last = await sql<{ at: number }>`select max(rowid) as at from ${name}`.execute(trx);
  let next = last.rows[0]?.at ?? 0;
  for (const at of moving) await sql`update ${name} set rowid = ${++next} where rowid = ${at}`.execute(trx);
}

/**
 * A statement whose plan does not depend on its parameters' values: `+?` has the value of `?` but is not a plain
 * parameter. With `column = ?` and another condition or `limit ?`, SQLite would compile the statement again each time,
 * because better-sqlite3 clears the bindings after each run: 30 µs for a list. The value that selects a partial index
 * must be a literal.
 */
export const withoutPeeking = (text: string): string => text.replaceAll('?', '+?');

/** The version of the file: its newest migration. */
export async function schemaVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ userVersion: number }>`pragma user_version`.execute(db);
  return rows[0]?.userVersion ?? 0;
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

class ImmediateDriver implements Driver {
  readonly #raw: Database.Database;
  readonly #connection: ImmediateConnection;
  readonly #mutex = new Mutex();
  readonly #wait = new LockWait(this.#mutex);

  constructor(raw: Database.Database) {
    this.#raw = raw;
    this.#connection = new ImmediateConnection(raw, this.#wait);
  }

  async init(): Promise<void> {}

  // There is one connection: a transaction holds it, and other statements on this handle wait.
  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#mutex.lock();
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#mutex.unlock();
  }

  async beginTransaction(): Promise<void> {
    if (this.#raw.readonly) this.#raw.exec('begin');
    else await this.#wait.run(() => this.#raw.exec('begin immediate'));
  }

  async commitTransaction(): Promise<void> {
    this.#raw.exec('commit');
  }

  async rollbackTransaction(): Promise<void> {
    // A failed commit (disk full) has already rolled back.
    if (this.#raw.inTransaction) this.#raw.exec('rollback');
  }

  async savepoint(_connection: DatabaseConnection, name: string): Promise<void> {
    this.#raw.exec(`savepoint ${quote(name)}`);
  }

  async rollbackToSavepoint(_connection: DatabaseConnection, name: string): Promise<void> {
    this.#raw.exec(`rollback to ${quote(name)}`);
  }

  async releaseSavepoint(_connection: DatabaseConnection, name: string): Promise<void> {
    this.#raw.exec(`release ${quote(name)}`);
  }

  async destroy(): Promise<void> {
    this.#raw.close();
  }
}

class ImmediateConnection implements DatabaseConnection {
  readonly #raw: Database.Database;
  readonly #wait: LockWait;
  readonly #prepared = new Map<string, Database.Statement>();

  constructor(raw: Database.Database, wait: LockWait) {
    this.#raw = raw;
    this.#wait = wait;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.#prepare(query.sql);
    // A transaction already holds the lock, and a read needs none.
    if (this.#raw.inTransaction || statement.readonly) return this.#run(statement, query);
    return this.#wait.run(() => this.#run(statement, query));
  }

  #run<R>(statement: Database.Statement, query: CompiledQuery): QueryResult<R> {
    if (statement.reader) return { rows: statement.all(...query.parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(...query.parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    for (const row of this.#prepare(query.sql).iterate(...query.parameters)) yield { rows: [row as R] };
  }

  #prepare(sql: string): Database.Statement {
    const known = this.#prepared.get(sql);
    if (known) return known;
    if (this.#prepared.size >= PREPARED_STATEMENTS_MAX) {
      const oldest = this.#prepared.keys().next().value;
      if (oldest !== undefined) this.#prepared.delete(oldest);
    }
    const statement = this.#raw.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
