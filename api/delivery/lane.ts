// One subscription's lane, without I/O: which event goes out next, and how many at once.
//
//   waiting (by seq) ──► first attempt ──► delivered
//                             │ failed
//                             ▼
//                 retries (by time due) ──► delivered | given up
//
// First attempts leave one after the other, in the order of events: the next one starts when the one before is answered,
// or PACE_MS after it was sent. So a quick receiver gets them strictly one by one, and a slow one holds nothing back for
// longer than that. Retries run beside them. The number in flight grows with each success and falls to one as soon as the
// receiver does not answer, so that a dead host ties up one connection.
import type { QueuedEvent } from '../../db/queries/events.ts';

/** Time for a request that was sent to arrive before the next one is sent on another connection. */
export const PACE_MS = 200;
const WINDOW_START = 4;
export const WINDOW_MAX = 16;
const RETRIES_IN_FLIGHT_MAX = 2;

export class Lane {
  readonly webhookId: string;
  readonly accountId: string;
  /** First attempts in memory, oldest first. */
  readonly waiting: QueuedEvent[] = [];
  /** Retries that are due. */
  readonly due: QueuedEvent[] = [];
  /** Taken by an attempt or by a result that is not written yet: not to be loaded again. */
  readonly taken = new Set<number>();
  /** The newest event that came into `waiting`. */
  lastSeq: number;
  /** The queue table may hold first attempts after `lastSeq`. */
  hasMore: boolean;
  /** When retries are to be looked for in the table, ms; Infinity: there are none. */
  retryAt: number;
  /** Counts changes of the table that a load in progress may have missed. */
  version = 0;
  loading = false;
  firstInFlight = 0;
  retriesInFlight = 0;
  window = WINDOW_START;
  /** The latest first attempt, until it is answered or PACE_MS after it was sent. */
  #leader: number | null = null;

  constructor(webhookId: string, accountId: string, from: { lastSeq: number; hasMore: boolean; retryAt: number }) {
    this.webhookId = webhookId;
    this.accountId = accountId;
    this.lastSeq = from.lastSeq;
    this.hasMore = from.hasMore;
    this.retryAt = from.retryAt;
  }

  /** True while the receiver does not answer. */
  get troubled(): boolean {
    return this.window === 1;
  }

  get inFlight(): number {
    return this.firstInFlight + this.retriesInFlight;
  }

  /** Nothing waits and nothing runs. */
  get idle(): boolean {
    return (
      this.waiting.length === 0 &&
      this.due.length === 0 &&
      this.taken.size === 0 &&
      !this.hasMore &&
      !this.loading &&
      this.retryAt === Number.POSITIVE_INFINITY
    );
  }

  /** The next attempt that may start now, or null. The caller starts it. */
  next(): QueuedEvent | null {
    if (this.#leader === null && this.firstInFlight < this.window) {
      const event = this.waiting.shift();
      if (event) {
        this.#leader = event.seq;
        this.firstInFlight++;
        this.taken.add(event.seq);
        return event;
      }
    }
    if (this.retriesInFlight < Math.min(RETRIES_IN_FLIGHT_MAX, this.window)) {
      const event = this.due.shift();
      if (event) {
        this.retriesInFlight++;
        this.taken.add(event.seq);
        return event;
      }
    }
    return null;
  }

  /** PACE_MS have passed since this first attempt was sent. */
  paced(seq: number): void {
    if (this.#leader === seq) this.#leader = null;
  }

  /** An attempt is over; the event stays `taken` until its result is written. */
  finished(event: QueuedEvent, outcome: 'delivered' | 'failed' | 'unresponsive' | 'dropped'): void {
    if (event.attempts === 0) {
      this.firstInFlight--;
      this.paced(event.seq);
    } else this.retriesInFlight--;
    if (outcome === 'unresponsive') this.window = 1;
    else if (outcome === 'delivered') this.window = Math.min(WINDOW_MAX, this.window + 1);
    else if (this.window === 1) this.window = 2;
  }

  /** Forgets what is in memory: the table is read anew from its start, but for what is taken. */
  reload(): void {
    this.clear();
    this.lastSeq = 0;
    this.hasMore = true;
    this.retryAt = 0;
  }

  /** The subscription is gone or off: nothing of it is sent any more. */
  clear(): void {
    this.waiting.length = 0;
    this.due.length = 0;
    this.hasMore = false;
    this.retryAt = Number.POSITIVE_INFINITY;
    this.version++;
  }
}
