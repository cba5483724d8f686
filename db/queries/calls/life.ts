// The life of a call as the engine writes it: begin, answer, end. A call ends in one transaction that writes its
// status, transcript and events; `where ended_at is null` and the outbox's unique index make that end happen once.

import type { CallOutcome, EndReason } from '../../domain/calls/ends.ts';
import { endOf } from '../../domain/calls/outcome.ts';
import type { CallTimeline } from '../../domain/calls/timeline.ts';
import type { Use } from '../../domain/cost/uses.ts';
import type { RedactionRules } from '../../domain/redaction/find.ts';
import { redactAll } from '../../domain/redaction/policy.ts';
import { addEvent, type EventType } from '../../outbox.ts';
import { type CallResource, callResource } from '../../records/call-record.ts';
import type { EngineFallback, TranscriptEntry } from '../../records/resources.ts';
import { settleEnd } from '../../rules/settle-end.ts';
import { countBeginning } from '../../rules/spend.ts';
import {
  type CallStatus,
  type CallTable,
  type EndedMembers,
  endedValues,
  type NewCall,
  ringingCall,
} from '../../schema/call-columns.ts';
import type { ContactStatus } from '../../schema/campaigns.ts';
import type { Db } from '../../schema.ts';
import { allOf } from '../../statements/all-of.ts';
import { ownLeg } from '../costs/uses.ts';
import { finishReleases } from '../numbers/phone-numbers.ts';
import { addTimeline } from './ended/timelines.ts';
import { addFeed, feedTranscript } from './running/feed.ts';
import { addRingingCall, findAppointments, findCall, writeEnd } from './statements.ts';

/** Writes a call that begins now, in RINGING; returns its row. */
export async function insertCall(db: Db, accountId: string, call: NewCall): Promise<CallTable> {
  await allOf([addRingingCall(db, { ...call, accountId }), countBeginning(db, accountId, call.nowMs)]);
  return ringingCall({ ...call, accountId });
}

export type NewInboundCall = Omit<
  NewCall,
  'contactId' | 'direction' | 'medium' | 'variables' | 'metadata' | 'forwardedFrom'
> & {
  forwardedFrom?: string | null;
  accountId: string;
  /** As JSON; absent: none. */
  variables?: string;
};

/** Of what an event tells. */
export interface EventRedaction {
  /** Null or absent: the event carries the record as it is kept. Operations of an earlier release have none. */
  eventRedaction?: RedactionRules | null;
}

/** The call as its events show it; null if there is no such call. */
export async function callRecord(
  db: Db,
  callId: string,
  eventRedaction: RedactionRules | null = null,
): Promise<{ accountId: string; record: CallResource } | null> {
  const [[row], appointments] = await Promise.all([findCall(db, { id: callId }), findAppointments(db, { callId })]);
  if (!row) return null;
  return { accountId: row.accountId, record: withoutPrivate(callResource(row, appointments), eventRedaction) };
}

export async function addCallEvent(
  db: Db,
  { callId, nowMs, eventRedaction }: { callId: string; nowMs: number } & EventRedaction,
  type: EventType,
  more: object = {},
  dedupe = '',
): Promise<void> {
  const call = await callRecord(db, callId, eventRedaction);
  if (!call) return;
  const data = { ...call.record, ...more };
  await addEvent(db, { accountId: call.accountId, type, subjectId: callId, dedupe, data, nowMs });
}

/**
 * Writes an inbound call: its row in RINGING and `call.received`. A caller's number can be forged: a contact's
 * variables are not spoken on an inbound call.
 */
export async function createInboundCall(db: Db, call: NewInboundCall): Promise<void> {
  const contact = await db
    .selectFrom('contacts')
    .select('name')
    .where('accountId', '=', call.accountId)
    .where('campaignId', '=', call.campaignId)
    .where('phoneNumber', '=', call.fromNumber)
    .executeTakeFirst();
  const { accountId, ...rest } = call;
  await insertCall(db, accountId, {
    variables: '{}',
    forwardedFrom: null,
    ...rest,
    contactId: null,
    direction: 'inbound',
    medium: 'sip',
    callerName: contact?.name ?? call.callerName,
    metadata: '{}',
  });
  await addCallEvent(db, { callId: call.id, nowMs: call.nowMs }, 'call.received');
  await addFeed(db, {
    accountId: call.accountId,
    callId: call.id,
    type: 'state',
    data: { state: 'ringing' },
    nowMs: call.nowMs,
  });
}

