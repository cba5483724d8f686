// The Path of a REGISTER (RFC 3327): the proxies by which a telephone is reached, in the order of a request to it. Only
// proxies of our own may give one: every call to that telephone goes where it leads.
import type { Edge } from '../stack/network/edge.ts';
import type { IncomingRequest } from '../stack/transaction/transaction-layer.ts';
import { parseNameAddr } from '../stack/wire/header.ts';
import { headerValues } from '../stack/wire/message.ts';
import { splitList } from '../stack/wire/scanner.ts';
import { writeUri } from '../stack/wire/uri.ts';

// It is part of each INVITE to the phone, which should fit a datagram. One proxy with two sockets gives two values.
const MAX_PATH_CHARS = 512;
const MAX_HOPS = 4;

/** Null: the phone registered at this engine itself, or its proxy gives none. */
type Way = { type: 'path'; path: string | null } | { type: 'bad'; reason: string };

export function readPath({ message, flow }: IncomingRequest, edge: Edge): Way {
  const values = headerValues(message, 'path').filter((value) => value !== '');
  if (values.length === 0 || !edge.has(flow.remote.address)) return { type: 'path', path: null };
  const path = values.join(', ');
  if (values.length > MAX_HOPS || path.length > MAX_PATH_CHARS) return { type: 'bad', reason: 'it is too long' };
  const isOurs = values.every((value) => edge.isHop(value));
  return isOurs ? { type: 'path', path } : { type: 'bad', reason: 'it leads by others than EDGE_PROXIES and SIP_EDGE' };
}

export function pathValues(path: string | null): string[] {
  return path === null ? [] : splitList(path, { steps: 0 });
}

/** The URI to which a request on that path is sent; null without one. */
export function firstHop(path: string | null): string | null {
  const [first] = pathValues(path);
  const uri = first === undefined ? undefined : parseNameAddr(first)?.uri;
  return uri === undefined ? null : writeUri(uri);
}
