// Memory that nobody needs any more goes back to the system while the process has nothing to do. V8 collects when a
// heap grows: a thread that rests after a burst of work keeps its garbage for hours.
import { BroadcastChannel } from 'node:worker_threads';

const CHANNEL = 'quiet-memory';
const LOOK_EVERY_MS = 5_000;
/**
 * The number of looks in a row that must find nothing to do: the next call or request comes rarely into a collection.
 */
const QUIET_LOOKS = 2;
/** Less is not worth the 10 to 30 ms that each thread collects. */
const WORTH_BYTES = 12 * 1024 * 1024;

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/**
 * `gc` is present where Node was started with `--expose-gc`, as the supervisor does. An ordinary collection keeps what
 * WebAssembly leaves and gives 4 MB of an engine back; the last resort 70.
 */
export function collectNow(): void {
  (globalThis as { gc?: Collect }).gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** Lets the calling thread collect with the others of its process. Its end needs nothing. */
export function joinQuietMemory(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = collectNow;
  channel.unref();
}

interface QuietMemoryOptions {
  isQuiet: () => boolean;
  /** Bytes of the process that are in memory. */
  residentBytes?: () => number;
  collectEverywhere?: () => void;
}

/** When a process's threads collect: once it has been quiet for a while and has grown since the last time. */
export class QuietMemory {
  readonly #options: Required<QuietMemoryOptions>;
  #quietLooks = 0;
  /** The least since the last collection; what is above it has been added since. */
  #leastBytes = 0;

  constructor(options: QuietMemoryOptions) {
    this.#options = { residentBytes: () => process.memoryUsage.rss(), collectEverywhere, ...options };
  }

  look(): void {
    const { isQuiet, residentBytes, collectEverywhere } = this.#options;
    this.#quietLooks = isQuiet() ? this.#quietLooks + 1 : 0;
    const bytes = residentBytes();
    // The look after a collection finds how far it went.
    this.#leastBytes = Math.min(this.#leastBytes, bytes);
    if (this.#quietLooks < QUIET_LOOKS || bytes < this.#leastBytes + WORTH_BYTES) return;
    collectEverywhere();
    this.#leastBytes = bytes;
  }
}

/** Looks for as long as the process lives. The calling thread collects too. */
export function collectWhenQuiet(isQuiet: () => boolean): void {
  const memory = new QuietMemory({ isQuiet });
  setInterval(() => memory.look(), LOOK_EVERY_MS).unref();
}

function collectEverywhere(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('collect');
  channel.close();
  collectNow();
}
