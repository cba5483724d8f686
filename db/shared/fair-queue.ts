// A line of work for a thread that all accounts share: they are served in turn, each in its own order, so that whoever
// brings much waits for itself alone. Where the line is full, the newest of the longest line has no place.

export class FairQueue<T> {
  /** The account whose turn it is comes first. */
  readonly #lines = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(accountId: string): number {
    return this.#lines.get(accountId)?.length ?? 0;
  }

  add(accountId: string, item: T): void {
    const line = this.#lines.get(accountId) ?? [];
    line.push(item);
    this.#lines.set(accountId, line);
    this.#size++;
  }

  take(): T | undefined {
    const [next] = this.#lines;
    if (next === undefined) return undefined;
    const [accountId, line] = next;
    this.#lines.delete(accountId);
    const item = line.shift();
    if (line.length > 0) this.#lines.set(accountId, line);
    this.#size--;
    return item;
  }

  /** Takes the newest item of the longest line out. */
  evict(): T | undefined {
    let longest: [accountId: string, line: T[]] | undefined;
    for (const entry of this.#lines) if (longest === undefined || entry[1].length > longest[1].length) longest = entry;
    if (longest === undefined) return undefined;
    const [accountId, line] = longest;
    const item = line.pop();
    if (line.length === 0) this.#lines.delete(accountId);
    this.#size--;
    return item;
  }

  clear(): T[] {
    const items = [...this.#lines.values()].flat();
    this.#lines.clear();
    this.#size = 0;
    return items;
  }
}
