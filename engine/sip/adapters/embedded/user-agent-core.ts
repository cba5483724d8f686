// The dependencies of a call on our own stack, besides those common to both adapters: transactions and the dialog
// table. An interface, so that calls do not depend on the endpoint.

import type { SipAgent } from '../../dialog/sip-agent.ts';
import type {
  IncomingRequest,
  IncomingResponse,
  ServerTransaction,
  TransactionLayer,
} from '../../stack/transaction/transaction-layer.ts';
import type { LocalAudio } from '../../telephony.ts';

/** An entry of the dialog table: it receives the requests inside its dialog. */
export interface DialogOwner {
  receiveRequest(transaction: ServerTransaction): void;
  receiveAck(request: IncomingRequest): void;
  /** A 2xx to our INVITE that came after the end of its transaction, or from another fork. */
  receiveStray(response: IncomingResponse): void;
  /** Addresses that this call's requests come from or go to. */
  readonly peerAddresses: readonly string[];
  /** The connection that the peer's messages come over; null for UDP. */
  readonly connectionId: number | null;
  /** Our code threw while handling this call: ends it now. */
  abandon(): void;
}

export interface UserAgentCore extends SipAgent {
  readonly layer: TransactionLayer;
  /** For a sips address without TLS: without any TLS here the scheme is not supported (RFC 3261 8.2.2.1). */
  readonly sipsStatus: 403 | 416;
  /** Our address as the peer must see it (EXTERNAL_IP). */
  hostTowards(peerAddress: string): string;
  /** Our audio address as the peer must see it (EXTERNAL_IP). */
  advertise(audio: LocalAudio, peerAddress: string): LocalAudio;
  register(callId: string, localTag: string, owner: DialogOwner): void;
  unregister(callId: string, localTag: string): void;
  /** Runs a callback; an exception ends the owner's call and nothing else. */
  guard(owner: DialogOwner, callback: () => void): void;
}
