// A lease: the right to do something that one process of the installation at a time may do. With SQLite a lock of the
// kernel, which ends with its process; with PostgreSQL a row with a time and an epoch, because a holder can be frozen,
// or cut off, and not know it.
import { sql } from 'kysely';
import { dialectOf } from './dialect.ts';
import type { Db } from './schema.ts';

export interface Lease {
  readonly name: string;
  /** Grows with each holder. */
  readonly epoch: number;
  /** False once it was lost, or could not be renewed in time: by then another process may have it. */
  readonly isHeld: boolean;
  /** The next one may take it at once. */
  release(): Promise<void>;
}

/** Another process holds the lease meanwhile: what was about to be written is not. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError';
  readonly code = 'LEASE_LOST';
}

/**
 * Refuses the transaction of a holder that has been succeeded, as a shard's owner is fenced in Temporal. Nobody can
 * take the lease before the transaction ends. @throws {LeaseLostError}
 */
export async function checkLease(trx: Db, { name, epoch }: Pick<Lease, 'name' | 'epoch'>): Promise<void> {
  if (!dialectOf(trx).keepsLeases) return;
  const { rows } = await sql`select 1 from leases where name = ${name} and epoch = ${epoch} for share`.execute(trx);
  if (rows.length === 0) throw new LeaseLostError(`another process holds ${name}`);
}
