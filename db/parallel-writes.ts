// Writes to PostgreSQL: each operation is a transaction of its own, so that those of other calls, and of other engines,
// go on beside it and share an fsync. What must not be lost goes through the spool.
import type { DatabaseWrites, WriteRequest } from './database-writes.ts';
import { isPassingFault } from './faults.ts';
import { laneOf, scopeOf } from './operation-scopes.ts';
import { type OperationName, operations } from './operations.ts';
import { OrderedJobs } from './ordered-jobs.ts';
import { isEngineDead, noteOperation } from './queries/engine/applied.ts';
import type { Db } from './schema.ts';
import { transact } from './scope.ts';
import type { SpooledOperation } from './spool.ts';
import { type Outcome, SpooledWrites } from './spooled-writes.ts';
import { ENGINE_DEAD } from './writer.ts';

/** Operations under way, of either kind: fewer than the handle's connections. */
const DURABLE_MAX = 5;
const OTHERS_MAX = 2;

export interface ParallelWritesOptions {
  db: Db;
  /** The path of the spool. */
  spool: string | undefined;
  /** Nothing but what was spooled is written for an engine that others took for dead. */
  engineId: string | undefined;
  onAway(error: unknown, waiting: number): void;
}

export class ParallelWrites implements DatabaseWrites {
  readonly #db: Db;
  readonly #engineId: string | undefined;
  readonly #jobs = new OrderedJobs(OTHERS_MAX);
  readonly #spooled: SpooledWrites | null;
  /** Durable operations that came together are on the disk together. */
  #arriving: WriteRequest[] = [];

  constructor({ db, spool, engineId, onAway }: ParallelWritesOptions) {
    this.#db = db;
    this.#engineId = engineId;
    this.#spooled =
      spool === undefined
        ? null
        : new SpooledWrites({
            path: spool,
            most: DURABLE_MAX,
            laneOf: ({ name, args }) => laneOf(name, args),
            apply: (operation) => this.#applyOnce(operation),
            onAway,
          });
  }

  add(request: WriteRequest): void {
    if (request.isDurable && this.#spooled !== null) this.#spool(request);
    else this.#jobs.add(laneOf(request.name, request.args), () => this.#runOne(request));
  }

  async close(): Promise<void> {
    await this.#jobs.idle();
    this.#sendArriving();
    await this.#spooled?.close();
  }

  async #runOne({ name, args, run, settle }: WriteRequest): Promise<void> {
    try {
      const result = await this.#transact(name, args, async (tx) => {
        await this.#refuseDeadEngine(tx);
        return run(tx);
      });
      settle({ result });
    } catch (fault) {
      settle({ fault });
    }
  }

  #spool(request: WriteRequest): void {
    this.#arriving.push(request);
    if (this.#arriving.length === 1) setImmediate(() => this.#sendArriving());
  }

  #sendArriving(): void {
    const together = this.#arriving;
    this.#arriving = [];
    if (together.length > 0) this.#spooled?.add(together.map(({ name, args, settle }) => ({ name, args, settle })));
  }

  /** Once, however often it is sent. @throws a fault after which it is to be sent again */
  async #applyOnce({ id, name, args }: SpooledOperation): Promise<Outcome> {
    try {
      const operation = operations[name as OperationName] as ((db: Db, args: unknown) => Promise<unknown>) | undefined;
      if (operation === undefined) throw new Error(`no operation of this release is called ${name}`);
      const result = await this.#transact(name, args, async (tx) =>
        (await noteOperation(tx, id, Date.now())) ? operation(tx, args) : undefined,
      );
      return { result };
    } catch (fault) {
      if (isPassingFault(fault)) throw fault;
      return { fault };
    }
  }

  #transact<T>(name: string, args: unknown, work: (tx: Db) => Promise<T>): Promise<T> {
    const scope = scopeOf(name, args);
    return scope === null ? this.#db.transaction().execute((tx) => work(tx as Db)) : transact(this.#db, scope, work);
  }

  /** An engine that others took for dead has no calls any more, and must not begin or change one. */
  async #refuseDeadEngine(tx: Db): Promise<void> {
    if (this.#engineId === undefined || !(await isEngineDead(tx, this.#engineId))) return;
    throw Object.assign(new Error('another engine has taken this one for dead'), { code: ENGINE_DEAD });
  }
}
