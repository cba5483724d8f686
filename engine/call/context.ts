// A conductor's inputs: its ports to the rest of the engine, and the call that it runs.

import type { Logger } from 'pino';
import type { Taken } from '../../db/domain/booking/resources.ts';
import type { CallTerminal } from '../../db/domain/calls/outcome.ts';
import type { Resumption, TurnTiming } from '../../db/domain/calls/timeline.ts';
import type { BilledEngines } from '../../db/domain/cost/uses.ts';
import type { BookingTries, bookingTries } from '../../db/queries/businesses/booking-tries.ts';
import type { Vector } from '../../db/queries/knowledge/vectors.ts';
import type { appointmentsOfCaller, OwnAppointment } from '../../db/rules/rebooking.ts';
import type { CallSetup } from '../../db/rules/routing.ts';
import type { CallTable } from '../../db/schema/call-columns.ts';
import type { Writer } from '../../db/writing/writer.ts';
import type { DialogueModel, FoundPassage } from '../../models/llm/llm.ts';
import type { Voice } from '../../models/tts/tts.ts';
import type { AttemptEnd, ContactNext } from '../campaign/retry.ts';
import type { Clock } from '../clock.ts';
import type { TurnEnd } from '../dialogue/failed-turns.ts';
import type { ModelBreakers } from '../dialogue/model-breakers.ts';
import type { ReplyUsage } from '../dialogue/model-usage.ts';
import type { Openings } from '../dialogue/openings.ts';
import type { ToolRun } from '../dialogue/tool-runs.ts';
import type { CallJournal } from '../journal/journal.ts';
import type { FallenModel } from '../shard/protocol.ts';
import type { Shards } from '../shard/shards.ts';
import type { InboundLeg, Telephony } from '../sip/telephony.ts';
import type { OwnTools } from './own-tools.ts';
import type { TransferPermits } from './persons/transfer-permits.ts';

export interface ConductorDeps {
  telephony: Telephony;
  shards: Shards;
  writer: Pick<Writer, 'run' | 'runDurably' | 'runWithin' | 'keepsOrder'>;
  store: CallStore;
  dialogue: DialogueModel;
  /** The speech-to-speech model that answers in its place, as long as its session lasts; absent: none is configured. */
  speechToSpeech?: { engine: string };
  /** The tenants' own tools: their rows opened, and asked. */
  tools: OwnTools;
  /** The engines as bills name them; absent: nobody asks what a call costs. */
  billedEngines?(): BilledEngines;
  /** How long a caller waits for its first word, unless the agent says otherwise. */
  llmTimeoutMs: number;
  breakers: ModelBreakers;
  /** How the agents' replies begin; absent: not learned. */
  openings?: Openings;
  /** The voices that can be had now; absent or empty: not known. */
  voices?(): readonly Voice[];
  /** Needs of the chosen recogniser: the longest time for a final result, and the audio block length. */
  recogniser: {
    patienceMs: number;
    blockMs: number;
    /** It recognises free speech. */
    freeText?: boolean;
    hearsWords: boolean;
    knowsPhrases?: boolean;
    /** It recognises whole utterances, and tells the words so far when it is asked. */
    asksWords?: boolean;
    /** It hears more in a whole turn than in its pieces. */
    hearsTurns?: boolean;
    denoise?: boolean;
  };
  recordingsDir: string;
  /** Tests are recorded, whether or not calls of their campaign are. */
  recordsAll?: boolean;
  /** Of recordings on this disk (db/domain/calls/recording-state.ts); null without an object store. */
  recordingState?: string | null;
  /** Trunks for an outbound call with this number, in the order to try them; empty if there is none. */
  trunksFor(phoneNumberId: string | null): Promise<string[]>;
  /** Whether the side of a trunk may be asked by REFER to call somebody. */
  acceptsRefer(trunkId: string): boolean;
  permits: TransferPermits;
  /** The listeners to calls; absent: nobody can listen. */
  listeners?: CallListeners;
  /** The journal from which another process would go on with the call; absent: no call outlives this process. */
  journal?: CallJournal;
  clock: Clock;
  log: Logger;
  metrics: CallMetrics;
}

