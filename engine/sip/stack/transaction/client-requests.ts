// Adds our Via to requests, and builds the ACK of a failed INVITE.
import { type Via, writeVia } from '../wire/header.ts';
import { header, type SipRequest, type SipResponse } from '../wire/message.ts';

export function withVia(request: SipRequest, via: Via): SipRequest {
  return {
    ...request,
    headers: [{ name: 'via', value: writeVia(via) }, ...request.headers.filter((entry) => entry.name !== 'via')],
  };
}

/** ACK of a final response other than 2xx (RFC 3261 17.1.1.3): same branch, To of the response. */
export function ackOfFailure(invite: SipRequest, response: SipResponse): SipRequest {
  const keep = new Set(['from', 'call-id', 'route', 'max-forwards']);
  const headers = invite.headers.filter((entry) => keep.has(entry.name));
  const via = header(invite, 'via');
  if (via !== undefined) headers.unshift({ name: 'via', value: via });
  headers.push({ name: 'to', value: header(response, 'to') ?? header(invite, 'to') ?? '' });
  headers.push({ name: 'cseq', value: `${Number.parseInt(header(invite, 'cseq') ?? '0', 10)} ACK` });
  return { kind: 'request', method: 'ACK', uri: invite.uri, headers, body: Buffer.alloc(0) };
}
