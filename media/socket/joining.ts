// Counts connections that have not joined a call yet, by source, so that clients without a token cannot use up the
// server.

const MAX_JOINING_PER_SOURCE = 64;
// Our own proxy carries the connections of all browsers, each for the milliseconds of a handshake.
const MAX_JOINING_BY_PROXIES = 384;
const MAX_JOINING = 512;
const PROXIES = 'proxies';

export class Joining {
  readonly #sourceOf: (address: string) => string | null;
  readonly #counts = new Map<string, number>();
  #total = 0;

  constructor(sourceOf: (address: string) => string | null = (address) => address) {
    this.#sourceOf = sourceOf;
  }

  get total(): number {
    return this.#total;
  }

  /** Takes a place. False if there are too many, from that source or in all. */
  add(address: string): boolean {
    const source = this.#sourceOf(address) ?? PROXIES;
    const count = this.#counts.get(source) ?? 0;
    const most = source === PROXIES ? MAX_JOINING_BY_PROXIES : MAX_JOINING_PER_SOURCE;
    if (count >= most || this.#total >= MAX_JOINING) return false;
    this.#counts.set(source, count + 1);
    this.#total++;
    return true;
  }

  /** Releases a place of that address. */
  remove(address: string): void {
    const source = this.#sourceOf(address) ?? PROXIES;
    const count = this.#counts.get(source) ?? 0;
    if (count === 0) return;
    if (count > 1) this.#counts.set(source, count - 1);
    else this.#counts.delete(source);
    this.#total--;
  }
}
