// A SIP message: start line, headers in order, body (RFC 3261 7). Parsing is one pass over at most 64 KiB and never
// throws. An error that can be answered is a fault beside the message; a message that cannot be answered is null.
// Header text is latin1, one character a byte; header names are in lower case and in their long form.
import type { Work } from './scanner.ts';
import { isDigits, isToken, splitList } from './scanner.ts';

/** 64 KiB: no UDP datagram is longer, and a TCP peer that sends a longer message is disconnected. */
export const MAX_MESSAGE_BYTES = 65_536;
/** More headers than any real message has; a message with more is refused. */
const MAX_HEADERS = 512;
/** Of one name, more than any real message has: each costs some hundred times as much as its comma. */
const MAX_VALUES = 256;

export interface Header {
  name: string;
  value: string;
}

export interface SipRequest {
  kind: 'request';
  method: string;
  uri: string;
  headers: Header[];
  body: Buffer;
}

export interface SipResponse {
  kind: 'response';
  status: number;
  reason: string;
  headers: Header[];
  body: Buffer;
}

export type SipMessage = SipRequest | SipResponse;

export interface Fault {
  status: number;
  reason: string;
}

interface Parsed {
  message: SipMessage;
  faults: Fault[];
  work: Work;
}

const EMPTY_BODY = Buffer.alloc(0);

// RFC 3261 20, 3265, 3515, 3892, 4028.
const LONG_NAMES = new Map([
  ['i', 'call-id'],
  ['m', 'contact'],
  ['e', 'content-encoding'],
  ['l', 'content-length'],
  ['c', 'content-type'],
  ['f', 'from'],
  ['s', 'subject'],
  ['k', 'supported'],
  ['t', 'to'],
  ['v', 'via'],
  ['u', 'allow-events'],
  ['o', 'event'],
  ['r', 'refer-to'],
  ['b', 'referred-by'],
  ['x', 'session-expires'],
  ['a', 'accept-contact'],
  ['d', 'request-disposition'],
]);

// Headers whose value is a comma-separated list (RFC 3261 7.3.1); the others keep their commas.
const LIST_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'allow',
  'allow-events',
  'contact',
  'content-encoding',
  'diversion',
  'error-info',
  'history-info',
  'in-reply-to',
  'p-asserted-identity',
  'p-preferred-identity',
  'path',
  'proxy-require',
  'record-route',
  'require',
  'route',
  'service-route',
  'supported',
  'unsupported',
  'via',
  'warning',
]);

const WRITTEN_NAMES = new Map([
  ['call-id', 'Call-ID'],
  ['cseq', 'CSeq'],
  ['rack', 'RAck'],
  ['rseq', 'RSeq'],
  ['www-authenticate', 'WWW-Authenticate'],
  ['min-se', 'Min-SE'],
  ['mime-version', 'MIME-Version'],
]);

function writtenName(name: string): string {
  return (
    WRITTEN_NAMES.get(name) ??
    name.replace(/(^|-)([a-z])/g, (_, dash: string, char: string) => dash + char.toUpperCase())
  );
}

/** The first value of a header, or undefined. */
export function header(message: { headers: readonly Header[] }, name: string): string | undefined {
  return message.headers.find((entry) => entry.name === name)?.value;
}

/** All values of a header, up to a bound; list headers are split at commas. Empty elements are kept. */
export function headerValues(message: { headers: readonly Header[] }, name: string, work?: Work): string[] {
  const values: string[] = [];
  for (const entry of message.headers) {
    if (entry.name !== name) continue;
    if (values.length >= MAX_VALUES) break;
    if (LIST_HEADERS.has(name))
      values.push(...splitList(entry.value, work ?? { steps: 0 }, MAX_VALUES - values.length));
    else values.push(entry.value);
  }
  return values;
}

/** Tokens of an option-tag or method list, in lower case if `fold`. */
export function tokens(message: { headers: readonly Header[] }, name: string, fold = true): string[] {
  return headerValues(message, name)
    .filter((value) => value !== '')
    .map((value) => (fold ? value.toLowerCase() : value));
}

function readStartLine(line: string, headers: Header[], body: Buffer, faults: Fault[]): SipMessage | null {
  const response = /^SIP\s*\/\s*(\d+\.\d+) (\d+)(?: (.*))?$/i.exec(line);
  if (response) {
    const status = Number(response[2]);
    if (response[1] !== '2.0' || response[2]?.length !== 3 || status < 100 || status > 699) return null;
    return { kind: 'response', status, reason: response[3] ?? '', headers, body };
  }
  const methodEnd = line.indexOf(' ');
  const trimmed = line.trimEnd();
  const versionStart = trimmed.lastIndexOf(' ');
  if (methodEnd < 1 || versionStart <= methodEnd) return null;
  const method = line.slice(0, methodEnd);
  const version = /^SIP\/(\d+)\.(\d+)$/i.exec(trimmed.slice(versionStart + 1));
  if (!isToken(method) || !version) return null;
  const uri = line.slice(methodEnd + 1, versionStart);
  if (`${version[1]}.${version[2]}` !== '2.0') faults.push({ status: 505, reason: 'Version Not Supported' });
  // RFC 4475 3.1.2.7-3.1.2.10: brackets or white space around the Request-URI, or after the version, are refused.
  else if (uri === '' || /[\s<>]/.test(uri) || trimmed !== line) {
    faults.push({ status: 400, reason: 'Bad Request-Line' });
  }
  return { kind: 'request', method, uri, headers, body };
}

