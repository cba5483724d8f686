// The checks that every request passes before its method is looked at (RFC 3261 8.2.2, 8.2.3), each answered with the
// header that tells the peer what would have been right.
import { parseWithParams } from '../wire/header.ts';
import { type Header, header, headerValues, type SipMessage, tokens } from '../wire/message.ts';
import { phraseOf, SUPPORTED_OPTIONS } from '../wire/responses.ts';
import { makeResponse, newTag, type ServerTransaction } from './transaction-layer.ts';

/** Sends a final response that refuses. Outside a dialog it gets a To tag of its own. */
export function refuse(transaction: ServerTransaction, status: number, headers: readonly Header[] = []): void {
  const base = makeResponse(transaction.request, status, phraseOf(status), newTag());
  transaction.respond({ ...base, headers: [...base.headers, ...headers] });
}

/** 420 where Require names what we do not do. True when the request may go on. */
export function checkExtensions(transaction: ServerTransaction): boolean {
  const required = tokens(transaction.request.message, 'require', false);
  const unknown = required.filter((tag) => !SUPPORTED_OPTIONS.includes(tag.toLowerCase()));
  if (unknown.length === 0) return true;
  refuse(transaction, 420, [{ name: 'unsupported', value: unknown.join(', ') }]);
  return false;
}

export function isSdp(message: SipMessage): boolean {
  return message.body.length > 0 && parseWithParams(header(message, 'content-type') ?? '')?.value === 'application/sdp';
}

/** True where Accept is absent, or names SDP or a range that holds it. */
export function acceptsSdp(message: SipMessage): boolean {
  if (header(message, 'accept') === undefined) return true;
  const ranges = headerValues(message, 'accept').map((value) => parseWithParams(value)?.value);
  return ranges.some((range) => range === 'application/sdp' || range === 'application/*' || range === '*/*');
}

/** A body that is no plain SDP: its type, coding or disposition is not ours (415). */
export function hasForeignBody(message: SipMessage): boolean {
  if (message.body.length === 0) return false;
  const encoded = tokens(message, 'content-encoding').some((coding) => coding !== 'identity');
  return encoded || !isSdp(message);
}
