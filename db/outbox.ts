// The outbox: webhook events are rows, written in the transaction that changes the resource they describe.

import type { Db } from './schema.ts';
import { newId } from './shared/id.ts';
import { compiledStatement } from './statements/compiled-statement.ts';

export const EVENT_TYPES = [
  'call.started',
  'call.received',
  'call.ended',
  'call.failed',
  'call.voicemail',
  'call.transferred',
  'call.language_changed',
  'call.resumed',
  'call.analysed',
  'appointment.scheduled',
  'appointment.changed',
  'message.received',
  'message.sent',
  'contact.opted_out',
  'campaign.completed',
  'port-order.status_changed',
  'account.spend_limit',
  'canary.ended',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

interface NewEvent {
  accountId: string;
  type: EventType;
  /** The id of the resource in `data`. */
  subjectId: string;
  /** Distinguishes several events of one type and subject (a port order's statuses); '' if there is at most one. */
  dedupe?: string;
  data: unknown;
  nowMs: number;
}

type EventRow = Record<'id' | 'accountId' | 'type' | 'subjectId' | 'dedupe' | 'data', string> & { createdAt: number };

const insertEvent = compiledStatement((db, event: EventRow) =>
  db
    .insertInto('events')
    .values({
      id: event.id,
      accountId: event.accountId,
      type: event.type,
      subjectId: event.subjectId,
      dedupe: event.dedupe,
      data: event.data,
      createdAt: event.createdAt,
    })
    .onConflict((conflict) => conflict.columns(['subjectId', 'type', 'dedupe']).doNothing())
    .returning('id'),
);

/** Writes one event; a second of the same subject, type and dedupe is dropped, and null returned. */
export async function addEvent(db: Db, event: NewEvent): Promise<string | null> {
  const [row] = await insertEvent(db, {
    id: newId('evt'),
    accountId: event.accountId,
    type: event.type,
    subjectId: event.subjectId,
    dedupe: event.dedupe ?? '',
    data: JSON.stringify(event.data),
    createdAt: event.nowMs,
  });
  return row ? row.id : null;
}
