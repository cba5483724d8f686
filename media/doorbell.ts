// Wakes another thread through shared memory. It counts rings, so a ring before the wait is not lost. A notification
// takes a process-wide lock, so one doorbell serves many sample rings.

// In Node since 16, but in TypeScript's library only since ES2024.
const atomics = Atomics as unknown as {
  waitAsync(
    words: Int32Array,
    index: number,
    value: number,
  ): { async: false; value: string } | { async: true; value: Promise<string> };
};

export class Doorbell {
  readonly shared: SharedArrayBuffer;
  readonly #words: Int32Array;

  /** Attaches to the memory of another thread's doorbell, or makes a new one. */
  constructor(shared = new SharedArrayBuffer(4)) {
    this.shared = shared;
    this.#words = new Int32Array(shared);
  }

  /** How often it has rung, modulo 2^32. */
  get rings(): number {
    return Atomics.load(this.#words, 0);
  }

  ring(): void {
    Atomics.add(this.#words, 0, 1);
    Atomics.notify(this.#words, 0);
  }

  /** Resolves once `rings` differs from `seen`; null if it already does. The wait alone keeps no thread alive. */
  waitBeyond(seen: number): Promise<unknown> | null {
    const result = atomics.waitAsync(this.#words, 0, seen);
    return result.async ? result.value : null;
  }
}
