// Events and effects of the call machine. Times are ms of the monotonic clock.

import type { CallTerminal } from '../../db/domain/calls/outcome.ts';
import type { HandoverWish } from '../dialogue/tools/tool.ts';
import type { LegEnd, NegotiatedAudio } from '../sip/telephony.ts';

export type CallDirection = 'inbound' | 'outbound' | 'web';

/** The limits and settings that admission gives a call. */
export interface CallPlan {
  maxDurationMs: number;
  voicemail: 'hangup' | 'leave_message';
}

export type CallTimer = 'ring' | 'join' | 'limit-warning' | 'limit' | 'beep' | 'transfer' | 'close';

/** Reports from the parts of the call. */
export type CallReport =
  | { type: 'admitted'; plan: CallPlan }
  /** A condition that held when the call was accepted no longer holds. */
  | { type: 'withdrawn'; reason: 'do_not_call' | 'campaign_paused' }
  | { type: 'audio-opened'; address: string; port: number }
  | { type: 'audio-open-failed' }
  | { type: 'socket-joined' }
  | { type: 'leg-ringing'; earlyAudio: NegotiatedAudio | null }
  | { type: 'leg-answered'; audio: NegotiatedAudio }
  | { type: 'leg-audio-changed'; audio: NegotiatedAudio }
  | { type: 'leg-ended'; end: LegEnd }
  | { type: 'media-lost'; reason: 'rtp-timeout' | 'socket-closed' | 'not-rejoined' }
  /** A fault of ours in this call's audio, or the loss of its shard where the call cannot go on. */
  | { type: 'call-failed' }
  | { type: 'audio-closed'; recordingPath: string | null; recordedMs: number }
  /** A caller's turn was understood and answered, and the answer was heard; or a tool did what the call was for. */
  | { type: 'exchange-done' }
  | { type: 'caller-spoke' }
  /** The agent has said goodbye. */
  | { type: 'goodbye-said'; reason: 'agent_hangup' | 'idle' | 'model_failure' | 'transfer' }
  /** `forMs`: when it has failed without a result; absent: the usual time. */
  | { type: 'transfer-requested'; target: string; wish?: HandoverWish; forMs?: number }
  /**
   * `accepted`: the peer is trying (202 to our REFER); `referred`: it has taken over the caller; `bridged`: both are
   * joined here and the call continues; `stays`: the agent listens to both.
   */
  | { type: 'transfer-outcome'; result: 'accepted' | 'referred' | 'bridged' | 'failed'; stays?: true }
  /** The person to whom the agent listens has hung up. */
  | { type: 'person-left' }
  | { type: 'amd-verdict'; verdict: 'human' | 'machine' | 'machine-beep' | 'screening' | 'uncertain' }
  | { type: 'beep' }
  | { type: 'message-left' }
  | { type: 'end-requested' }
  | { type: 'shutdown' }
  | { type: 'timer-fired'; timer: CallTimer; serial: number };

export type CallEvent = CallReport & { nowMs: number };

export type CallEffect =
  /** Insert the row of an inbound call, with `call.received`. Other calls have their row from the request. */
  | { type: 'write-row' }
  | { type: 'write-answered' }
  | { type: 'open-audio' }
  | { type: 'connect-audio'; audio: NegotiatedAudio }
  | { type: 'close-audio' }
  | { type: 'ring-leg' }
  | { type: 'answer-leg'; address: string; port: number }
  /** The attempt is claimed durably before its INVITE leaves. */
  | { type: 'dial-leg'; address: string; port: number }
  | { type: 'hang-up-leg' }
  /** Starts the call's clock in the shard, and the dialogue. */
  | { type: 'start-dialogue' }
  | { type: 'stop-dialogue' }
  | { type: 'transfer'; target: string; wish?: HandoverWish }
  /** The transfer failed: the agent talks to the caller again. */
  | { type: 'end-transfer' }
  /** Both are joined: the agent says nothing more, and listens. */
  | { type: 'listen-to-both' }
  /** The person has left: the agent talks to the caller again. */
  | { type: 'return-to-caller' }
  | { type: 'warn-limit'; remainingMs: number }
  /** A machine answered: the dialogue stays silent until the message. */
  | { type: 'await-beep' }
  | { type: 'leave-message' }
  | { type: 'arm-timer'; timer: CallTimer; serial: number; delayMs: number }
  | { type: 'cancel-timer'; timer: CallTimer }
  /** The one transaction that ends the call: row, contact, minutes and events. */
  | { type: 'write-terminal'; terminal: CallTerminal };
