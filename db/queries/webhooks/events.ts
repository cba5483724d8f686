// Moves events from the outbox to the subscribers: the fan-out's cursor, each subscription's queue, and the effects of
// an attempt. It covers every account; a tenant's own view is in webhooks.ts and deliveries.ts.

import type { Db } from '../../schema.ts';
import { writersEnded } from '../../scope.ts';
import { forEachOf } from '../../statements/all-of.ts';
import { compiledStatement } from '../../statements/compiled-statement.ts';
import { noticePosition } from '../notices/notices.ts';
import type { WebhookRow } from './webhooks.ts';

const CURSOR = 'webhook-fan-out';

/** One event that waits for one subscription. */
export interface QueuedEvent {
  webhookId: string;
  accountId: string;
  seq: number;
  /** Failed attempts so far. */
  attempts: number;
  nextAttemptAt: number;
  eventId: string;
  eventType: string;
  /** JSON of the resource. */
  data: string;
  /** When the event was written, ms. */
  eventAt: number;
}

/** The last event that has been queued. */
export async function fanOutPosition(db: Db): Promise<number> {
  const row = await db.selectFrom('cursors').select('value').where('name', '=', CURSOR).executeTakeFirst();
  return row?.value ?? 0;
}

const eventAfter = compiledStatement((db, after: { seq: number }) =>
  db.selectFrom('events').select('seq').where('seq', '>', after.seq).limit(1),
);

/** Whether events wait for the fan-out. */
export async function hasEventsAfter(db: Db, seq: number): Promise<boolean> {
  return (await eventAfter(db, { seq })).length > 0;
}

const enqueue = compiledStatement(
  (db, row: { webhookId: string; eventSeq: number; accountId: string; dueAt: number; nowMs: number }) =>
    db.insertInto('webhookQueue').values({
      webhookId: row.webhookId,
      eventSeq: row.eventSeq,
      accountId: row.accountId,
      attempts: 0,
      nextAttemptAt: row.dueAt,
      createdAt: row.nowMs,
    }),
);

const seqsAfter = compiledStatement((db, page: { from: number; limit: number }) =>
  db.selectFrom('events').select('seq').where('seq', '>', page.from).orderBy('seq').limit(page.limit),
);

/**
 * The last of the next `limit` events, once no `seq` below it can appear any more: with PostgreSQL writers commit side
 * by side, and a number that is missing may belong to one of them. The position itself if one does not end.
 */
export async function settledEvents(db: Db, from: number, limit: number): Promise<number> {
  const seqs = await seqsAfter(db, { from, limit });
  const last = seqs.at(-1)?.seq ?? from;
  const isComplete = last - from === seqs.length;
  return isComplete || (await writersEnded(db)) ? last : from;
}

/**
 * Adds the events up to `upTo` to the queues of the matching subscriptions and moves the cursor, in one transaction, so
 * that a crash neither skips nor repeats an event.
 */
export async function fanOut(
  tx: Db,
  upTo: number,
  nowMs: number,
): Promise<{ position: number; events: number; queued: QueuedEvent[] }> {
  const from = await fanOutPosition(tx);
  const events = await tx
    .selectFrom('events')
    .selectAll()
    .where('seq', '>', from)
    .where('seq', '<=', upTo)
    .orderBy('seq')
    .execute();
  const position = events.at(-1)?.seq ?? from;
  if (events.length === 0) return { position, events: 0, queued: [] };
  const subscribers = await subscribersOf(tx, [...new Set(events.map((event) => event.accountId))]);
  const queued: QueuedEvent[] = [];
  for (const event of events) {
    for (const webhook of subscribers.get(event.accountId) ?? []) {
      if (event.seq <= webhook.activeFromSeq || !webhook.events.has(event.type)) continue;
      queued.push({
        webhookId: webhook.id,
        accountId: event.accountId,
        seq: event.seq,
        attempts: 0,
        nextAttemptAt: event.createdAt,
        eventId: event.id,
        eventType: event.type,
        data: event.data,
        eventAt: event.createdAt,
      });
    }
  }
  await forEachOf(tx, queued, ({ webhookId, seq, accountId, nextAttemptAt }) =>
    enqueue(tx, { webhookId, eventSeq: seq, accountId, dueAt: nextAttemptAt, nowMs }),
  );
  await tx
    .insertInto('cursors')
    .values({ name: CURSOR, value: position })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: position }))
    .execute();
  return { position, events: events.length, queued };
}

async function subscribersOf(tx: Db, accountIds: readonly string[]) {
  const rows = await tx
    .selectFrom('webhooks')
    .select(['id', 'accountId', 'events', 'activeFromSeq'])
    .where('accountId', 'in', accountIds)
    .where('isActive', '=', 1)
    .where('deletedAt', 'is', null)
    .execute();
  const byAccount = new Map<string, Array<{ id: string; activeFromSeq: number; events: Set<string> }>>();
  for (const { id, accountId, events, activeFromSeq } of rows) {
    const list = byAccount.get(accountId) ?? [];
    list.push({ id, activeFromSeq, events: new Set(JSON.parse(events) as string[]) });
    byAccount.set(accountId, list);
  }
  return byAccount;
}

/** Every subscription with queued events, for the dispatcher's start. */
export async function queuedWebhooks(db: Db): Promise<Array<Pick<QueuedEvent, 'webhookId' | 'accountId'>>> {
  return db.selectFrom('webhookQueue').select(['webhookId', 'accountId']).distinct().execute();
}

/** Untried events after `afterSeq`, oldest first. */
export function firstAttempts(db: Db, webhookId: string, afterSeq: number, limit: number): Promise<QueuedEvent[]> {
  return queue(db, webhookId)
    .where('webhookQueue.attempts', '=', 0)
    .where('eventSeq', '>', afterSeq)
    .orderBy('eventSeq')
    .limit(limit)
    .execute();
}

