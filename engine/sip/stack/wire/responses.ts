// Reason phrases, and the headers that declare what this user agent supports: the same in every 405, 415 and answer to
// OPTIONS.
import type { Header, SipResponse } from './message.ts';
import { MAX_REASON_CHARS, plainHeaderText } from './plain-text.ts';

const ALLOWED_METHODS = ['INVITE', 'ACK', 'CANCEL', 'BYE', 'OPTIONS', 'UPDATE', 'INFO', 'NOTIFY'];
/** Option tags for Supported and Require that both adapters honour. */
export const SUPPORTED_OPTIONS: readonly string[] = ['timer'];
/** The same of our own user agent. */
export const OWN_OPTIONS: readonly string[] = [...SUPPORTED_OPTIONS, '100rel', 'replaces'];

/** Our own user agent takes these besides. */
export const OWN_METHODS: readonly string[] = [...ALLOWED_METHODS, 'PRACK', 'REFER'];
/** Inside the dialog of an INVITE that it has not answered yet, it takes no others. */
const EARLY_METHODS = OWN_METHODS.filter((method) => !['INFO', 'NOTIFY', 'REFER'].includes(method));

/** Standard methods that we refuse with 405; unknown ones get 501 (RFC 3261 8.2.1). */
const STANDARD_METHODS = new Set(['REGISTER', 'PRACK', 'SUBSCRIBE', 'PUBLISH', 'MESSAGE', 'REFER']);

export function isStandardMethod(method: string): boolean {
  return STANDARD_METHODS.has(method) || ALLOWED_METHODS.includes(method);
}

const PHRASES: Record<number, string> = {
  100: 'Trying',
  180: 'Ringing',
  181: 'Call Is Being Forwarded',
  183: 'Session Progress',
  200: 'OK',
  202: 'Accepted',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  407: 'Proxy Authentication Required',
  408: 'Request Timeout',
  410: 'Gone',
  415: 'Unsupported Media Type',
  416: 'Unsupported URI Scheme',
  420: 'Bad Extension',
  423: 'Interval Too Brief',
  422: 'Session Interval Too Small',
  480: 'Temporarily Unavailable',
  481: 'Call/Transaction Does Not Exist',
  482: 'Loop Detected',
  484: 'Address Incomplete',
  486: 'Busy Here',
  487: 'Request Terminated',
  488: 'Not Acceptable Here',
  489: 'Bad Event',
  491: 'Request Pending',
  500: 'Server Internal Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  505: 'Version Not Supported',
  600: 'Busy Everywhere',
  603: 'Decline',
};

export function phraseOf(status: number): string {
  return PHRASES[status] ?? 'Unknown';
}

export const ALLOW_HEADER: Header = { name: 'allow', value: ALLOWED_METHODS.join(', ') };
export const OWN_ALLOW_HEADER: Header = { name: 'allow', value: OWN_METHODS.join(', ') };
export const EARLY_ALLOW_HEADER: Header = { name: 'allow', value: EARLY_METHODS.join(', ') };
export const SUPPORTED_HEADER: Header = { name: 'supported', value: SUPPORTED_OPTIONS.join(', ') };
export const OWN_SUPPORTED_HEADER: Header = { name: 'supported', value: OWN_OPTIONS.join(', ') };
export const ACCEPT_HEADER: Header = { name: 'accept', value: 'application/sdp' };
export const SDP_HEADER: Header = { name: 'content-type', value: 'application/sdp' };

/** Q.850 cause and text of a Reason header (RFC 3326), each null if absent. */
export function readReason(values: readonly string[]): { cause: number | null; text: string | null } {
  let text: string | null = null;
  for (const value of values) {
    const cause = /(?:^|;)\s*cause\s*=\s*(\d{1,3})/i.exec(value)?.[1];
    const given = /text\s*=\s*"([^"]*)"/i.exec(value)?.[1];
    if (given !== undefined) text ??= plainHeaderText(given, MAX_REASON_CHARS);
    if (/^\s*Q\.850/i.test(value) && cause !== undefined) return { cause: Number(cause), text };
  }
  return { cause: null, text };
}

/** The reason phrase of a peer's response, for people and logs. */
export function reasonOf({ reason }: SipResponse): string {
  return plainHeaderText(reason, MAX_REASON_CHARS);
}

export function reasonHeader(q850Cause: number, text: string | undefined): Header {
  return {
    name: 'reason',
    value: `Q.850;cause=${q850Cause}${text === undefined ? '' : `;text="${text.replace(/["\\\r\n]/g, ' ')}"`}`,
  };
}
