// What a call needs from the user agent: time, transactions, addresses, the dialog table. It is an interface, so that
// calls do not depend on the endpoint.

import type { Clock } from '../../../clock.ts';
import type { Destination, Flow } from '../../stack/network/transport-layer.ts';
import type {
  IncomingRequest,
  IncomingResponse,
  ServerTransaction,
  TransactionLayer,
} from '../../stack/transaction/transaction-layer.ts';
import type { Credentials } from '../../stack/wire/digest.ts';
import type { AudioCodec, LocalAudio } from '../../telephony.ts';

export interface SipLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** An entry of the dialog table: it receives the requests inside its dialog. */
export interface DialogOwner {
  receiveRequest(transaction: ServerTransaction): void;
  receiveAck(request: IncomingRequest): void;
  /** A 2xx to an INVITE of ours, after the end of its transaction or from another fork. */
  receiveStray(response: IncomingResponse): void;
  /** Addresses that this call's requests come from or go to. */
  readonly peerAddresses: readonly string[];
  /** The connection that the peer's messages come over; null for UDP. */
  readonly connectionId: number | null;
  /** Our code threw while handling this call: it ends now. */
  abandon(): void;
}

export interface Peer {
  trunkId: string | null;
  credentials: Credentials | null;
  /** The name that its certificate must carry, for a trunk over TLS. */
  serverName: string | null;
  /** Requests over 1,300 bytes may go over TCP although the peer uses UDP. */
  allowTcp: boolean;
  /** Requests go where the peer's own come from, whatever its Contact says: a phone may be behind any NAT. */
  viaFlow: boolean;
}

export interface UserAgentCore {
  readonly clock: Clock;
  readonly log: SipLog;
  readonly layer: TransactionLayer;
  /** Codecs of callers and places without a trunk, in order of preference, and how an offer is answered. */
  readonly voice: { codecs: readonly AudioCodec[]; prefersWideband: boolean };
  /**
   * Destinations of a next hop, best first, empty if none. `flow` is how the peer reached us, for peers behind NAT;
   * `viaFlow`: nothing else is used while the flow is open.
   */
  locate(uri: string, flow: Flow | null, viaFlow?: boolean): Destination[] | Promise<Destination[]>;
  /** Our Contact as that destination must see it. */
  contact(destination: Destination): string;
  /** Our audio address as the peer must see it (EXTERNAL_IP). */
  advertise(audio: LocalAudio, peerAddress: string): LocalAudio;
  register(callId: string, localTag: string, owner: DialogOwner): void;
  unregister(callId: string, localTag: string): void;
  /** Runs a callback; an exception ends the owner's call and nothing else. */
  guard(owner: DialogOwner, callback: () => void): void;
}
