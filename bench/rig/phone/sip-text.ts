// SIP as text, for the simulated phones: independent of the engine's own messages, so that each judges the other.
import { randomBytes } from 'node:crypto';

export const newTag = (): string => randomBytes(6).toString('hex');
export const newBranch = (): string => `z9hG4bK${newTag()}`;

/** All values of a header, in order. */
export function headerValues(text: string, name: string): string[] {
  const head = text.split('\r\n\r\n', 1)[0] ?? '';
  return [...head.matchAll(new RegExp(`^${name}\\s*:\\s*(.*)$`, 'gim'))].map((match) => match[1]?.trim() ?? '');
}

export const headerValue = (text: string, name: string): string => headerValues(text, name)[0] ?? '';

/** `INVITE`, or the method that a response is to. */
export const methodOf = (text: string): string => / (\w+)$/.exec(headerValue(text, 'CSeq'))?.[1] ?? '';

export const statusOf = (text: string): number => Number(/^SIP\/2\.0 (\d{3})/.exec(text)?.[1] ?? 0);

export const contactOf = (text: string): string => /<([^>]+)>/.exec(headerValue(text, 'Contact'))?.[1] ?? '';

export function sdp(port: number, version = 1): string {
  return [
    'v=0',
    `o=phone 1 ${version} IN IP4 127.0.0.1`,
    's=-',
    'c=IN IP4 127.0.0.1',
    't=0 0',
    `m=audio ${port} RTP/AVP 0`,
    'a=rtpmap:0 PCMU/8000',
    '',
  ].join('\r\n');
}

export function message(lines: readonly string[], body = ''): string {
  const type = body === '' ? [] : ['Content-Type: application/sdp'];
  return [...lines, ...type, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n');
}

/** A response to `request`; `tag` where it has no To tag yet. */
export function response(
  request: string,
  status: number,
  { tag = '', contact = '', extra = [] as readonly string[], body = '' } = {},
): string {
  const to = headerValue(request, 'To');
  const lines = [
    `SIP/2.0 ${status} Phone`,
    ...headerValues(request, 'Via').map((via) => `Via: ${via}`),
    `From: ${headerValue(request, 'From')}`,
    `To: ${tag === '' || /;tag=/.test(to) ? to : `${to};tag=${tag}`}`,
    `Call-ID: ${headerValue(request, 'Call-ID')}`,
    `CSeq: ${headerValue(request, 'CSeq')}`,
    ...(contact === '' ? [] : [`Contact: <${contact}>`]),
    ...extra,
  ];
  return message(lines, body);
}

/** Address and port of the audio that an offer or answer names. */
export function mediaOf(text: string): { address: string; port: number } {
  const address = /c=IN IP4 (\S+)/.exec(text)?.[1] ?? '127.0.0.1';
  return { address, port: Number(/m=audio (\d+)/.exec(text)?.[1] ?? 0) };
}

/** A request inside the dialog that `invite` began, from the side that was called. */
export function requestOfCallee(
  invite: string,
  method: string,
  {
    port,
    tag,
    cseq = 1,
    user = 'phone',
    body = '',
  }: { port: number; tag: string; cseq?: number; user?: string; body?: string },
): string {
  const lines = [
    `${method} ${contactOf(invite)} SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=${newBranch()}`,
    'Max-Forwards: 70',
    `From: ${headerValue(invite, 'To')};tag=${tag}`,
    `To: ${headerValue(invite, 'From')}`,
    `Call-ID: ${headerValue(invite, 'Call-ID')}`,
    `CSeq: ${cseq} ${method}`,
    `Contact: <sip:${user}@127.0.0.1:${port}>`,
  ];
  return message(lines, body);
}
