// Schemas of webhook subscriptions and their delivery log.
import { type Static, Type } from 'typebox';
import { EVENT_TYPES } from '../../db/outbox.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { pageQuery } from '../frame/pagination.ts';

const Url = Type.String({ minLength: 1, maxLength: 2_048, description: 'HTTPS, on a public address' });
const Events = Type.Array(oneOf(EVENT_TYPES), { minItems: 1, uniqueItems: true });

export const WebhookRecord = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    events: Type.Array(oneOf(EVENT_TYPES)),
    isActive: Type.Boolean(),
    lastTriggeredAt: nullable(Timestamp),
    failureCount: Type.Integer({ description: 'Failed attempts since the last success' }),
    disabledReason: nullable(
      oneOf(['gone', 'failing'] as const, {
        description: 'Why the service switched it off: 410, or 5 days of failure',
      }),
    ),
    secret: Type.String({ description: 'In plain only when it is created or rotated' }),
    createdAt: Timestamp,
  },
  { title: 'Webhook' },
);
export type WebhookRecord = Static<typeof WebhookRecord>;

export const WebhookCreate = Type.Object({ url: Url, events: Events }, { additionalProperties: false });
export type WebhookCreate = Static<typeof WebhookCreate>;

export const WebhookUpdate = Type.Object(
  { url: Type.Optional(Url), events: Type.Optional(Events), isActive: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);
export type WebhookUpdate = Static<typeof WebhookUpdate>;

export const WebhookTest = Type.Object({ event: oneOf(EVENT_TYPES) }, { additionalProperties: false });

export const DeliveryRecord = Type.Object(
  {
    id: Type.String(),
    eventId: Type.String({ description: 'The same over retries and replays: header webhook-id' }),
    eventType: Type.String(),
    url: Type.String(),
    attempt: Type.Integer(),
    success: Type.Boolean(),
    statusCode: nullable(Type.Integer()),
    requestBody: Type.String(),
    responseBody: nullable(Type.String({ description: 'The first 4 KiB' })),
    error: nullable(Type.String()),
    durationMs: Type.Integer(),
    isReplay: Type.Boolean(),
    isTest: Type.Boolean(),
    createdAt: Timestamp,
    nextRetryAt: nullable(Timestamp),
  },
  { title: 'WebhookDelivery' },
);
export type DeliveryRecord = Static<typeof DeliveryRecord>;

export const DeliveryQuery = Type.Object({
  ...pageQuery,
  success: Type.Optional(Type.Boolean({ description: 'false: failed deliveries only' })),
});
export type DeliveryQuery = Static<typeof DeliveryQuery>;

const Id = Type.String();
export const WebhookParams = Type.Object({ id: Id });
export const DeliveryParams = Type.Object({ id: Id, deliveryId: Id });
