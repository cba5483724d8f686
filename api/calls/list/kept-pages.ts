// Answers to lists as they were sent, kept for as long as the database does not change: a client that asks again gets
// the same bytes without a statement. Nothing has to be told that a page is stale, and no other process either: the
// identity of each request is read with the state of the database beside it (`Auth.seen`), and a page belongs to the
// state that was seen before it was read. Under load most pages are answered so, whatever is written meanwhile: a page
// is made once between two commits, however many ask for it.

/** Of all pages together. */
const BYTES_MAX = 8 * 1024 * 1024;
/** A page of longer records, or of a longer address, is read anew each time. */
const PAGE_BYTES_MAX = 512 * 1024;
const KEY_LENGTH_MAX = 512;

export class KeptPages {
  readonly #pages = new Map<string, Buffer>();
  readonly #bytesMax: number;
  #state = '';
  #bytes = 0;

  constructor(bytesMax = BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  /** The page with this key that was read in this state. */
  find(state: string, key: string): Buffer | undefined {
    if (state !== this.#state) this.#forget(state);
    return this.#pages.get(key);
  }

  /** `state`: seen before the page was read. */
  keep(state: string, key: string, page: Buffer): void {
    if (page.length > PAGE_BYTES_MAX || key.length > KEY_LENGTH_MAX) return;
    // A slower request may bring an older state, to which its pages belong.
    if (state !== this.#state) this.#forget(state);
    if (this.#pages.has(key)) return;
    this.#pages.set(key, page);
    this.#bytes += bytesOf(key, page);
    for (const [oldest, its] of this.#pages) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#pages.delete(oldest);
      this.#bytes -= bytesOf(oldest, its);
    }
  }

  #forget(state: string): void {
    this.#state = state;
    this.#pages.clear();
    this.#bytes = 0;
  }
}

/** An empty page costs little more than its entry. */
const bytesOf = (key: string, page: Buffer): number => key.length + page.length + 200;
