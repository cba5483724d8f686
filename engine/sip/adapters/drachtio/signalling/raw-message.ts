// Parses drachtio's messages with the parser of the embedded endpoint: the numbers, names and extensions found in an
// INVITE must not depend on the adapter.

import type { Edge } from '../../../stack/network/edge.ts';
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
import { withSdpPart } from '../../../stack/wire/multipart.ts';
import type { DrachtioMessage, DrachtioRequest, DrachtioResponse, Headers } from './drachtio.ts';

export function flowOf(message: DrachtioMessage): Flow {
  const protocol = message.protocol === 'tcp' || message.protocol === 'tls' ? message.protocol : 'udp';
  return { protocol, remote: { address: message.source_address, port: message.source_port }, connectionId: null };
}

/** Null if it is malformed. `edge`: proxies of our own, which say who sent it. */
export function readRequest(request: DrachtioRequest, edge: Edge): IncomingRequest | null {
  const parsed = parseMessage(Buffer.from(request.msg.raw, 'utf8'));
  if (parsed?.message.kind !== 'request' || parsed.faults.length > 0) return null;
  const { essentials, faults } = readEssentials(parsed.message, parsed.work);
  if (essentials === null || faults.length > 0) return null;
  const flow = flowOf(request);
  const message = withSdpPart(parsed.message);
  return { message, parts: essentials, flow, source: edge.sourceOf(message, flow) };
}

/** Headers that drachtio itself writes into a response. */
const COPIED = new Set(['via', 'from', 'to', 'call-id', 'cseq', 'timestamp']);

/** The request in the form that the embedded endpoint's checks answer. */
export function answerable(incoming: IncomingRequest, response: DrachtioResponse): Answerable {
  return {
    request: incoming,
    respond: ({ status, headers }) =>
      response.send(status, { headers: writeHeaders(headers.filter(({ name }) => !COPIED.has(name))) }),
  };
}

/** Parses a request inside a dialog. Only its body and single headers matter; drachtio has checked its grammar. */
export function readInDialog(request: DrachtioRequest): SipRequest {
  const parsed = parseMessage(Buffer.from(request.msg.raw, 'utf8'));
  if (parsed?.message.kind === 'request') return parsed.message;
  return { kind: 'request', method: request.method, uri: request.uri, headers: [], body: Buffer.from(request.body) };
}

/** Null if it is malformed. */
export function readAnswer(response: DrachtioResponse): IncomingResponse | null {
  const parsed = parseMessage(Buffer.from(response.msg.raw, 'utf8'));
  if (parsed?.message.kind !== 'response') return null;
  const { essentials } = readEssentials(parsed.message, parsed.work);
  return essentials && { message: parsed.message, parts: essentials, flow: flowOf(response) };
}

/** drachtio makes up a 408 or 503 when no response came; that one has no Via. */
export const madeUp = (status: number): { cause: 'timeout' | 'transport'; reason: string } =>
  status === 408 ? { cause: 'timeout', reason: 'no response' } : { cause: 'transport', reason: 'cannot be reached' };

export function readResponse(response: DrachtioResponse): SipResponse {
  const parsed = parseMessage(Buffer.from(response.msg.raw, 'utf8'));
  if (parsed?.message.kind === 'response') return parsed.message;
  return { kind: 'response', status: response.status, reason: response.reason, headers: [], body: Buffer.alloc(0) };
}

/**
 * Our headers in drachtio's form. Repeated headers become lines of one value each: drachtio-srf would join a list with
 * commas, and then the parameters of one challenge cannot be told from the next challenge (RFC 3261 20.44).
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
