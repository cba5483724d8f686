// A list with pages: awaited it is its first page, and `for await` goes through the records of all pages.
import type { Pagination } from './types.ts';

export interface Page<T> {
  data: T[];
  pagination: Pagination;
}

interface Wanted {
  page?: number | undefined;
  limit?: number | undefined;
}

/** As many as a page may have: fewer requests. */
const LIMIT = 100;

export class Listing<T> implements AsyncIterable<T>, PromiseLike<Page<T>> {
  readonly #load: (wanted: Wanted) => Promise<Page<T>>;
  readonly #wanted: Wanted;

  constructor(load: (wanted: Wanted) => Promise<Page<T>>, wanted: Wanted) {
    this.#load = load;
    this.#wanted = wanted;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is awaited as a page
  then<A = Page<T>, B = never>(
    onPage?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    onFault?: ((fault: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#load(this.#wanted).then(onPage, onFault);
  }

  /**
   * From the first page that was asked for. Lists are newest first: a record that is made meanwhile moves the others to
   * later pages, and one that was given already is not given again.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const given = new Set<unknown>();
    for (let page = this.#wanted.page ?? 1; ; page++) {
      const { data, pagination } = await this.#load({ page, limit: this.#wanted.limit ?? LIMIT });
      for (const record of data) {
        const { id } = record as { id?: unknown };
        if (id !== undefined && given.has(id)) continue;
        given.add(id);
        yield record;
      }
      if (!pagination.hasNext) return;
    }
  }

  /** All of them, at most `most`. */
  async all(most = Number.POSITIVE_INFINITY): Promise<T[]> {
    const found: T[] = [];
    if (most <= 0) return found;
    for await (const record of this) {
      found.push(record);
      if (found.length >= most) break;
    }
    return found;
  }
}
