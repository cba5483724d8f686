// Writes the results of attempts: the results of all subscriptions within a few milliseconds share one transaction.
// While the database fails (locked, disk full) they are kept and retried, and beyond a limit the dispatcher starts no
// attempts: an attempt with a lost result would be made twice.

import { mailReaders } from '../../db/queries/accounts/users.ts';
import { blankDelivery } from '../../db/queries/erasure/log.ts';
import { addDeliveries } from '../../db/queries/webhooks/deliveries.ts';
import {
  dequeue,
  disableWebhook,
  isEventErased,
  postpone,
  type QueuedEvent,
  recordHealth,
  webhookById,
} from '../../db/queries/webhooks/events.ts';
import type { WebhookRow } from '../../db/queries/webhooks/webhooks.ts';
import type { WebhookDeliveryTable } from '../../db/schema/webhooks.ts';
import type { Db } from '../../db/schema.ts';
import { transact, WEBHOOKS } from '../../db/scope.ts';
import { newId } from '../../db/shared/id.ts';
import { forEachOf } from '../../db/statements/all-of.ts';
import type { ApiConfig } from '../config.ts';
import type { ApiContext } from '../context.ts';
import { filled } from '../mail/letters.ts';
import { postAccountLetter } from '../mail/post-account-letter.ts';
import type { AttemptOutcome } from './attempt.ts';
import { GIVE_UP_AFTER_MS, nextAttemptAt } from './schedule.ts';

/** The part of the API's context that delivery needs. */
export interface DeliveryContext extends Pick<ApiContext, 'db' | 'read' | 'log' | 'now' | 'mail'> {
  config: Pick<ApiConfig, 'dataDir' | 'directDatabase' | 'webhookAllowPrivate'>;
}

interface AttemptResult {
  event: QueuedEvent;
  /** The URL of the attempt: the subscription may have another one by now. */
  url: string;
  body: string;
  startedAtMs: number;
  outcome: AttemptOutcome;
}

export interface WrittenResult {
  result: AttemptResult;
  /** Time of the event's next attempt; null: delivered, given up, or dropped with its subscription. */
  retryAt: number | null;
  /** The subscription is inactive or deleted. */
  ended: boolean;
}

type DisabledReason = 'gone' | 'failing';

/** Long enough to share a commit, short enough that a crash repeats little. */
const GROUP_MS = 20;
/** This process runs at low priority: a long transaction would block the engine's writer. */
const GROUP_MAX = 60;
const RETRY_MIN_MS = 100;
const RETRY_MAX_MS = 5_000;

export class ResultWriter {
  readonly #context: DeliveryContext;
  readonly #onWritten: (written: readonly WrittenResult[]) => void;
  readonly #random: () => number;
  readonly #pending: AttemptResult[] = [];
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;
  #retryMs = 0;
  #closed = false;

  constructor(context: DeliveryContext, random: () => number, onWritten: (written: readonly WrittenResult[]) => void) {
    this.#context = context;
    this.#random = random;
    this.#onWritten = onWritten;
  }

  /** Results that are not written yet. */
  get pending(): number {
    return this.#pending.length;
  }

