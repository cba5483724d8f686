// Checks on every request before its method is handled (RFC 3261 8.2.2, 8.2.3). Each refusal carries the header that
// tells the peer what we support.
import { parseWithParams } from '../wire/header.ts';
import { type Header, header, headerValues, type SipMessage, tokens } from '../wire/message.ts';
import { ACCEPT_HEADER, phraseOf, SUPPORTED_OPTIONS } from '../wire/responses.ts';
import { type IncomingRequest, makeResponse, newTag, type ServerTransaction } from './transaction-layer.ts';

const PLAIN_HEADER: Header = { name: 'accept-encoding', value: 'identity' };

/** A request that waits for its response. */
export type Answerable = Pick<ServerTransaction, 'request' | 'respond'>;

/** Sends a refusal, with a new To tag outside a dialog. */
export function refuse(transaction: Answerable, status: number, headers: readonly Header[] = []): void {
  const base = makeResponse(transaction.request, status, phraseOf(status), newTag());
  transaction.respond({ ...base, headers: [...base.headers, ...headers] });
}

/** 420 if Require names an unsupported extension. True if the request may proceed. */
export function checkExtensions(transaction: Answerable, supported = SUPPORTED_OPTIONS): boolean {
  const unsupported = unsupportedIn(transaction.request.message, supported);
  if (unsupported === null) return true;
  refuse(transaction, 420, unsupported);
  return false;
}

export function unsupportedIn(message: SipMessage, supported: readonly string[]): Header[] | null {
  const required = tokens(message, 'require', false);
  const unknown = required.filter((tag) => !supported.includes(tag.toLowerCase()));
  return unknown.length === 0 ? null : [{ name: 'unsupported', value: unknown.join(', ') }];
}

interface InviteCheck {
  /** Of the refusal. */
  status: number;
  /** The headers of the refusal; null: the message passes. */
  faultOf(message: SipMessage, supported: readonly string[]): Header[] | null;
}

/** Checks on the message of a new INVITE, in the order in which every adapter makes them. */
const INVITE_CHECKS: readonly InviteCheck[] = [
  { status: 400, faultOf: (message) => (lacksContact(message) ? [warning('Contact is missing')] : null) },
  { status: 420, faultOf: unsupportedIn },
  { status: 415, faultOf: (message) => (hasForeignBody(message) ? [ACCEPT_HEADER, PLAIN_HEADER] : null) },
  { status: 406, faultOf: (message) => (acceptsSdp(message) ? null : [ACCEPT_HEADER]) },
];

const warning = (text: string): Header => ({ name: 'warning', value: `399 - "${text}"` });

/**
 * RFC 3261 8.1.1.8: without Contact nobody knows where our requests go. A caller of RFC 2543 may omit it (RFC 4475
 * 3.4.1): its branch has no magic cookie.
 */
const lacksContact = (message: SipMessage): boolean =>
  header(message, 'contact') === undefined && /;\s*branch\s*=\s*z9hG4bK/i.test(header(message, 'via') ?? '');

/** True for a sips address that did not come over TLS, which such an address demands on each hop (RFC 5630 3). */
export const isSipsInClear = ({ message, source }: Pick<IncomingRequest, 'message' | 'source'>): boolean =>
  source.protocol !== 'tls' && /^sips:/i.test(message.uri);

export const SIPS_WARNING = warning('A sips address is taken over TLS only');

/** The first check that it does not pass; null: it passes all. */
export function inviteFault(
  message: SipMessage,
  supported: readonly string[],
): { status: number; headers: Header[] } | null {
  for (const { status, faultOf } of INVITE_CHECKS) {
    const headers = faultOf(message, supported);
    if (headers !== null) return { status, headers };
  }
  return null;
}

export function isSdp(message: SipMessage): boolean {
  return message.body.length > 0 && parseWithParams(header(message, 'content-type') ?? '')?.value === 'application/sdp';
}

/** True if Accept is absent, or includes SDP. */
function acceptsSdp(message: SipMessage): boolean {
  if (header(message, 'accept') === undefined) return true;
  const ranges = headerValues(message, 'accept').map((value) => parseWithParams(value)?.value);
  return ranges.some((range) => range === 'application/sdp' || range === 'application/*' || range === '*/*');
}

/** A body other than plain SDP, by its type or encoding (415). */
function hasForeignBody(message: SipMessage): boolean {
  if (message.body.length === 0) return false;
  const encoded = tokens(message, 'content-encoding').some((coding) => coding !== 'identity');
  return encoded || !isSdp(message);
}