/** The INVITE of an outbound call is about to be sent (`call.started`), or a browser has joined (`call.received`). */
export async function markStarted(
  db: Db,
  args: { callId: string; type: 'call.started' | 'call.received'; nowMs: number },
): Promise<void> {
  await addCallEvent(db, args, args.type);
}

/** False if the call had already ended. */
export async function markAnswered(
  db: Db,
  args: { callId: string; recordingPath: string | null; recordingState?: string | null; nowMs: number },
): Promise<boolean> {
  const row = await db
    .updateTable('calls')
    .set({
      status: 'IN_PROGRESS',
      answeredAt: args.nowMs,
      recordingPath: args.recordingPath,
      recordingFormat: args.recordingPath ? 'wav' : null,
      recordingState: args.recordingPath ? (args.recordingState ?? null) : null,
    })
    .where('id', '=', args.callId)
    .where('endedAt', 'is', null)
    .returning('accountId')
    .executeTakeFirst();
  return row !== undefined;
}

/** The members of the record that the end writes, and its other changes. */
export interface CallEnd
  extends Partial<Omit<EndedMembers, 'transcript' | 'languages' | 'fallbacks' | 'endedAt' | 'durationSeconds'>>,
    EventRedaction {
  callId: string;
  /**
   * The engine that ends the call; absent: any process may end it. An engine that has lost the call to another one does
   * not end it.
   */
  engineId?: string;
  status: Extract<CallStatus, 'COMPLETED' | 'FAILED' | 'VOICEMAIL'>;
  outcome: CallOutcome;
  endReason: EndReason;
  endedAtMs: number;
  /** Null: rebuilt from the live feed (after a crash). */
  transcript: TranscriptEntry[] | null;
  languages?: readonly string[];
  fallbacks?: readonly EngineFallback[];
  timeline?: CallTimeline | null;
  /** Of models; its own leg over a trunk is known here. */
  uses?: readonly Use[];
  /** Left out if the recorder has not closed the file: the path written at the answer stays. */
  recordingPath?: string | null;
  /** Of the path, where it is given: db/domain/calls/recording-state.ts. */
  recordingState?: string | null;
  /** The contact's next state; null for calls without one. */
  contact: { status: ContactStatus; nextAttemptAt: number | null } | null;
}

const firstEvent = ({ direction }: Pick<CallTable, 'direction'>): EventType =>
  direction === 'outbound' ? 'call.started' : 'call.received';

/**
 * Ends a call once: the row, the contact, the account's minutes, the attempt, the events and the feed, all or nothing.
 * Returns false if it had already ended, or is another engine's. @throws if there is no such call: its end must not be
 * lost silently
 */
