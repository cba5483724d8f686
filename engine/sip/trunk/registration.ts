// A registration (RFC 3261 10.2) as a pure machine: it refreshes before expiry and backs off after failures; its state
// is what the operator sees. trunk.ts sends the requests and reports the responses.
import { DAY_MS } from '../../../db/domain/hours/durations.ts';

export type RegistrationState =
  | { phase: 'off' }
  | { phase: 'registering'; failures: number; askSeconds: number }
  | { phase: 'registered'; expiresAtMs: number; askSeconds: number }
  | { phase: 'failed'; failures: number; askSeconds: number; reason: string };

export type RegistrationEvent =
  | { type: 'started' }
  | { type: 'timer-fired' }
  /** 2xx: the seconds that the registrar granted. */
  | { type: 'accepted'; grantedSeconds: number; nowMs: number }
  /** 423 (RFC 3261 10.2.8). */
  | { type: 'too-brief'; minSeconds: number }
  /** `chance`: 0 <= x < 1, spreads the retries of many trunks after an outage. */
  | {
      type: 'refused';
      reason: string;
      /** Wrong credentials or a blocked account: retried, but rarely. */
      permanent: boolean;
      retryAfterSeconds: number | null;
      chance: number;
    }
  | { type: 'stopped' };

type RegistrationEffect =
  | { type: 'send'; expiresSeconds: number }
  | { type: 'arm'; delayMs: number }
  | { type: 'disarm' };

/** Requested expiry; the registrar decides. Short, so that a registrar's restart is noticed within minutes. */
const ASKED_SECONDS = 600;
const MAX_ASKED_SECONDS = 86_400;
// Applies even to longer grants: a registrar that lost its table has us back within a day.
const MAX_REFRESH_MS = DAY_MS;
const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 300_000;
const PERMANENT_RETRY_MS = 120_000;

type Step = [RegistrationState, RegistrationEffect[]];

/** Refreshes with a fifth of the time left, at least 30 s before expiry if the interval allows, and once a day. */
export function refreshAfterMs(grantedSeconds: number): number {
  const early = Math.max(grantedSeconds * 0.2, Math.min(30, grantedSeconds * 0.5));
  return Math.min(Math.max(1_000, Math.round((grantedSeconds - early) * 1_000)), MAX_REFRESH_MS);
}

/** 5 s, doubling to 5 min, with 20 % jitter. */
export function retryDelayMs(failures: number, permanent: boolean, chance: number): number {
  const doubled = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10), MAX_RETRY_MS);
  return Math.round(Math.max(doubled, permanent ? PERMANENT_RETRY_MS : 0) * (0.8 + chance * 0.4));
}

function ask(state: { askSeconds: number; failures: number }): Step {
  return [{ phase: 'registering', ...state }, [{ type: 'send', expiresSeconds: state.askSeconds }]];
}

export function stepRegistration(state: RegistrationState, event: RegistrationEvent): Step {
  const askSeconds = state.phase === 'off' ? ASKED_SECONDS : state.askSeconds;
  const failures = state.phase === 'failed' || state.phase === 'registering' ? state.failures : 0;
  switch (event.type) {
    case 'started':
      return state.phase === 'off' ? ask({ askSeconds, failures: 0 }) : [state, []];
    case 'timer-fired':
      if (state.phase === 'off') return [state, []];
      // The registration stays valid during a refresh, until that fails.
      if (state.phase === 'registered') return [state, [{ type: 'send', expiresSeconds: askSeconds }]];
      return ask({ askSeconds, failures });
    case 'accepted': {
      if (state.phase === 'off') return [state, []];
      const expiresAtMs = event.nowMs + event.grantedSeconds * 1_000;
      const delayMs = refreshAfterMs(event.grantedSeconds);
      return [{ phase: 'registered', expiresAtMs, askSeconds }, [{ type: 'arm', delayMs }]];
    }
    case 'too-brief': {
      if (state.phase === 'off') return [state, []];
      const next = Math.min(event.minSeconds, MAX_ASKED_SECONDS);
      if (next <= askSeconds) {
        const refused = {
          type: 'refused',
          reason: '423',
          permanent: true,
          retryAfterSeconds: null,
          chance: 0.5,
        } as const;
        return stepRegistration(state, refused);
      }
      return ask({ askSeconds: next, failures });
    }
    case 'refused': {
      if (state.phase === 'off') return [state, []];
      const count = failures + 1;
      const own = retryDelayMs(count, event.permanent, event.chance);
      const asked = Math.min((event.retryAfterSeconds ?? 0) * 1_000, MAX_RETRY_MS);
      const delayMs = Math.max(own, asked);
      return [{ phase: 'failed', failures: count, askSeconds, reason: event.reason }, [{ type: 'arm', delayMs }]];
    }
    case 'stopped': {
      const effects: RegistrationEffect[] = [{ type: 'disarm' }];
      if (state.phase === 'registered') effects.push({ type: 'send', expiresSeconds: 0 });
      return [{ phase: 'off' }, effects];
    }
  }
}
