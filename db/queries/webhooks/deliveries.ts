// The log of webhook deliveries: reads it for tenants, adds entries, and removes old ones.

import type { WebhookDeliveryTable } from '../../schema/webhooks.ts';
import type { Db } from '../../schema.ts';
import { forEachOf } from '../../statements/all-of.ts';
import { compiledStatement } from '../../statements/compiled-statement.ts';

/** A page of a subscription's log, newest first; the total comes from the subscription's kept counts. */
export async function listDeliveries(
  db: Db,
  accountId: string,
  webhookId: string,
  query: { limit: number; offset: number; success?: boolean },
): Promise<{ rows: WebhookDeliveryTable[]; total: number }> {
  let rows = db
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('webhookId', '=', webhookId);
  if (query.success !== undefined) rows = rows.where('success', '=', query.success ? 1 : 0);
  const counts = await db
    .selectFrom('webhooks')
    .select(['deliveryCount', 'deliveredCount'])
    .where('id', '=', webhookId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  const all = counts?.deliveryCount ?? 0;
  const delivered = counts?.deliveredCount ?? 0;
  return {
    rows: await rows
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(query.limit)
      .offset(query.offset)
      .execute(),
    total: query.success === undefined ? all : query.success ? delivered : all - delivered,
  };
}

export function findDelivery(
  db: Db,
  accountId: string,
  webhookId: string,
  id: string,
): Promise<WebhookDeliveryTable | undefined> {
  return db
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('webhookId', '=', webhookId)
    .where('id', '=', id)
    .executeTakeFirst();
}

// A type, not the table's interface: only types have the index signature that statement parameters need.
type DeliveryValues = { [K in keyof WebhookDeliveryTable]: WebhookDeliveryTable[K] };

const insertDelivery = compiledStatement((db, entry: DeliveryValues) =>
  db.insertInto('webhookDeliveries').values({
    id: entry.id,
    accountId: entry.accountId,
    webhookId: entry.webhookId,
    eventId: entry.eventId,
    eventType: entry.eventType,
    url: entry.url,
    attempt: entry.attempt,
    success: entry.success,
    statusCode: entry.statusCode,
    requestBody: entry.requestBody,
    responseBody: entry.responseBody,
    error: entry.error,
    durationMs: entry.durationMs,
    isReplay: entry.isReplay,
    isTest: entry.isTest,
    createdAt: entry.createdAt,
    nextRetryAt: entry.nextRetryAt,
  }),
);

const countDeliveries = compiledStatement(
  (db, counts: { all: number; delivered: number; webhookId: string; accountId: string }) =>
    db
      .updateTable('webhooks')
      .set((eb) => ({
        deliveryCount: eb('deliveryCount', '+', counts.all),
        deliveredCount: eb('deliveredCount', '+', counts.delivered),
      }))
      .where('id', '=', counts.webhookId)
      .where('accountId', '=', counts.accountId),
);

/** Adds log entries of one subscription and counts them. Call it in a transaction. */
export async function addDeliveries(
  db: Db,
  accountId: string,
  webhookId: string,
  entries: readonly Omit<WebhookDeliveryTable, 'accountId' | 'webhookId'>[],
): Promise<void> {
  const delivered = entries.filter((entry) => entry.success === 1).length;
  await forEachOf(db, entries, (entry) => insertDelivery(db, { ...entry, accountId, webhookId }));
  await countDeliveries(db, { all: entries.length, delivered, webhookId, accountId });
}

/**
 * Removes up to `limit` log entries older than `beforeMs`, of all accounts. Returns how many were removed. Call it in a
 * transaction.
 */
export async function removeOldDeliveries(db: Db, beforeMs: number, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('webhookDeliveries')
    .select(['id', 'webhookId', 'success'])
    .where('createdAt', '<', beforeMs)
    .orderBy('createdAt')
    .limit(limit)
    .execute();
  const gone = new Map<string, { all: number; delivered: number }>();
  for (const { id, webhookId, success } of rows) {
    await db.deleteFrom('webhookDeliveries').where('id', '=', id).execute();
    const counts = gone.get(webhookId) ?? { all: 0, delivered: 0 };
    counts.all++;
    counts.delivered += success;
    gone.set(webhookId, counts);
  }
  for (const [webhookId, counts] of gone) {
    await db
      .updateTable('webhooks')
      .set((eb) => ({
        deliveryCount: eb('deliveryCount', '-', counts.all),
        deliveredCount: eb('deliveredCount', '-', counts.delivered),
      }))
      .where('id', '=', webhookId)
      .execute();
  }
  return rows.length;
}

/**
 * Removes subscriptions deleted before `beforeMs` together with the rest of their logs. Call it in a transaction.
 */
export async function removeDeletedWebhooks(db: Db, beforeMs: number, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('webhooks')
    .select('id')
    .where('deletedAt', '<', beforeMs)
    .where('deletedAt', 'is not', null)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('webhookDeliveries').select('id').whereRef('webhookId', '=', 'webhooks.id'))),
    )
    .limit(limit)
    .execute();
  for (const { id } of rows) await db.deleteFrom('webhooks').where('id', '=', id).execute();
  return rows.length;
}
