// kysely's driver for SQLite, with IMMEDIATE transactions. kysely's own driver begins deferred ones; there a write
// after a read can fail with SQLITE_BUSY_SNAPSHOT at once, with any busy_timeout.
import type Database from 'better-sqlite3';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import { LockWait, Mutex } from './lock-wait.ts';

/** Hot statements stay prepared: a list takes 22 µs, or 73 µs when compiled each time. */
const PREPARED_STATEMENTS_MAX = 400;

export class ImmediateDriver implements Driver {
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
