// How a call ended, in the words of its row. And what a refused or unanswered attempt means: SIP final status (RFC 3261 21, RFC 8197, RFC 8688) and Q.850 cause (by the
// Reason header of RFC 3326) to the outcome of a call, and whether the dialler may try the number again.

export type CallStatus = 'COMPLETED' | 'FAILED' | 'VOICEMAIL';

export type CallOutcome =
  | 'completed'
  | 'transferred'
  | 'voicemail_left'
  /** A machine answered and no message was left. */
  | 'voicemail'
  /** The other side left before anything was answered. */
  | 'hung_up'
  /** Answered, but nobody ever spoke. */
  | 'no_response'
  | 'busy'
  | 'no_answer'
  | 'declined'
  | 'unallocated'
  | 'failed'
  | 'not_joined'
  | 'expired'
  /** Ended by us or by request before anyone answered. */
  | 'cancelled';

/** Why it ended, finer than the outcome. */
export type EndReason =
  | 'caller_hangup'
  | 'agent_hangup'
  | 'api'
  | 'media_timeout'
  | 'media_failure'
  | 'max_duration'
  | 'shutdown'
  | 'idle'
  | 'transfer'
  | 'model_failure'
  | 'expired'
  | 'not_joined'
  | 'crash'
  | 'voicemail'
  | 'network'
  | 'busy'
  | 'no_answer'
  | 'declined'
  | 'unallocated'
  | 'refused';

export interface CallTerminal {
  status: CallStatus;
  outcome: CallOutcome;
  endReason: EndReason;
  answeredAtMs: number | null;
  endedAtMs: number;
  /** Answer to end; 0 without an answer. */
  durationMs: number;
  /** Null when nothing was recorded, or when the recorder did not close in time (the file then stands as it is). */
  recordingPath: string | null;
  /** The dialler may try the contact again. */
  retryable: boolean;
}

/** What an answered call had come to. */
export interface Progress {
  /** When it was answered, wall-clock ms. */
  atMs: number;
  exchanges: number;
  spoke: boolean;
  machine: 'none' | 'waiting' | 'speaking' | 'left';
  transfer: { state: 'none' | 'pending' | 'accepted' | 'bridged'; target: string };
}

export interface Refusal {
  outcome: CallOutcome;
  /** Worth another attempt under the campaign's retry rules. */
  retryable: boolean;
}

const busy: Refusal = { outcome: 'busy', retryable: true };
const noAnswer: Refusal = { outcome: 'no_answer', retryable: true };
const declined: Refusal = { outcome: 'declined', retryable: false };
const unallocated: Refusal = { outcome: 'unallocated', retryable: false };
const network: Refusal = { outcome: 'failed', retryable: true };
const refused: Refusal = { outcome: 'failed', retryable: false };

const BY_SIP_STATUS = new Map<number, Refusal>([
  // Our trunk does not let us: another attempt meets the same answer.
  ...[400, 401, 402, 403, 405, 407, 415, 420, 421, 433, 436, 437, 438, 488, 493, 501, 505, 513, 606].map(
    (status): [number, Refusal] => [status, refused],
  ),
  ...[404, 410, 416, 484, 485, 604].map((status): [number, Refusal] => [status, unallocated]),
  // 487 ends an INVITE that we cancelled after ringing for long enough.
  ...[408, 480, 487].map((status): [number, Refusal] => [status, noAnswer]),
  ...[486, 600].map((status): [number, Refusal] => [status, busy]),
  // 607: the callee does not want the call; 608: an analytics engine does not.
  ...[603, 607, 608].map((status): [number, Refusal] => [status, declined]),
  ...[430, 481, 482, 483, 491, 500, 502, 503, 504, 580].map((status): [number, Refusal] => [status, network]),
]);

const BY_Q850_CAUSE = new Map<number, Refusal>([
  ...[1, 22, 28].map((cause): [number, Refusal] => [cause, unallocated]),
  [17, busy],
  ...[18, 19, 20].map((cause): [number, Refusal] => [cause, noAnswer]),
  [21, declined],
  ...[2, 3, 25, 27, 34, 38, 41, 42, 43, 44, 47, 102].map((cause): [number, Refusal] => [cause, network]),
  ...[29, 50, 55, 57, 58, 63, 65, 69, 79, 87, 88].map((cause): [number, Refusal] => [cause, refused]),
]);

/** Statuses by which gateways report almost anything: there the switch's own cause says more. */
const VAGUE = new Set([400, 403, 408, 480, 487, 488, 500, 502, 503, 504]);

/** @param sipStatus final status of the INVITE, null where the attempt ended without one (timer B, transport error). */
export function refusalOf(sipStatus: number | null, q850Cause: number | null): Refusal {
  const byCause = q850Cause === null ? undefined : BY_Q850_CAUSE.get(q850Cause);
  if (sipStatus === null) return byCause ?? network;
  if (byCause !== undefined && VAGUE.has(sipStatus)) return byCause;
  const exact = BY_SIP_STATUS.get(sipStatus);
  if (exact !== undefined) return exact;
  if (byCause !== undefined) return byCause;
  // RFC 3261 8.1.3.2: an unknown status is treated as the x00 of its class; 6xx says that no other place will do.
  return sipStatus >= 600 ? declined : sipStatus >= 500 ? network : refused;
}

/** @param progress null for a call that was never progress. */
export function terminalOf(
  progress: Progress | null,
  endReason: EndReason,
  endedAtMs: number,
  retryable: boolean,
): CallTerminal {
  if (progress === null) {
    return {
      status: 'FAILED',
      outcome: unansweredOutcome(endReason),
      endReason,
      answeredAtMs: null,
      endedAtMs,
      durationMs: 0,
      recordingPath: null,
      retryable: retryable || OUR_DOING.has(endReason),
    };
  }
  return {
    ...answeredEnd(progress, endReason),
    endReason: progress.machine !== 'none' && endReason !== 'crash' ? 'voicemail' : endReason,
    answeredAtMs: progress.atMs,
    endedAtMs,
    durationMs: Math.max(0, endedAtMs - progress.atMs),
    recordingPath: null,
    retryable: false,
  };
}

/** The callee had no part in these: the contact is worth another attempt. */
const OUR_DOING: ReadonlySet<EndReason> = new Set(['no_answer', 'shutdown', 'media_failure', 'crash']);

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
      return 'cancelled';
    default:
      return 'failed';
  }
}

/** Answered calls are COMPLETED whoever ended them, but for machines and for crashes of ours. */
function answeredEnd(progress: Progress, reason: EndReason): { status: CallStatus; outcome: CallOutcome } {
  if (reason === 'crash') return { status: 'FAILED', outcome: 'failed' };
  if (progress.machine !== 'none') {
    return { status: 'VOICEMAIL', outcome: progress.machine === 'left' ? 'voicemail_left' : 'voicemail' };
  }
  if (reason === 'transfer' || progress.transfer.state === 'bridged') {
    return { status: 'COMPLETED', outcome: 'transferred' };
  }
  if (progress.exchanges > 0) return { status: 'COMPLETED', outcome: 'completed' };
  switch (reason) {
    case 'caller_hangup':
    case 'media_timeout':
    case 'network':
      return { status: 'COMPLETED', outcome: 'hung_up' };
    case 'idle':
      return { status: 'COMPLETED', outcome: progress.spoke ? 'completed' : 'no_response' };
    default:
      return { status: 'COMPLETED', outcome: 'completed' };
  }
}
