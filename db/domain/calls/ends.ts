// The outcomes and end reasons of a call, as stored in its row.

export const CALL_OUTCOMES = [
  'completed',
  'transferred',
  'voicemail_left',
  /** A machine answered and no message was left. */
  'voicemail',
  /** The agent left the caller without an answer: its model failed, or what stood in for it. */
  'agent_failed',
  /** The other side hung up, or was lost, before it had said anything. */
  'hung_up',
  /** Answered, but nobody spoke. */
  'no_response',
  'busy',
  'no_answer',
  'declined',
  'unallocated',
  'failed',
  'not_joined',
  'expired',
  /** Ended by us or on request before anyone answered. */
  'cancelled',
] as const;

export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** Why the call ended; more precise than the outcome. */
export const END_REASONS = [
  'caller_hangup',
  'agent_hangup',
  'api',
  'media_timeout',
  'media_failure',
  'max_duration',
  'shutdown',
  'idle',
  /** Transferred, or ended by the person to whom it was transferred. */
  'transfer',
  'model_failure',
  'expired',
  'not_joined',
  'crash',
  'voicemail',
  'network',
  'busy',
  'no_answer',
  'declined',
  'unallocated',
  'refused',
  'do_not_call',
  'campaign_paused',
  /** Never dialled: the last trunk had been deleted. */
  'no_trunk',
  /** Never dialled: MAX_CALLS had been reached. */
  'capacity',
] as const;

export type EndReason = (typeof END_REASONS)[number];
