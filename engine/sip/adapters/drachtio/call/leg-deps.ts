// The dependencies of a leg, which the endpoint provides.

import type { Clock } from '../../../../clock.ts';
import type { Destination } from '../../../stack/network/transport-layer.ts';
import type { SipLog, StoredDialog } from '../../../telephony.ts';
import type { MediaPath } from '../media/leg-media.ts';
import type { Drachtio } from '../signalling/drachtio.ts';

/** A leg while it depends on drachtio. */
export interface LinkedLeg {
  /** The connection to drachtio is lost. Returns the dialog that must get a BYE after reconnecting. */
  linkLost(): StoredDialog | null;
  /** Our own code threw, or the engine is stopping: ends the call now. */
  abandon(): void;
}

export interface LegDeps {
  drachtio: Drachtio;
  media: MediaPath;
  clock: Clock;
  log: SipLog;
  /** Ours, for a peer over that transport. */
  contact(over: Pick<Destination, 'protocol'>): string;
  add(leg: LinkedLeg): void;
  remove(leg: LinkedLeg): void;
}
