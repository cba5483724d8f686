/** A lock that ends with the process that holds it, so that a successor need not wait for a lease to expire. */
export interface ProcessLock {
  /** False once the lock was lost: with PostgreSQL, the connection. */
  readonly isHeld: boolean;
  release(): void;
}
