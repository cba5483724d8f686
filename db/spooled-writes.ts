// Writes in the order in which they came, through the spool: each group is on the engine's disk before it is sent, and
// while the database is away everything waits behind what came first.
import { randomUUID } from 'node:crypto';
import { isPassingFault } from './faults.ts';
import { Spool, type SpooledOperation } from './spool.ts';

const RETRY_DELAYS_MS = [100, 300, 1_000, 2_000];

export interface SpooledWritesOptions {
  path: string;
  /** Operations of a group. */
  groupMax: number;
  /** Applies a group as one transaction: all of it, or nothing. The result of each, or its own lasting fault. */
  apply(group: readonly SpooledOperation[]): Promise<Array<{ result: unknown } | { fault: unknown }>>;
  /** The first failure after the last success: everything waits from now on. */
  onAway(error: unknown, waiting: number): void;
}

interface Waiting extends SpooledOperation {
  settle(outcome: { result: unknown } | { fault: unknown }): void;
}

export class SpooledWrites {
  readonly #options: SpooledWritesOptions;
  readonly #spool: Spool;
  readonly #waiting: Waiting[] = [];
  #running: Promise<void> | null = null;
  #failures = 0;
  #isClosing = false;

  constructor(options: SpooledWritesOptions) {
    this.#options = options;
    this.#spool = new Spool(options.path);
    for (const operation of this.#spool.all()) this.#waiting.push({ ...operation, settle: () => undefined });
    this.#run();
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** `settle` is called once it has been applied, or has failed for good. */
  add(operations: ReadonlyArray<Omit<Waiting, 'id'>>): void {
    const named = operations.map((operation) => ({ ...operation, id: randomUUID() }));
    try {
      this.#spool.add(named);
    } catch (fault) {
      // The spool's own disk fails: the database may still take it.
      if (this.#failures > 0) for (const { settle } of named) settle({ fault });
      if (this.#failures > 0) return;
    }
    this.#waiting.push(...named);
    this.#run();
  }

  /** Resolves when nothing waits, or the database is away: the rest is on the disk. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#running;
    this.#spool.close();
  }

  #run(): void {
    this.#running ??= this.#drain().finally(() => {
      this.#running = null;
      if (this.#waiting.length > 0 && !this.#isClosing) this.#run();
    });
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.slice(0, this.#options.groupMax);
      try {
        const outcomes = await this.#options.apply(group);
        this.#waiting.splice(0, group.length);
        this.#spool.remove(group.map(({ id }) => id));
        group.forEach(({ settle }, i) => {
          settle(outcomes[i] ?? { result: undefined });
        });
        this.#failures = 0;
      } catch (error) {
        if (!isPassingFault(error)) throw error;
        if (this.#failures === 0) this.#options.onAway(error, this.#waiting.length);
        if (this.#isClosing) return;
        const delayMs = RETRY_DELAYS_MS[Math.min(this.#failures, RETRY_DELAYS_MS.length - 1)] ?? 2_000;
        this.#failures++;
        await new Promise((resolve) => setTimeout(resolve, delayMs * (0.75 + Math.random() / 2)));
      }
    }
  }
}