/** Events that failed before, the soonest due first, due or not. */
export function retries(db: Db, webhookId: string, limit: number): Promise<QueuedEvent[]> {
  return queue(db, webhookId)
    .where('webhookQueue.attempts', '>', 0)
    .orderBy('webhookQueue.nextAttemptAt')
    .limit(limit)
    .execute();
}

const queue = (db: Db, webhookId: string) =>
  db
    .selectFrom('webhookQueue')
    .innerJoin('events', 'events.seq', 'webhookQueue.eventSeq')
    .select([
      'webhookQueue.webhookId',
      'webhookQueue.accountId',
      'webhookQueue.eventSeq as seq',
      'webhookQueue.attempts',
      'webhookQueue.nextAttemptAt',
      'events.id as eventId',
      'events.type as eventType',
      'events.data',
      'events.createdAt as eventAt',
    ])
    .where('webhookId', '=', webhookId);

const byId = compiledStatement((db, { id }: { id: string }) =>
  db.selectFrom('webhooks').selectAll().where('id', '=', id),
);

/** A subscription of any account, deleted or not. */
export async function webhookById(db: Db, webhookId: string): Promise<WebhookRow | undefined> {
  const [row] = await byId(db, { id: webhookId });
  return row;
}

/** A subscription that may be delivered to now. */
export async function activeWebhook(db: Db, webhookId: string): Promise<WebhookRow | undefined> {
  const row = await webhookById(db, webhookId);
  return row?.isActive === 1 && row.deletedAt === null ? row : undefined;
}

type QueueKey = { webhookId: string; seq: number };

const removeQueued = compiledStatement((db, key: QueueKey) =>
  db.deleteFrom('webhookQueue').where('webhookId', '=', key.webhookId).where('eventSeq', '=', key.seq),
);

const dataBySeq = compiledStatement((db, { seq }: { seq: number }) =>
  db.selectFrom('events').select('data').where('seq', '=', seq),
);

/** Whether the event's text has changed because its call was erased. */
export async function isEventErased(db: Db, { seq, data }: Pick<QueuedEvent, 'seq' | 'data'>): Promise<boolean> {
  const [row] = await dataBySeq(db, { seq });
  return row !== undefined && row.data !== data;
}

/** Removes a delivered or abandoned event from a queue. */
export async function dequeue(db: Db, webhookId: string, seq: number): Promise<void> {
  await removeQueued(db, { webhookId, seq });
}

const postponeQueued = compiledStatement((db, retry: QueueKey & { attempts: number; nextAttemptAt: number }) =>
  db
    .updateTable('webhookQueue')
    .set({ attempts: retry.attempts, nextAttemptAt: retry.nextAttemptAt })
    .where('webhookId', '=', retry.webhookId)
    .where('eventSeq', '=', retry.seq),
);

/** Sets the time of a failed event's next attempt. Does nothing if the queue has been dropped. */
export async function postpone(
  db: Db,
  webhookId: string,
  seq: number,
  retry: { attempts: number; nextAttemptAt: number },
): Promise<void> {
  await postponeQueued(db, { webhookId, seq, ...retry });
}

type Health = { lastTriggeredAt: number; failureCount: number; failingSince: number | null };

const setHealth = compiledStatement((db, health: Health & { webhookId: string }) =>
  db
    .updateTable('webhooks')
    .set({
      lastTriggeredAt: health.lastTriggeredAt,
      failureCount: health.failureCount,
      failingSince: health.failingSince,
    })
    .where('id', '=', health.webhookId),
);

/** A subscription's health after its latest attempts. */
export async function recordHealth(db: Db, webhookId: string, health: Health): Promise<void> {
  await setHealth(db, { webhookId, ...health });
}

/** Disables a subscription and drops its queue. */
export async function disableWebhook(db: Db, webhookId: string, reason: string): Promise<void> {
  await db.deleteFrom('webhookQueue').where('webhookId', '=', webhookId).execute();
  await db.updateTable('webhooks').set({ isActive: 0, disabledReason: reason }).where('id', '=', webhookId).execute();
}

/** The number of waiting events, and the time (ms) of the oldest untried one; null if there is none. */
export async function queueState(db: Db): Promise<{ depth: number; oldestAt: number | null }> {
  const { depth } = await db
    .selectFrom('webhookQueue')
    .select((eb) => eb.fn.countAll<number>().as('depth'))
    .executeTakeFirstOrThrow();
  const oldest = await db
    .selectFrom('webhookQueue')
    .select('nextAttemptAt')
    .where('attempts', '=', 0)
    .orderBy('eventSeq')
    .limit(1)
    .executeTakeFirst();
  return { depth, oldestAt: oldest?.nextAttemptAt ?? null };
}

/**
 * Removes up to `limit` events older than `beforeMs` that are in no queue and of which notices are made. Returns their
 * number.
 */
export async function removeOldEvents(db: Db, beforeMs: number, limit: number): Promise<number> {
  const position = Math.min(await fanOutPosition(db), await noticePosition(db));
  const rows = await db
    .selectFrom('events')
    .select('seq')
    .where('createdAt', '<', beforeMs)
    .where('seq', '<=', position)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('webhookQueue').select('eventSeq').whereRef('eventSeq', '=', 'events.seq'))),
    )
    // Log entries need their event to be recognised as a call's.
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('webhookDeliveries').select('id').whereRef('eventId', '=', 'events.id'))),
    )
    .orderBy('createdAt')
    .limit(limit)
    .execute();
  for (const { seq } of rows) await db.deleteFrom('events').where('seq', '=', seq).execute();
  return rows.length;
}
