// Addresses of pages: `#/calls/call_1?tab=events`. They are in the hash, because a proxy may serve the dashboard below
// any path, and so that the server need not answer unknown paths with the page.
import { computed, signal } from '@preact/signals';

interface Route {
  /** Segments without slashes, decoded. */
  path: string;
  query: URLSearchParams;
}

const current = signal(location.hash);
/** Asks before a barred address is opened; `leave` opens it without a question. */
interface Barrier {
  bars: (address: string) => boolean;
  ask: (address: string) => void;
}
let barrier: Barrier | null = null;
addEventListener('hashchange', () => {
  const wanted = location.hash;
  if (barrier?.bars(wanted)) {
    history.pushState(null, '', current.peek());
    barrier.ask(wanted);
  } else current.value = wanted;
});

export function setBarrier(next: Barrier | null): void {
  barrier = next;
}

/** Opens a page without a question. */
export function leave(address: string): void {
  barrier = null;
  go(address);
}

export const route = computed<Route>(() => parseHash(current.value));

export function parseHash(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#/, '').split('?', 2);
  return { path: path === '' ? '/' : path, query: new URLSearchParams(search) };
}

/** The address of a page for `href`; empty values of the query are left out. */
export function link(path: string, query: Record<string, string | number | undefined | null> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  return `#${path}${search.size > 0 ? `?${search}` : ''}`;
}

/** The address of the page of a person, who is known by their number. */
export const personLink = (phoneNumber: string): string => link(`/people/${encodeURIComponent(phoneNumber)}`);

/** Opens a page; `replace` adds no step for the back button. */
export function go(address: string, { replace = false } = {}): void {
  if (replace) {
    history.replaceState(null, '', address);
    current.value = location.hash;
  } else location.hash = address;
}

/** The address of this page with some of its query changed, without a step in the history. */
export function setQuery(change: Record<string, string | number | undefined | null>): void {
  const { path, query } = route.peek();
  go(link(path, { ...Object.fromEntries(query), ...change }), { replace: true });
}

/** The parameters of `/calls/:id` in a path; null if it does not match. */
export function match(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(value);
    else if (part !== value) return null;
  }
  return params;
}
