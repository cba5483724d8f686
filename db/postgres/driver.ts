// kysely's driver for PostgreSQL. A transaction, and a single write, begin with the advisory locks of their scope
// (db/scope.ts), so that no rule that reads before it writes is overtaken.
import { createHash } from 'node:crypto';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, RootOperationNode } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import type { NamedQuery } from '../dialect.ts';
import { type LockStatement, locksAtBegin, locksOfStatement } from '../scope.ts';
import { type Topic, topicsOf } from './announcements.ts';
import { isOutdatedStatement, withFaultCode } from './faults.ts';

/** As long as SQLite waits for its lock. */
export const LOCK_WAIT_MS = 5_000;
/** Statements that a connection keeps besides those that bring a name. */
const KEPT_MAX = 300;
const BEGIN_READ = 'begin isolation level repeatable read';
/** A pooler's connections have settings of their own. */
const BEGIN_POOLED = `begin; set local lock_timeout = ${LOCK_WAIT_MS}`;

interface PostgresDriverOptions {
  /** Opens the pool at the first use, because the library is loaded only then. */
  pool: () => Promise<Pool>;
  readonly: boolean;
  /** Whether the server keeps named statements for a connection: not behind a pooler of transactions. */
  keepsStatements: boolean;
  /** Whether it keeps every statement that comes twice. */
  keepsPlans: boolean;
  /** Called after each commit that changed something that others wait for. */
  onCommit: (topics: ReadonlySet<Topic>) => void;
  onClose: () => Promise<void>;
}

export class PostgresDriver implements Driver {
  readonly #options: PostgresDriverOptions;
  readonly #names = new StatementNames();
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
      return new PostgresConnection(await this.#pool.connect(), this.#options, this.#names);
    } catch (error) {
      throw withFaultCode(error);
    }
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    (connection as PostgresConnection).release();
  }

  beginTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as PostgresConnection).begin(locksAtBegin(connection));
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
    await Promise.all([pool?.end(), this.#options.onClose()]);
  }
}

class PostgresConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  readonly #options: PostgresDriverOptions;
  readonly #names: StatementNames;
  /** Of the transaction under way. */
  #beginning: Promise<unknown> | null = null;
  #written = new Set<Topic>();
  /** A connection in an unknown state is closed and not used again. */
  #fault: Error | null = null;
  /** The pool listens to connections that nobody uses; one that is lost between two statements of ours is ours. */
  readonly #onLost = (error: Error): void => {
    this.#fault = error;
  };

  constructor(client: PoolClient, options: PostgresDriverOptions, names: StatementNames) {
    this.#client = client;
    this.#options = options;
    this.#names = names;
    client.on('error', this.#onLost);
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#beginning !== null || this.#options.readonly || !writes(query)) return this.#query<R>(query);
    await this.begin(locksOfStatement());
    try {
      // The three go out together: where the statement fails, the commit ends the transaction without it.
      const result = this.#query<R>(query);
      const ended = this.run('commit').then(
        () => null,
        (error: unknown) => error,
      );
      const found = await result;
      const fault = await ended;
      if (fault !== null) throw fault;
      this.#committed();
      return found;
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

  /**
   * Where the first statement may follow, this does not wait: if the locks are not had, that statement fails too, and
   * the fault told is theirs.
   */
  async begin({ text, values, isFollowed }: LockStatement): Promise<void> {
    const { readonly, keepsStatements } = this.#options;
    const begun = this.run(readonly ? BEGIN_READ : keepsStatements ? 'begin' : BEGIN_POOLED);
    const locked = readonly ? begun : this.#send({ text, values, name: this.#names.of(text) });
    this.#beginning = Promise.all([begun, locked]).catch((error: unknown) => {
      throw withFaultCode(error);
    });
    // The caller that awaits the first statement gets the error.
    for (const each of [locked, this.#beginning]) each.catch(() => undefined);
    if (isFollowed || readonly) return;
    try {
      await this.#beginning;
    } catch (error) {
      await this.rollback();
      throw error;
    }
  }

  async commit(): Promise<void> {
    await this.#beginning;
    await this.#commit();
    this.#committed();
  }

  /** @throws where a statement failed whose fault nobody looked at: the server then commits nothing, and says so. */
  async #commit(): Promise<void> {
    try {
      const { command } = await this.#client.query('commit');
      if (command !== 'COMMIT') throw Object.assign(new Error('the transaction had failed'), { code: '25P02' });
    } catch (error) {
      throw withFaultCode(error);
    }
  }

  #committed(): void {
    this.#beginning = null;
    const written = this.#written;
    this.#written = new Set();
    if (written.size > 0) this.#options.onCommit(written);
  }

  async rollback(): Promise<void> {
    this.#beginning = null;
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

  async #query<R>(query: NamedQuery, isAgain = false): Promise<QueryResult<R>> {
    const { sql, parameters, statementName } = query;
    const beginning = this.#beginning;
    try {
      const name = statementName ?? (this.#options.keepsPlans ? this.#names.of(sql) : undefined);
      const answer = this.#send({ text: sql, values: parameters.map(storable), name: isAgain ? undefined : name });
      if (beginning !== null) {
        answer.catch(() => undefined);
        await beginning;
      }
      const { command, rowCount, rows } = await answer;
      const isChange = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE';
      // Changes within a `with` are not counted.
      if ((isChange && rowCount !== 0) || command === 'SELECT')
        for (const topic of topicsOf(sql, parameters)) this.#written.add(topic);
      return { rows, ...(isChange ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) };
    } catch (error) {
      if (isOutdatedStatement(error)) {
        this.#fault = error as Error;
        if (beginning === null && !isAgain) return this.#query<R>(query, true);
      }
      throw withFaultCode(error);
    }
  }

  #send({ text, values, name }: { text: string; values: unknown[]; name?: string | undefined }) {
    const isNamed = name !== undefined && this.#options.keepsStatements;
    return this.#client.query({ text, values, ...(isNamed ? { name } : {}) });
  }
}

/** Names for statements that come twice, the same on every connection. */
class StatementNames {
  readonly #names = new Map<string, string | undefined>();

  of(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name !== undefined) return name;
    const isSecond = this.#names.has(text);
    if (!isSecond && this.#names.size >= KEPT_MAX) return undefined;
    const found = isSecond ? `kept_${createHash('sha1').update(text).digest('hex').slice(0, 16)}` : undefined;
    this.#names.set(text, found);
    return found;
  }
}

/** PostgreSQL stores no U+0000. The API refuses it; what callers, models and peers send comes without it. */
const storable = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '') : value;

const READS: ReadonlySet<RootOperationNode['kind']> = new Set(['SelectQueryNode']);

/** Whether the statement may change something. The text decides where kysely did not build it. */
const writes = ({ query, sql }: CompiledQuery): boolean =>
  !READS.has(query.kind) && (query.kind !== 'RawNode' || /\b(insert|update|delete)\b/i.test(sql));

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
