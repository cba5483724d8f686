// All subscriptions' lanes: loads missing events from the queue table, makes the attempts within common limits, and
// passes the results to the writer. A subscription has a lane only while it has work.
import { activeWebhook, firstAttempts, type QueuedEvent, retries } from '../../db/queries/webhooks/events.ts';
import { createHistogram, type Histogram, observe } from '../../db/shared/metrics.ts';
import type { Resolve } from '../../db/shared/net/safe-fetch.ts';
import { ATTEMPT_TIMEOUT_MS, type AttemptOutcome, attemptDelivery } from './attempt.ts';
import { Lane, type LaneLoad, type Outcome, PACE_MS, WAITING_MAX } from './lane.ts';
import { messageBody } from './message.ts';
import { SubscriptionPools } from './pools.ts';
import { type DeliveryContext, ResultWriter, type WrittenResult } from './results.ts';
import { Turns } from './turns.ts';

export interface LanesOptions {
  attemptTimeoutMs?: number;
  /** In [0, 1): the jitter of retries. */
  random?: () => number;
  resolve?: Resolve;
  /** Longest wait of a first attempt for the previous one's answer, after that one was sent. */
  paceMs?: number;
  /** An answer that takes longer does not widen the lane. */
  slowAfterMs?: number;
}

export interface LanesStats {
  delivered: number;
  failed: number;
  inFlight: number;
  /** From the event's commit to the receiver's 2xx, for first attempts, seconds. */
  lagSeconds: Histogram;
}

/** The lanes' callbacks to their owner. */
interface LanesOwner {
  /** Results were written, so the time of the next retry may have changed. */
  onWritten(): void;
  /** A subscription could not be read. The owner pauses the lanes until the database may answer again. */
  onUnreadable(error: unknown): void;
}

/**
 * Most requests in flight over all subscriptions. Slow or silent receivers may use only a part of them, and the last
 * ones are reserved for accounts with few requests.
 */
const IN_FLIGHT_MAX = 512;
const IN_FLIGHT_BUSY_ACCOUNT_MAX = 448;
const IN_FLIGHT_TROUBLED_MAX = 384;
/** Most requests in flight of one account, and the number that still counts as few. */
const ACCOUNT_IN_FLIGHT_MAX = 64;
const ACCOUNT_IN_FLIGHT_FEW = 8;
/** An answer that takes longer is slow: further parallel requests would only wait as well. */
const SLOW_AFTER_MS = 1_000;
const RESULTS_PENDING_MAX = 1_000;
const LAG_BOUNDS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2.5, 5, 15, 60, 300];

export class Lanes {
  readonly #context: DeliveryContext;
  readonly #options: LanesOptions;
  readonly #owner: LanesOwner;
  readonly #results: ResultWriter;
  readonly #lanes = new Map<string, Lane>();
  readonly #pools: SubscriptionPools;
  /** Lanes that may have something to send. */
  readonly #turns = new Turns();
  readonly #inFlightOf = new Map<string, number>();
  readonly #counts = { delivered: 0, failed: 0, lagSeconds: createHistogram(LAG_BOUNDS_SECONDS) };
  #inFlight = 0;
  /** `paused` loads nothing, `stopped` starts nothing either. */
  #state: 'running' | 'paused' | 'stopped' = 'running';

