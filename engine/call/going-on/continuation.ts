// An established call as JSON: what another process needs to go on with it. The call's own parts describe themselves
// (machine, dialogue, leg); here is how they are put together.

import type { Resumption } from '../../../db/domain/calls/timeline.ts';
import type { EngineFallback, TranscriptEntry } from '../../../db/records/resources.ts';
import { sharedClockMs } from '../../../db/shared/process/shared-clock.ts';
import { CODEC_RATES } from '../../../media/rtp/voice-codec.ts';
import type { Dialogue } from '../../dialogue/dialogue.ts';
import type { DialogueState } from '../../dialogue/dialogue-state.ts';
import type { SpendingState } from '../../dialogue/model-spending.ts';
import type { CallPulse, OpenCall } from '../../shard/protocol.ts';
import type { Leg, LegState, RingingState } from '../../sip/telephony.ts';
import type { CallInfo, CallMedium, ConductorOptions } from '../context.ts';
import type { CallKeys } from '../keys.ts';
import type { LanguagesState } from '../languages/language-choices.ts';
import type { CallLanguages } from '../languages/languages.ts';
import type { CallState, CallTimer } from '../machine.ts';
import type { CallReports, OpenReply } from '../reports.ts';
import { openingRateHz } from '../setup.ts';
import type { CallTimers } from '../timers.ts';
import type { CallTimings, TimingsState } from '../timings.ts';
import type { TakenTransfer, TransferContinuation } from './transfer-continuation.ts';

/** Raised when a process of another release could not go on with what this one wrote. */
export const CONTINUATION_VERSION = 1;

/** Of a call that a person has taken over: an earlier release, which cannot go on with it, is to end both legs. */
export const BRIDGED_VERSION = 'bridged-1';

export interface Continuation {
  version: number | typeof BRIDGED_VERSION;
  call: CallInfo;
  /** The engine that had the call. */
  engineId: string;
  /** Wall clock, ms. */
  writtenAtMs: number;
  /** The same by the clock that processes of a machine share; absent: an earlier release wrote it. */
  writtenAtSharedMs?: number;
  medium: CallMedium;
  /** Null in a browser call. */
  leg: LegState | null;
  /** The local RTP port; 0 in a browser call, whose socket is at the port of all. */
  port: number;
  sampleRateHz: 8_000 | 16_000;
  /** Wall clock, ms. */
  answeredAtMs: number;
  /** Zero of the call's clock, by the clock that threads and processes of a machine share. */
  beganAtMs: number;
  /** Its times are ms of the call's clock. */
  state: CallState;
  /** Left of each armed timer when it was written, ms. */
  timers: Partial<Record<CallTimer, number>>;
  recordingPath: string | null;
  openReplies: OpenReply[];
  lastEpoch: number;
  dialogue: DialogueState;
  isOptedOut: boolean;
  /** Of an entry that has not ended; absent: an earlier release wrote it. */
  pressedKeys?: string;
  /** The caller was keying in what is nobody's to see; absent: they were not. */
  keysAreSecret?: true;
  isMachine: boolean;
  isTransferReported: boolean;
  /** Of the caller to a person; null or absent: there is none. */
  transfer?: TransferContinuation | null;
  resumptions: Resumption[];
  /** Of a peer that has sent nothing since another process went on: when it was last there, ms of the call's clock. */
  silentSinceMs: number | null;
  /** Speech engines that stood in; absent: an earlier release wrote it. */
  fallbacks?: EngineFallback[];
  /** Its tokens so far, by model; absent: there are none, or an earlier release wrote it. */
  spending?: SpendingState;
  /** In which it is led; absent: in the agent's own, or an earlier release wrote it. */
  languages?: LanguagesState;
  /** The recording is silence for now; absent: it is not. */
  isMasked?: boolean;
  /** How often its process died while it was busy with this call. */
  suspicions: number;
}

/** The facts of a call beside its machine's state. */
export interface CallFacts {
  /** Null if nothing is recorded. */
  recordingPath: string | null;
  /** Wall clock, ms; null before the answer. */
  answeredAtMs: number | null;
  isMachine: boolean;
  /** Of our RTP; null before the audio is open, and in a browser call. */
  port: number | null;
  /** Zero of the call's clock, by the monotonic clock and by the one that other processes have too. */
  began: { atMs: number; sharedAtMs: number } | null;
  /** How often its process died while it was busy with this call. */
  suspicions: number;
}