  /** After `close` results are dropped: their events are still queued, and the next process repeats the attempt. */
  add(result: AttemptResult): void {
    if (this.#closed) return;
    this.#pending.push(result);
    this.#arm(this.#retryMs || GROUP_MS);
  }

  /** Writes all results and gives up at the first failure. For the end of the process. */
  async close(): Promise<void> {
    if (this.#writing) await this.#writing;
    while (this.#pending.length > 0) {
      const before = this.#pending.length;
      await this.#write();
      if (this.#pending.length >= before) break;
    }
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  #arm(delayMs: number): void {
    if (this.#timer !== null || this.#writing !== null || this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#writing = this.#write().finally(() => {
        this.#writing = null;
        if (this.#pending.length > 0) this.#arm(this.#retryMs || GROUP_MS);
      });
    }, delayMs);
  }

  async #write(): Promise<void> {
    const group = this.#pending.slice(0, GROUP_MAX);
    const { log, db, mail } = this.#context;
    try {
      const { written, isAnyDisabled } = await transact(db, WEBHOOKS, (tx) => this.#record(tx, group));
      this.#pending.splice(0, group.length);
      if (this.#retryMs > 0) log.info('webhook results can be written again');
      this.#retryMs = 0;
      this.#onWritten(written);
      if (isAnyDisabled) await mail.wake();
    } catch (error) {
      if (this.#retryMs === 0)
        log.error({ code: (error as { code?: string }).code }, 'webhook results cannot be written');
      this.#retryMs = Math.min(RETRY_MAX_MS, Math.max(RETRY_MIN_MS, this.#retryMs * 2));
    }
  }

  async #record(tx: Db, group: readonly AttemptResult[]) {
    const byWebhook = new Map<string, AttemptResult[]>();
    for (const result of group) {
      const list = byWebhook.get(result.event.webhookId) ?? [];
      list.push(result);
      byWebhook.set(result.event.webhookId, list);
    }
    const recorded = await forEachOf(tx, [...byWebhook], async ([webhookId, results]) => {
      const webhook = await webhookById(tx, webhookId);
      if (webhook) return this.#recordOne(tx, webhook, results);
      // Deleted and expired while the attempt ran: nothing to update.
      const records = results.map((result): WrittenResult => ({ result, retryAt: null, ended: true }));
      return { records, reason: null };
    });
    const disabled = recorded.filter(({ reason }) => reason !== null);
    return { written: recorded.flatMap(({ records }) => records), isAnyDisabled: disabled.length > 0 };
  }

  async #recordOne(tx: Db, webhook: WebhookRow, results: readonly AttemptResult[]) {
    const live = webhook.isActive === 1 && webhook.deletedAt === null;
    let { failureCount, failingSince } = webhook;
    let lastTriggeredAt = webhook.lastTriggeredAt ?? 0;
    let reason: DisabledReason | null = null;
    for (const { outcome, startedAtMs } of results) {
      lastTriggeredAt = Math.max(lastTriggeredAt, startedAtMs);
      failureCount = outcome.success ? 0 : failureCount + 1;
      failingSince = outcome.success ? null : (failingSince ?? startedAtMs);
      if (!live || outcome.success) continue;
      if (outcome.statusCode === 410) reason = 'gone';
      else if (startedAtMs - (failingSince ?? startedAtMs) >= GIVE_UP_AFTER_MS) reason ??= 'failing';
    }
    const nowMs = this.#context.now();
    const ended = !live || reason !== null;
    const records = results.map((result): WrittenResult => {
      const { event, outcome } = result;
      const isOver = outcome.success || ended;
      const retryAt = isOver ? null : nextAttemptAt(event.attempts + 1, nowMs, outcome.retryAfterMs, this.#random());
      return { result, retryAt, ended };
    });
    await forEachOf(tx, records, ({ result: { event }, retryAt }) =>
      retryAt === null
        ? dequeue(tx, webhook.id, event.seq)
        : postpone(tx, webhook.id, event.seq, { attempts: event.attempts + 1, nextAttemptAt: retryAt }),
    );
    const entries = await forEachOf(tx, records, async ({ result, retryAt }) => {
      const entry = logEntry(result, retryAt);
      return (await isEventErased(tx, result.event)) ? { ...entry, ...blankDelivery(entry) } : entry;
    });
    await addDeliveries(tx, webhook.accountId, webhook.id, entries);
    await recordHealth(tx, webhook.id, { lastTriggeredAt, failureCount, failingSince });
    if (reason) {
      await disableWebhook(tx, webhook.id, reason);
      await this.#tell(tx, webhook, reason);
    }
    return { reason, records };
  }

  async #tell(tx: Db, webhook: WebhookRow, reason: DisabledReason): Promise<void> {
    const { log, mail } = this.#context;
    log.warn({ webhookId: webhook.id, reason }, 'webhook disabled');
    const values = { id: webhook.id, host: new URL(webhook.url).host };
    await postAccountLetter({ mail }, tx, await mailReaders(tx, webhook.accountId), ({ webhookOff, gone, failing }) =>
      filled(webhookOff, { ...values, why: reason === 'gone' ? gone : failing }),
    );
  }
}

type LogEntry = Omit<WebhookDeliveryTable, 'accountId' | 'webhookId'>;

/** The log entry of one attempt at an event. */
function logEntry({ event, url, body, startedAtMs, outcome }: AttemptResult, nextRetryAt: number | null): LogEntry {
  return {
    id: newId('dlv'),
    eventId: event.eventId,
    eventType: event.eventType,
    url,
    attempt: event.attempts + 1,
    success: outcome.success ? 1 : 0,
    statusCode: outcome.statusCode,
    requestBody: body,
    responseBody: outcome.responseBody,
    error: outcome.error,
    durationMs: outcome.durationMs,
    isReplay: 0,
    isTest: 0,
    createdAt: startedAtMs,
    nextRetryAt,
  };
}
