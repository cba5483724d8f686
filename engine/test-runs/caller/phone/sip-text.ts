// SIP messages as text, for the simulated phones: independent of the engine's own messages, so that each judges the
// other.
import { randomBytes } from 'node:crypto';

export const SDP_TYPE = 'Content-Type: application/sdp';

export const newTag = (): string => randomBytes(6).toString('hex');
export const newBranch = (): string => `z9hG4bK${newTag()}`;

/** All values of a header, in order. */
function headerValues(text: string, name: string): string[] {
  const head = text.split('\r\n\r\n', 1)[0] ?? '';
  return [...head.matchAll(new RegExp(`^${name}\\s*:\\s*(.*)$`, 'gim'))].map((match) => match[1]?.trim() ?? '');
}

export const headerValue = (text: string, name: string): string => headerValues(text, name)[0] ?? '';

/** The proxies that want to see the requests of the dialog, in the order of the message (RFC 3261 12.1). */
export const recordedRoutes = (text: string): string[] =>
  headerValues(text, 'Record-Route').flatMap((value) => value.split(/,\s*(?=<)/));

/** The method of a request, or of the request that a response answers. */
export const methodOf = (text: string): string => / (\w+)$/.exec(headerValue(text, 'CSeq'))?.[1] ?? '';

export const cseqOf = (text: string): number => Number.parseInt(headerValue(text, 'CSeq'), 10);

/** 0 for a request. */
export const statusOf = (text: string): number => Number(/^SIP\/2\.0 (\d{3})/.exec(text)?.[1] ?? 0);

export const reasonOf = (text: string): string => /^SIP\/2\.0 \d{3} ?(.*)/.exec(text)?.[1] ?? '';

export const contactOf = (text: string): string => /<([^<>]+)>/.exec(headerValue(text, 'Contact'))?.[1] ?? '';

/** The tag of a From or To header; empty without one. */
export const tagOf = (header: string): string => /;\s*tag=([^;>\s]+)/i.exec(header.replace(/^.*>/, ''))?.[1] ?? '';

export function sdp(port: number, version = 1, address = '127.0.0.1'): string {
  return [
    'v=0',
    `o=phone 1 ${version} IN IP4 ${address}`,
    's=-',
    `c=IN IP4 ${address}`,
    't=0 0',
    `m=audio ${port} RTP/AVP 0`,
    'a=rtpmap:0 PCMU/8000',
    '',
  ].join('\r\n');
}

export function message(lines: readonly string[], body = ''): string {
  return [...lines, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n');
}

/** A response to `request`; `tag` is used if it has no To tag. */
export function response(
  request: string,
  status: number,
  { tag = '', contact = '', headers = [] as readonly string[], body = '' } = {},
): string {
  const to = headerValue(request, 'To');
  const lines = [
    `SIP/2.0 ${status} Phone`,
    ...headerValues(request, 'Via').map((via) => `Via: ${via}`),
    ...recordedRoutes(request).map((route) => `Record-Route: ${route}`),
    `From: ${headerValue(request, 'From')}`,
    `To: ${tag === '' || /;tag=/.test(to) ? to : `${to};tag=${tag}`}`,
    `Call-ID: ${headerValue(request, 'Call-ID')}`,
    `CSeq: ${headerValue(request, 'CSeq')}`,
    ...(contact === '' ? [] : [`Contact: <${contact}>`]),
    ...headers,
  ];
  return message(lines, body);
}

/** The audio of an offer or answer. */
export interface Media {
  address: string;
  port: number;
  payloadType: number;
  /** Payload type of telephone events (RFC 4733). */
  eventPayloadType: number | null;
}

export function mediaOf(text: string): Media {
  const [, port = '0', payloadType = '0'] = /m=audio (\d+) \S+ (\d+)/.exec(text) ?? [];
  return {
    address: /c=IN IP4 (\S+)/.exec(text)?.[1] ?? '127.0.0.1',
    port: Number(port),
    payloadType: Number(payloadType),
    eventPayloadType: Number(/a=rtpmap:(\d+) telephone-event/.exec(text)?.[1] ?? Number.NaN) || null,
  };
}
