// Origins of web pages: as an account names them, as a browser sends them, and which of them are this service's own.
import { isIP } from 'node:net';
import type { ApiContext } from '../context.ts';

/** As a browser sends it (RFC 6454 6.1); null for anything that has more than scheme, host and port. */
export function canonicalOrigin(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, pathname, search, hash, username, password, hostname, origin } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  if (pathname !== '/' || search !== '' || hash !== '' || username !== '' || password !== '') return null;
  // Whose a name below a shared suffix is (co.uk, github.io), no rule here can tell.
  return hostname.includes('*') ? null : origin;
}

/** The service's own pages may try every key. A name that anybody may point here counts for nothing. */
export function isOwnOrigin({ publicUrl }: Pick<ApiContext, 'publicUrl'>, origin: string, host: string): boolean {
  if (origin === canonicalOrigin(new URL(publicUrl()).origin)) return true;
  if (origin !== `http://${host}` && origin !== `https://${host}`) return false;
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}
