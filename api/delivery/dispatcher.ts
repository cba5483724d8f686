// Delivers events from the outbox to their subscribers. Woken by the change feed and by its own timer:
//
//   events ──fan-out──► webhook_queue ──► a lane for each subscription ──► POST ──► results, written in groups
//
// Anything not written as delivered is in the queue table, so killing the process at any moment only repeats attempts
// in flight. One process delivers at a time: the one that holds the lease, which ends with that process.
import { type ChangedTables, touches, tryLease, watchChanges } from '../../db/database.ts';
import { checkLease, type Lease } from '../../db/lease.ts';
import {
  fanOut,
  fanOutPosition,
  hasEventsAfter,
  queuedWebhooks,
  settledEvents,
} from '../../db/queries/webhooks/events.ts';
import { transact, WEBHOOKS } from '../../db/scope.ts';
import { Lanes, type LanesOptions, type LanesStats } from './lanes.ts';
import type { DeliveryContext } from './results.ts';

export interface DispatcherOptions extends LanesOptions {
  /** Interval of the change feed, ms. */
  pollMs?: number;
  /** With PostgreSQL another process may deliver once this one has not renewed its lease for so long. */
  leaseMs?: number;
}

export interface DispatcherStats extends LanesStats {
  /** Whether this process delivers. */
  leading: boolean;
}

/** Events queued in one transaction: with ten subscribers a few ms of writing, which block other writers. */
const FAN_OUT_MAX = 25;
const TIMER_MAX_MS = 1_000;
const BACKOFF_MIN_MS = 250;
const BACKOFF_MAX_MS = 5_000;

export class Dispatcher {
  readonly #context: DeliveryContext;
  readonly #pollMs: number | undefined;
  readonly #leaseMs: number | undefined;
  readonly #lanes: Lanes;
  #lease: Lease | null = null;
  #position = 0;
  #running: Promise<void> | null = null;
  #again = false;
  #stopped = false;
  #timer: NodeJS.Timeout | null = null;
  #unwatch: (() => void) | null = null;
  /** After a database error: nothing is read until the timer fires. */
  #paused = false;
  #backoffMs = 0;

  constructor(context: DeliveryContext, options: DispatcherOptions = {}) {
    this.#context = context;
    this.#pollMs = options.pollMs;
    this.#leaseMs = options.leaseMs;
    this.#lanes = new Lanes(context, options, {
      onWritten: () => this.#arm(),
      onUnreadable: (error) => {
        this.#context.log.error({ code: (error as { code?: string }).code }, 'webhook delivery cannot read a webhook');
        this.#pause(BACKOFF_MAX_MS);
        this.#arm();
      },
    });
  }

  /** Starts delivering as soon as no other process does. */
  start(): void {
    const onChange = (changed: ChangedTables): void => {
      if (touches(changed, 'events', 'webhooks', 'webhook_queue')) this.wake();
    };
    this.#unwatch = watchChanges(this.#context.config.directDatabase, onChange, this.#pollMs);
    this.wake();
  }

  /** Looks for work now. */
  wake(): void {
    if (this.#stopped) return;
    this.#again = true;
    if (this.#running || this.#paused) return;
    this.#running = this.#run().finally(() => {
      this.#running = null;
      if (this.#again && !this.#paused) this.wake();
      else this.#arm();
    });
  }

  /** Ends within about `graceMs`; the next process repeats deliveries that are in flight then. */
  async stop(graceMs = 2_000): Promise<void> {
    this.#stopped = true;
    this.#lanes.stop();
    this.#unwatch?.();
    if (this.#timer) clearTimeout(this.#timer);
    const until = performance.now() + graceMs;
    while ((this.#lanes.inFlight > 0 || this.#running) && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await this.#lanes.close();
    await this.#lease?.release();
    this.#lease = null;
  }

  stats(): DispatcherStats {
    return { ...this.#lanes.stats(), leading: this.#lease !== null };
  }

  async #run(): Promise<void> {
    try {
      await this.#noticeLostLease();
      if (!this.#lease && !(await this.#lead())) {
        this.#again = false;
        return;
      }
      while (this.#again && !this.#stopped) {
        this.#again = false;
        await this.#fanOut();
        this.#lanes.serve();
      }
      if (this.#backoffMs > 0) this.#context.log.info('webhook delivery has resumed');
      this.#backoffMs = 0;
    } catch (error) {
      if (this.#backoffMs === 0) {
        this.#context.log.error({ code: (error as { code?: string }).code }, 'webhook delivery cannot read its queue');
      }
      this.#pause(Math.min(BACKOFF_MAX_MS, Math.max(BACKOFF_MIN_MS, this.#backoffMs * 2)));
    }
  }

  /** Another process delivers now; what this one has in flight is repeated there. */
  async #noticeLostLease(): Promise<void> {
    if (this.#lease === null || this.#lease.isHeld) return;
    await this.#lease.release();
    this.#lease = null;
    this.#lanes.forget();
  }

  /** Takes the lease and reads the queue table; false while another process leads. */
  async #lead(): Promise<boolean> {
    const { config } = this.#context;
    const lease = await tryLease({ ...config, database: config.directDatabase }, 'webhook-dispatcher', this.#leaseMs);
    if (!lease) return false;
    try {
      this.#position = await fanOutPosition(this.#context.read);
      this.#lanes.open(await queuedWebhooks(this.#context.read));
    } catch (error) {
      await lease.release();
      throw error;
    }
    this.#lease = lease;
    return true;
  }

  async #fanOut(): Promise<void> {
    const { db, read } = this.#context;
    while (!this.#stopped && this.#lease !== null && (await hasEventsAfter(read, this.#position))) {
      const lease = this.#lease;
      const upTo = await settledEvents(read, this.#position, FAN_OUT_MAX);
      // A writer does not end: the next look is soon enough.
      if (upTo === this.#position) return;
      const { position, events, queued } = await transact(db, WEBHOOKS, async (tx) => {
        await checkLease(tx, lease);
        return fanOut(tx, upTo, this.#context.now());
      });
      this.#position = position;
      this.#lanes.add(queued);
      if (events < FAN_OUT_MAX) return;
    }
  }

  #pause(backoffMs: number): void {
    this.#paused = true;
    this.#backoffMs = backoffMs;
    this.#lanes.pause();
  }

  /** Sleeps until the next retry, but never long: clocks jump, and another process may release the lease. */
  #arm(): void {
    if (this.#stopped) return;
    if (this.#timer) clearTimeout(this.#timer);
    let delayMs = TIMER_MAX_MS;
    if (this.#paused) delayMs = this.#backoffMs;
    else if (!this.#lease) delayMs = BACKOFF_MIN_MS;
    else delayMs = Math.min(delayMs, Math.max(1, this.#lanes.nextRetryAt() - this.#context.now()));
    this.#timer = setTimeout(() => {
      this.#lanes.sweep();
      this.#paused = false;
      this.#lanes.resume();
      this.wake();
    }, delayMs);
    this.#timer.unref();
  }
}
