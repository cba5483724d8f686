// Events, and their delivery to the subscribed webhooks.
import type { Generated } from 'kysely';
import type { Flag, Json } from './columns.ts';

/** Outbox of webhook events, written in the transaction that changes the resource. */
export interface EventTable {
  seq: Generated<number>;
  id: string;
  accountId: string;
  type: string;
  /** The resource's id; (subjectId, type, dedupe) is unique, so that a call has one `call.ended`. */
  subjectId: string;
  dedupe: string;
  data: Json;
  createdAt: number;
}

export interface WebhookTable {
  id: string;
  accountId: string;
  url: string;
  events: Json; // string[]
  isActive: Flag;
  /** base64 of SHA-256(secret): the HMAC key. */
  secretDigest: string;
  lastTriggeredAt: number | null;
  failureCount: number;
  failingSince: number | null;
  disabledReason: string | null;
  createdAt: number;
  deletedAt: number | null;
  /** The subscription receives only events after this one. */
  activeFromSeq: Generated<number>;
  /** Entries of its log, and those that succeeded. */
  deliveryCount: Generated<number>;
  deliveredCount: Generated<number>;
}

/** One event for one subscription until it is delivered or given up. */
export interface WebhookQueueTable {
  webhookId: string;
  eventSeq: number;
  accountId: string;
  attempts: number;
  nextAttemptAt: number;
  createdAt: number;
}

export interface WebhookDeliveryTable {
  id: string;
  accountId: string;
  webhookId: string;
  eventId: string;
  eventType: string;
  url: string;
  attempt: number;
  success: Flag;
  statusCode: number | null;
  requestBody: string;
  responseBody: string | null;
  error: string | null;
  durationMs: number;
  isReplay: Flag;
  isTest: Flag;
  createdAt: number;
  nextRetryAt: number | null;
}

/** The position of the fan-out from events to webhook queues. */
export interface CursorTable {
  name: string;
  value: number;
}
