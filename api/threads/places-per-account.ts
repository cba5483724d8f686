// Places for requests that take long and hold something that all accounts share: so many in all, and fewer for one
// account, so that its slow ones never take all.
import { type ApiError, retryLater } from '../frame/errors.ts';

const RETRY_SECONDS = 5;

export const accountBusy = (what: string, most: number): ApiError =>
  retryLater('ACCOUNT_BUSY', `The account has ${most} ${what} under way, as many as one may have`, RETRY_SECONDS);

interface Options {
  /** The counted thing, for the client: "pages". */
  what: string;
  total: number;
  perAccount: number;
  /** The refusal where all places are taken. */
  full: () => ApiError;
}

export class PlacesPerAccount {
  readonly #options: Options;
  readonly #taken = new Map<string, number>();
  #total = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Does the work in a place. @throws {ApiError} 429 where there is none */
  async hold<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const leave = this.take(accountId);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Takes a place; returns the function that gives it back, once. @throws {ApiError} 429 where there is none */
  take(accountId: string): () => void {
    const { what, total, perAccount, full } = this.#options;
    const own = this.#taken.get(accountId) ?? 0;
    if (own >= perAccount) throw accountBusy(what, perAccount);
    if (this.#total >= total) throw full();
    this.#taken.set(accountId, own + 1);
    this.#total++;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#total--;
      const left = (this.#taken.get(accountId) ?? 1) - 1;
      if (left === 0) this.#taken.delete(accountId);
      else this.#taken.set(accountId, left);
    };
  }
}
