// GET /calls/:id/events: the events of a call, and their delivery to each subscriber.
import { type Static, Type } from 'typebox';
import { type EventDelivery, latestDeliveries, listCallEvents } from '../../db/queries/calls/events.ts';
import { isoTime } from '../../db/records/resources.ts';
import type { ApiContext } from '../context.ts';
import { nullable, type Pagination, Timestamp } from '../frame/envelope-schema.ts';
import { offsetOf, type PageQuery, pagination } from '../frame/pagination.ts';
import { callRow } from './service.ts';

export const CallEventRecord = Type.Object(
  {
    id: Type.String({ description: 'Header webhook-id of its deliveries' }),
    type: Type.String(),
    createdAt: Timestamp,
    deliveries: Type.Array(
      Type.Object({
        id: Type.String({ description: 'In the log of the webhook: GET /webhooks/:id/deliveries' }),
        webhookId: Type.String(),
        url: Type.String(),
        attempt: Type.Integer(),
        success: Type.Boolean(),
        statusCode: nullable(Type.Integer()),
        error: nullable(Type.String()),
        at: Timestamp,
        nextRetryAt: nullable(Timestamp),
      }),
      { description: 'The newest attempt at each webhook' },
    ),
  },
  { title: 'CallEvent' },
);
export type CallEventRecord = Static<typeof CallEventRecord>;

/** @throws {ApiError} 404 */
export async function callEvents(
  context: ApiContext,
  accountId: string,
  callId: string,
  query: PageQuery,
): Promise<{ data: CallEventRecord[]; pagination: Pagination }> {
  await callRow(context.read, accountId, callId);
  const page = { limit: query.limit, offset: offsetOf(query) };
  const { rows, total } = await listCallEvents(context.read, accountId, callId, page);
  const ids = rows.map(({ id }) => id);
  const deliveries = await latestDeliveries(context.read, accountId, ids);
  return {
    data: rows.map(({ id, type, createdAt }) => ({
      id,
      type,
      createdAt: isoTime(createdAt),
      deliveries: (deliveries.get(id) ?? []).map(deliveryRecord),
    })),
    pagination: pagination(query.page, query.limit, total),
  };
}

const deliveryRecord = (row: EventDelivery): CallEventRecord['deliveries'][number] => ({
  id: row.id,
  webhookId: row.webhookId,
  url: row.url,
  attempt: row.attempt,
  success: row.success === 1,
  statusCode: row.statusCode,
  error: row.error,
  at: isoTime(row.createdAt),
  nextRetryAt: row.nextRetryAt === null ? null : isoTime(row.nextRetryAt),
});
