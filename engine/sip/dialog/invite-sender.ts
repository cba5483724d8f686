// The sender of an INVITE: the result of the source check, and how its caller and its refusal are reported.
import type { InboundFormat } from '../../../db/domain/trunk-defaults.ts';
import type { IncomingRequest } from '../stack/transaction/transaction-layer.ts';
import type { Header } from '../stack/wire/message.ts';
import { MAX_REASON_CHARS } from '../stack/wire/plain-text.ts';
import type { AudioCodec, InviteRefusal, Obstacle, RefusedInvite } from '../telephony.ts';
import type { Peer } from './dial-route.ts';
import type { MediaFault } from './offer-answer.ts';
import { invitePartiesOf } from './parties.ts';

/** The result of the source check. */
export interface InviteSource {
  peer: Peer;
  codecs: readonly AudioCodec[];
  /** Calls without SRTP are refused. */
  srtp: boolean;
  country: string | null;
  /** How its numbers are read that can be read in two ways. */
  inboundFormat: InboundFormat;
  /** User part of the Contact that we registered there, null if we did not register. */
  contactUser: string | null;
  /** The softphone account whose password was verified. */
  account: { id: string; username: string; displayName: string | null } | null;
}

/** `challenge`: a softphone must prove its password first. Null: the sender may not call. */
export type InviteSender = { source: InviteSource } | { challenge: Header[] } | null;

/** The checks on an INVITE before the message itself is read. */
export interface IntakeGates {
  sender(request: IncomingRequest): InviteSender;
  /** Why no call can be accepted now; null if one can. */
  obstacle(): Obstacle | null;
  refused(refused: RefusedInvite): void;
}

const UNKNOWN_SOURCE = { country: null, inboundFormat: 'auto', contactUser: null, account: null } as const;

/** How the report of an INVITE names that its offer cannot be taken. */
export function mediaRefusal(fault: MediaFault): InviteRefusal {
  if (fault === 'address') return 'media_address';
  return fault === 'srtp' ? 'srtp' : 'no_common_codec';
}

/** The report of an INVITE that was refused before it became a call. */
export function refusedInvite(
  request: IncomingRequest,
  source: InviteSource | null,
  sipStatus: number,
  reason: InviteRefusal,
): RefusedInvite {
  const { called, caller } = invitePartiesOf(request, source ?? UNKNOWN_SOURCE);
  return {
    calledNumber: called.slice(0, MAX_REASON_CHARS),
    callerNumber: caller.number.slice(0, MAX_REASON_CHARS),
    sourceAddress: request.source.address,
    trunkId: source?.peer.trunkId ?? null,
    sipStatus,
    reason,
  };
}
