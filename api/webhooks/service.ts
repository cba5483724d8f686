// Webhook subscriptions: their URL must answer a signed probe; tests and replays on request.

import type { EventType } from '../../db/outbox.ts';
import { findDelivery, listDeliveries } from '../../db/queries/webhooks/deliveries.ts';
import {
  countWebhooks,
  deleteWebhook,
  findWebhook,
  findWebhookOrDeleted,
  insertWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
  type WebhookRow,
} from '../../db/queries/webhooks/webhooks.ts';
import { isoTime } from '../../db/records/resources.ts';
import type { WebhookDeliveryTable } from '../../db/schema/webhooks.ts';
import { newId } from '../../db/shared/id.ts';
import { RefusedAddress } from '../../db/shared/net/address-rules.ts';
import { checkAddress, FetchFailed } from '../../db/shared/net/safe-fetch.ts';
import type { ApiContext } from '../context.ts';
import { deliverNow, probe } from '../delivery/direct.ts';
import { messageBody } from '../delivery/message.ts';
import { sampleData } from '../delivery/samples.ts';
import { createSecret, digestSecret, MASKED_SECRET } from '../delivery/signature.ts';
import { invalid, notFound, refused } from '../frame/errors.ts';
import { offsetOf, type PageQuery, pagination } from '../frame/pagination.ts';
import type { DeliveryQuery, DeliveryRecord, WebhookCreate, WebhookRecord, WebhookUpdate } from './schema.ts';

/** Most subscriptions of an account: each event is written once for every matching subscription. */
const WEBHOOKS_MAX = 200;

const missing = () => notFound('Webhook');

export async function list(context: ApiContext, accountId: string, query: PageQuery) {
  const { rows, total } = await listWebhooks(context.read, accountId, {
    limit: query.limit,
    offset: offsetOf(query),
  });
  return { data: rows.map((row) => record(row)), pagination: pagination(query.page, query.limit, total) };
}

/** With the plain secret for a client that knows it, otherwise masked. */
export async function get(
  context: ApiContext,
  accountId: string,
  id: string,
  secret?: unknown,
): Promise<WebhookRecord> {
  const row = await findWebhook(context.read, accountId, id);
  if (!row) throw missing();
  return typeof secret === 'string' && digestSecret(secret) === row.secretDigest ? record(row, secret) : record(row);
}

export async function create(context: ApiContext, accountId: string, body: WebhookCreate): Promise<WebhookRecord> {
  const id = newId('whk');
  const secret = createSecret();
  const secretDigest = digestSecret(secret);
  if ((await countWebhooks(context.read, accountId)) >= WEBHOOKS_MAX) throw tooManyWebhooks();
  await proveUrl(context, { id, url: body.url, secretDigest });
  const row = await context.db.transaction().execute(async (tx) => {
    if ((await countWebhooks(tx, accountId)) >= WEBHOOKS_MAX) throw tooManyWebhooks();
    return insertWebhook(tx, accountId, {
      id,
      url: body.url,
      events: body.events,
      secretDigest,
      createdAt: context.now(),
    });
  });
  return record(row, secret);
}

const tooManyWebhooks = () => refused('WEBHOOK_LIMIT', `An account has at most ${WEBHOOKS_MAX} webhooks`);

export async function update(
  context: ApiContext,
  accountId: string,
  id: string,
  body: WebhookUpdate,
): Promise<WebhookRecord> {
  const before = await findWebhook(context.read, accountId, id);
  if (!before) throw missing();
  if (body.url !== undefined && body.url !== before.url) {
    await proveUrl(context, { id, url: body.url, secretDigest: before.secretDigest });
  }
  const row = await context.db.transaction().execute((tx) => updateWebhook(tx, accountId, id, body));
  if (!row) throw missing();
  return record(row);
}

export async function rotateSecret(context: ApiContext, accountId: string, id: string): Promise<WebhookRecord> {
  const secret = createSecret();
  const row = await rotateWebhookSecret(context.db, accountId, id, digestSecret(secret));
  if (!row) throw missing();
  return record(row, secret);
}

export async function remove(context: ApiContext, accountId: string, id: string): Promise<{ id: string }> {
  const removed = await context.db.transaction().execute((tx) => deleteWebhook(tx, accountId, id, context.now()));
  if (!removed) throw missing();
  return { id };
}

