// Session timers (RFC 4028), pure: the agreement in a request and its 2xx, and when to refresh or give up.
import { param, parseWithParams } from '../stack/wire/header.ts';
import { type Header, header, tokens } from '../stack/wire/message.ts';

/** RFC 4028 4: the smallest interval that may be requested. */
export const MIN_SESSION_SECONDS = 90;
const DEFAULT_SESSION_SECONDS = 1_800;
/** Longer than any call: a longer request is read as a day, so that a dead peer is not waited for over weeks. */
const MAX_SESSION_SECONDS = 86_400;

export interface SessionPlan {
  intervalSeconds: number;
  refresher: 'local' | 'remote';
}

interface Asked {
  seconds: number;
  refresher: 'uac' | 'uas' | null;
}

function readSessionExpires(message: { headers: readonly Header[] }): Asked | null {
  const parsed = parseWithParams(header(message, 'session-expires') ?? '');
  if (!parsed || !/^\d{1,9}$/.test(parsed.value)) return null;
  const refresher = param(parsed.params, 'refresher')?.toLowerCase();
  const seconds = Math.min(Number(parsed.value), MAX_SESSION_SECONDS);
  return { seconds, refresher: refresher === 'uac' || refresher === 'uas' ? refresher : null };
}

/** Min-SE in seconds, 90 if absent or unreadable, a day at most. */
export function readMinSe(message: { headers: readonly Header[] }): number {
  const value = Number(/^\d{1,9}/.exec(header(message, 'min-se') ?? '')?.[0] ?? 0);
  return Math.min(Math.max(MIN_SESSION_SECONDS, value), MAX_SESSION_SECONDS);
}

type ServerDecision = { type: 'too-small' } | { type: 'agreed'; plan: SessionPlan; headers: Header[] };

/** The server's side of RFC 4028 9, for INVITE and UPDATE: 422, or the plan and the headers of the 2xx. */
export function decideAsServer(request: { headers: readonly Header[] }): ServerDecision {
  const asked = readSessionExpires(request);
  const peerSupports = tokens(request, 'supported').includes('timer');
  if (asked && asked.seconds < MIN_SESSION_SECONDS && peerSupports) return { type: 'too-small' };
  const floor = readMinSe(request);
  const seconds = Math.max(floor, Math.min(asked?.seconds ?? DEFAULT_SESSION_SECONDS, DEFAULT_SESSION_SECONDS));
  // A peer without the extension cannot be the refresher (RFC 4028 9, table 2).
  const uac = peerSupports && asked?.refresher !== 'uas';
  const headers: Header[] = [{ name: 'session-expires', value: `${seconds};refresher=${uac ? 'uac' : 'uas'}` }];
  if (uac) headers.push({ name: 'require', value: 'timer' });
  return { type: 'agreed', plan: { intervalSeconds: seconds, refresher: uac ? 'remote' : 'local' }, headers };
}

/** The client's side: the plan in the 2xx to our request. No Session-Expires means no timer (RFC 4028 7.2). */
export function decideAsClient(response: { headers: readonly Header[] }): SessionPlan | null {
  const granted = readSessionExpires(response);
  if (!granted) return null;
  return {
    intervalSeconds: Math.max(granted.seconds, MIN_SESSION_SECONDS),
    refresher: granted.refresher === 'uas' ? 'remote' : 'local',
  };
}

/** Headers of a request that starts (plan null) or refreshes a session. */
export function offerTimer(plan: SessionPlan | null, minSeconds: number): Header[] {
  const seconds = Math.max(plan?.intervalSeconds ?? DEFAULT_SESSION_SECONDS, minSeconds);
  const role = plan === null ? '' : `;refresher=${plan.refresher === 'local' ? 'uac' : 'uas'}`;
  const headers: Header[] = [{ name: 'session-expires', value: `${seconds}${role}` }];
  if (minSeconds > MIN_SESSION_SECONDS) headers.push({ name: 'min-se', value: String(minSeconds) });
  return headers;
}

/** The refresher acts at half the interval; the other side gives up shortly before the end (RFC 4028 10). */
export function refreshDelayMs({ intervalSeconds }: SessionPlan): number {
  return intervalSeconds * 500;
}

export function expiryDelayMs({ intervalSeconds }: SessionPlan): number {
  return (intervalSeconds - Math.min(32, Math.floor(intervalSeconds / 3))) * 1_000;
}