export const NO_FACTS: Readonly<CallFacts> = {
  recordingPath: null,
  answeredAtMs: null,
  isMachine: false,
  port: null,
  began: null,
  suspicions: 0,
};

/** The parts of a call that its description is made of. */
export interface DescribedCall {
  options: Pick<ConductorOptions, 'call' | 'medium' | 'engineId'>;
  facts: CallFacts;
  state: CallState;
  leg: LegState | null;
  /** Its INVITE, while that is unanswered. */
  ringing: RingingState | null;
  timers: Pick<CallTimers, 'left'>;
  reports: Pick<CallReports, 'openReplies' | 'lastEpoch' | 'fallbacks'>;
  dialogue: Pick<Dialogue, 'state' | 'answers'>;
  keys: Pick<CallKeys, 'isOptedOut' | 'pressed'> & { readonly secret: { readonly isSecret: boolean } };
  transfers: { readonly continuation: TransferContinuation | null; readonly isReported: boolean };
  record: { timings: Pick<CallTimings, 'resumptions'> };
  controls: { readonly isMasked: boolean };
  languages: Pick<CallLanguages, 'state' | 'mayChange'>;
  silentSinceMs: Continuation['silentSinceMs'];
  /** Wall clock. */
  nowMs: number;
}

/** A call that this process goes on with. */
export interface TakenCall {
  from: Continuation;
  /** Null in a browser call. */
  leg: Leg | null;
  /** The words before, as the live feed has them. */
  transcript: Promise<TranscriptEntry[]>;
  /** The last of it before its process died; null: nothing is known. */
  pulse: (CallPulse & { atMs: number }) | null;
  /** Its record beside the transcript; null: it is lost. */
  record: TimingsState | null;
  /** Null or absent if there is none that could go on. */
  transfer?: TakenTransfer | null;
  resumption: Resumption;
}

/** Caller and person talk to each other. */
export const isBridged = ({ state }: Pick<Continuation, 'state'>): boolean =>
  state.phase === 'answered' && state.answered.transfer.state === 'bridged';

/** The agent listens to both, and has the caller again when the person hangs up. */
export const isStaying = ({ state }: Pick<Continuation, 'state'>): boolean =>
  isBridged({ state }) && state.phase === 'answered' && state.answered.transfer.stays === true;

/** A call that goes on more often has its last ones on record. */
export const RESUMPTIONS_MAX = 20;

/**
 * Whether another process could go on with the call now: between two turns; while the caller speaks, whose words so far
 * would be lost; while an answer is being made; not at all.
 */
export type HandOverMoment = 'good' | 'hearing' | 'busy' | 'never';

const spendingOf = (spending: SpendingState): Pick<Continuation, 'spending'> =>
  spending.length === 0 ? {} : { spending };

/** Null while nobody else could go on with the call. */
export function continuationOf(parts: DescribedCall): Continuation | null {
  const { options, facts, state, leg, reports, transfers } = parts;
  const { call, medium, engineId } = options;
  const { began, port, answeredAtMs, recordingPath, isMachine } = facts;
  const isBrowser = medium.kind === 'web';
  if (state.phase !== 'answered' || began === null || answeredAtMs === null) return null;
  if (!isBrowser && (leg === null || port === null)) return null;
  const transfer = transfers.continuation;
  const isWithPerson = isBridged({ state });
  // Not while the next person rings to whom this one has passed the caller on: nobody has them then.
  if (isWithPerson && (!transfer?.person?.leg || transfer.state.phase !== 'bridged')) return null;
  return {
    version: isWithPerson ? BRIDGED_VERSION : CONTINUATION_VERSION,
    call: callInfo(call),
    engineId,
    writtenAtMs: parts.nowMs,
    writtenAtSharedMs: sharedClockMs(),
    medium: medium.kind === 'inbound' ? { ...medium, leg: null } : medium,
    leg,
    port: port ?? 0,
    sampleRateHz: leg === null ? openingRateHz(medium) : CODEC_RATES[leg.audio.codec].sampleRateHz,
    answeredAtMs,
    beganAtMs: began.sharedAtMs,
    state: shifted(state, -began.atMs),
    timers: parts.timers.left,
    recordingPath,
    openReplies: reports.openReplies,
    lastEpoch: epochAhead(reports.lastEpoch),
    dialogue: parts.dialogue.state,
    isOptedOut: parts.keys.isOptedOut,
    pressedKeys: parts.keys.pressed,
    ...(parts.keys.secret.isSecret ? { keysAreSecret: true } : {}),
    isMachine,
    isTransferReported: transfers.isReported,
    transfer,
    resumptions: [...parts.record.timings.resumptions],
    silentSinceMs: parts.silentSinceMs,
    fallbacks: [...reports.fallbacks],
    ...spendingOf(parts.dialogue.answers.spending.state),
    ...(parts.languages.mayChange ? { languages: parts.languages.state } : {}),
    ...(parts.controls.isMasked ? { isMasked: true } : {}),
    suspicions: facts.suspicions,
  };
}