export async function test(
  context: ApiContext,
  accountId: string,
  id: string,
  event: EventType,
): Promise<DeliveryRecord> {
  const webhook = await findWebhook(context.read, accountId, id);
  if (!webhook) throw missing();
  const eventId = newId('evt');
  const nowMs = context.now();
  const data = JSON.stringify(sampleData(event, nowMs));
  const body = messageBody({ id: eventId, type: event, createdAtMs: nowMs, data });
  return delivery(await deliverNow(context, webhook, { eventId, eventType: event, body, replayOf: null }));
}

export async function deliveries(context: ApiContext, accountId: string, id: string, query: DeliveryQuery) {
  const webhook = await findWebhookOrDeleted(context.read, accountId, id);
  if (!webhook) throw missing();
  const { rows, total } = await listDeliveries(context.read, accountId, id, {
    limit: query.limit,
    offset: offsetOf(query),
    ...(query.success === undefined ? {} : { success: query.success }),
  });
  return { data: rows.map(delivery), pagination: pagination(query.page, query.limit, total) };
}

/** Sends the body of a log entry again, byte for byte, to the subscription's current URL. */
export async function replay(
  context: ApiContext,
  accountId: string,
  id: string,
  deliveryId: string,
): Promise<DeliveryRecord> {
  const webhook = await findWebhook(context.read, accountId, id);
  if (!webhook) throw missing();
  const original = await findDelivery(context.read, accountId, id, deliveryId);
  if (!original) throw notFound('Delivery');
  const { eventId, eventType, requestBody } = original;
  return delivery(await deliverNow(context, webhook, { eventId, eventType, body: requestBody, replayOf: original.id }));
}

/** By the refusal's code. In production the variables are refused, and naming them would lead nowhere. */
const HINTS: Readonly<Record<string, string>> = {
  SCHEME_REFUSED:
    ' (for tests on one machine, WEBHOOK_ALLOW_PRIVATE=1 with WEBHOOK_ALLOW_HTTP=1 allows http:// to a loopback address)',
  ADDRESS_REFUSED: ' (for tests on one machine, WEBHOOK_ALLOW_PRIVATE=1 allows them)',
};

/** Refuses URLs that break the address rules or do not answer the probe. */
async function proveUrl(context: ApiContext, webhook: { id: string; url: string; secretDigest: string }) {
  const { webhookAllowPrivate, webhookAllowHttp, appEnv } = context.config;
  try {
    await checkAddress(webhook.url, {
      schemes: ['https:'],
      allowPrivate: webhookAllowPrivate,
      plainToLoopback: webhookAllowPrivate && webhookAllowHttp,
      ...(context.resolve ? { resolve: context.resolve } : {}),
    });
  } catch (error) {
    if (error instanceof RefusedAddress) {
      const hint = appEnv === 'production' ? '' : (HINTS[error.code] ?? '');
      if (error.code === 'ADDRESS_REFUSED' || error.code === 'HOST_REFUSED') {
        throw refused('WEBHOOK_URL_REFUSED', `The webhook URL ${error.message}${hint}`);
      }
      throw invalid([{ field: 'url', message: `${error.message}${hint}` }]);
    }
    if (error instanceof FetchFailed) throw probeFailed(error.message);
    throw error;
  }
  const outcome = await probe(context, webhook);
  if (!outcome.success) throw probeFailed(outcome.error ?? 'no answer');
}

const probeFailed = (why: string) =>
  refused('WEBHOOK_PROBE_FAILED', `The webhook URL must answer a probe POST with 2xx within 10 seconds: ${why}`);

function record(row: WebhookRow, secret: string = MASKED_SECRET): WebhookRecord {
  return {
    id: row.id,
    url: row.url,
    events: JSON.parse(row.events) as EventType[],
    isActive: row.isActive === 1,
    lastTriggeredAt: row.lastTriggeredAt === null ? null : isoTime(row.lastTriggeredAt),
    failureCount: row.failureCount,
    disabledReason: row.disabledReason as WebhookRecord['disabledReason'],
    secret,
    createdAt: isoTime(row.createdAt),
  };
}

function delivery(row: WebhookDeliveryTable): DeliveryRecord {
  return {
    id: row.id,
    eventId: row.eventId,
    eventType: row.eventType,
    url: row.url,
    attempt: row.attempt,
    success: row.success === 1,
    statusCode: row.statusCode,
    requestBody: row.requestBody,
    responseBody: row.responseBody,
    error: row.error,
    durationMs: row.durationMs,
    isReplay: row.isReplay === 1,
    isTest: row.isTest === 1,
    createdAt: isoTime(row.createdAt),
    nextRetryAt: row.nextRetryAt === null ? null : isoTime(row.nextRetryAt),
  };
}
