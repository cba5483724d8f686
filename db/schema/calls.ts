// Calls, their live feed, and their kept totals.
import type { Generated } from 'kysely';
import type { CallStatus } from './call-columns.ts';
import type { Json } from './columns.ts';

/** Written at the end of a call with turns or interruptions. */
export interface CallTimelineTable {
  callId: string;
  accountId: string;
  data: Json; // CallTimeline
}

/** A call that was refused before there was one. */
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

/** What is needed to end a call whose process died: the engine's StoredDialog as JSON, one row per leg. */
export interface CallDialogTable {
  callId: string;
  leg: string;
  dialog: Json;
  updatedAt: number;
}

/** Append-only: what the live views show. `seq` increases across all calls. */
export interface CallFeedTable {
  seq: Generated<number>;
  accountId: string;
  callId: string;
  type: 'transcript' | 'state' | 'latency' | 'ended';
  data: Json;
  createdAt: number;
}

/** Turns of callers, for an hour. `minute`: since the epoch. */
export interface TurnMinuteTable {
  accountId: string;
  minute: number;
  turns: number;
  /** In which the model failed. */
  failed: number;
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
  /** Counted in the rows over all days (`day` ''), and of no meaning in others. */
  changes: Generated<number>;
}

/** Kept totals of a UTC day (`YYYY-MM-DD`); `reason` is '' but where the calls failed. */
export interface CallDayTable {
  accountId: string;
  day: string;
  direction: 'inbound' | 'outbound';
  status: CallStatus;
  reason: string;
  calls: number;
  ended: number;
  /** Of those that ended. */
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

/** How far the sweep of an account that erases its old calls has come. */
export interface CallSweepTable {
  accountId: string;
  /** Every call that began before is erased. */
  erasedUntil: number;
  /** When it last ended, or the days were set. */
  sweptAt: number;
}
