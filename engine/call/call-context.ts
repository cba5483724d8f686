// What a call's conductor is given: whom it may talk to, and which call it is.
import type { Logger } from 'pino';
import type { CallSetup } from '../../db/queries/routing.ts';
import type { CallTable } from '../../db/schema/calls.ts';
import type { Db } from '../../db/sqlite.ts';
import type { Writer } from '../../db/writer.ts';
import type { DialogueModel } from '../../models/llm/llm.ts';
import type { Shards } from '../shard/shards.ts';
import type { InboundLeg, Telephony } from '../sip/telephony.ts';
import type { CallTerminal } from './outcomes.ts';

export interface ConductorDeps {
  telephony: Telephony;
  shards: Shards;
  writer: Writer;
  read: Db;
  dialogue: DialogueModel;
  recordingsDir: string;
  /** Trunks in the order in which a call out by this number tries them; empty when there is none. */
  trunksFor(phoneNumberId: string | null): Promise<string[]>;
  now(): number;
  log: Logger;
  metrics: CallMetrics;
}

/** What the metrics want to know of calls. */
export interface CallMetrics {
  turnLatency(ms: number): void;
  bargeIn(): void;
  falseInterruption(): void;
  modelFailed(model: 'stt' | 'tts' | 'vad' | 'llm'): void;
  callEnded(status: CallTerminal['status']): void;
}

export type CallInfo = Pick<
  CallTable,
  'id' | 'accountId' | 'phoneNumberId' | 'contactId' | 'fromNumber' | 'toNumber' | 'callerName' | 'trunkId'
>;

export type CallMedium =
  | { kind: 'inbound'; leg: InboundLeg }
  | { kind: 'outbound'; trunkIds: string[]; ringTimeoutMs: number; detectMachines: boolean }
  /** `token`: SHA-256 of the single-use token that the browser brings. */
  | { kind: 'web'; token: string };

export interface ConductorOptions {
  call: CallInfo;
  setup: CallSetup;
  medium: CallMedium;
  engineId: string;
  /** The audio is open: a browser may join. */
  onOpened?(): void;
  onEnded(terminal: CallTerminal): void;
}
