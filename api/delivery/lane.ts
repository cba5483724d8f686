// One subscription's lane, without I/O: decides which event is sent next, and how many at once.
//
//   waiting (by seq) ──► first attempt ──► delivered
//                             │ failed
//                             ▼
//                 retries (by time due) ──► delivered | given up
//
// First attempts are sent in the order of events: the next one starts when the previous one is answered, or PACE_MS
// after it was sent. So a fast receiver gets them strictly one by one, and a slow one delays each by at most PACE_MS.
// Retries run in parallel. The number in flight grows with each quick success and falls to one as soon as the receiver
// does not answer, so that a dead host occupies one connection; a slow one never gets more than the initial number.
import type { QueuedEvent } from '../../db/queries/webhooks/events.ts';

/** Time for a request that was sent to arrive before the next one is sent on another connection. */
export const PACE_MS = 200;
/** First attempts kept in memory, and the number below which more are loaded. */
export const WAITING_MAX = 32;
const REFILL_BELOW = 8;
const RETRIES_LOADED = 8;
const WINDOW_START = 4;
export const WINDOW_MAX = 16;
const RETRIES_IN_FLIGHT_MAX = 2;

/** The result of an attempt. `slow`: delivered, but the answer took long. */
export type Outcome = 'delivered' | 'slow' | 'failed' | 'unresponsive';

/** A request to read the queue table. */
export interface LaneLoad {
  /** First attempts after this event; null: none are wanted. */
  firstAfterSeq: number | null;
  /** Whether to read `retriesToLoad` retries, earliest first. */
  wantsRetries: boolean;
  /** The lane's version when the load began. */
  version: number;
}

export class Lane {
  readonly webhookId: string;
  readonly accountId: string;
  /** First attempts in memory, oldest first. */
  readonly #waiting: QueuedEvent[] = [];
  /** Retries that are due. */
  readonly #due: QueuedEvent[] = [];
  /** Events of running attempts or unwritten results: not to be loaded again. */
  readonly #taken = new Set<number>();
  /** The newest event added to `waiting`. */
  #lastSeq: number;
  /** The queue table may hold first attempts after `lastSeq`. */
  #hasMore = false;
  /** Time of the next search for retries in the table, ms; Infinity: there are none. */
  #retryAt = Number.POSITIVE_INFINITY;
  /** Counts changes of the table that a load in progress may have missed. */
  #version = 0;
  #isLoading = false;
  #firstInFlight = 0;
  #retriesInFlight = 0;
  #window = WINDOW_START;
  /** The last answer was slow. */
  #isSlow = false;
  /** First attempts that were sent longer ago than PACE_MS. */
  readonly #late = new Set<number>();
  /** The latest first attempt, until it is answered or PACE_MS after it was sent. */
  #leader: number | null = null;

  /** A lane that gets its events by `offer`, the first of them after `lastSeq`. */
  constructor(webhookId: string, accountId: string, lastSeq: number) {
    this.webhookId = webhookId;
    this.accountId = accountId;
    this.#lastSeq = lastSeq;
  }

  /** A lane with events in the queue table. */
  static stored(webhookId: string, accountId: string): Lane {
    const lane = new Lane(webhookId, accountId, 0);
    lane.reload();
    return lane;
  }

  get retryAt(): number {
    return this.#retryAt;
  }

  /** Number of retries to read; taken ones may be among them. */
  get retriesToLoad(): number {
    return RETRIES_LOADED + this.#taken.size;
  }

  /** True while the receiver does not answer or is slow. */
  get troubled(): boolean {
    return this.#window === 1 || this.#isSlow || this.#late.size > 0;
  }

  get firstInFlight(): number {
    return this.#firstInFlight;
  }

  get inFlight(): number {
    return this.#firstInFlight + this.#retriesInFlight;
  }

  /** No event waits and no attempt runs. */
  get idle(): boolean {
    return (
      this.#waiting.length === 0 &&
      this.#due.length === 0 &&
      this.#taken.size === 0 &&
      !this.#hasMore &&
      !this.#isLoading &&
      this.#retryAt === Number.POSITIVE_INFINITY
    );
  }

  /** A new event, already in the table: kept in memory if there is room and no older one is left in the table. */
  offer(event: QueuedEvent): void {
    this.#version++;
    if (this.#hasMore || this.#waiting.length >= WAITING_MAX) {
      this.#hasMore = true;
      return;
    }
    this.#waiting.push(event);
    this.#lastSeq = event.seq;
  }

