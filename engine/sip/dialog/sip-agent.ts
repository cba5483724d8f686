// The interface that trunks, softphones and calls need from their user agent, embedded or drachtio.
import type { Clock } from '../../clock.ts';
import type { Destination, Flow } from '../stack/network/transport-layer.ts';
import type { RequestSender } from '../stack/transaction/transaction-layer.ts';
import type { AudioCodec, SipLog } from '../telephony.ts';

export interface SipAgent {
  readonly clock: Clock;
  readonly log: SipLog;
  /** Sends requests outside dialogs. */
  readonly layer: RequestSender;
  /** Codecs of callers and destinations without a trunk, in order of preference, and how an offer is answered. */
  readonly voice: { codecs: readonly AudioCodec[]; prefersWideband: boolean };
  /**
   * Destinations of a next hop, best first; empty if none. `flow`: how the peer reached us, for peers behind NAT.
   * `viaFlow`: only the flow is used while it is open.
   */
  locate(uri: string, flow: Flow | null, viaFlow?: boolean): Destination[] | Promise<Destination[]>;
  /** Our Contact as that destination must see it. */
  contact(destination: Destination): string;
}
