// Brings events from the outbox to their subscribers. Woken by the change feed and by its own timer, it
//
//   events ──fan-out──► webhook_queue ──► a lane for each subscription ──► POST ──► results, written in groups
//
// Whatever is not written as delivered is in the queue table, so that killing the process at any moment only repeats
// what was in flight. One process delivers at a time: the one that holds the lock, which dies with it.
import { join } from 'node:path';
import { watchChanges } from '../../db/change-feed.ts';
import { type ProcessLock, tryProcessLock } from '../../db/process-lock.ts';
import {
  activeWebhook,
  fanOut,
  fanOutPosition,
  firstAttempts,
  hasEventsAfter,
  type QueuedEvent,
  queuedWebhooks,
  retries,
} from '../../db/queries/events.ts';
import { createHistogram, type Histogram, observe } from '../../db/shared/metrics.ts';
import type { Resolve } from '../safe-fetch.ts';
import { ATTEMPT_TIMEOUT_MS, attemptDelivery } from './attempt.ts';
import { Lane, PACE_MS } from './lane.ts';
import { messageBody } from './message.ts';
import { SubscriptionPools } from './pools.ts';
import { type DeliveryContext, ResultWriter, type WrittenResult } from './results.ts';

export interface DispatcherOptions {
  attemptTimeoutMs?: number;
  /** In [0, 1): the jitter of retries. */
  random?: () => number;
  resolve?: Resolve;
  /** How long a first attempt waits for the answer to the one before it, once that was sent. */
  paceMs?: number;
  /** How often the change feed looks, ms. */
  pollMs?: number;
}

export interface DispatcherStats {
  delivered: number;
  failed: number;
  inFlight: number;
  /** From the event's commit to the receiver's 2xx, first attempts, seconds. */
  lagSeconds: Histogram;
  /** Whether this process is the one that delivers. */
  leading: boolean;
}

/** Events handed out in one transaction: with ten subscribers a few ms of writing, which hold up other writers. */
const FAN_OUT_MAX = 25;
/** First attempts of one subscription kept in memory. */
const WAITING_MAX = 32;
const REFILL_BELOW = 8;
const RETRIES_LOADED = 8;
/** Requests in flight over all subscriptions; those that do not answer may take only a part of them. */
const IN_FLIGHT_MAX = 512;
const IN_FLIGHT_TROUBLED_MAX = 384;
const RESULTS_PENDING_MAX = 1_000;
const TIMER_MAX_MS = 1_000;
const BACKOFF_MIN_MS = 250;
const BACKOFF_MAX_MS = 5_000;
const LAG_BOUNDS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2.5, 5, 15, 60, 300];

export class Dispatcher {
  readonly #context: DeliveryContext;
  readonly #options: DispatcherOptions;
  readonly #results: ResultWriter;
  readonly #lanes = new Map<string, Lane>();
  readonly #pools: SubscriptionPools;
  /** Lanes that the bounds hold back. */
  readonly #blocked = new Set<Lane>();
  readonly #stats = { delivered: 0, failed: 0, lagSeconds: createHistogram(LAG_BOUNDS_SECONDS) };
  #lock: ProcessLock | null = null;
  #position = 0;
  #inFlight = 0;
  #running: Promise<void> | null = null;
  #again = false;
  #stopped = false;
  #timer: NodeJS.Timeout | null = null;
  #unwatch: (() => void) | null = null;
  /** After an error of the database: nothing is looked at until the timer fires. */
  #paused = false;
  #backoffMs = 0;

