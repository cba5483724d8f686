// Bytes that each account may cause in a time, counted in this process from the first of them on.

/** The account that began its window first is forgotten. */
const ACCOUNTS_MAX = 10_000;

interface BudgetOptions {
  bytes: number;
  windowMs: number;
  now(): number;
}

interface Window {
  beganAt: number;
  bytes: number;
}

export class ByteBudget {
  readonly #options: BudgetOptions;
  readonly #windows = new Map<string, Window>();

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  spend(accountId: string, bytes: number): void {
    this.#windowOf(accountId).bytes += bytes;
  }

  /** Seconds until the account may cause more; 0: now. */
  waitSeconds(accountId: string): number {
    const { bytes, windowMs, now } = this.#options;
    const { beganAt, bytes: spent } = this.#windowOf(accountId);
    return spent < bytes ? 0 : Math.max(1, Math.ceil((beganAt + windowMs - now()) / 1000));
  }

  #windowOf(accountId: string): Window {
    const { windowMs, now } = this.#options;
    const known = this.#windows.get(accountId);
    if (known !== undefined && Math.abs(now() - known.beganAt) < windowMs) return known;
    const fresh = { beganAt: now(), bytes: 0 };
    this.#windows.delete(accountId);
    this.#windows.set(accountId, fresh);
    for (const oldest of this.#windows.keys()) {
      if (this.#windows.size <= ACCOUNTS_MAX) break;
      this.#windows.delete(oldest);
    }
    return fresh;
  }
}
