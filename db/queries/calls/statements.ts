// The statements by which each call begins and ends, compiled once: built for each call they took the writer longer
// than SQLite.
import { compiledStatement } from '../../compiled-statement.ts';
import type { CallTable } from '../../schema/calls.ts';
import type { ContactStatus } from '../../schema/campaigns.ts';

type CallRow = { [K in keyof CallTable]: CallTable[K] };

/** What is known of a call when it begins. */
export type NewCall = Pick<
  CallRow,
  | 'id'
  | 'businessId'
  | 'campaignId'
  | 'agentId'
  | 'phoneNumberId'
  | 'contactId'
  | 'direction'
  | 'medium'
  | 'fromNumber'
  | 'toNumber'
  | 'callerName'
  | 'variables'
  | 'metadata'
  | 'trunkId'
  | 'engineId'
> & { nowMs: number };

/** The row of a call that begins. */
export const ringingCall = (accountId: string, call: NewCall): CallTable => ({
  id: call.id,
  accountId,
  businessId: call.businessId,
  campaignId: call.campaignId,
  agentId: call.agentId,
  phoneNumberId: call.phoneNumberId,
  contactId: call.contactId,
  direction: call.direction,
  medium: call.medium,
  fromNumber: call.fromNumber,
  toNumber: call.toNumber,
  callerName: call.callerName,
  variables: call.variables,
  metadata: call.metadata,
  trunkId: call.trunkId,
  engineId: call.engineId,
  status: 'RINGING',
  outcome: null,
  endReason: null,
  startedAt: call.nowMs,
  answeredAt: null,
  endedAt: null,
  durationSeconds: 0,
  sentiment: null,
  summary: null,
  tags: '[]',
  transcript: '[]',
  latency: null,
  usage: null,
  fallbacks: '[]',
  sipStatus: null,
  q850Cause: null,
  recordingPath: null,
  recordingFormat: null,
  erasedAt: null,
  createdAt: call.nowMs,
});

export const addRingingCall = compiledStatement((db, call: NewCall & { accountId: string }) =>
  db.insertInto('calls').values(ringingCall(call.accountId, call)),
);

export const findCall = compiledStatement((db, { id }: { id: string }) =>
  db.selectFrom('calls').selectAll().where('id', '=', id),
);

export const findAppointments = compiledStatement((db, { callId }: { callId: string }) =>
  db.selectFrom('appointments').selectAll().where('callId', '=', callId).orderBy('id'),
);

type Ended = Pick<
  CallRow,
  | 'id'
  | 'status'
  | 'outcome'
  | 'endReason'
  | 'durationSeconds'
  | 'sentiment'
  | 'summary'
  | 'tags'
  | 'transcript'
  | 'latency'
  | 'usage'
  | 'fallbacks'
  | 'sipStatus'
  | 'q850Cause'
  | 'recordingPath'
  | 'recordingFormat'
> & { endedAt: number };

export const writeEnd = compiledStatement((db, call: Ended) =>
  db
    .updateTable('calls')
    .set({
      status: call.status,
      outcome: call.outcome,
      endReason: call.endReason,
      endedAt: call.endedAt,
      durationSeconds: call.durationSeconds,
      sentiment: call.sentiment,
      summary: call.summary,
      tags: call.tags,
      transcript: call.transcript,
      latency: call.latency,
      usage: call.usage,
      fallbacks: call.fallbacks,
      sipStatus: call.sipStatus,
      q850Cause: call.q850Cause,
      recordingPath: call.recordingPath,
      recordingFormat: call.recordingFormat,
    })
    .where('id', '=', call.id)
    .where('endedAt', 'is', null),
);

/** A do-not-call request made during the call stays. */
export const settleContact = compiledStatement(
  (db, contact: { id: string; status: ContactStatus; nextAttemptAt: number | null }) =>
    db
      .updateTable('contacts')
      .set({ status: contact.status, nextAttemptAt: contact.nextAttemptAt })
      .where('id', '=', contact.id)
      .where('status', '=', 'CALLING'),
);

export const endAttempts = compiledStatement((db, attempt: { callId: string; endedAt: number; outcome: string }) =>
  db
    .updateTable('dialAttempts')
    .set({ endedAt: attempt.endedAt, outcome: attempt.outcome })
    .where('callId', '=', attempt.callId)
    .where('endedAt', 'is', null),
);

export const deleteDialogs = compiledStatement((db, { callId }: { callId: string }) =>
  db.deleteFrom('callDialogs').where('callId', '=', callId),
);
