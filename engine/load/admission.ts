// Caps concurrent calls: ringing and answered, either direction, browser calls included. Some capacity is reserved, so
// that a campaign never makes a caller hear "busy". A gate (`overload.ts`) may allow fewer calls than there are places.
import { inboundReserve } from '../../db/domain/places.ts';

export type CallKind = 'inbound' | 'api' | 'campaign';

export interface Admission {
  /** Never fewer than run. */
  readonly maxCalls: number;
  readonly active: number;
  /** Takes a place if there is one. Campaign calls leave the reserved places free. */
  admit(kind: CallKind): boolean;
  /** A call of a process that has died takes its place, whether or not there is one. */
  adopt(): void;
  /** Places that no call has, whatever the gate says of new calls. */
  readonly free: number;
  /** Places still open to calls of this kind. */
  room(kind: CallKind): number;
  /** Whether an incoming call would be admitted. */
  isOpen(kind: CallKind): boolean;
  release(): void;
  /** The engines carry another number of calls. Running calls stay. */
  resize(maxCalls: number): void;
}

/** A further limit on new calls, besides the places. */
export interface Gate {
  /** Calls that may begin in addition to the active ones. */
  room(activeCalls: number): number;
  /** A call begins. */
  begin(activeCalls: number): void;
  /** A call was to begin, but there was no room. */
  refuse(): void;
}

const OPEN: Gate = { room: () => Number.POSITIVE_INFINITY, begin: () => {}, refuse: () => {} };

export function createAdmission(places: number, gate: Gate = OPEN): Admission {
  let maxCalls = places;
  let kept = inboundReserve(maxCalls);
  let active = 0;
  const room = (kind: CallKind): number =>
    Math.min(Math.max(0, (kind === 'campaign' ? maxCalls - kept : maxCalls) - active), gate.room(active));
  const isOpen = (kind: CallKind): boolean => {
    if (room(kind) > 0) return true;
    if (gate.room(active) === 0) gate.refuse();
    return false;
  };
  return {
    get maxCalls() {
      return Math.max(maxCalls, active);
    },
    get active() {
      return active;
    },
    admit(kind) {
      if (!isOpen(kind)) return false;
      gate.begin(active);
      active++;
      return true;
    },
    adopt() {
      active++;
    },
    get free() {
      return Math.max(0, maxCalls - active);
    },
    room,
    isOpen,
    release() {
      if (active > 0) active--;
    },
    resize(places) {
      maxCalls = places;
      kept = inboundReserve(places);
    },
  };
}
