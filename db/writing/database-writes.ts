// How the writer's thread writes: grouped-writes.ts with SQLite, parallel-writes.ts with PostgreSQL.

import type { Db } from '../schema.ts';
import type { OperationName } from './operations.ts';
import type { Outcome } from './spooled-writes.ts';

export interface WriteRequest {
  name: OperationName;
  args: unknown;
  /** It must not be lost. */
  isDurable: boolean;
  /** Carries it out within a transaction. */
  run(tx: Db): Promise<unknown>;
  /** Called once it is committed, or has failed. */
  settle(outcome: Outcome): void;
}

export interface DatabaseWrites {
  add(request: WriteRequest): void;
  /** Resolves when everything that came is written, or is kept on the disk. */
  close(): Promise<void>;
}
