// Webhook subscriptions for their tenants. A deleted one keeps a hidden row while its log is readable.
import type { Selectable } from 'kysely';
import type { WebhookTable } from '../../schema/webhooks.ts';
import type { Db } from '../../schema.ts';
import { newestPage, type Page } from '../newest-page.ts';
import { tenantRows } from '../tenant-rows.ts';

export type WebhookRow = Selectable<WebhookTable>;

const webhooks = tenantRows('webhooks');

/** A page of live subscriptions, newest first, and how many there are. */
export const listWebhooks = (db: Db, accountId: string, page: Page) =>
  newestPage(webhooks.current(db, accountId).selectAll(), page);

/** Live subscriptions of an account. */
export async function countWebhooks(db: Db, accountId: string): Promise<number> {
  const { total } = await webhooks
    .current(db, accountId)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

export function findWebhook(db: Db, accountId: string, id: string): Promise<WebhookRow | undefined> {
  return webhooks.current(db, accountId).selectAll().where('id', '=', id).executeTakeFirst();
}

/** Also a deleted one: its log stays readable. */
export function findWebhookOrDeleted(db: Db, accountId: string, id: string): Promise<WebhookRow | undefined> {
  return webhooks.any(db, accountId, id).selectAll().executeTakeFirst();
}

/** Adds a subscription to the events written from now on. */
export async function insertWebhook(
  db: Db,
  accountId: string,
  webhook: Pick<WebhookTable, 'id' | 'url' | 'secretDigest' | 'createdAt'> & { events: readonly string[] },
): Promise<WebhookRow> {
  return db
    .insertInto('webhooks')
    .values({
      ...webhook,
      accountId,
      events: JSON.stringify(webhook.events),
      isActive: 1,
      lastTriggeredAt: null,
      failureCount: 0,
      failingSince: null,
      disabledReason: null,
      deletedAt: null,
      activeFromSeq: await lastEventSeq(db),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

interface WebhookChange {
  url?: string;
  events?: readonly string[];
  isActive?: boolean;
}

/**
 * Changes a live subscription; undefined if there is none. Deactivating it drops its queue; activating it starts with
 * the next event. Call it in a transaction.
 */
export async function updateWebhook(
  db: Db,
  accountId: string,
  id: string,
  change: WebhookChange,
): Promise<WebhookRow | undefined> {
  const before = await findWebhook(db, accountId, id);
  if (!before) return undefined;
  const switchedOn = change.isActive === true && before.isActive === 0;
  const switchedOff = change.isActive === false && before.isActive === 1;
  if (switchedOff) await dropQueue(db, accountId, id);
  return db
    .updateTable('webhooks')
    .set({
      ...(change.url === undefined ? {} : { url: change.url }),
      ...(change.events === undefined ? {} : { events: JSON.stringify(change.events) }),
      ...(switchedOff ? { isActive: 0 as const } : {}),
      ...(switchedOn
        ? { isActive: 1 as const, failingSince: null, disabledReason: null, activeFromSeq: await lastEventSeq(db) }
        : {}),
      // At least one column must be set, so that an empty change also returns the row.
      accountId,
    })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .returningAll()
    .executeTakeFirst();
}

/** Replaces the secret; the old one signs nothing from now on. */
export function rotateWebhookSecret(
  db: Db,
  accountId: string,
  id: string,
  secretDigest: string,
): Promise<WebhookRow | undefined> {
  return webhooks.change(db, accountId, id).set({ secretDigest }).returningAll().executeTakeFirst();
}

/** Deletes a subscription and its queue; false if there is none. Call it in a transaction. */
export async function deleteWebhook(db: Db, accountId: string, id: string, nowMs: number): Promise<boolean> {
  await dropQueue(db, accountId, id);
  const row = await webhooks
    .change(db, accountId, id)
    .set({ deletedAt: nowMs, isActive: 0 })
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Nothing of it is tried again, and its log says so. */
async function dropQueue(db: Db, accountId: string, id: string): Promise<void> {
  await db.deleteFrom('webhookQueue').where('webhookId', '=', id).where('accountId', '=', accountId).execute();
  await db
    .updateTable('webhookDeliveries')
    .set({ nextRetryAt: null })
    .where('webhookId', '=', id)
    .where('accountId', '=', accountId)
    .where('nextRetryAt', 'is not', null)
    .execute();
}

async function lastEventSeq(db: Db): Promise<number> {
  const row = await db.selectFrom('events').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst();
  return row?.seq ?? 0;
}

/** Over all accounts: subscriptions with failing deliveries, and those disabled because of failures. */
export async function webhookFaults(db: Db): Promise<{ failing: number; switchedOff: number }> {
  const inUse = db
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('deletedAt', 'is', null);
  const failing = await inUse.where('isActive', '=', 1).where('failingSince', 'is not', null).executeTakeFirstOrThrow();
  const switchedOff = await inUse.where('disabledReason', '=', 'failing').executeTakeFirstOrThrow();
  return { failing: Number(failing.total), switchedOff: Number(switchedOff.total) };
}
