// How a call ended, as its row records it: status, outcome and reason. Calls and campaigns both import it.
import type { CallOutcome, EndReason } from './call-ends.ts';

export type CallStatus = 'COMPLETED' | 'FAILED' | 'VOICEMAIL';

export interface CallTerminal {
  status: CallStatus;
  outcome: CallOutcome;
  endReason: EndReason;
  isAnswered: boolean;
  /** Answer to end in whole ms, by the monotonic clock; 0 if never answered. */
  durationMs: number;
  /** Null if nothing was recorded; absent while the recorder is still finishing the file. */
  recordingPath?: string | null;
  /** The dialler may try the contact again. */
  retryable: boolean;
}

/** How far an answered call got. */
export interface Progress {
  /** By the monotonic clock. */
  answeredAtMs: number;
  /** Caller turns whose reply was heard, plus tools that did what was asked of the call. */
  exchanges: number;
  /** The caller has said something, or pressed a key. */
  spoke: boolean;
  /** An answering machine: waiting for its greeting to end, speaking our message, or message left. */
  machine: 'none' | 'waiting' | 'speaking' | 'left';
  transfer: { state: 'none' | 'pending' | 'accepted' | 'bridged'; target: string };
}

/** @param progress null for a call that was never answered; @param nowMs by the monotonic clock. */
export function terminalOf(
  progress: Progress | null,
  endReason: EndReason,
  nowMs: number,
  retryable: boolean,
): CallTerminal {
  if (progress === null) {
    return {
      status: 'FAILED',
      outcome: unansweredOutcome(endReason),
      endReason,
      isAnswered: false,
      durationMs: 0,
      recordingPath: null,
      retryable: retryable || OUR_DOING.has(endReason),
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

/** The callee had no part in these, so the contact deserves another attempt. */
const OUR_DOING: ReadonlySet<EndReason> = new Set([
  'no_answer',
  'shutdown',
  'media_failure',
  'crash',
  'campaign_paused',
]);

function unansweredOutcome(reason: EndReason): CallOutcome {
  switch (reason) {
    case 'busy':
    case 'no_answer':
    case 'declined':
    case 'unallocated':
    case 'not_joined':
    case 'expired':
      return reason;
    case 'caller_hangup':
      return 'hung_up';
    case 'api':
    case 'shutdown':
    case 'do_not_call':
    case 'campaign_paused':
      return 'cancelled';
    default:
      return 'failed';
  }
}

/** Answered calls are COMPLETED whoever ended them, except machines and our own crashes. */
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
