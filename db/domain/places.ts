// How the places of the engine are shared: what is kept for callers who call in, and what one account's own calls may
// take.

/** A tenth of the places, at least one, is out of campaigns' reach; with `FEW_PLACES` or fewer, none is. */
const INBOUND_SHARE = 0.1;
/** So few are neither kept for anybody nor shared. */
export const FEW_PLACES = 4;

export const inboundReserve = (maxCalls: number): number =>
  maxCalls <= FEW_PLACES ? 0 : Math.max(1, Math.floor(maxCalls * INBOUND_SHARE));

/** Percent of the places, and of a trunk's calls per second, that one account may take beside others. */
export const DEFAULT_CALL_SHARE = 50;

/** At least one: an account that may never call has no use of the service. */
export const sharedPlaces = (maxCalls: number, percent: number): number =>
  Math.max(1, Math.ceil((maxCalls * percent) / 100));
