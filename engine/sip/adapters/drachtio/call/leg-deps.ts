// What the legs need of the endpoint.

import type { Clock } from '../../../../clock.ts';
import type { SipLog, StoredDialog } from '../../../telephony.ts';
import type { MediaPath } from '../media/leg-media.ts';
import type { Drachtio } from '../signalling/drachtio.ts';

/** A leg as long as it needs drachtio. */
export interface LinkedLeg {
  /** The connection to drachtio is lost. Returns the dialog whose peer has to get a BYE when it is back. */
  linkLost(): StoredDialog | null;
  /** Our own code threw, or the engine stops: the call ends now. */
  abandon(): void;
}

export interface LegDeps {
  drachtio: Drachtio;
  media: MediaPath;
  clock: Clock;
  log: SipLog;
  add(leg: LinkedLeg): void;
  remove(leg: LinkedLeg): void;
}
