// How many calls at once: ringing and answered, either direction, browser calls too. Room is kept for inbound calls, so that
// a campaign never makes a caller hear "busy".
export type CallKind = 'inbound' | 'api' | 'campaign';

export interface Admission {
  readonly maxCalls: number;
  readonly active: number;
  /** Takes a place if there is one. Dialled calls leave the places kept for inbound ones free. */
  admit(kind: CallKind): boolean;
  /** Places that calls of this kind may still take. */
  room(kind: CallKind): number;
  release(): void;
}

/** One in ten places, at least one, is kept for inbound calls where there are more than a few. */
const INBOUND_SHARE = 0.1;
const SMALL = 4;

export function createAdmission(maxCalls: number): Admission {
  const kept = maxCalls <= SMALL ? 0 : Math.max(1, Math.floor(maxCalls * INBOUND_SHARE));
  let active = 0;
  const room = (kind: CallKind): number => Math.max(0, (kind === 'campaign' ? maxCalls - kept : maxCalls) - active);
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
