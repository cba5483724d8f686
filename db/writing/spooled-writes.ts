// Writes that must not be lost, through the spool: each is on the engine's disk before it is sent. Writes of one
// call are sent in the order in which they came; while the database is away all of them wait.
import { randomUUID } from 'node:crypto';
import { isPassingFault } from '../faults/faults.ts';
import { OrderedJobs } from './ordered-jobs.ts';
import { Spool, type SpooledOperation } from './spool.ts';

/** Operations of one transaction. */
const TOGETHER_MAX = 16;
const RETRY_DELAYS_MS = [100, 300, 1_000, 2_000];
/** An erasure leaves no word of a call on the disk after 5 s, nor may an operation that was applied before it. */
const CLEAR_AFTER_MS = 2_000;

/** Its result, or its lasting fault. */
export type Outcome = { result: unknown } | { fault: unknown };

interface SpooledWritesOptions {
  path: string;
  /** Operations under way at a time. */
  most: number;
  /** Operations with the same lane are applied in their order. */
  laneOf(operation: SpooledOperation): string;
  /** Applies an operation once, however often it is sent. @throws a fault after which it is to be sent again */
  apply(operation: SpooledOperation): Promise<Outcome>;
  /** Applies several of one lane, all or none; null: none, and each is to be applied by itself. */
  applyTogether(operations: readonly SpooledOperation[]): Promise<Outcome[] | null>;
  /** The first failure after the last success: everything waits from now on. */
  onAway(error: unknown, waiting: number): void;
  /** Time from the first operation that was applied until none of its words is on the disk. */
  clearAfterMs?: number;
}

interface Waiting extends SpooledOperation {
  settle(outcome: Outcome): void;
}

export class SpooledWrites {
  readonly #options: SpooledWritesOptions;
  readonly #spool: Spool;
  readonly #jobs: OrderedJobs;
  /** The operations of each lane that have not begun. */
  readonly #lanes = new Map<string, Waiting[]>();
  /** When closing: lanes of which something stays on the disk, and so everything after it. */
  readonly #left = new Set<string>();
  #size = 0;
  #failures = 0;
  #isClosing = false;
  #clearing: NodeJS.Timeout | null = null;

  constructor(options: SpooledWritesOptions) {
    this.#options = options;
    this.#spool = new Spool(options.path);
    this.#jobs = new OrderedJobs(options.most);
    this.#send(this.#spool.all().map((operation) => ({ ...operation, settle: () => undefined })));
  }

  /** Operations that are not applied yet. */
  get size(): number {
    return this.#size;
  }

  /** `settle` is called once it has been applied, or has failed for good. */
  add(operations: ReadonlyArray<Omit<Waiting, 'id'>>): void {
    const named = operations.map((operation) => ({ ...operation, id: randomUUID() }));
    try {
      this.#spool.add(named);
    } catch (fault) {
      // The spool's own disk fails: the database takes it, unless that is away too.
      if (this.#failures > 0) {
        for (const { settle } of named) settle({ fault });
        return;
      }
    }
    this.#send(named);
  }

  /** Resolves when nothing waits, or the database is away: the rest is on the disk. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#jobs.idle();
    clearTimeout(this.#clearing ?? undefined);
    this.#spool.close();
  }

  /** All wait before the first goes, so that those of a lane go with it. */
  #send(operations: readonly Waiting[]): void {
    const lanes = operations.map((operation) => {
      this.#size++;
      const lane = this.#options.laneOf(operation);
      const waiting = this.#lanes.get(lane);
      if (waiting === undefined) this.#lanes.set(lane, [operation]);
      else waiting.push(operation);
      return lane;
    });
    for (const lane of lanes) this.#jobs.add(lane, () => this.#applyNext(lane));
  }

  /** The operations that wait in the lane by now go together. */
  async #applyNext(lane: string): Promise<void> {
    const group = this.#lanes.get(lane)?.splice(0, TOGETHER_MAX) ?? [];
    if (this.#lanes.get(lane)?.length === 0) this.#lanes.delete(lane);
    if (group.length === 0 || this.#left.has(lane)) return;
    if (group.length > 1 && this.#failures === 0 && (await this.#applyTogether(group))) return;
    for (const operation of group) {
      if (await this.#apply(operation)) continue;
      this.#left.add(lane);
      return;
    }
  }

  async #applyTogether(group: readonly Waiting[]): Promise<boolean> {
    const outcomes = await this.#options.applyTogether(group.map(({ id, name, args }) => ({ id, name, args })));
    if (outcomes === null) return false;
    this.#remove(group);
    for (const [i, { settle }] of group.entries()) settle(outcomes[i] ?? { result: undefined });
    return true;
  }

  /** False: the database is away, and this is closing. */
  async #apply({ id, name, args, settle }: Waiting): Promise<boolean> {
    for (;;) {
      if (this.#isClosing && this.#failures > 0) return false;
      try {
        const outcome = await this.#options.apply({ id, name, args });
        this.#failures = 0;
        this.#remove([{ id }]);
        settle(outcome);
        return true;
      } catch (error) {
        if (!isPassingFault(error)) throw error;
        if (this.#failures === 0) this.#options.onAway(error, this.#size);
        const delayMs = RETRY_DELAYS_MS[Math.min(this.#failures, RETRY_DELAYS_MS.length - 1)] ?? 2_000;
        this.#failures++;
        if (this.#isClosing) return false;
        await new Promise((resolve) => setTimeout(resolve, delayMs * (0.75 + Math.random() / 2)));
      }
    }
  }

  #remove(applied: ReadonlyArray<{ id: string }>): void {
    this.#size -= applied.length;
    this.#spool.remove(applied.map(({ id }) => id));
    this.#clearing ??= setTimeout(() => {
      this.#clearing = null;
      this.#spool.clear();
    }, this.#options.clearAfterMs ?? CLEAR_AFTER_MS).unref();
  }
}
