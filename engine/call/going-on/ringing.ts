// An outbound call that rings, as JSON: what another process needs to go on with it. Nothing was said on it yet, so
// there is only the INVITE, the ring timer and the port of its audio.
import type { Resumption } from '../../../db/domain/calls/timeline.ts';
import { sharedClockMs } from '../../../db/shared/process/shared-clock.ts';
import type { DialRequest, LocalAudio, OutboundLeg, RingingState } from '../../sip/telephony.ts';
import type { CallInfo, CallMedium, ConductorOptions } from '../context.ts';
import { type CallState, type CallTimer, RING_TIMEOUT_MS } from '../machine.ts';
import {
  type CallFacts,
  type Continuation,
  callInfo,
  continuationOf,
  type DescribedCall,
  NO_FACTS,
  RESUMPTIONS_MAX,
  type TakenCall,
} from './continuation.ts';

/** Another name when a process of another release could not go on with what this one wrote. */
export const RINGING_VERSION = 'ringing-1';

export interface RingingContinuation {
  version: typeof RINGING_VERSION;
  call: CallInfo;
  /** The engine that had the call. */
  engineId: string;
  /** Wall clock, ms. */
  writtenAtMs: number;
  /** The same by the clock that processes of a machine share. */
  writtenAtSharedMs: number;
  medium: Extract<CallMedium, { kind: 'outbound' }>;
  leg: RingingState;
  /** The local RTP port. */
  port: number;
  state: Extract<CallState, { phase: 'ringing' }>;
  /** Left of each armed timer when it was written, ms. */
  timers: Partial<Record<CallTimer, number>>;
  resumptions: Resumption[];
  /** How often its process died while it was busy with this call. */
  suspicions: number;
}

/** A ringing call that this process goes on with. */
export interface TakenRinging {
  from: RingingContinuation;
  leg: OutboundLeg;
  /** `atMs` is 0: the call's clock has not started. */
  resumption: Resumption;
}

/** Null while nobody else could go on with the call, ringing or answered. */
export function describeCall(parts: DescribedCall): Continuation | RingingContinuation | null {
  return parts.state.phase === 'ringing' ? ringingOf(parts, parts.state) : continuationOf(parts);
}

function ringingOf(
  { options, facts, ringing, timers, record, nowMs }: DescribedCall,
  state: RingingContinuation['state'],
): RingingContinuation | null {
  const { call, medium, engineId } = options;
  const { port, suspicions } = facts;
  if (medium.kind !== 'outbound' || ringing === null || port === null) return null;
  return {
    version: RINGING_VERSION,
    call: callInfo(call),
    engineId,
    writtenAtMs: nowMs,
    writtenAtSharedMs: sharedClockMs(),
    medium,
    leg: ringing,
    port,
    state,
    timers: timers.left,
    resumptions: [...record.timings.resumptions],
    suspicions,
  };
}

export const isRinging = <Taken extends Pick<TakenCall, 'from'> | Pick<TakenRinging, 'from'>>(
  taken: Taken,
): taken is Extract<Taken, Pick<TakenRinging, 'from'>> => taken.from.version === RINGING_VERSION;

export const ringingFacts = ({ port, suspicions }: RingingContinuation): CallFacts => ({
  ...NO_FACTS,
  port,
  suspicions,
});

export const ringingResumptions = ({ from, resumption }: TakenRinging): Resumption[] =>
  [...from.resumptions, resumption].slice(-RESUMPTIONS_MAX);

/** The INVITEs of a call. */
export function dialRequest(
  { call }: Pick<ConductorOptions, 'call'>,
  trunkIds: string[],
  audio: LocalAudio,
  beforeInvite: DialRequest['beforeInvite'],
): DialRequest {
  const { toNumber: to, fromNumber: from } = call;
  const request = { trunkIds, to, from, fromName: null, audio, ringTimeoutMs: RING_TIMEOUT_MS };
  return { ...request, ...(beforeInvite && { beforeInvite }) };
}
