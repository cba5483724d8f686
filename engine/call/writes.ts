// A call's durable writes, strictly in order: each starts after the previous commit, where the writer itself keeps
// none. If they were retried in parallel, a write that hit a lock could be overtaken by a later one, and a call would
// end before its row exists.
import type { OperationArgs, OperationName, OperationResult } from '../../db/writing/operations.ts';
import type { Writer } from '../../db/writing/writer.ts';

export class CallWrites {
  readonly #writer: Pick<Writer, 'runDurably' | 'keepsOrder'>;
  readonly #onLost: (error: unknown, operation: OperationName) => void;
  #last: Promise<unknown> = Promise.resolve();

  /** `onLost`: a write was given up; later writes continue. */
  constructor(
    writer: Pick<Writer, 'runDurably' | 'keepsOrder'>,
    onLost: (error: unknown, operation: OperationName) => void,
  ) {
    this.#writer = writer;
    this.#onLost = onLost;
  }

  /** Resolves after the commit. `forMs`: how long to retry. @throws {WriterError} when the write is given up */
  run<N extends OperationName>(name: N, args: OperationArgs<N>, forMs?: number): Promise<OperationResult<N>> {
    const written = this.#writer.keepsOrder
      ? this.#writer.runDurably(name, args)
      : this.#last.then(() => this.#writer.runDurably(name, args, forMs));
    this.#last = written.catch((error: unknown) => this.#onLost(error, name));
    return written;
  }

  /** Like `run`, for writes that nothing waits for. */
  enqueue<N extends OperationName>(name: N, args: OperationArgs<N>): void {
    // The failure was already reported to `onLost`.
    this.run(name, args).catch(() => undefined);
  }
}
