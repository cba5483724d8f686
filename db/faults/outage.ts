// Whether the database server answers, as one process sees it. Many parts of it find out at the same time, and again
// each second: the log says once that the server is away, and once that it is back and how long that took.
import { messageOf } from '../domain/unexpected.ts';
import { withFaultCode } from '../postgres/faults.ts';

/** SQLSTATE: the connection failed (08), or the server stops or is not up (57P). SQLite is never away. */
const AWAY = /^(08...|57P0[1-5])$/;
const SILENT = /query read timeout/i;
/** Longer than the pause between two tries of any part: one that still fails keeps the outage going. */
const QUIET_MS = 2_500;
/** Two heartbeats late: a lock or a vacuum is over by then. */
const SLOW_MS = 2_500;

interface OutageOptions {
  log: { warn(fields: object, text: string): void; info(fields: object, text: string): void };
  monotonicMs(): number;
}

export class Outage {
  readonly #options: OutageOptions;
  #sinceMs: number | null = null;
  /** When it was asked what it has not answered yet. */
  #askedMs: number | null = null;
  #failedMs = 0;
  /** When it answered first after the last failure. */
  #answeredMs: number | null = null;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** Whether it refuses, or has let a question wait for some seconds, as behind a network that drops packets. */
  get isAway(): boolean {
    if (this.#sinceMs !== null && this.#answeredMs === null) return true;
    return this.#askedMs !== null && this.#options.monotonicMs() - this.#askedMs > SLOW_MS;
  }

  /** A question goes out that is answered at once by a server that is there; `answered` tells that it was. */
  asked(): void {
    this.#askedMs ??= this.#options.monotonicMs();
  }

  /** Whether the error is that the server is away; then it has been said, and the caller need not say it again. */
  explains(error: unknown): boolean {
    const { code } = (withFaultCode(error) ?? {}) as { code?: unknown };
    const message = messageOf(error);
    if (!AWAY.test(String(code)) && !SILENT.test(message)) return false;
    this.#failedMs = this.#options.monotonicMs();
    this.#answeredMs = null;
    if (this.#sinceMs === null) {
      this.#sinceMs = this.#failedMs;
      this.#options.log.warn({ error: message }, 'the database does not answer');
    }
    return true;
  }

  /** The server has answered; to be called every few seconds. */
  answered(): void {
    this.#askedMs = null;
    if (this.#sinceMs === null) return;
    const nowMs = this.#options.monotonicMs();
    this.#answeredMs ??= nowMs;
    if (nowMs - this.#failedMs < QUIET_MS) return;
    const seconds = Math.round((this.#answeredMs - this.#sinceMs) / 100) / 10;
    this.#options.log.info({ seconds }, 'the database answers again');
    this.#sinceMs = null;
    this.#answeredMs = null;
  }
}
