// Everything specific to SQLite: opening, pragmas, and a kysely driver that begins IMMEDIATE. kysely's stock driver
// begins deferred transactions, in which read-then-write fails with SQLITE_BUSY_SNAPSHOT at once whatever busy_timeout
// says.
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
import type { Schema } from './schema.ts';

export type Db = Kysely<Schema>;

export interface OpenOptions {
  /** A second connection that cannot write; lists are read on it so that they never wait for a writer. */
  readonly?: boolean;
  /** FULL survives a power cut (the engine's writer, every terminal event); default FULL. */
  synchronous?: 'FULL' | 'NORMAL';
  /** Pages of WAL after which a commit checkpoints; 0 leaves it to the engine's writer. Default 0. */
  autocheckpointPages?: number;
  /** Pages that the file may grow to. */
  maxPages?: number;
}

/** How long a statement waits for another writer. */
const BUSY_TIMEOUT_MS = 5_000;
/** Hot statements stay prepared: a list takes 22 µs, or 73 µs when compiled each time. */
const PREPARED_STATEMENTS_MAX = 400;

/**
 * Opens `path` (WAL) as kysely. Statements are synchronous underneath, so inside a transaction nothing may be awaited but
 * queries. @throws SqliteError when the file cannot be opened
 */
export function openDatabase(path: string, options: OpenOptions = {}): Db {
  const raw = new Database(path, { readonly: options.readonly ?? false, timeout: BUSY_TIMEOUT_MS });
  if (!options.readonly) {
    raw.pragma('journal_mode = WAL');
    raw.pragma(`synchronous = ${options.synchronous ?? 'FULL'}`);
    raw.pragma(`wal_autocheckpoint = ${options.autocheckpointPages ?? 0}`);
    raw.pragma('foreign_keys = ON');
    if (options.maxPages !== undefined) raw.pragma(`max_page_count = ${options.maxPages}`);
  }
  raw.pragma('cache_size = -16000');
  raw.pragma('temp_store = MEMORY');
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

/** The raw connection, for what kysely cannot express: pragmas, backup, migration scripts. */
export function openRaw(path: string, options: { readonly?: boolean } = {}): Database.Database {
  return new Database(path, { readonly: options.readonly ?? false, timeout: BUSY_TIMEOUT_MS });
}

/** `data_version` of a connection: changes when another connection or process has committed. 10-20 µs. */
export function watchDataVersion(path: string): { read(): number; close(): void } {
  const raw = new Database(path, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  const statement = raw.prepare('pragma data_version').pluck();
  return { read: () => statement.get() as number, close: () => raw.close() };
}

class ImmediateDriver implements Driver {
  readonly #raw: Database.Database;
  readonly #connection: ImmediateConnection;
  readonly #mutex = new Mutex();

  constructor(raw: Database.Database) {
    this.#raw = raw;
    this.#connection = new ImmediateConnection(raw);
  }

  async init(): Promise<void> {}

  // One connection, so a transaction holds it and everything else on this handle waits its turn.
  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#mutex.lock();
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#mutex.unlock();
  }

  async beginTransaction(): Promise<void> {
    this.#raw.exec(this.#raw.readonly ? 'begin' : 'begin immediate');
  }

  async commitTransaction(): Promise<void> {
    this.#raw.exec('commit');
  }

  async rollbackTransaction(): Promise<void> {
    // A failed commit (disk full) has rolled back by itself.
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
  readonly #prepared = new Map<string, Database.Statement>();

  constructor(raw: Database.Database) {
    this.#raw = raw;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.#prepare(query.sql);
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

class Mutex {
  #locked = false;
  readonly #waiting: Array<() => void> = [];

  async lock(): Promise<void> {
    if (!this.#locked) {
      this.#locked = true;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  unlock(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#locked = false;
  }
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
