// Divides the transaction table among senders. The last places are reserved for trunks and running calls.

/** The class of a new request, which sets its share of the table. */
export type Share = 'dialog' | 'trunk' | 'allowed';

// Above these counts, of the whole table or of one sender, new requests get a stateless 503. The last places are for
// requests inside running calls, the ones before them for trunks. A trunk's call leaves two transactions of 32 s, so
// one address may bring over 100 calls a second.
const LIMITS: Record<Share, { table: number; source: number }> = {
  dialog: { table: 20_000, source: 10_000 },
  trunk: { table: 18_000, source: 8_000 },
  allowed: { table: 15_000, source: 4_000 },
};

export class TableShares {
  /** Server transactions by the sender's address. */
  readonly #sources = new Map<string, number>();

  /** `running`: all current transactions, including those of our own requests. */
  hasRoom(share: Share, source: string, running: number): boolean {
    const limits = LIMITS[share];
    return running < limits.table && (this.#sources.get(source) ?? 0) < limits.source;
  }

  add(source: string): void {
    this.#sources.set(source, (this.#sources.get(source) ?? 0) + 1);
  }

  remove(source: string): void {
    const left = (this.#sources.get(source) ?? 0) - 1;
    if (left > 0) this.#sources.set(source, left);
    else this.#sources.delete(source);
  }
}
