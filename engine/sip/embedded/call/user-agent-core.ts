// What a call needs of the user agent around it: time, transactions, addresses, the table of dialogs. An interface of
// its own so that calls do not know the endpoint, and tests can run one call against a script.

import type { Clock } from '../../../clock.ts';
import type { LocalAudio } from '../../telephony.ts';
import type { Destination, Flow } from '../network/transport-layer.ts';
import type {
  IncomingRequest,
  IncomingResponse,
  ServerTransaction,
  TransactionLayer,
} from '../transaction/transaction-layer.ts';
import type { Credentials } from '../wire/digest.ts';

export interface SipLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What the dialog table holds: the receiver of in-dialog requests. */
export interface DialogOwner {
  receiveRequest(transaction: ServerTransaction): void;
  receiveAck(request: IncomingRequest): void;
  /** A 2xx to an INVITE of ours that came after its transaction, or from another fork. */
  receiveStray(response: IncomingResponse): void;
  /** Something of ours threw while it handled this call: end it, now. */
  abandon(): void;
}

export interface Peer {
  trunkId: string | null;
  credentials: Credentials | null;
  /** Requests over 1,300 bytes may go over TCP although the peer is reached by UDP. */
  allowTcp: boolean;
}

export interface UserAgentCore {
  readonly clock: Clock;
  readonly log: SipLog;
  readonly layer: TransactionLayer;
  /** Places of a next hop, best first; `flow` is how the peer reached us, for peers behind NAT. Empty: none found. */
  locate(uri: string, flow: Flow | null): Destination[] | Promise<Destination[]>;
  /** Value of our Contact towards that place. */
  contact(destination: Destination): string;
  /** Our audio address as the peer must see it (EXTERNAL_IP). */
  advertise(audio: LocalAudio, peerAddress: string): LocalAudio;
  register(callId: string, localTag: string, owner: DialogOwner): void;
  unregister(callId: string, localTag: string): void;
  /** Runs a callback so that what it throws ends the owner's call and nothing else. */
  guard(owner: DialogOwner, callback: () => void): void;
}
