// Who is signed in, shared by all tabs through local storage. A refresh token is good once, and one that is used twice
// ends its session: so one tab refreshes at a time, under a lock, and the others take what it got. What one tab writes
// to local storage reaches the others a moment later, even those that waited for the lock. IndexedDB has it at once, so
// it keeps the last renewal.
import { signal } from '@preact/signals';
import { del, get, set, update } from 'idb-keyval';
import type { TokenPair, User } from './api-types.ts';

export interface Session {
  token: string;
  refreshToken: string;
  /** When the token ends by this machine's clock, ms. */
  expiresAtMs: number;
  user: User;
}

const KEY = 'voice.session';
const LOCK = 'voice.session.refresh';
const RENEWAL = 'voice.session.renewal';
/** Renewed this long before its end, so that no request meets it. */
const EARLY_MS = 30_000;
const LEASE_MS = 10_000;
const LEASE_POLL_MS = 60;

/** In IndexedDB: the token that took the place of the one that was used up. */
interface Renewal {
  used: string;
  token: string;
}

/** In IndexedDB: who refreshes, where there are no Web Locks. */
interface Lease {
  holder: string;
  untilMs: number;
}

export const session = signal<Session | null>(read());

addEventListener('storage', ({ key }) => {
  if (key === KEY || key === null) session.value = read();
});

function read(): Session | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null') as Session | null;
  } catch {
    return null;
  }
}

function write(next: Session | null): void {
  if (next === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, JSON.stringify(next));
  session.value = next;
}

/** The life of a token in ms, by its own times: this machine's clock may be wrong. */
function lifeMs(token: string): number {
  try {
    const [, payload = ''] = token.split('.');
    const { iat, exp } = JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/'))) as {
      iat: number;
      exp: number;
    };
    return (exp - iat) * 1_000;
  } catch {
    return 0;
  }
}

export function signIn({ token, refreshToken }: TokenPair, user: User): void {
  write({ token, refreshToken, expiresAtMs: Date.now() + lifeMs(token), user });
}

/** The user as the service has it now. */
export function updateUser(user: User): void {
  const current = read();
  if (current !== null) write({ ...current, user });
}

export function signOutHere(): void {
  write(null);
  void del(RENEWAL).catch(ignore);
}

/** A token that holds for a while yet; null when nobody is signed in. */
export async function freshToken(): Promise<string | null> {
  const current = read();
  if (current === null) return null;
  if (current.expiresAtMs - Date.now() > EARLY_MS) return current.token;
  return (await refreshedToken(current.token)) ?? read()?.token ?? null;
}

/** The token after the one that is used up; null where the session has ended. */
export async function refreshedToken(used: string): Promise<string | null> {
  return alone(async () => {
    const current = read();
    if (current === null) return null;
    // Another tab was quicker.
    if (current.token !== used) return current.token;
    const renewal = await get<Renewal>(RENEWAL).catch(ignore);
    if (renewal?.used === used) return renewal.token;
    const answer = await fetch('api/v1/auth/refresh', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refreshToken: current.refreshToken }),
    }).catch(() => null);
    // Unreachable is not signed out: the request that follows says what is wrong.
    if (answer === null || answer.status >= 500 || answer.status === 429) return current.token;
    if (!answer.ok) {
      signOutHere();
      return null;
    }
    const { data } = (await answer.json()) as { data: TokenPair };
    signIn(data, current.user);
    await set(RENEWAL, { used, token: data.token } satisfies Renewal).catch(ignore);
    return data.token;
  });
}

/** A browser that keeps no database: tabs may then meet in a refresh, and one of them has to sign in again. */
const ignore = (): undefined => undefined;

/** One at a time over all tabs. Plain http on a LAN has no Web Locks: there a lease in IndexedDB stands in. */
async function alone<T>(work: () => Promise<T>): Promise<T> {
  if ('locks' in navigator) return navigator.locks.request(LOCK, work) as Promise<T>;
  const mine = crypto.getRandomValues(new Uint32Array(2)).join('-');
  while (!(await takeLease(mine))) await new Promise((resolve) => setTimeout(resolve, LEASE_POLL_MS));
  try {
    return await work();
  } finally {
    const end = (lease?: Lease): Lease => (lease === undefined || lease.holder === mine ? FREE : lease);
    await update<Lease>(LOCK, end).catch(ignore);
  }
}

const FREE: Lease = { holder: '', untilMs: 0 };

/** Takes the lease if it is free, and says whether it did; no other tab can do so at the same time. */
async function takeLease(mine: string): Promise<boolean> {
  let isMine = true;
  await update<Lease>(LOCK, (lease = FREE) => {
    isMine = lease.untilMs <= Date.now();
    return isMine ? { holder: mine, untilMs: Date.now() + LEASE_MS } : lease;
  }).catch(ignore);
  return isMine;
}