  /** The missing events; null if none or during a load. The caller reads them and ends with `endLoad`. */
  beginLoad(nowMs: number): LaneLoad | null {
    const wantsFirst = this.#hasMore && this.#waiting.length < REFILL_BELOW;
    const wantsRetries = this.#due.length === 0 && this.#retryAt <= nowMs;
    if (this.#isLoading || !(wantsFirst || wantsRetries)) return null;
    this.#isLoading = true;
    return { firstAfterSeq: wantsFirst ? this.#lastSeq : null, wantsRetries, version: this.#version };
  }

  /** Takes first attempts from the table, at most WAITING_MAX. */
  takeFirst(load: LaneLoad, rows: readonly QueuedEvent[]): void {
    this.#waiting.push(...rows.filter((row) => !this.#taken.has(row.seq)));
    this.#lastSeq = rows.at(-1)?.seq ?? this.#lastSeq;
    this.#hasMore = rows.length === WAITING_MAX || this.#version !== load.version;
  }

  /** Takes retries from the table, by due time. */
  takeRetries(load: LaneLoad, rows: readonly QueuedEvent[], nowMs: number): void {
    const free = rows.filter((row) => !this.#taken.has(row.seq));
    const due = free.filter((row) => row.nextAttemptAt <= nowMs);
    this.#due.push(...due.slice(0, RETRIES_LOADED));
    const later = free.find((row) => row.nextAttemptAt > nowMs)?.nextAttemptAt ?? Number.POSITIVE_INFINITY;
    this.#retryAt = due.length >= RETRIES_LOADED || this.#version !== load.version ? nowMs : later;
  }

  endLoad(): void {
    this.#isLoading = false;
  }

  /** The next attempt that may start now, or null. The caller starts it. */
  next(): QueuedEvent | null {
    if (this.#leader === null && this.#firstInFlight < this.#window) {
      const event = this.#waiting.shift();
      if (event) {
        this.#leader = event.seq;
        this.#firstInFlight++;
        this.#taken.add(event.seq);
        return event;
      }
    }
    if (this.#retriesInFlight < Math.min(RETRIES_IN_FLIGHT_MAX, this.#window)) {
      const event = this.#due.shift();
      if (event) {
        this.#retriesInFlight++;
        this.#taken.add(event.seq);
        return event;
      }
    }
    return null;
  }

  /** PACE_MS have passed since this first attempt was sent. */
  paced(seq: number): void {
    if (this.#leader === seq) this.#leader = null;
    if (this.#taken.has(seq)) this.#late.add(seq);
  }

  /** An attempt is over; the event stays taken until its result is written. */
  finished(event: QueuedEvent, outcome: Outcome): void {
    this.#end(event);
    this.#isSlow = outcome === 'slow';
    if (outcome === 'unresponsive') this.#window = 1;
    else if (outcome === 'delivered') this.#window = Math.min(WINDOW_MAX, this.#window + 1);
    else if (outcome === 'slow') this.#window = Math.min(WINDOW_START, this.#window + 1);
    else if (this.#window === 1) this.#window = 2;
  }

  /** The attempt was not made and has no result. */
  dropped(event: QueuedEvent): void {
    this.#end(event);
    if (this.#window === 1) this.#window = 2;
    this.#taken.delete(event.seq);
  }

  #end(event: QueuedEvent): void {
    if (event.attempts === 0) {
      this.#firstInFlight--;
      this.#late.delete(event.seq);
      if (this.#leader === event.seq) this.#leader = null;
    } else this.#retriesInFlight--;
  }

  /** The result of an attempt is in the table, with the time of the next attempt, if any. */
  written(seq: number, retryAt: number | null): void {
    this.#taken.delete(seq);
    this.#version++;
    if (retryAt !== null) this.#retryAt = Math.min(this.#retryAt, retryAt);
  }

  /** Discards the events in memory: the table is read again from its start, except for taken events. */
  reload(): void {
    this.clear();
    this.#lastSeq = 0;
    this.#hasMore = true;
    this.#retryAt = 0;
  }

  /** The subscription is deleted or inactive: nothing more is sent to it. */
  clear(): void {
    this.#waiting.length = 0;
    this.#due.length = 0;
    this.#hasMore = false;
    this.#retryAt = Number.POSITIVE_INFINITY;
    this.#version++;
  }
}
