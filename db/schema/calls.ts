// Calls, their live feed, and their kept totals.
import type { Generated } from 'kysely';
import type { CallProblem } from '../domain/calls/problems.ts';
import type { CallStatus } from './call-columns.ts';
import type { Json } from './columns.ts';

/** Written at the end of a call with turns or interruptions. */
export interface CallTimelineTable {
  callId: string;
  accountId: string;
  data: Json; // CallTimeline
}

/** A value of an output that is no list and no object, as text; what lists of calls are filtered by. */
export interface CallOutputTable {
  accountId: string;
  name: string;
  value: string;
  /** The call's. */
  startedAt: number;
  callId: string;
  score: number | null;
}

/** A person's word that the line of the transcript at `atMs` went wrong. */
export interface CallProblemTable {
  callId: string;
  /** The line's timestamp. */
  atMs: number;
  accountId: string;
  kind: CallProblem;
  note: string | null;
  createdAt: number;
}

/** An inbound call that was refused before a call row existed. */
export interface RefusedCallTable {
  id: string;
  calledNumber: string;
  callerNumber: string;
  sourceAddress: string;
  trunkId: string | null;
  sipStatus: number;
  reason: string;
  count: number;
  createdAt: number;
}

/** The dialogs that are needed to end a call of a dead process: the engine's StoredDialog as JSON, one row per leg. */
export interface CallDialogTable {
  callId: string;
  leg: string;
  dialog: Json;
  updatedAt: number;
}

/** A running call as another machine's engine would need it, sealed. `writtenAt`: by the database's clock. */
export interface CallContinuationTable {
  callId: string;
  engineId: string;
  sealed: string;
  writtenAt: number;
}

/** A call that is to be placed at a time; deleted when it is placed or cancelled. `id` is that of the call to be. */
export interface ScheduledCallTable {
  id: string;
  accountId: string;
  businessId: string;
  campaignId: string;
  agentId: string;
  phoneNumberId: string;
  fromNumber: string;
  toNumber: string;
  /** Null: the contact's, if the campaign has one of this number. */
  variables: Json | null;
  metadata: Json | null;
  scheduledAt: number;
  /** Later than `scheduledAt` where there was no room for it. */
  nextTryAt: number;
  /** A client, the agent in a call, or the time of an appointment. */
  requestedBy: 'api' | 'agent' | 'reminder';
  /** The call in which it was asked for. */
  inCallId: string | null;
  reason: string | null;
  /** Why it could not be placed so far. */
  problem: string | null;
  createdAt: number;
}

/** Append-only entries for the live views. `seq` increases across all calls. */
export interface CallFeedTable {
  seq: Generated<number>;
  accountId: string;
  callId: string;
  type: 'transcript' | 'state' | 'latency' | 'ended';
  data: Json;
  createdAt: number;
}

/** A running call that somebody watches, and the words that are being said on it. */
export interface LiveViewTable {
  callId: string;
  accountId: string;
  watchedUntil: number;
  /** Changes with the words. */
  version: Generated<number>;
  words: Json | null; // TranscriptEntry[]
}

/** Turns of callers, for an hour. `minute`: since the epoch. */
export interface TurnMinuteTable {
  accountId: string;
  minute: number;
  turns: number;
  /** In which the agent failed: the model, or the recogniser. */
  failed: number;
  /** Of these, those that the recogniser did not hear. */
  unheard: number;
}

/**
 * Kept totals of calls: one row per tenant, filter, value and UTC day (`YYYY-MM-DD`), and one with day '' over all
 * days.
 */
export interface CallCountTable {
  accountId: string;
  filter: string;
  value: string;
  day: string;
  total: number;
  /** Counted only in the rows over all days (`day` ''). */
  changes: Generated<number>;
}

/** Kept totals of a UTC day (`YYYY-MM-DD`); `reason` is '' except for failed calls. */
export interface CallDayTable {
  accountId: string;
  day: string;
  direction: 'inbound' | 'outbound';
  status: CallStatus;
  reason: string;
  calls: number;
  ended: number;
  /** Answered calls among the ended ones. */
  answered: number;
  answeredSeconds: number;
}

/** Calls of a UTC day by their median response gap, in steps of 20 ms. */
export interface CallGapTable {
  accountId: string;
  day: string;
  gapMs: number;
  calls: number;
}

/** The progress of an account's retention sweep, which erases its old calls. */
export interface CallSweepTable {
  accountId: string;
  /** Every call that began before this time is erased. */
  erasedUntil: number;
  /** When the sweep last ended, or the retention days were set. */
  sweptAt: number;
}
