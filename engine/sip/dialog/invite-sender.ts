// Who sent an INVITE: what the check of its source found out, and how its caller and its refusal are shown.
import type { IncomingRequest } from '../stack/transaction/transaction-layer.ts';
import type { Header } from '../stack/wire/message.ts';
import { MAX_REASON_CHARS } from '../stack/wire/plain-text.ts';
import type { AudioCodec, Caller, InviteRefusal, RefusedInvite } from '../telephony.ts';
import type { Peer } from './dial-route.ts';
import { calledParty, callerOf } from './parties.ts';

/** What the source check found out about the sender. */
export interface InviteSource {
  peer: Peer;
  codecs: readonly AudioCodec[];
  /** Calls in clear text are refused. */
  srtp: boolean;
  country: string | null;
  /** User part of the Contact that we registered there, null if we did not register. */
  contactUser: string | null;
  /** The softphone that has proved its password. */
  account: { id: string; username: string; displayName: string | null } | null;
}

/** `challenge`: for a softphone that has to prove its password. Null: it may not call. */
export type InviteSender = { source: InviteSource } | { challenge: Header[] } | null;

/** What decides about an INVITE before the message itself is read. */
export interface IntakeGates {
  sender(request: IncomingRequest): InviteSender;
  /** Why no call can be taken now; null where one can. */
  obstacle(): 'capacity' | 'stopping' | null;
  refused(refused: RefusedInvite): void;
}

/** Retry-After at capacity: about the time until one of many calls ends. */
export const RETRY_AFTER_SECONDS = 10;

/** A softphone shows the name of its account, whatever its From says. */
export function callerFrom(request: IncomingRequest, { account, country }: InviteSource): Caller {
  return account === null ? callerOf(request, country) : { number: account.username, name: account.displayName };
}

/** What is reported of an INVITE that was refused before it became a call. */
export function refusedInvite(
  request: IncomingRequest,
  source: InviteSource | null,
  sipStatus: number,
  reason: InviteRefusal,
): RefusedInvite {
  const country = source?.country ?? null;
  return {
    calledNumber: calledParty(request, country, source?.contactUser ?? null).slice(0, MAX_REASON_CHARS),
    callerNumber: (source?.account?.username ?? callerOf(request, country).number).slice(0, MAX_REASON_CHARS),
    sourceAddress: request.flow.remote.address,
    trunkId: source?.peer.trunkId ?? null,
    sipStatus,
    reason,
  };
}
