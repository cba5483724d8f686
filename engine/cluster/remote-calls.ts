// Campaign calls that another engine dials: what their ends say of their trunks is read from their rows.
import type { EndReason } from '../../db/domain/calls/ends.ts';
import type { CallTerminal } from '../../db/domain/calls/outcome.ts';
import { endedCalls } from '../../db/queries/calls/ended/ended.ts';
import type { Db } from '../../db/schema.ts';

/** A call that has ended, and what its end says of its trunk. */
interface EndedRemotely {
  trunkId: string;
  terminal: Pick<CallTerminal, 'endReason' | 'isAnswered'>;
}

export class RemoteCalls {
  readonly #read: Db;
  /** Trunk by call. */
  readonly #open = new Map<string, string>();
  #isLooking = false;

  constructor(read: Db) {
    this.#read = read;
  }

  add({ callId, trunkId }: { callId: string; trunkId: string }): void {
    this.#open.set(callId, trunkId);
  }

  /** Another engine places calls now. */
  clear(): void {
    this.#open.clear();
  }

  /** To be called when calls have changed. Resolves with those that have ended since. */
  async look(): Promise<EndedRemotely[]> {
    if (this.#open.size === 0 || this.#isLooking) return [];
    this.#isLooking = true;
    try {
      const ended = await endedCalls(this.#read, [...this.#open.keys()]);
      return ended.flatMap(({ id, endReason, answeredAt }) => {
        const trunkId = this.#open.get(id);
        this.#open.delete(id);
        if (trunkId === undefined || endReason === null) return [];
        return [{ trunkId, terminal: { endReason: endReason as EndReason, isAnswered: answeredAt !== null } }];
      });
    } finally {
      this.#isLooking = false;
    }
  }
}