  constructor(context: DeliveryContext, options: DispatcherOptions = {}) {
    this.#context = context;
    this.#options = options;
    this.#pools = new SubscriptionPools({
      allowPrivate: context.config.webhookAllowPrivate,
      ...(options.resolve ? { resolve: options.resolve } : {}),
    });
    this.#results = new ResultWriter(context, options.random ?? Math.random, (written) => this.#onWritten(written));
  }

  /** Begins to deliver, as soon as no other process does. */
  start(): void {
    this.#unwatch = watchChanges(this.#context.config.databasePath, () => this.wake(), this.#options.pollMs);
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

  /** Ends within about `graceMs`; what is in flight then is delivered again by the next process. */
  async stop(graceMs = 2_000): Promise<void> {
    this.#stopped = true;
    this.#unwatch?.();
    if (this.#timer) clearTimeout(this.#timer);
    const until = performance.now() + graceMs;
    while ((this.#inFlight > 0 || this.#running) && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await this.#results.close();
    this.#pools.destroy();
    this.#lock?.release();
    this.#lock = null;
  }

  stats(): DispatcherStats {
    return { ...this.#stats, inFlight: this.#inFlight, leading: this.#lock !== null };
  }

  async #run(): Promise<void> {
    try {
      if (!this.#lock && !(await this.#lead())) {
        this.#again = false;
        return;
      }
      while (this.#again && !this.#stopped) {
        this.#again = false;
        await this.#fanOut();
        for (const lane of this.#lanes.values()) this.#serve(lane);
      }
      if (this.#backoffMs > 0) this.#context.log.info('webhook delivery goes on');
      this.#backoffMs = 0;
    } catch (error) {
      if (this.#backoffMs === 0) {
        this.#context.log.error({ code: (error as { code?: string }).code }, 'webhook delivery cannot read its queue');
      }
      this.#paused = true;
      this.#backoffMs = Math.min(BACKOFF_MAX_MS, Math.max(BACKOFF_MIN_MS, this.#backoffMs * 2));
    }
  }

  async #lead(): Promise<boolean> {
    const lock = tryProcessLock(join(this.#context.config.dataDir, 'webhook-dispatcher.lock'));
    if (!lock) return false;
    try {
      this.#position = await fanOutPosition(this.#context.read);
      for (const { webhookId, accountId } of await queuedWebhooks(this.#context.read)) {
        this.#lanes.set(webhookId, new Lane(webhookId, accountId, { lastSeq: 0, hasMore: true, retryAt: 0 }));
      }
    } catch (error) {
      lock.release();
      throw error;
    }
    this.#lock = lock;
    return true;
  }

  async #fanOut(): Promise<void> {
    const { db, read } = this.#context;
    while (!this.#stopped && (await hasEventsAfter(read, this.#position))) {
      const { position, events, queued } = await db
        .transaction()
        .execute((tx) => fanOut(tx, FAN_OUT_MAX, this.#context.now()));
      this.#position = position;
      for (const event of queued) this.#enqueue(event);
      for (const webhookId of new Set(queued.map((event) => event.webhookId))) {
        const lane = this.#lanes.get(webhookId);
        if (lane) this.#serve(lane);
      }
      if (events < FAN_OUT_MAX) return;
    }
  }

  #enqueue(event: QueuedEvent): void {
    let lane = this.#lanes.get(event.webhookId);
    if (!lane) {
      lane = new Lane(event.webhookId, event.accountId, {
        lastSeq: event.seq - 1,
        hasMore: false,
        retryAt: Number.POSITIVE_INFINITY,
      });
      this.#lanes.set(event.webhookId, lane);
    }
    lane.version++;
    if (lane.hasMore || lane.waiting.length >= WAITING_MAX) lane.hasMore = true;
    else {
      lane.waiting.push(event);
      lane.lastSeq = event.seq;
    }
  }

  /** Loads what the lane lacks and starts what may start. */
  #serve(lane: Lane): void {
    this.#pump(lane);
    const wantsFirst = lane.hasMore && lane.waiting.length < REFILL_BELOW;
    const wantsRetries = lane.due.length === 0 && lane.retryAt <= this.#context.now();
    if (lane.loading || this.#stopped || this.#paused || !(wantsFirst || wantsRetries)) return;
    lane.loading = true;
    this.#load(lane, wantsFirst, wantsRetries).then(
      () => {
        lane.loading = false;
        this.#pump(lane);
      },
      () => {
        // The next wake tries again, with the back-off that the fan-out's reading has met too.
        lane.loading = false;
      },
    );
  }

  async #load(lane: Lane, first: boolean, retry: boolean): Promise<void> {
    const { read } = this.#context;
    const version = lane.version;
    if (first) {
      const rows = await firstAttempts(read, lane.webhookId, lane.lastSeq, WAITING_MAX);
      lane.waiting.push(...rows.filter((row) => !lane.taken.has(row.seq)));
      lane.lastSeq = rows.at(-1)?.seq ?? lane.lastSeq;
      lane.hasMore = rows.length === WAITING_MAX || lane.version !== version;
    }
    if (retry) {
      const nowMs = this.#context.now();
      const rows = await retries(read, lane.webhookId, RETRIES_LOADED + lane.taken.size);
      const free = rows.filter((row) => !lane.taken.has(row.seq));
      const due = free.filter((row) => row.nextAttemptAt <= nowMs);
      lane.due.push(...due.slice(0, RETRIES_LOADED));
      const later = free.find((row) => row.nextAttemptAt > nowMs)?.nextAttemptAt ?? Number.POSITIVE_INFINITY;
      lane.retryAt = due.length >= RETRIES_LOADED || lane.version !== version ? nowMs : later;
    }
  }

  #pump(lane: Lane): void {
    while (!this.#stopped) {
      const bound = lane.troubled ? IN_FLIGHT_TROUBLED_MAX : IN_FLIGHT_MAX;
      if (this.#inFlight >= bound || this.#results.pending >= RESULTS_PENDING_MAX) {
        this.#blocked.add(lane);
        return;
      }
      const event = lane.next();
      if (!event) break;
      this.#inFlight++;
      void this.#attempt(lane, event);
    }
    this.#blocked.delete(lane);
  }

  /** Makes one attempt; never rejects. */
  async #attempt(lane: Lane, event: QueuedEvent): Promise<void> {
    await this.#deliver(lane, event);
    this.#inFlight--;
    // Only then has undici noticed that the connection is free again; before, it would open another one.
    setImmediate(() => {
      this.#serve(lane);
      for (const blocked of [...this.#blocked]) this.#pump(blocked);
    });
  }

  async #deliver(lane: Lane, event: QueuedEvent): Promise<void> {
    let pace: NodeJS.Timeout | null = null;
    try {
      const webhook = await activeWebhook(this.#context.read, lane.webhookId);
      // Switched off or deleted since, or switched on again after this event: it is no longer the subscription's.
      if (!webhook || event.seq <= webhook.activeFromSeq) {
        if (!webhook) lane.clear();
        lane.finished(event, 'dropped');
        lane.taken.delete(event.seq);
        return;
      }
      const startedAtMs = this.#context.now();
      const body = messageBody({
        id: event.eventId,
        type: event.eventType,
        createdAtMs: event.eventAt,
        data: event.data,
      });
      const outcome = await attemptDelivery(
        this.#pools.get(webhook.id, webhook.url),
        {
          url: webhook.url,
          secretDigest: webhook.secretDigest,
          eventId: event.eventId,
          body,
          nowMs: startedAtMs,
          timeoutMs: this.#options.attemptTimeoutMs ?? ATTEMPT_TIMEOUT_MS,
        },
        () => {
          pace = setTimeout(() => {
            lane.paced(event.seq);
            this.#serve(lane);
          }, this.#options.paceMs ?? PACE_MS);
        },
      );
      this.#count(event, outcome.success);
      lane.finished(event, outcome.success ? 'delivered' : outcome.unresponsive ? 'unresponsive' : 'failed');
      this.#results.add({ event, url: webhook.url, body, startedAtMs, outcome });
    } catch (error) {
      // The subscription could not be read. The event is still in the table; the lane looks again after the back-off.
      this.#context.log.error({ code: (error as { code?: string }).code }, 'webhook delivery cannot read a webhook');
      lane.finished(event, 'dropped');
      lane.taken.delete(event.seq);
      lane.reload();
      this.#paused = true;
      this.#backoffMs = BACKOFF_MAX_MS;
      this.#arm();
    } finally {
      if (pace) clearTimeout(pace);
    }
  }

  #count(event: QueuedEvent, success: boolean): void {
    if (success) this.#stats.delivered++;
    else this.#stats.failed++;
    if (success && event.attempts === 0) {
      observe(this.#stats.lagSeconds, Math.max(0, this.#context.now() - event.eventAt) / 1_000);
    }
  }

  #onWritten(written: readonly WrittenResult[]): void {
    for (const { result, retryAt, ended } of written) {
      const lane = this.#lanes.get(result.event.webhookId);
      if (!lane) continue;
      lane.taken.delete(result.event.seq);
      lane.version++;
      if (ended) lane.clear();
      else if (retryAt !== null) lane.retryAt = Math.min(lane.retryAt, retryAt);
    }
    for (const blocked of [...this.#blocked]) this.#pump(blocked);
    this.#arm();
  }

  /** Sleeps until the next retry, and never for long: clocks jump, and another process may have given up the lock. */
  #arm(): void {
    if (this.#stopped) return;
    if (this.#timer) clearTimeout(this.#timer);
    let delayMs = TIMER_MAX_MS;
    if (this.#paused) delayMs = this.#backoffMs;
    else if (!this.#lock) delayMs = BACKOFF_MIN_MS;
    else {
      const nowMs = this.#context.now();
      for (const lane of this.#lanes.values()) delayMs = Math.min(delayMs, Math.max(1, lane.retryAt - nowMs));
    }
    this.#timer = setTimeout(() => {
      this.#sweep();
      this.#paused = false;
      this.wake();
    }, delayMs);
    this.#timer.unref();
  }

  /** Keeps lanes and pools as many as there are subscriptions with work. */
  #sweep(): void {
    this.#pools.sweep((webhookId) => (this.#lanes.get(webhookId)?.inFlight ?? 0) > 0);
    for (const [webhookId, lane] of this.#lanes) if (lane.idle) this.#lanes.delete(webhookId);
  }
}
