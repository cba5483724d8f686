// Where our INVITEs may go: the routes of a call, one attempt on a route, and when the next attempt is made.

import type { Destination } from '../stack/network/transport-layer.ts';
import type { FailureCause } from '../stack/transaction/transaction-layer.ts';
import type { Credentials } from '../stack/wire/digest.ts';
import type { NameAddr } from '../stack/wire/header.ts';
import type { Header, SipResponse } from '../stack/wire/message.ts';
import { parseUri, type SipUri } from '../stack/wire/uri.ts';
import type { AudioCodec } from '../telephony.ts';

/** The far side of a call: how requests are sent to it and how its requests are judged. */
export interface Peer {
  trunkId: string | null;
  credentials: Credentials | null;
  /** The name that its certificate must carry, for TLS trunks. */
  serverName: string | null;
  /** Requests over 1,300 bytes may go over TCP although the peer uses UDP. */
  allowTcp: boolean;
  /** Requests go to the source address of its own, whatever its Contact says: a phone may be behind any NAT. */
  viaFlow: boolean;
  /** Addresses and CIDRs of its media, besides the signalled ones. */
  mediaFrom: readonly string[];
  /** The tenant of the softphone whose password it has proved; absent: it is none. */
  phoneOf?: string;
}

/** The destination of an INVITE and the identity that it shows. */
export interface AttemptRoute {
  requestUri: string;
  destination: Destination;
  from: NameAddr;
  to: NameAddr;
  /** Route values of an outbound proxy. */
  routes: readonly string[];
  /** Identity headers. */
  headers: readonly Header[];
  peer: Peer;
  codecs: readonly AudioCodec[];
  srtp: boolean;
  /** The far side itself, if `destination` is a proxy of ours in front of it. */
  behindEdge?: FarSide;
}

interface FarSide {
  address: string;
  /** Nobody between it and us, but proxies of ours, reads the keys of its SRTP. */
  isSecure: boolean;
}

/** Whom the audio is for. */
export const farSideOf = ({ destination, behindEdge }: AttemptRoute): FarSide =>
  behindEdge ?? { address: destination.remote.address, isSecure: destination.protocol === 'tls' };

export interface AttemptFailure {
  /** Final status; null if none came. */
  status: number | null;
  cause: FailureCause | 'refused' | 'not-stored';
  q850Cause: number | null;
  reason: string;
  response: SipResponse | null;
  /** A provisional response came: the far side is up. */
  provisional: boolean;
  lastCSeq: number;
}

/** A trunk, or a direct SIP URI. Its destinations are resolved when it is tried. */
export interface DialRoute {
  /** Null for a SIP URI or a softphone. */
  trunkId: string | null;
  /** For logs and end reasons. */
  name: string;
  destinations(): Promise<Destination[]>;
  at(destination: Destination): AttemptRoute;
  /** The INVITE for the Contact of a 3xx; null if it leads away from this route or number. */
  redirect(target: SipUri, from: AttemptRoute): Promise<AttemptRoute | null>;
  /** Reports the outcome to the trunk's health; null for an answer. */
  report(failure: AttemptFailure | null): void;
}

/** The longest time that a caller hears ringing. */
export const MAX_RING_MS = 180_000;
export const MIN_RING_TIMEOUT_MS = 1_000;

/** docs/trunks.md: no phone rang, and the trunk itself failed or never answered. */
export function mayTryNext(failure: AttemptFailure, rang: boolean): boolean {
  if (rang || failure.cause === 'not-stored') return false;
  if (failure.cause === 'transport') return true;
  if (failure.cause === 'timeout') return !failure.provisional;
  // 6xx: no other destination will do (RFC 3261 21.6).
  return failure.status !== null && ((failure.status >= 500 && failure.status < 600) || failure.status === 408);
}

/** True for a URI that can be dialled unchanged. */
export function isSipUri(text: string): boolean {
  const scheme = parseUri(text)?.scheme;
  return scheme === 'sip' || scheme === 'sips';
}
