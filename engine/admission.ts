// Caps concurrent calls: ringing and answered, either direction, browser calls included. Some capacity is reserved, so
// that a campaign never makes a caller hear "busy". While the engine is late (`overload.ts`) there is room for nobody.
export type CallKind = 'inbound' | 'api' | 'campaign';

export interface Admission {
  readonly maxCalls: number;
  readonly active: number;
  /** Takes a place if there is one. Campaign calls leave the reserved places free. */
  admit(kind: CallKind): boolean;
  /** Places that calls of this kind may still take. */
  room(kind: CallKind): number;
  release(): void;
}

/** A tenth of the places, at least one, is out of campaigns' reach; with `SMALL` places or fewer, none is. */
const INBOUND_SHARE = 0.1;
const SMALL = 4;

export function createAdmission(maxCalls: number, isLate: () => boolean = () => false): Admission {
  const kept = maxCalls <= SMALL ? 0 : Math.max(1, Math.floor(maxCalls * INBOUND_SHARE));
  let active = 0;
  const room = (kind: CallKind): number =>
    isLate() ? 0 : Math.max(0, (kind === 'campaign' ? maxCalls - kept : maxCalls) - active);
  return {
    maxCalls,
    get active() {
      return active;
    },
    admit(kind) {
      if (room(kind) === 0) return false;
      active++;
      return true;
    },
    room,
    release() {
      if (active > 0) active--;
    },
  };
}
