// An established call as JSON: what another process needs to go on with it. The call's own parts describe themselves
// (machine, dialogue, leg); here is how they are put together, and what the caller hears first when the line is back.

import type { TranscriptEntry } from '../../db/resources.ts';
import type { Resumption } from '../../db/shared/call-timeline.ts';
import type { Phrases } from '../../models/llm/phrases/phrases.ts';
import type { DialogueState } from '../dialogue/dialogue.ts';
import type { CallPulse } from '../shard/protocol.ts';
import type { Leg, LegState } from '../sip/telephony.ts';
import type { CallInfo, CallMedium } from './context.ts';
import type { CallState, CallTimer } from './machine.ts';
import type { OpenReply } from './reports.ts';

/** Raised when a process of another release could not go on with what this one wrote. */
export const CONTINUATION_VERSION = 1;

export interface Continuation {
  version: number;
  call: CallInfo;
  /** The engine that had the call. */
  engineId: string;
  /** Wall clock, ms. */
  writtenAtMs: number;
  medium: Exclude<CallMedium, { kind: 'web' }>;
  leg: LegState;
  /** The local RTP port. */
  port: number;
  sampleRateHz: 8_000 | 16_000;
  /** Wall clock, ms. */
  answeredAtMs: number;
  /** Zero of the call's clock, by the clock that threads and processes of a machine share. */
  beganAtMs: number;
  /** Its times are ms of the call's clock. */
  state: CallState;
  /** Left of each armed timer, ms. */
  timers: Partial<Record<CallTimer, number>>;
  recordingPath: string | null;
  openReplies: OpenReply[];
  lastEpoch: number;
  dialogue: DialogueState;
  isOptedOut: boolean;
  isMachine: boolean;
  isTransferReported: boolean;
  resumptions: Resumption[];
  /** Of a peer that has sent nothing since another process went on: when it was last there, ms of the call's clock. */
  silentSinceMs: number | null;
  /** How often its process died while it was busy with this call. */
  suspicions: number;
}

/** A call that this process goes on with. */
export interface TakenCall {
  from: Continuation;
  leg: Leg;
  /** What was said before, as the live feed has it. */
  transcript: Promise<TranscriptEntry[]>;
  /** The last of it before its process died; null: nothing is known. */
  pulse: (CallPulse & { atMs: number }) | null;
  resumption: Resumption;
}

/** Shorter silences are not spoken of. */
const NOTICED_MS = 400;

/**
 * Whether another process could go on with the call now: between two turns; while the caller speaks, whose words so far
 * would be lost; while an answer is being made; not at all.
 */
export type HandOverMoment = 'good' | 'hearing' | 'busy' | 'never';

/** Until when the peer may have been there, ms of the call's clock, if it sends nothing from now on. */
export function lastLifeMs({ from, pulse, resumption }: TakenCall): number {
  const isSilent = from.silentSinceMs !== null && pulse?.hasHeard === false;
  return isSilent && from.silentSinceMs !== null ? from.silentSinceMs : resumption.atMs;
}

/** What was heard of each open reply. */
export function heardOf({ from, pulse }: TakenCall): Array<{ epoch: number; heard: string }> {
  return from.openReplies.map(({ epoch }) => ({
    epoch,
    heard: pulse?.speaking?.epoch === epoch ? pulse.speaking.text.trim() : '',
  }));
}

/** The transcript with the words that the agent was saying. */
export async function transcriptOf(taken: TakenCall): Promise<TranscriptEntry[]> {
  const transcript = await taken.transcript;
  const speaking = taken.pulse?.speaking;
  const text = speaking?.text.trim() ?? '';
  if (!speaking || text === '') return transcript;
  const timestamp = Math.max(0, Math.round(speaking.startedAtMs));
  const isThere = transcript.some((entry) => entry.speaker === 'agent' && entry.timestamp === timestamp);
  return isThere ? transcript : [...transcript, { speaker: 'agent', text, timestamp }];
}

/**
 * What is said when the line is back: an apology, and what must be heard as a whole, from where it was cut. Empty:
 * nothing.
 */
export function wordsAfterGap(
  taken: TakenCall,
  { greeting, message }: { greeting: string; message: string },
  words: Pick<Phrases['call'], 'lineLost' | 'youWereSaying'>,
): string {
  const { state, openReplies } = taken.from;
  const machine = state.phase === 'answered' ? state.answered.machine : 'none';
  const restOf = (text: string, kind: OpenReply['cause']['kind']): string => {
    const open = openReplies.find(({ cause }) => cause.kind === kind);
    const heard = heardOf(taken).find(({ epoch }) => epoch === open?.epoch)?.heard ?? '';
    return open === undefined ? '' : unheardWords(text, heard);
  };
  if (machine === 'speaking') return restOf(message, 'requested');
  if (machine === 'waiting') return '';
  if (!isNoticed(taken)) return isUnanswered(taken) ? `${words.lineLost} ${words.youWereSaying}` : restOfReply(taken);
  const rest = restOf(greeting, 'opening');
  if (taken.from.dialogue.pending !== null) return words.lineLost;
  return `${words.lineLost} ${rest === '' ? words.youWereSaying : rest}`;
}

/** The caller noticed that the line was gone. */
export const isNoticed = ({ resumption }: TakenCall): boolean => resumption.gapMs >= NOTICED_MS;

/** The caller waits for an answer of which nothing was made yet, and nobody makes it now. */
function isUnanswered(taken: TakenCall): boolean {
  const { saying } = taken.from.dialogue;
  return taken.from.openReplies.some(({ epoch, cause }) => {
    const heard = heardOf(taken).find((reply) => reply.epoch === epoch)?.heard ?? '';
    return cause.kind === 'turn' && heard === '' && (saying?.epoch !== epoch || saying.text === '');
  });
}

/** What the agent had yet to say, of whatever reply. */
function restOfReply(taken: TakenCall): string {
  const { saying } = taken.from.dialogue;
  const open = heardOf(taken).find(({ epoch }) => epoch === saying?.epoch);
  return saying === null || open === undefined ? '' : unheardWords(saying.text, open.heard);
}

/** The text after as many words as were heard of it. */
function unheardWords(text: string, heard: string): string {
  const wordsOf = (of: string): string[] => of.split(/\s+/).filter((word) => word !== '');
  return wordsOf(text).slice(wordsOf(heard).length).join(' ');
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
});
