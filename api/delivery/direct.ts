// Deliveries with a waiting request: the probe of a new URL, a test, a replay. Sent once, over their own connection,
// without changing the subscription's counters.

import { blankDelivery } from '../../db/queries/erasure/log.ts';
import { addDeliveries, findDelivery } from '../../db/queries/webhooks/deliveries.ts';
import type { WebhookRow } from '../../db/queries/webhooks/webhooks.ts';
import type { WebhookDeliveryTable } from '../../db/schema/webhooks.ts';
import { newId } from '../../db/shared/id.ts';
import type { ApiContext } from '../context.ts';
import { ATTEMPT_TIMEOUT_MS, type AttemptOutcome, attemptDelivery } from './attempt.ts';
import { messageBody } from './message.ts';
import { openPool } from './pools.ts';

const PROBE_TIMEOUT_MS = 10_000;

/** One attempt over a connection of its own. Never rejects. */
export async function deliverOnce(
  context: ApiContext,
  request: { url: string; secretDigest: string | null; eventId: string; body: string; timeoutMs: number },
): Promise<AttemptOutcome> {
  const options = {
    allowPrivate: context.config.webhookAllowPrivate,
    plainToLoopback: true,
    ...(context.resolve ? { resolve: context.resolve } : {}),
  };
  const pool = openPool(new URL(request.url).origin, options, 1);
  try {
    return await attemptDelivery(pool, { ...request, nowMs: context.now() });
  } finally {
    pool.destroy().catch(() => {});
  }
}

/** Posts a signed `webhook.probe`, which must be answered 2xx within 10 s. Leaves no log entry. */
export function probe(
  context: ApiContext,
  webhook: { id: string; url: string; secretDigest: string },
): Promise<AttemptOutcome> {
  const id = newId('evt');
  const data = JSON.stringify({ webhookId: webhook.id });
  const body = messageBody({ id, type: 'webhook.probe', createdAtMs: context.now(), data });
  return deliverOnce(context, { ...webhook, eventId: id, body, timeoutMs: PROBE_TIMEOUT_MS });
}

interface DirectMessage {
  eventId: string;
  eventType: string;
  body: string;
  /** The log entry whose body is sent again; null: a test. */
  replayOf: string | null;
}

/** Delivers a test or a replay now and returns its log entry, without the words of a call that was erased meanwhile. */
export async function deliverNow(
  context: ApiContext,
  webhook: WebhookRow,
  message: DirectMessage,
): Promise<WebhookDeliveryTable> {
  const startedAtMs = context.now();
  const outcome = await deliverOnce(context, {
    url: webhook.url,
    secretDigest: webhook.secretDigest,
    eventId: message.eventId,
    body: message.body,
    timeoutMs: ATTEMPT_TIMEOUT_MS,
  });
  const entry = {
    id: newId('dlv'),
    eventId: message.eventId,
    eventType: message.eventType,
    url: webhook.url,
    attempt: 1,
    success: outcome.success ? (1 as const) : (0 as const),
    statusCode: outcome.statusCode,
    requestBody: message.body,
    responseBody: outcome.responseBody,
    error: outcome.error,
    durationMs: outcome.durationMs,
    isReplay: message.replayOf === null ? (0 as const) : (1 as const),
    isTest: message.replayOf === null ? (1 as const) : (0 as const),
    createdAt: startedAtMs,
    nextRetryAt: null,
  };
  const { accountId, id: webhookId } = webhook;
  return context.db.transaction().execute(async (tx) => {
    const { replayOf } = message;
    const original = replayOf === null ? null : await findDelivery(tx, accountId, webhookId, replayOf);
    const isErased = original !== null && original?.requestBody !== message.body;
    const kept = isErased ? { ...entry, ...blankDelivery(entry) } : entry;
    await addDeliveries(tx, accountId, webhookId, [kept]);
    return { ...kept, accountId, webhookId };
  });
}
