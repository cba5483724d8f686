// How many calls at once: ringing and answered, either direction, browser calls too. Room is kept for inbound calls, so that
// a campaign never makes a caller hear "busy".
export interface Admission {
  readonly maxCalls: number;
  readonly active: number;
  /** Takes a place if there is one. Dialled calls leave the places kept for inbound ones free. */
  admit(kind: 'inbound' | 'api' | 'campaign'): boolean;
  release(): void;
}

/** One in ten places, at least one, is kept for inbound calls where there are more than a few. */
const INBOUND_SHARE = 0.1;
const SMALL = 4;

export function createAdmission(maxCalls: number): Admission {
  const kept = maxCalls <= SMALL ? 0 : Math.max(1, Math.floor(maxCalls * INBOUND_SHARE));
  let active = 0;
  return {
    maxCalls,
    get active() {
      return active;
    },
    admit(kind) {
      const limit = kind === 'campaign' ? maxCalls - kept : maxCalls;
      if (active >= limit) return false;
      active++;
      return true;
    },
    release() {
      if (active > 0) active--;
    },
  };
}