  constructor(context: DeliveryContext, options: LanesOptions, owner: LanesOwner) {
    this.#context = context;
    this.#options = options;
    this.#owner = owner;
    this.#pools = new SubscriptionPools({
      allowPrivate: context.config.webhookAllowPrivate,
      plainToLoopback: true,
      ...(options.resolve ? { resolve: options.resolve } : {}),
    });
    this.#results = new ResultWriter(context, options.random ?? Math.random, (written) => this.#onWritten(written));
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  stats(): LanesStats {
    return { ...this.#counts, inFlight: this.#inFlight };
  }

  /** Time of the lanes' earliest search for retries, ms; Infinity: none. */
  nextRetryAt(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const { retryAt } of this.#lanes.values()) earliest = Math.min(earliest, retryAt);
    return earliest;
  }

  /** A lane for each subscription that has events in the queue table. */
  open(stored: readonly Pick<QueuedEvent, 'webhookId' | 'accountId'>[]): void {
    for (const { webhookId, accountId } of stored) this.#lanes.set(webhookId, Lane.stored(webhookId, accountId));
  }

  /** Begins nothing more for any subscription until `open` is called again. */
  forget(): void {
    for (const lane of this.#lanes.values()) lane.clear();
    this.#lanes.clear();
  }

  /** Adds newly queued events. */
  add(queued: readonly QueuedEvent[]): void {
    const lanes = new Set<Lane>();
    for (const event of queued) {
      let lane = this.#lanes.get(event.webhookId);
      if (!lane) {
        lane = new Lane(event.webhookId, event.accountId, event.seq - 1);
        this.#lanes.set(event.webhookId, lane);
      }
      lane.offer(event);
      lanes.add(lane);
    }
    for (const lane of lanes) this.#serve(lane);
  }

  /** Looks for work in every lane. */
  serve(): void {
    for (const lane of this.#lanes.values()) this.#serve(lane);
  }

  pause(): void {
    if (this.#state === 'running') this.#state = 'paused';
  }

  resume(): void {
    if (this.#state === 'paused') this.#state = 'running';
  }

  /** Starts no more attempts. */
  stop(): void {
    this.#state = 'stopped';
  }

  /** Writes the available results and aborts requests in flight. */
  async close(): Promise<void> {
    this.stop();
    await this.#results.close();
    this.#pools.destroy();
  }

  /** Drops the lanes and pools of subscriptions that have no work. */
  sweep(): void {
    this.#pools.sweep((webhookId) => (this.#lanes.get(webhookId)?.inFlight ?? 0) > 0);
    for (const [webhookId, lane] of this.#lanes) if (lane.idle) this.#lanes.delete(webhookId);
  }

  /** Starts allowed attempts and loads missing events. */
  #serve(lane: Lane): void {
    this.#pump(lane);
    if (this.#state !== 'running') return;
    const load = lane.beginLoad(this.#context.now());
    if (load === null) return;
    this.#load(lane, load).then(
      () => {
        lane.endLoad();
        this.#pump(lane);
      },
      // The next wake tries again, with the back-off of the failing fan-out.
      () => lane.endLoad(),
    );
  }

  async #load(lane: Lane, load: LaneLoad): Promise<void> {
    const { read } = this.#context;
    if (load.firstAfterSeq !== null) {
      lane.takeFirst(load, await firstAttempts(read, lane.webhookId, load.firstAfterSeq, WAITING_MAX));
    }
    if (load.wantsRetries) {
      const nowMs = this.#context.now();
      lane.takeRetries(load, await retries(read, lane.webhookId, lane.retriesToLoad), nowMs);
    }
  }

  #pump(lane: Lane): void {
    this.#turns.add(lane);
    this.#takeTurns();
  }

  /** Starts one attempt per turn, until no lane has capacity or events. */
  #takeTurns(): void {
    const held: Lane[] = [];
    while (this.#state !== 'stopped' && this.#inFlight < IN_FLIGHT_MAX && this.#results.pending < RESULTS_PENDING_MAX) {
      const lane = this.#turns.take();
      if (!lane) break;
      if (!this.#hasPlace(lane)) {
        held.push(lane);
        continue;
      }
      const event = lane.next();
      if (!event) continue;
      this.#inFlight++;
      this.#inFlightOf.set(lane.accountId, this.#inFlightIn(lane.accountId) + 1);
      this.#turns.add(lane);
      void this.#attempt(lane, event);
    }
    for (const lane of held) this.#turns.add(lane);
  }

  #hasPlace(lane: Lane): boolean {
    const ofAccount = this.#inFlightIn(lane.accountId);
    if (ofAccount >= ACCOUNT_IN_FLIGHT_MAX) return false;
    if (lane.troubled) return this.#inFlight < IN_FLIGHT_TROUBLED_MAX;
    return this.#inFlight < (ofAccount < ACCOUNT_IN_FLIGHT_FEW ? IN_FLIGHT_MAX : IN_FLIGHT_BUSY_ACCOUNT_MAX);
  }

  #inFlightIn(accountId: string): number {
    return this.#inFlightOf.get(accountId) ?? 0;
  }

  #leave(accountId: string): void {
    this.#inFlight--;
    const left = this.#inFlightIn(accountId) - 1;
    if (left > 0) this.#inFlightOf.set(accountId, left);
    else this.#inFlightOf.delete(accountId);
  }

  /** Makes one attempt; never rejects. */
  async #attempt(lane: Lane, event: QueuedEvent): Promise<void> {
    try {
      await this.#deliver(lane, event);
    } catch (error) {
      // The event is still in the table; the lane looks again after the back-off.
      lane.dropped(event);
      lane.reload();
      this.#owner.onUnreadable(error);
    }
    this.#leave(lane.accountId);
    // At that time undici knows that the connection is free; earlier it would open another one.
    setImmediate(() => this.#serve(lane));
  }

  /** Rejects if the subscription cannot be read. */
  async #deliver(lane: Lane, event: QueuedEvent): Promise<void> {
    const webhook = await activeWebhook(this.#context.read, lane.webhookId);
    // Switched off or deleted since, or switched on again after this event: it is no longer the subscription's.
    if (!webhook || event.seq <= webhook.activeFromSeq) {
      if (!webhook) lane.clear();
      lane.dropped(event);
      return;
    }
    const startedAtMs = this.#context.now();
    const { eventId, eventType, eventAt, data } = event;
    const body = messageBody({ id: eventId, type: eventType, createdAtMs: eventAt, data });
    const outcome = await this.#send(lane, event, { ...webhook, eventId, body, nowMs: startedAtMs });
    this.#count(event, outcome.success);
    lane.finished(event, this.#outcomeFor(outcome));
    this.#results.add({ event, url: webhook.url, body, startedAtMs, outcome });
  }

  #outcomeFor({ success, unresponsive, durationMs }: AttemptOutcome): Outcome {
    if (unresponsive) return 'unresponsive';
    if (!success) return 'failed';
    return durationMs > (this.#options.slowAfterMs ?? SLOW_AFTER_MS) ? 'slow' : 'delivered';
  }

  /** Sends one request; the lane's next first attempt may start `paceMs` after it was sent. */
  async #send(
    lane: Lane,
    event: QueuedEvent,
    request: { id: string; url: string; secretDigest: string; eventId: string; body: string; nowMs: number },
  ): Promise<AttemptOutcome> {
    const { attemptTimeoutMs: timeoutMs = ATTEMPT_TIMEOUT_MS, paceMs = PACE_MS } = this.#options;
    const { id, url, secretDigest, eventId, body, nowMs } = request;
    let pace: NodeJS.Timeout | null = null;
    const onSent = () => {
      pace = setTimeout(() => {
        lane.paced(event.seq);
        this.#serve(lane);
      }, paceMs);
    };
    try {
      const pool = this.#pools.get(id, url);
      return await attemptDelivery(pool, { url, secretDigest, eventId, body, nowMs, timeoutMs }, onSent);
    } finally {
      if (pace) clearTimeout(pace);
    }
  }

  #count(event: QueuedEvent, success: boolean): void {
    if (success) this.#counts.delivered++;
    else this.#counts.failed++;
    if (success && event.attempts === 0) {
      observe(this.#counts.lagSeconds, Math.max(0, this.#context.now() - event.eventAt) / 1_000);
    }
  }

  #onWritten(written: readonly WrittenResult[]): void {
    for (const { result, retryAt, ended } of written) {
      const lane = this.#lanes.get(result.event.webhookId);
      lane?.written(result.event.seq, retryAt);
      if (ended) lane?.clear();
    }
    this.#takeTurns();
    this.#owner.onWritten();
  }
}
