// Repeats a request until it is answered, as a client transaction over UDP does (RFC 3261 section 17.1).

/** RFC 3261 timer T1: a request is sent again after T1, 2·T1 … up to T2, for 64·T1. */
const T1_MS = 500;
const T2_MS = 4_000;

export class Resend {
  #timer: NodeJS.Timeout | null = null;

  /** Sends at once, and again until `stop`; in place of what it has repeated so far. `gaveUp`: nobody has answered. */
  untilStopped(send: () => void, gaveUp: () => void): void {
    this.stop();
    const startedAtMs = Date.now();
    let delayMs = T1_MS;
    const again = (): void => {
      if (Date.now() - startedAtMs > 64 * T1_MS) return gaveUp();
      send();
      this.#timer = setTimeout(again, delayMs).unref();
      delayMs = Math.min(delayMs * 2, T2_MS);
    };
    again();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
