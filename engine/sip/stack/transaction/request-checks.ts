// Checks on every request before its method is handled (RFC 3261 8.2.2, 8.2.3). Each refusal carries the header that
// tells the peer what we support.
import { parseWithParams } from '../wire/header.ts';
import { type Header, header, headerValues, type SipMessage, tokens } from '../wire/message.ts';
import { phraseOf, SUPPORTED_OPTIONS } from '../wire/responses.ts';
import { makeResponse, newTag, type ServerTransaction } from './transaction-layer.ts';

/** A request that waits for its response. */
export type Answerable = Pick<ServerTransaction, 'request' | 'respond'>;

/** Sends a refusal, with a new To tag outside a dialog. */
export function refuse(transaction: Answerable, status: number, headers: readonly Header[] = []): void {
  const base = makeResponse(transaction.request, status, phraseOf(status), newTag());
  transaction.respond({ ...base, headers: [...base.headers, ...headers] });
}

/** 420 if Require names an unsupported extension. True if the request may proceed. */
export function checkExtensions(transaction: Answerable, supported = SUPPORTED_OPTIONS): boolean {
  const required = tokens(transaction.request.message, 'require', false);
  const unknown = required.filter((tag) => !supported.includes(tag.toLowerCase()));
  if (unknown.length === 0) return true;
  refuse(transaction, 420, [{ name: 'unsupported', value: unknown.join(', ') }]);
  return false;
}

export function isSdp(message: SipMessage): boolean {
  return message.body.length > 0 && parseWithParams(header(message, 'content-type') ?? '')?.value === 'application/sdp';
}

/** True if Accept is absent, or includes SDP. */
export function acceptsSdp(message: SipMessage): boolean {
  if (header(message, 'accept') === undefined) return true;
  const ranges = headerValues(message, 'accept').map((value) => parseWithParams(value)?.value);
  return ranges.some((range) => range === 'application/sdp' || range === 'application/*' || range === '*/*');
}

/** A body other than plain SDP, by its type or encoding (415). */
export function hasForeignBody(message: SipMessage): boolean {
  if (message.body.length === 0) return false;
  const encoded = tokens(message, 'content-encoding').some((coding) => coding !== 'identity');
  return encoded || !isSdp(message);
}