/**
 * The call is written at every 64th reply. The stored epoch is ahead of the current one, so a speculative reply needs
 * no write.
 */
export const EPOCHS_AHEAD = 64;

const epochAhead = (epoch: number): number => (Math.floor(epoch / EPOCHS_AHEAD) + 2) * EPOCHS_AHEAD;

/** Under which the journal has the call's record, which changes once a turn and may be long. */
export const recordKeyOf = (callId: string): string => `${callId}+record`;
export const callIdOf = (key: string): string => key.split('+', 1)[0] ?? key;

/** `beganAtMs`: zero of the call's clock by this process's monotonic clock. */
export function factsOf(from: Continuation, beganAtMs: number): CallFacts {
  const { recordingPath, answeredAtMs, isMachine, port, suspicions } = from;
  const began = { atMs: beganAtMs, sharedAtMs: from.beganAtMs };
  return { recordingPath, answeredAtMs, isMachine, port, began, suspicions };
}

type Written = Pick<Continuation, 'writtenAtMs' | 'writtenAtSharedMs'>;

/** How old the description is, ms. `nowMs`: wall clock. */
export function ageOf({ writtenAtMs, writtenAtSharedMs }: Written, nowMs: number): number {
  return Math.max(0, writtenAtSharedMs === undefined ? nowMs - writtenAtMs : sharedClockMs() - writtenAtSharedMs);
}

/** The armed timers, and what is left of each by now. */
export function timersOf(
  from: Written & Pick<Continuation, 'timers' | 'state'>,
  nowMs: number,
): Array<{ timer: CallTimer; serial: number; leftMs: number }> {
  const ageMs = ageOf(from, nowMs);
  return Object.entries(from.timers).flatMap(([name, leftMs]) => {
    const timer = name as CallTimer;
    const serial = from.state.life.timers[timer];
    return serial === undefined ? [] : [{ timer, serial, leftMs: Math.max(0, leftMs - ageMs) }];
  });
}

export const resumptionsOf = ({ from, resumption }: TakenCall): Resumption[] =>
  [...from.resumptions, resumption].slice(-RESUMPTIONS_MAX);

/** The shard is to take them as if they were pressed now: who listened to them is gone. */
export const keysAgain = (from: Continuation): string => (isBridged(from) ? '' : (from.pressedKeys ?? ''));

/** The fields of the command that opens its audio again in a call that goes on. */
export function reopening({
  from,
  pulse,
}: Pick<TakenCall, 'from' | 'pulse'>): Pick<OpenCall, 'sampleRateHz' | 'amd' | 'resume'> {
  const resume = {
    answeredAtMs: from.beganAtMs,
    port: from.port,
    lastEpoch: from.lastEpoch,
    hasHeard: pulse?.hasHeard ?? false,
    ...(pulse?.stream ? { sent: { stream: pulse.stream, atMs: pulse.atMs } } : {}),
  };
  return { sampleRateHz: from.sampleRateHz, amd: null, resume };
}

/** The state with its times on another clock. */
export function shifted(state: CallState, byMs: number): CallState {
  if (state.phase !== 'answered') return state;
  const { answered } = state;
  return { ...state, answered: { ...answered, answeredAtMs: answered.answeredAtMs + byMs } };
}

/** Of a whole row only what a call needs. */
export const callInfo = (call: CallInfo): CallInfo => ({
  id: call.id,
  accountId: call.accountId,
  phoneNumberId: call.phoneNumberId,
  contactId: call.contactId,
  fromNumber: call.fromNumber,
  toNumber: call.toNumber,
  callerName: call.callerName,
  variables: call.variables,
  trunkId: call.trunkId,
  ...(call.instructions === undefined ? {} : { instructions: call.instructions }),
  ...(call.putThroughTo === undefined ? {} : { putThroughTo: call.putThroughTo }),
});
