// Writes to PostgreSQL: each operation is a transaction of its own, so that those of other calls, and of other engines,
// go on beside it and share an fsync. Writes that must not be lost go through the spool.

import { isPassingFault } from '../faults/faults.ts';
import type { Db } from '../schema.ts';
import { type Entry, isAppliedBefore, isDeadEngine, transact } from '../scope.ts';
import type { DatabaseWrites, WriteRequest } from './database-writes.ts';
import { isLosable, laneOf, scopeOf, scopeOfAll } from './operation-scopes.ts';
import { type OperationName, operations } from './operations.ts';
import { OrderedJobs } from './ordered-jobs.ts';
import { rehearse } from './rehearsal.ts';
import type { SpooledOperation } from './spool.ts';
import { type Outcome, SpooledWrites } from './spooled-writes.ts';
import { ENGINE_DEAD } from './writer.ts';

/** Operations under way, of either kind: fewer than the handle's connections. */
const DURABLE_MAX = 5;
const OTHERS_MAX = 2;
/** Half of the handle's: the others serve meanwhile, and those are taken first that were given back last. */
const REHEARSED = 4;

interface ParallelWritesOptions {
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
  readonly #rehearsed: Promise<void>;
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
            applyTogether: (group) => this.#applyTogether(group),
            onAway,
          });
    // If the database is away, the first write says so.
    this.#rehearsed = rehearse(db, REHEARSED).catch(() => undefined);
  }

  add(request: WriteRequest): void {
    if (request.isDurable && this.#spooled !== null) this.#spool(request);
    else this.#jobs.add(laneOf(request.name, request.args), () => this.#runOne(request));
  }

  async close(): Promise<void> {
    await this.#rehearsed;
    await this.#jobs.idle();
    this.#sendArriving();
    await this.#spooled?.close();
  }

  async #runOne({ name, args, run, settle }: WriteRequest): Promise<void> {
    const entry = { engineId: this.#engineId ?? null, operations: [], nowMs: Date.now(), isLosable: isLosable(name) };
    try {
      settle({ result: await transact(this.#db, scopeOf(name, args), run, entry) });
    } catch (fault) {
      settle({ fault: isDeadEngine(fault) ? Object.assign(fault as Error, { code: ENGINE_DEAD }) : fault });
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
  async #applyOnce(operation: SpooledOperation): Promise<Outcome> {
    try {
      const work = (tx: Db): Promise<unknown> => carryOut(tx, operation);
      return { result: await transact(this.#db, scopeOf(operation.name, operation.args), work, entryOf([operation])) };
    } catch (fault) {
      if (isAppliedBefore(fault)) return { result: undefined };
      if (isPassingFault(fault)) throw fault;
      return { fault };
    }
  }

  /** Several in one transaction, which saves its cost for all but one; null: none of them is applied. */
  async #applyTogether(group: readonly SpooledOperation[]): Promise<Outcome[] | null> {
    const scope = scopeOfAll(group);
    if (scope === null) return null;
    const work = async (tx: Db): Promise<Outcome[]> => {
      const outcomes: Outcome[] = [];
      for (const operation of group) outcomes.push({ result: await carryOut(tx, operation) });
      return outcomes;
    };
    return transact(this.#db, scope, work, entryOf(group)).catch(() => null);
  }
}

function carryOut(tx: Db, { name, args }: SpooledOperation): Promise<unknown> {
  const operation = operations[name as OperationName] as ((db: Db, args: unknown) => Promise<unknown>) | undefined;
  if (operation === undefined) throw new Error(`no operation of this release is called ${name}`);
  return operation(tx, args);
}

const entryOf = (group: readonly SpooledOperation[]): Entry => ({
  engineId: null,
  operations: group.map(({ id }) => id),
  nowMs: Date.now(),
  isLosable: false,
});