/** Header lines; folded ones are joined by one space (RFC 3261 7.3.1). */
function readHeaders(lines: readonly string[], faults: Fault[]): Header[] {
  const headers: Header[] = [];
  let values: string[] = [];
  const flush = () => {
    const last = headers.at(-1);
    if (last) last.value = values.join(' ').trim();
    values = [];
  };
  for (const line of lines) {
    const first = line.charCodeAt(0);
    if (first === 32 || first === 9) {
      if (headers.length > 0) values.push(line.trim());
      else faults.push({ status: 400, reason: 'Bad Header Line' });
      continue;
    }
    flush();
    const colon = line.indexOf(':');
    const name = colon < 0 ? '' : line.slice(0, colon).trimEnd().toLowerCase();
    if (!isToken(name)) {
      if (headers.length > 0) faults.push({ status: 400, reason: 'Bad Header Line' });
      continue;
    }
    if (headers.length >= MAX_HEADERS) {
      faults.push({ status: 400, reason: 'Too Many Headers' });
      break;
    }
    headers.push({ name: LONG_NAMES.get(name) ?? name, value: '' });
    values.push(line.slice(colon + 1).trim());
  }
  flush();
  return headers;
}

/** Content-Length; undefined if absent, null if malformed or contradictory. */
export function contentLength(headers: readonly Header[]): number | null | undefined {
  let length: number | undefined;
  for (const entry of headers) {
    if (entry.name !== 'content-length') continue;
    if (!isDigits(entry.value)) return null;
    const value = Number(entry.value);
    if (length !== undefined && value !== length) return null;
    length = value;
  }
  return length;
}

/** Offsets of the end of the headers and of the start of the body; null until the empty line has arrived. */
export function findHeadEnd(bytes: Buffer, from: number): { head: number; body: number } | null {
  for (let i = bytes.indexOf(10, from); i >= 0; i = bytes.indexOf(10, i + 1)) {
    if (bytes[i + 1] === 10) return { head: i, body: i + 2 };
    if (bytes[i + 1] === 13 && bytes[i + 2] === 10) return { head: i, body: i + 3 };
  }
  return null;
}

/** Parses one message that fills `bytes` (a datagram, or a frame of a stream). Null if it cannot be answered. */
export function parseMessage(bytes: Buffer): Parsed | null {
  if (bytes.length > MAX_MESSAGE_BYTES) return null;
  const work: Work = { steps: 0 };
  const faults: Fault[] = [];
  let start = 0;
  while (bytes[start] === 13 || bytes[start] === 10) start++;
  const end = findHeadEnd(bytes, start);
  if (!end && bytes.indexOf(10, start) < 0) return null;
  const head = bytes.toString('latin1', start, end ? end.head : bytes.length);
  work.steps += bytes.length;
  const lines = head.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  work.steps += head.length;
  if (!end) faults.push({ status: 400, reason: 'Unfinished Headers' });
  const headers = readHeaders(
    lines.slice(1).filter((line) => line !== ''),
    faults,
  );
  work.steps += head.length;
  const available = end ? bytes.subarray(end.body) : EMPTY_BODY;
  const length = contentLength(headers);
  if (length === null) faults.push({ status: 400, reason: 'Bad Content-Length' });
  else if (length !== undefined && length > available.length) faults.push({ status: 400, reason: 'Body Too Short' });
  // RFC 3261 18.3: in a datagram, bytes after the body are discarded.
  const body = length ? available.subarray(0, length) : length === 0 ? EMPTY_BODY : available;
  const message = readStartLine(lines[0] ?? '', headers, body, faults);
  if (message === null || (message.kind === 'response' && faults.length > 0)) return null;
  return { message, faults, work };
}

/** CR or LF in a value would inject a header. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}

/** The bytes of a message. Content-Length is written only here. */
export function writeMessage(message: SipMessage): Buffer {
  const first =
    message.kind === 'request'
      ? `${message.method} ${message.uri} SIP/2.0`
      : `SIP/2.0 ${message.status} ${message.reason}`;
  let head = `${oneLine(first)}\r\n`;
  for (const { name, value } of message.headers) {
    if (name !== 'content-length') head += `${writtenName(name)}: ${oneLine(value)}\r\n`;
  }
  head += `Content-Length: ${message.body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), message.body]);
}

/** UTF-8 text as the latin1 string of a header. */
export function toHeaderText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** The UTF-8 text of a header string. */
export function fromHeaderText(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}
