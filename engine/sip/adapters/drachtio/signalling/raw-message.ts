// Messages of drachtio as the parser of the embedded endpoint reads them: what is found in an INVITE (numbers, names,
// extensions) must not depend on who received it.

import type { Flow } from '../../../stack/network/transport-layer.ts';
import type { Answerable } from '../../../stack/transaction/request-checks.ts';
import type { IncomingRequest, IncomingResponse } from '../../../stack/transaction/transaction-layer.ts';
import { readEssentials } from '../../../stack/wire/essentials.ts';
import {
  fromHeaderText,
  type Header,
  parseMessage,
  type SipRequest,
  type SipResponse,
} from '../../../stack/wire/message.ts';
import type { DrachtioMessage, DrachtioRequest, DrachtioResponse, Headers } from './drachtio.ts';

export function flowOf(message: DrachtioMessage): Flow {
  const protocol = message.protocol === 'tcp' || message.protocol === 'tls' ? message.protocol : 'udp';
  return { protocol, remote: { address: message.source_address, port: message.source_port }, connectionId: null };
}

/** Null for one that is broken. */
export function readRequest(request: DrachtioRequest): IncomingRequest | null {
  const parsed = parseMessage(Buffer.from(request.msg.raw, 'utf8'));
  if (parsed?.message.kind !== 'request' || parsed.faults.length > 0) return null;
  const { essentials, faults } = readEssentials(parsed.message, parsed.work);
  if (essentials === null || faults.length > 0) return null;
  return { message: parsed.message, parts: essentials, flow: flowOf(request) };
}

/** Headers that drachtio writes into a response. */
const COPIED = new Set(['via', 'from', 'to', 'call-id', 'cseq', 'timestamp']);

/** A request as the embedded endpoint's rules answer it. */
export function answerable(incoming: IncomingRequest, response: DrachtioResponse): Answerable {
  return {
    request: incoming,
    respond: ({ status, headers }) =>
      response.send(status, { headers: writeHeaders(headers.filter(({ name }) => !COPIED.has(name))) }),
  };
}

/** Of a request inside a dialog: bodies and single headers matter, its grammar was drachtio's business. */
export function readInDialog(request: DrachtioRequest): SipRequest {
  const parsed = parseMessage(Buffer.from(request.msg.raw, 'utf8'));
  if (parsed?.message.kind === 'request') return parsed.message;
  return { kind: 'request', method: request.method, uri: request.uri, headers: [], body: Buffer.from(request.body) };
}

/** Null for one that is broken. */
export function readAnswer(response: DrachtioResponse): IncomingResponse | null {
  const parsed = parseMessage(Buffer.from(response.msg.raw, 'utf8'));
  if (parsed?.message.kind !== 'response') return null;
  const { essentials } = readEssentials(parsed.message, parsed.work);
  return essentials && { message: parsed.message, parts: essentials, flow: flowOf(response) };
}

export function readResponse(response: DrachtioResponse): SipResponse {
  const parsed = parseMessage(Buffer.from(response.msg.raw, 'utf8'));
  if (parsed?.message.kind === 'response') return parsed.message;
  return { kind: 'response', status: response.status, reason: response.reason, headers: [], body: Buffer.alloc(0) };
}

/**
 * Headers of ours for drachtio. Those that repeat are lines of one value: drachtio-srf would join a list with commas,
 * which parts the parameters of no challenge from the next one's (RFC 3261 20.44).
 */
export function writeHeaders(headers: readonly Header[]): Headers {
  const written: Headers = {};
  for (const { name, value } of headers) {
    const text = fromHeaderText(value);
    const before = written[name];
    written[name] = before === undefined ? text : `${before}\r\n${name}: ${text}`;
  }
  return written;
}
