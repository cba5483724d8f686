// Who may fill the transaction table: each sender has a share, and the last places are kept for those who need them
// most.

/** Whose share of the table a new request is served from. */
export type Share = 'dialog' | 'trunk' | 'allowed';

// New requests get a stateless 503 once the table, or their sender's part of it, holds this many. The last places are
// for the requests inside running calls, the ones before them for trunks. A call of a trunk leaves two transactions of
// 32 s: an address may bring over 100 a second.
const LIMITS: Record<Share, { table: number; source: number }> = {
  dialog: { table: 20_000, source: 10_000 },
  trunk: { table: 18_000, source: 8_000 },
  allowed: { table: 15_000, source: 4_000 },
};

export class TableShares {
  /** Server transactions by the sender's address. */
  readonly #sources = new Map<string, number>();

  /** `running`: all transactions there are, our own requests too. */
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
