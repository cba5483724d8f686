// kysely's driver for PostgreSQL. A transaction, and a single write, begin with the advisory locks of their scope
// (db/scope.ts), so that no rule that reads before it writes is overtaken.
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, RootOperationNode } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import type { NamedQuery } from '../compiled-statement.ts';
import { locksAtBegin, locksOfStatement } from '../scope.ts';
import { isOutdatedStatement, withFaultCode } from './faults.ts';

/** As long as SQLite waits for its lock. */
const LOCK_WAIT_MS = 5_000;
const beginWrite = (locks: string): string => `begin; set local lock_timeout = ${LOCK_WAIT_MS}; select ${locks}`;

export interface PostgresDriverOptions {
  /** Opens the pool at the first use, because the library is loaded only then. */
  pool: () => Promise<Pool>;
  readonly: boolean;
  /** Whether the server keeps named statements for a connection: not behind a pooler of transactions. */
  keepsStatements: boolean;
  /** Called after each commit that may have changed something, with the tables that were written. */
  onCommit: (tables: ReadonlySet<string>) => void;
}

export class PostgresDriver implements Driver {
  readonly #options: PostgresDriverOptions;
  #pool: Pool | null = null;

  constructor(options: PostgresDriverOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {
    this.#pool = await this.#options.pool();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#pool === null) throw new Error('the database is closed');
    try {
      return new PostgresConnection(await this.#pool.connect(), this.#options);
    } catch (error) {
      throw withFaultCode(error);
    }
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    (connection as PostgresConnection).release();
  }

  beginTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as PostgresConnection).begin(locksAtBegin());
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as PostgresConnection).commit();
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as PostgresConnection).rollback();
  }

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await (connection as PostgresConnection).run(`savepoint ${quote(name)}`);
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await (connection as PostgresConnection).run(`rollback to savepoint ${quote(name)}`);
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await (connection as PostgresConnection).run(`release savepoint ${quote(name)}`);
  }

  async destroy(): Promise<void> {
    const pool = this.#pool;
    this.#pool = null;
    await pool?.end();
  }
}

class PostgresConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  readonly #options: PostgresDriverOptions;
  #inTransaction = false;
  #written = new Set<string>();
  /** A connection in an unknown state is closed and not used again. */
  #fault: Error | null = null;
  /** The pool listens to connections that nobody uses; one that is lost between two statements of ours is ours. */
  readonly #onLost = (error: Error): void => {
    this.#fault = error;
  };

  constructor(client: PoolClient, options: PostgresDriverOptions) {
    this.#client = client;
    this.#options = options;
    client.on('error', this.#onLost);
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#inTransaction || this.#options.readonly || !writes(query)) return this.#query<R>(query);
    await this.begin(locksOfStatement());
    try {
      const result = await this.#query<R>(query);
      await this.commit();
      return result;
    } catch (error) {
      await this.rollback();
      throw error;
    }
  }

  // biome-ignore lint/correctness/useYield: the interface has it, and nothing of ours streams.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported');
  }

  async run(text: string): Promise<void> {
    try {
      await this.#client.query(text);
    } catch (error) {
      throw withFaultCode(error);
    }
  }

  async begin(locks: string): Promise<void> {
    try {
      await this.run(this.#options.readonly ? 'begin isolation level repeatable read' : beginWrite(locks));
      this.#inTransaction = true;
    } catch (error) {
      await this.rollback();
      throw error;
    }
  }

  async commit(): Promise<void> {
    await this.run('commit');
    this.#inTransaction = false;
    const written = this.#written;
    this.#written = new Set();
    if (written.size > 0) this.#options.onCommit(written);
  }

  async rollback(): Promise<void> {
    this.#inTransaction = false;
    this.#written = new Set();
    try {
      await this.#client.query('rollback');
    } catch (error) {
      // The server ends the transaction of a connection that it loses.
      this.#fault = error as Error;
    }
  }

  release(): void {
    this.#client.off('error', this.#onLost);
    this.#client.release(this.#fault ?? undefined);
  }

  async #query<R>(query: NamedQuery): Promise<QueryResult<R>> {
    const { sql, parameters, statementName } = query;
    try {
      const isNamed = statementName !== undefined && this.#options.keepsStatements;
      const { command, rowCount, rows } = await this.#client.query({
        text: sql,
        values: parameters.map(storable),
        ...(isNamed ? { name: statementName } : {}),
      });
      const isChange = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE';
      if (isChange && rowCount !== 0) for (const [, table] of sql.matchAll(WRITTEN)) this.#written.add(String(table));
      return { rows, ...(isChange ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) };
    } catch (error) {
      if (isOutdatedStatement(error)) {
        this.#fault = error as Error;
        if (!this.#inTransaction) return this.#query<R>({ ...query, statementName: undefined });
      }
      throw withFaultCode(error);
    }
  }
}

/** PostgreSQL stores no U+0000. The API refuses it; what callers, models and peers send comes without it. */
const storable = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '') : value;

/** The tables that a statement writes. */
const WRITTEN = /\b(?:insert into|update|delete from) "?(\w+)/gi;

const READS: ReadonlySet<RootOperationNode['kind']> = new Set(['SelectQueryNode']);

/** Whether the statement may change something. The text decides where kysely did not build it. */
const writes = ({ query, sql }: CompiledQuery): boolean =>
  !READS.has(query.kind) && (query.kind !== 'RawNode' || /\b(insert|update|delete)\b/i.test(sql));

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
