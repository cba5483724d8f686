// A cache of rendered phrases that recur (a greeting, "anything else?"), bounded by bytes. The least recently used
// phrase is evicted first.

import { joinSamples } from '../../../media/frame.ts';

/** 8 MB are 8 minutes of telephone audio. */
const DEFAULT_CACHE_BYTES = 8 * 1024 * 1024;
/** Long texts are rarely said twice. */
const MAX_TEXT_CHARS = 400;

export class AudioCache {
  readonly #capacityBytes: number;
  readonly #entries = new Map<string, Int16Array>();
  #bytes = 0;

  constructor(capacityBytes = DEFAULT_CACHE_BYTES) {
    this.#capacityBytes = capacityBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Int16Array | null {
    const found = this.#entries.get(key);
    if (!found) return null;
    this.#entries.delete(key);
    this.#entries.set(key, found);
    return found;
  }

  /**
   * Keeps the audio of `key`, given as its pieces in order. Long texts and audio over a quarter of the cache are not
   * kept.
   */
  put(key: string, pieces: readonly Int16Array[]): void {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (key.length > MAX_TEXT_CHARS || length * 2 > this.#capacityBytes / 4 || this.#entries.has(key)) return;
    const whole = joinSamples(pieces);
    this.#entries.set(key, whole);
    this.#bytes += whole.byteLength;
    for (const [oldest, samples] of this.#entries) {
      if (this.#bytes <= this.#capacityBytes) break;
      this.#entries.delete(oldest);
      this.#bytes -= samples.byteLength;
    }
  }
}
