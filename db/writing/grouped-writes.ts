// Writes to SQLite, which has one writer at a time: all that wait are one transaction with one fsync. Each operation
// has a savepoint, so a failure does not affect the others.
import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import { checkpoint, truncateLog } from '../upkeep.ts';
import type { DatabaseWrites, WriteRequest } from './database-writes.ts';

/** Most operations per commit: such a group takes about 5 ms. */
const GROUP_MAX = 64;
/** Groups between checkpoints; only this thread checkpoints while the engine runs. */
const CHECKPOINT_EVERY_GROUPS = 400;

export class GroupedWrites implements DatabaseWrites {
  readonly #db: Db;
  readonly #waiting: WriteRequest[] = [];
  #running: Promise<void> | null = null;
  #groups = 0;

  constructor(db: Db) {
    this.#db = db;
  }

  add(request: WriteRequest): void {
    this.#waiting.push(request);
    this.#running ??= this.#drain().finally(() => {
      this.#running = null;
    });
  }

  async close(): Promise<void> {
    await this.#running;
    await this.#tidy(truncateLog);
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#runGroup(this.#waiting.splice(0, GROUP_MAX));
      if (++this.#groups % CHECKPOINT_EVERY_GROUPS === 0) await this.#tidy(checkpoint);
    }
  }

  async #runGroup(group: readonly WriteRequest[]): Promise<void> {
    const told: Array<() => void> = [];
    try {
      await this.#db.transaction().execute(async (transaction) => {
        for (const request of group) told.push(await runOne(transaction as Db, request));
      });
    } catch (error) {
      // Begin or commit failed: no operation of the group took effect.
      for (const { settle } of group) settle({ fault: error });
      return;
    }
    for (const tell of told) tell();
  }

  async #tidy(upkeep: (db: Db) => Promise<unknown>): Promise<void> {
    try {
      await upkeep(this.#db);
    } catch {
      // A reader or a full disk prevents it: the next one tries again.
    }
  }
}

/** Returns what tells its outcome, once the group is committed. */
async function runOne(transaction: Db, { run, settle }: WriteRequest): Promise<() => void> {
  await sql.raw('savepoint operation').execute(transaction);
  try {
    const result = await run(transaction);
    await sql.raw('release operation').execute(transaction);
    return () => settle({ result });
  } catch (fault) {
    await sql.raw('rollback to operation').execute(transaction);
    await sql.raw('release operation').execute(transaction);
    return () => settle({ fault });
  }
}
