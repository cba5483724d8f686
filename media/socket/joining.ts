// Connections that have not joined a call yet, counted by their source, so that nobody can fill the door without a
// token.

// A proxy in front brings the connections of all browsers, for the milliseconds of a handshake.
const MAX_JOINING_PER_SOURCE = 64;
const MAX_JOINING = 512;

export class Joining {
  readonly #sourceOf: (address: string) => string;
  readonly #counts = new Map<string, number>();
  #total = 0;

  constructor(sourceOf: (address: string) => string = (address) => address) {
    this.#sourceOf = sourceOf;
  }

  get total(): number {
    return this.#total;
  }

  /** Takes a place. False when there are too many, of that source or in all. */
  add(address: string): boolean {
    const source = this.#sourceOf(address);
    const count = this.#counts.get(source) ?? 0;
    if (count >= MAX_JOINING_PER_SOURCE || this.#total >= MAX_JOINING) return false;
    this.#counts.set(source, count + 1);
    this.#total++;
    return true;
  }

  /** Gives a place of that address back. */
  remove(address: string): void {
    const source = this.#sourceOf(address);
    const count = this.#counts.get(source) ?? 0;
    if (count === 0) return;
    if (count > 1) this.#counts.set(source, count - 1);
    else this.#counts.delete(source);
    this.#total--;
  }
}
