// The durable writes of one call, in order: each begins when the one before it is committed. Tried again side by side, a write
// that met a lock could be overtaken by a later one, and a call would end before its row exists.
import type { OperationArgs, OperationName, OperationResult } from '../../db/operations.ts';
import type { Writer } from '../../db/writer.ts';

export class CallWrites {
  readonly #writer: Pick<Writer, 'runDurably'>;
  readonly #onLost: (error: unknown, operation: OperationName) => void;
  #last: Promise<unknown> = Promise.resolve();

  /** `onLost`: a write was given up; those after it go on. */
  constructor(writer: Pick<Writer, 'runDurably'>, onLost: (error: unknown, operation: OperationName) => void) {
    this.#writer = writer;
    this.#onLost = onLost;
  }

  /** Resolves after the commit. `forMs`: how long it is retried. @throws {WriterError} when the write was given up */
  run<N extends OperationName>(name: N, args: OperationArgs<N>, forMs?: number): Promise<OperationResult<N>> {
    const written = this.#last.then(() => this.#writer.runDurably(name, args, forMs));
    this.#last = written.catch((error: unknown) => this.#onLost(error, name));
    return written;
  }

  /** As `run`, where nothing waits for the write. */
  enqueue<N extends OperationName>(name: N, args: OperationArgs<N>): void {
    // Its failure was reported to `onLost`.
    this.run(name, args).catch(() => undefined);
  }
}