export async function endCall(db: Db, end: CallEnd): Promise<boolean> {
  const [open] = await findCall(db, { id: end.callId });
  if (!open) throw new Error(`there is no call ${end.callId} to end`);
  if (open.endedAt !== null) {
    await amendEnd(db, open, end);
    return false;
  }
  if (end.engineId !== undefined && open.engineId !== null && open.engineId !== end.engineId) return false;
  const durationMs = open.answeredAt === null ? 0 : Math.max(0, end.endedAtMs - open.answeredAt);
  const durationSeconds = Math.ceil(durationMs / 1000);
  const transcript = end.transcript ?? (await feedTranscript(db, end.callId));
  // A call that was never dialled or joined gets its first event now; an existing one is kept.
  if (end.status === 'FAILED') await addCallEvent(db, { ...end, nowMs: end.endedAtMs }, firstEvent(open));
  const values = endedValues({ ...end, transcript, durationSeconds, ...recordingOf(end, open) });
  const [[ended = open], appointments] = await Promise.all([
    writeEnd(db, { ...values, id: end.callId, endedAt: end.endedAtMs }),
    findAppointments(db, { callId: end.callId }),
  ]);
  const record = callResource(ended, appointments);
  const outboundFromMs = open.direction === 'outbound' ? open.answeredAt : null;
  // None of these waits for another: with PostgreSQL they go out together.
  await allOf([
    end.timeline ? addTimeline(db, open.accountId, { callId: end.callId, timeline: end.timeline }) : null,
    settleEnd(db, {
      callId: end.callId,
      accountId: open.accountId,
      endedAtMs: end.endedAtMs,
      outcome: end.outcome,
      durationSeconds,
      outboundFromMs,
      contact: open.contactId && end.contact ? { id: open.contactId, ...end.contact } : null,
      feed: { status: end.status, outcome: end.outcome, endReason: end.endReason, durationSeconds },
      uses: [...ownLeg(open, durationMs), ...(end.uses ?? [])],
    }),
    addEndEvents(db, open.accountId, end, withoutPrivate(record, end.eventRedaction ?? null)),
    finishReleases(db, end.endedAtMs),
  ]);
  return true;
}

/** The record with its private words taken out of transcript, summary and appointments. */
function withoutPrivate(record: CallResource, rules: RedactionRules | null): CallResource {
  if (rules === null) return record;
  const { transcript, summary, appointments } = record;
  return { ...record, ...redactAll({ transcript, summary, appointments }, rules) };
}

async function addEndEvents(db: Db, accountId: string, end: CallEnd, data: unknown): Promise<void> {
  const types: EventType[] = ['call.ended'];
  if (end.status === 'FAILED') types.push('call.failed');
  if (end.status === 'VOICEMAIL') types.push('call.voicemail');
  for (const type of types) await addEvent(db, { accountId, type, subjectId: end.callId, data, nowMs: end.endedAtMs });
}

/**
 * The end of a call that another engine closed because this one was silent: its status, outcome and events stay, and
 * what only its own engine knows is added.
 */
async function amendEnd(db: Db, open: CallTable, end: CallEnd): Promise<void> {
  if (open.endReason !== 'crash' || end.endReason === 'crash' || open.erasedAt !== null) return;
  await db
    .updateTable('calls')
    .set({
      ...(end.transcript === null ? {} : { transcript: JSON.stringify(end.transcript) }),
      ...recordingOf(end, open),
    })
    .where('id', '=', end.callId)
    .execute();
  if (end.timeline) await addTimeline(db, open.accountId, { callId: end.callId, timeline: end.timeline });
}

function recordingOf(
  { recordingPath, recordingState = null }: CallEnd,
  open: CallTable,
): Pick<CallTable, 'recordingPath' | 'recordingFormat' | 'recordingState'> {
  if (recordingPath === undefined) {
    const { recordingPath, recordingFormat, recordingState } = open;
    return { recordingPath, recordingFormat, recordingState };
  }
  const isThere = recordingPath !== null;
  return { recordingPath, recordingFormat: isThere ? 'wav' : null, recordingState: isThere ? recordingState : null };
}

/**
 * Ends an undialled call as FAILED: no engine took it, or the engine had no capacity or trunk for it. `contact` is its
 * contact's next state, by default due again at once. False if the call had already ended.
 */
export function endUndialledCall(
  db: Db,
  {
    callId,
    endReason,
    nowMs,
    contact,
  }: { callId: string; endReason: EndReason; nowMs: number; contact?: CallEnd['contact'] },
): Promise<boolean> {
  return endCall(db, {
    callId,
    status: 'FAILED',
    outcome: endOf(endReason).outcome,
    endReason,
    endedAtMs: nowMs,
    sentiment: null,
    summary: null,
    tags: [],
    transcript: [],
    latency: null,
    recordingPath: null,
    contact: contact === undefined ? { status: 'PENDING', nextAttemptAt: nowMs } : contact,
  });
}
