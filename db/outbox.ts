// The outbox: webhook events are rows, written in the transaction that changes the resource they describe.

import { newId } from './shared/id.ts';
import type { Db } from './sqlite.ts';

export const EVENT_TYPES = [
  'call.started',
  'call.received',
  'call.ended',
  'call.failed',
  'call.voicemail',
  'call.transferred',
  'appointment.scheduled',
  'contact.opted_out',
  'campaign.completed',
  'port-order.status_changed',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export interface NewEvent {
  accountId: string;
  type: EventType;
  /** The id of the resource in `data`. */
  subjectId: string;
  /** Distinguishes several events of one type and subject (a port order's statuses); '' where there is at most one. */
  dedupe?: string;
  data: unknown;
  nowMs: number;
}

/** Writes one event; a second of the same subject, type and dedupe is dropped, and null returned. */
export async function addEvent(db: Db, event: NewEvent): Promise<string | null> {
  const id = newId('evt');
  const row = await db
    .insertInto('events')
    .values({
      id,
      accountId: event.accountId,
      type: event.type,
      subjectId: event.subjectId,
      dedupe: event.dedupe ?? '',
      data: JSON.stringify(event.data),
      createdAt: event.nowMs,
    })
    .onConflict((conflict) => conflict.columns(['subjectId', 'type', 'dedupe']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row ? row.id : null;
}
