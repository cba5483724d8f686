// A body of several parts (RFC 5621, RFC 2046 5.1): gateways put ISUP or a location beside the SDP. The rest of the
// stack knows bodies of one part, so the SDP takes the place of the whole.
import { param, parseWithParams } from './header.ts';
import { header, type SipMessage } from './message.ts';

/** More parts than any gateway sends. */
const MAX_PARTS = 8;
const MAX_PART_HEAD_CHARS = 2_000;

interface Part {
  type: string;
  disposition: string;
  body: Buffer;
}

/**
 * The message with the SDP of a `multipart/…` body as its body; itself where it has none, or where another part must be
 * understood by the sender's own words (RFC 3204 and PIDF gateways mostly leave `handling` out, and mean optional).
 */
export function withSdpPart<T extends SipMessage>(message: T): T {
  const type = parseWithParams(header(message, 'content-type') ?? '');
  if (message.body.length === 0 || !type?.value.startsWith('multipart/')) return message;
  const boundary = (param(type.params, 'boundary') ?? '').replace(/^"|"$/g, '');
  if (boundary === '' || boundary.length > 70) return message;
  const parts = partsOf(message.body, boundary);
  const sdp = parts.find((part) => part.type === 'application/sdp');
  const isDemanding = parts.some((part) => part !== sdp && /;\s*handling\s*=\s*"?required/i.test(part.disposition));
  if (sdp === undefined || isDemanding) return message;
  const headers = message.headers.map((each) =>
    each.name === 'content-type' ? { name: each.name, value: 'application/sdp' } : each,
  );
  return { ...message, headers, body: sdp.body };
}

function partsOf(body: Buffer, boundary: string): Part[] {
  const text = body.toString('latin1');
  const delimiter = `--${boundary}`;
  const parts: Part[] = [];
  let at = text.startsWith(delimiter) ? 0 : text.indexOf(`\n${delimiter}`) + 1;
  if (at === 0 && !text.startsWith(delimiter)) return parts;
  while (parts.length < MAX_PARTS && !text.startsWith('--', at + delimiter.length)) {
    const from = text.indexOf('\n', at + delimiter.length) + 1;
    const next = text.indexOf(`\n${delimiter}`, Math.max(0, from - 1));
    if (from === 0 || next < 0) break;
    // The line break before a delimiter belongs to it.
    const end = text[next - 1] === '\r' ? next - 1 : next;
    parts.push(partOf(body, text, from, Math.max(from, end)));
    at = next + 1;
  }
  return parts;
}

function partOf(body: Buffer, text: string, from: number, end: number): Part {
  let type = 'text/plain';
  let disposition = '';
  let at = from;
  while (at < end && at - from < MAX_PART_HEAD_CHARS) {
    const lineEnd = text.indexOf('\n', at);
    const line = text.slice(at, lineEnd < 0 ? end : lineEnd).trim();
    at = lineEnd < 0 ? end : lineEnd + 1;
    if (line === '') break;
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (name === 'content-type' || name === 'c') type = parseWithParams(value)?.value.toLowerCase() ?? '';
    if (name === 'content-disposition') disposition = value;
  }
  return { type, disposition, body: body.subarray(Math.min(at, end), end) };
}
