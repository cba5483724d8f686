// The events of a call and their receivers: its rows of the outbox, and their entries in the log of deliveries.
import type { EventTable, WebhookDeliveryTable } from '../../schema/webhooks.ts';
import type { Db } from '../../schema.ts';

type CallEvent = Pick<EventTable, 'id' | 'type' | 'createdAt'>;
export type EventDelivery = Pick<
  WebhookDeliveryTable,
  'id' | 'webhookId' | 'eventId' | 'url' | 'attempt' | 'success' | 'statusCode' | 'error' | 'createdAt' | 'nextRetryAt'
>;

/** Number of the newest log entries that are read: an event may have been replayed a thousand times. */
const DELIVERIES_READ_MAX = 2_000;

/** Events of the call and of the appointments that it booked, newest first. */
export async function listCallEvents(
  db: Db,
  accountId: string,
  callId: string,
  page: { limit: number; offset: number },
): Promise<{ rows: CallEvent[]; total: number }> {
  const booked = await db
    .selectFrom('appointments')
    .select('id')
    .where('callId', '=', callId)
    .where('accountId', '=', accountId)
    .execute();
  const events = db
    .selectFrom('events')
    .where('subjectId', 'in', [callId, ...booked.map(({ id }) => id)])
    .where('accountId', '=', accountId);
  const rows = await events
    .select(['id', 'type', 'createdAt'])
    .orderBy('seq', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await events.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}

/** The newest attempt of each event at each subscription, newest first; tests of a subscription left out. */
export async function latestDeliveries(
  db: Db,
  accountId: string,
  eventIds: readonly string[],
): Promise<Map<string, EventDelivery[]>> {
  const latest = new Map<string, EventDelivery[]>();
  if (eventIds.length === 0) return latest;
  const rows = await db
    .selectFrom('webhookDeliveries')
    .select([
      'id',
      'webhookId',
      'eventId',
      'url',
      'attempt',
      'success',
      'statusCode',
      'error',
      'createdAt',
      'nextRetryAt',
    ])
    .where('eventId', 'in', eventIds)
    .where('accountId', '=', accountId)
    .where('isTest', '=', 0)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(DELIVERIES_READ_MAX)
    .execute();
  for (const row of rows) {
    const own = latest.get(row.eventId) ?? [];
    if (own.every(({ webhookId }) => webhookId !== row.webhookId)) own.push(row);
    latest.set(row.eventId, own);
  }
  return latest;
}
