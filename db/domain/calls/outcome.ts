// Status and outcome of an ended call by its reason, and whether its contact is tried again. Both processes use this
// file to end a call.
import type { CallOutcome, EndReason } from './ends.ts';

type CallStatus = 'COMPLETED' | 'FAILED' | 'VOICEMAIL';

export interface CallTerminal {
  status: CallStatus;
  outcome: CallOutcome;
  endReason: EndReason;
  isAnswered: boolean;
  /** Answer to end in whole ms, by the monotonic clock; 0 if never answered. */
  durationMs: number;
  /** Null if nothing was recorded; absent while the recorder has not finished the file. */
  recordingPath?: string | null;
  /** The dialler may try the contact again. */
  retryable: boolean;
}

/** How far an answered call got. */
export interface Progress {
  /** By the monotonic clock. */
  answeredAtMs: number;
  /** Caller turns whose reply was heard, plus successful tools. */
  exchanges: number;
  /** The caller has said something or pressed a key. */
  spoke: boolean;
  /** An answering machine: waiting for its greeting to end, speaking our message, or message left. */
  machine: 'none' | 'waiting' | 'speaking' | 'left';
  /** `stays`: the agent listens to both, and has the caller again when the person hangs up. */
  transfer: { state: 'none' | 'pending' | 'accepted' | 'bridged'; target: string; stays?: true };
}

/** The end of an unanswered call: placed and refused, or never placed. Its status is FAILED. */
interface UnansweredEnd {
  outcome: CallOutcome;
  /** The callee had no part in it, or may answer another time: the contact deserves another attempt. */
  retryable: boolean;
  /** The state of the trunk that the end shows; null: unknown. */
  trunk: 'worked' | 'failed' | null;
}

const unanswered = (
  outcome: CallOutcome,
  { retryable = false, trunk = null }: Partial<Pick<UnansweredEnd, 'retryable' | 'trunk'>> = {},
): UnansweredEnd => ({ outcome, retryable, trunk });

const again = { retryable: true } as const;

const UNANSWERED: Readonly<Record<EndReason, UnansweredEnd>> = {
  busy: unanswered('busy', { retryable: true, trunk: 'worked' }),
  no_answer: unanswered('no_answer', { retryable: true, trunk: 'worked' }),
  declined: unanswered('declined', { trunk: 'worked' }),
  unallocated: unanswered('unallocated', { trunk: 'worked' }),
  /** If the refusal names its cause, refusal.ts decides on another attempt instead. */
  network: unanswered('failed', { retryable: true, trunk: 'failed' }),
  refused: unanswered('failed', { trunk: 'failed' }),
  caller_hangup: unanswered('hung_up'),
  not_joined: unanswered('not_joined'),
  expired: unanswered('expired'),
  // Ended on request or by us before anyone answered.
  api: unanswered('cancelled'),
  do_not_call: unanswered('cancelled'),
  shutdown: unanswered('cancelled', again),
  campaign_paused: unanswered('cancelled', again),
  // Faults of our own.
  no_trunk: unanswered('failed', again),
  capacity: unanswered('failed', again),
  crash: unanswered('failed', again),
  media_failure: unanswered('failed', again),
  media_timeout: unanswered('failed'),
  model_failure: unanswered('failed'),
  // Only answered calls end for these reasons.
  agent_hangup: unanswered('failed'),
  max_duration: unanswered('failed'),
  idle: unanswered('failed'),
  transfer: unanswered('failed'),
  voicemail: unanswered('failed'),
};

/** The end of an unanswered call for this reason. */
export const endOf = (reason: EndReason): UnansweredEnd => UNANSWERED[reason];

/**
 * @param progress null for a call that was never answered; @param nowMs by the monotonic clock; @param retryable as the
 * refusal decided, or null: the reason decides
 */
export function terminalOf(
  progress: Progress | null,
  endReason: EndReason,
  nowMs: number,
  retryable: boolean | null = null,
): CallTerminal {
  if (progress === null) {
    const end = endOf(endReason);
    return {
      status: 'FAILED',
      outcome: end.outcome,
      endReason,
      isAnswered: false,
      durationMs: 0,
      recordingPath: null,
      retryable: retryable ?? end.retryable,
    };
  }
  return {
    ...answeredEnd(progress, endReason),
    endReason: progress.machine !== 'none' && endReason !== 'crash' ? 'voicemail' : endReason,
    isAnswered: true,
    durationMs: Math.max(0, Math.round(nowMs - progress.answeredAtMs)),
    retryable: false,
  };
}

/** Of conversations. The last two: no word of the caller was recognised, perhaps because the recogniser failed. */
const CONVERSATIONS: readonly CallOutcome[] = ['completed', 'hung_up', 'no_response'];

/** The end of a call whose agent left its caller without an answer. A call that ended otherwise stays what it was. */
export function unserved(terminal: CallTerminal): CallTerminal {
  const isConversation = terminal.status === 'COMPLETED' && CONVERSATIONS.includes(terminal.outcome);
  return isConversation ? { ...terminal, outcome: 'agent_failed' } : terminal;
}

/** Answered calls are COMPLETED, ended by either side, except machines and our own crashes. */
function answeredEnd(progress: Progress, reason: EndReason): { status: CallStatus; outcome: CallOutcome } {
  if (reason === 'crash') return { status: 'FAILED', outcome: 'failed' };
  if (progress.machine !== 'none') {
    return { status: 'VOICEMAIL', outcome: progress.machine === 'left' ? 'voicemail_left' : 'voicemail' };
  }
  if (reason === 'transfer' || progress.transfer.state === 'bridged') {
    return { status: 'COMPLETED', outcome: 'transferred' };
  }
  if (progress.exchanges > 0 || progress.spoke) return { status: 'COMPLETED', outcome: 'completed' };
  switch (reason) {
    case 'caller_hangup':
    case 'media_timeout':
    case 'network':
      return { status: 'COMPLETED', outcome: 'hung_up' };
    case 'idle':
      return { status: 'COMPLETED', outcome: 'no_response' };
    default:
      return { status: 'COMPLETED', outcome: 'completed' };
  }
}
