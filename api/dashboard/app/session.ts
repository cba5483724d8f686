// The session, shared by all tabs through local storage. A refresh token is valid once, and a second use ends its
// session: so one tab at a time refreshes, under a lock, and the others take its result. A write to local storage
// reaches other tabs only a moment later, even tabs that waited for the lock. IndexedDB shows it at once, so it keeps
// the last renewal.
import { signal } from '@preact/signals';
import { del, get, set, update } from 'idb-keyval';
import type { TokenPair, User } from './api-types.ts';

interface Session {
  token: string;
  refreshToken: string;
  /** When the token ends by this machine's clock, ms. */
  expiresAtMs: number;
  user: User;
}

const KEY = 'voice.session';
const SIGN_OUT = 'voice.sign-out';
const LOCK = 'voice.session.refresh';
const RENEWAL = 'voice.session.renewal';
/** Renewed this long before its end, so that no request gets an expired token. */
const EARLY_MS = 30_000;
const LEASE_MS = 10_000;
const LEASE_POLL_MS = 60;

/** In IndexedDB: the token that replaced the used one. */
interface Renewal {
  used: string;
  token: string;
}

/** In IndexedDB: the lease of the refreshing tab, for browsers without Web Locks. */
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

/** The lifetime of a token in ms, by its own times: this machine's clock may be wrong. */
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

/** Stores the service's current record of the user. */
export function updateUser(user: User): void {
  const current = read();
  if (current !== null) write({ ...current, user });
}

/** Where the identity provider ends its own session, as it was told with the sign-in; null: it does not. */
export function keepSignOutUrl(url: string | null): void {
  if (url === null) localStorage.removeItem(SIGN_OUT);
  else localStorage.setItem(SIGN_OUT, url);
}

/** Returns where a person who wants to leave goes on to. */
export function signOutHere(): string | null {
  const url = localStorage.getItem(SIGN_OUT);
  keepSignOutUrl(null);
  write(null);
  void del(RENEWAL).catch(ignore);
  return url;
}

/** A token that is valid for some time; null when nobody is signed in. */
export async function freshToken(): Promise<string | null> {
  const current = read();
  if (current === null) return null;
  if (current.expiresAtMs - Date.now() > EARLY_MS) return current.token;
  return (await refreshedToken(current.token)) ?? read()?.token ?? null;
}

/** The token after the used one; null if the session has ended. */
export async function refreshedToken(used: string): Promise<string | null> {
  return alone(async () => {
    const current = read();
    if (current === null) return null;
    // Another tab was faster.
    if (current.token !== used) return current.token;
    const renewal = await get<Renewal>(RENEWAL).catch(ignore);
    if (renewal?.used === used) return renewal.token;
    const answer = await fetch('api/v1/auth/refresh', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refreshToken: current.refreshToken }),
    }).catch(() => null);
    // An unreachable service does not end the session: the following request reports the fault.
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

/** For a browser without a database: two tabs may refresh at once, and then one must sign in again. */
const ignore = (): undefined => undefined;

/** Runs one task at a time over all tabs. Plain http on a LAN has no Web Locks: there a lease in IndexedDB is used. */
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

/** Takes a free lease and returns whether it did; no other tab can do so at the same time. */
async function takeLease(mine: string): Promise<boolean> {
  let isMine = true;
  await update<Lease>(LOCK, (lease = FREE) => {
    isMine = lease.untilMs <= Date.now();
    return isMine ? { holder: mine, untilMs: Date.now() + LEASE_MS } : lease;
  }).catch(ignore);
  return isMine;
}