/** The listeners to a call, as the call sees them. */
export interface CallListeners {
  /** One who has joined, and is this user: nobody opens another one's microphone. */
  has(callId: string, listenerId: string, userId: string): boolean;
  /** Their microphone goes into this ring; null: nowhere. */
  hear(listenerId: string, memory: SharedArrayBuffer | null): void;
  /** They talk to the caller, and do not hear themselves. */
  talks(listenerId: string, isTalking: boolean): void;
  /** They only listen again, and are told. */
  quiet(listenerId: string): void;
  /** Tells all of the call. */
  tell(callId: string, message: object): void;
  /** The call is over. */
  ended(callId: string): void;
}

/** Database reads of a running call. */
export interface CallStore {
  /** Times of a business that overlap [fromMs, toMs) and are taken. */
  listTaken(accountId: string, range: { businessId: string; fromMs: number; toMs: number }): Promise<Taken[]>;
  /** Booked appointments ahead of a number, or with a reference. */
  appointmentsOfCaller(proof: Parameters<typeof appointmentsOfCaller>[1]): Promise<OwnAppointment[]>;
  /** How often appointments were booked and changed, and references were wrong. */
  bookingTries(of: Parameters<typeof bookingTries>[1]): Promise<BookingTries>;
  /** Passages of the business's documents about a question, the best first. */
  searchPassages(
    accountId: string,
    of: { businessId: string; question: string; vector: Vector | null },
  ): Promise<FoundPassage[]>;
  /** The vector of a caller's words; null where there is none. Absent: no server makes vectors. Never throws. */
  vectorOf?(words: string): Promise<Vector | null>;
  /** The business's music for callers who wait, as media/hold-music.ts takes it; null: our own music. */
  holdMusic(accountId: string, businessId: string): Promise<Int16Array | null>;
  /** The contact's next state after this attempt; null if the contact no longer exists. */
  contactAfterAttempt(contactId: string, end: AttemptEnd): Promise<ContactNext | null>;
}

/** Call metrics. */
export interface CallMetrics {
  turnLatency(ms: number): void;
  turnTimed(turn: TurnTiming): void;
  yieldTimed(ms: number): void;
  bargeIn(): void;
  falseInterruption(): void;
  audioPath(path: 'webrtc' | 'socket'): void;
  modelFailed(model: 'stt' | 'tts' | 'vad' | 'llm'): void;
  turnEndJudged(outcome: 'judged' | 'late' | 'failed', ms: number): void;
  /** The built-in engine replaced the chosen one. */
  modelFallback(model: FallenModel): void;
  /** Requests to the dialogue model's server. */
  modelUsed(used: ReplyUsage, isDiscarded: boolean): void;
  /** A turn of the caller has its answer, or will have none. */
  turnEnded(end: TurnEnd): void;
  callEnded(status: CallTerminal['status']): void;
  /** The call is one of a process that has ended. */
  resumed(resumption: Resumption): void;
}

export type CallInfo = Pick<
  CallTable,
  | 'id'
  | 'accountId'
  | 'phoneNumberId'
  | 'contactId'
  | 'fromNumber'
  | 'toNumber'
  | 'callerName'
  | 'variables'
  | 'trunkId'
> & {
  /** The number that the caller dialled first. */
  forwardedFrom?: string | null;
  /** Of a look-up: added to the campaign's. */
  instructions?: string;
  /** The agent's first words are that it connects the caller to this target. */
  putThroughTo?: string;
};

export type CallMedium =
  /**
   * `leg`: null in a call that another process has answered. `sipAccountId`: of a caller who is one of our
   * softphones.
   */
  | { kind: 'inbound'; leg: InboundLeg | null; sipAccountId: string | null }
  | { kind: 'outbound'; trunkIds: string[]; detectMachines: boolean }
  /** `token`: SHA-256 of the single-use token that the browser presents. */
  | { kind: 'web'; token: string };

export interface ConductorOptions {
  call: CallInfo;
  setup: CallSetup;
  medium: CallMedium;
  engineId: string;
  /** The question to its business's own system as it began; absent: none. */
  lookUp?: ToolRun;
  /** The audio is open: a browser may join. */
  onOpened?(): void;
  /** `recordingClosed`: resolves when the file is complete. */
  onEnded(terminal: CallTerminal, recordingClosed: Promise<void>): void;
}
