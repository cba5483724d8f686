// Matches messages to transactions (RFC 3261 17.1.3, 17.2.3): by the branch of the topmost Via, or by other headers for
// peers whose branch is not unique.
import { randomBytes } from 'node:crypto';
import type { Essentials } from '../wire/essentials.ts';
import { param } from '../wire/header.ts';
import { headerValues, type SipRequest } from '../wire/message.ts';

const MAGIC_COOKIE = 'z9hG4bK';

/** Short: a request with digest and SDP is close to the size limit of a datagram. */
export function newBranch(): string {
  return MAGIC_COOKIE + randomBytes(8).toString('base64url').replace(/[-_]/g, 'x');
}

export function serverKey({ message, parts }: { message: SipRequest; parts: Essentials }, method: string): string {
  const [via] = parts.via;
  const branch = via ? (param(via.params, 'branch') ?? '') : '';
  if (via && branch.startsWith(MAGIC_COOKIE) && branch.length > MAGIC_COOKIE.length) {
    return `s|${branch}|${via.host}:${via.port ?? ''}|${method}`;
  }
  // RFC 2543 peers, and a branch that is nothing but the cookie (RFC 4475 3.2.1).
  const from = param(parts.from.params, 'tag') ?? '';
  const top = headerValues(message, 'via')[0] ?? '';
  return `s|${message.uri}|${from}|${parts.callId}|${parts.cseq.number}|${top}|${method}`;
}

export function clientKey(branch: string, method: string): string {
  return `c|${branch}|${method}`;
}
