// Campaign calls that another engine dials: what their ends say of their trunks is read from their rows.
import type { EndReason } from '../../db/domain/call-ends.ts';
import type { CallTerminal } from '../../db/domain/outcome.ts';
import { endedCalls } from '../../db/queries/calls/ended.ts';
import type { Db } from '../../db/schema.ts';

export class RemoteCalls {
  readonly #read: Db;
  readonly #onEnded: (trunkId: string, terminal: Pick<CallTerminal, 'endReason' | 'isAnswered'>) => void;
  /** Trunk by call. */
  readonly #open = new Map<string, string>();
  #isLooking = false;

  constructor(read: Db, onEnded: (trunkId: string, terminal: Pick<CallTerminal, 'endReason' | 'isAnswered'>) => void) {
    this.#read = read;
    this.#onEnded = onEnded;
  }

  add({ callId, trunkId }: { callId: string; trunkId: string }): void {
    this.#open.set(callId, trunkId);
  }

  /** Another engine places calls now. */
  clear(): void {
    this.#open.clear();
  }

  /** To be called when calls have changed. */
  async look(): Promise<void> {
    if (this.#open.size === 0 || this.#isLooking) return;
    this.#isLooking = true;
    try {
      const ended = await endedCalls(this.#read, [...this.#open.keys()]);
      for (const { id, endReason, answeredAt } of ended) {
        const trunkId = this.#open.get(id);
        this.#open.delete(id);
        if (trunkId === undefined || endReason === null) continue;
        this.#onEnded(trunkId, { endReason: endReason as EndReason, isAnswered: answeredAt !== null });
      }
    } finally {
      this.#isLooking = false;
    }
  }
}
