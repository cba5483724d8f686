// A ring of samples in shared memory between exactly one writing and one reading thread. Positions are counters that
// wrap at 2^32, stored with Atomics; the samples follow them. If the reader is late, the oldest audio stays and the
// writer refuses new audio, so the reader's positions never jump. The ring wakes no thread; `doorbell.ts` does.

// 16 bytes, of which WRITTEN and READ use eight.
const HEADER_WORDS = 4;
const WRITTEN = 0;
const READ = 1;

export class SampleRing {
  readonly shared: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #samples: Int16Array;
  readonly #mask: number;

  /** Attaches to memory made by `SampleRing.create`, on either side. @throws {RangeError} for any other memory */
  constructor(shared: SharedArrayBuffer) {
    this.shared = shared;
    this.#words = new Int32Array(shared, 0, HEADER_WORDS);
    this.#samples = new Int16Array(shared, HEADER_WORDS * 4);
    const capacity = this.#samples.length;
    if (capacity === 0 || (capacity & (capacity - 1)) !== 0)
      throw new RangeError('a ring holds a power of two of samples');
    this.#mask = capacity - 1;
  }

  /** A ring in new memory. `capacitySamples` is rounded up to a power of two. */
  static create(capacitySamples: number): SampleRing {
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(2, capacitySamples)));
    return new SampleRing(new SharedArrayBuffer(HEADER_WORDS * 4 + capacity * 2));
  }

  /** Samples ready for the reader. */
  get available(): number {
    return (Atomics.load(this.#words, WRITTEN) - Atomics.load(this.#words, READ)) >>> 0;
  }

  /** Writer: appends all of `samples`, or none and returns false if they do not fit. */
  write(samples: Int16Array): boolean {
    const written = Atomics.load(this.#words, WRITTEN);
    const used = (written - Atomics.load(this.#words, READ)) >>> 0;
    if (used + samples.length > this.#mask + 1) return false;
    const start = written & this.#mask;
    const untilEnd = this.#mask + 1 - start;
    if (samples.length <= untilEnd) this.#samples.set(samples, start);
    else {
      this.#samples.set(samples.subarray(0, untilEnd), start);
      this.#samples.set(samples.subarray(untilEnd), 0);
    }
    Atomics.store(this.#words, WRITTEN, (written + samples.length) | 0);
    return true;
  }

  /** Reader: takes exactly `out.length` samples, or none and returns false if there are fewer. */
  read(out: Int16Array): boolean {
    if (this.available < out.length) return false;
    const read = Atomics.load(this.#words, READ);
    const start = read & this.#mask;
    const untilEnd = this.#mask + 1 - start;
    if (out.length <= untilEnd) out.set(this.#samples.subarray(start, start + out.length));
    else {
      out.set(this.#samples.subarray(start), 0);
      out.set(this.#samples.subarray(0, out.length - untilEnd), untilEnd);
    }
    Atomics.store(this.#words, READ, (read + out.length) | 0);
    return true;
  }
}
