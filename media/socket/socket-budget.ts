// The share of one joined socket in its thread: every message, ping and byte costs the thread that has the door, and
// with it all calls of that thread. A page whose sound card runs at 192 kHz sends 1,500 messages a second, as its audio
// comes in blocks of 128 samples; a quarter of the bytes is audio. Messages that waited while a network or a process
// stood still come at once.

const MESSAGES = { perSecond: 1_600, atOnce: 16_000 };
const BYTES = { perSecond: 131_072, atOnce: 1_048_576 };
/** RFC 6455 7.4.1: policy violation. */
export const FLOODED = { code: 1008, reason: 'too many messages' } as const;

export class SocketBudget {
  readonly #now: () => number;
  #messages = MESSAGES.atOnce;
  #bytes = BYTES.atOnce;
  #atMs: number;

  /** `now`: any monotonic clock, ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#atMs = now();
  }

  /** False: it sends more than any client does, and is to be closed. */
  takes(messages: number, bytes: number): boolean {
    const nowMs = this.#now();
    const seconds = (nowMs - this.#atMs) / 1_000;
    this.#atMs = nowMs;
    this.#messages = Math.min(MESSAGES.atOnce, this.#messages + seconds * MESSAGES.perSecond) - messages;
    this.#bytes = Math.min(BYTES.atOnce, this.#bytes + seconds * BYTES.perSecond) - bytes;
    return this.#messages >= 0 && this.#bytes >= 0;
  }
}
