// From bytes to the transaction layer: parses and validates the message, adds the real source to Via, and answers
// broken requests (400, 505) without keeping state. No input makes it throw.

import type { Edge } from '../network/edge.ts';
import type { Flow } from '../network/transport-layer.ts';
import { type Essentials, readEssentials } from '../wire/essentials.ts';
import { param, writeVia } from '../wire/header.ts';
import {
  type Fault,
  header,
  headerValues,
  parseMessage,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from '../wire/message.ts';
import { withSdpPart } from '../wire/multipart.ts';
import type { SdpNames } from './sdp-names.ts';
import { newTag, type TransactionLayer } from './transaction-layer.ts';

/** RFC 3261 18.2.1, RFC 3581 4: `received` and `rport` of the top Via. */
function stampVia(message: SipRequest, parts: Essentials, flow: Flow): void {
  const [via] = parts.via;
  if (!via) return;
  const asked = param(via.params, 'rport') !== undefined;
  const kept = via.params.filter(({ name }) => name !== 'received' && name !== 'rport');
  if (asked || via.host !== flow.remote.address) kept.push({ name: 'received', value: flow.remote.address });
  if (asked) kept.push({ name: 'rport', value: String(flow.remote.port) });
  via.params = kept;
  const first = message.headers.findIndex(({ name }) => name === 'via');
  const others = headerValues({ headers: message.headers.slice(first, first + 1) }, 'via').slice(1);
  message.headers[first] = { name: 'via', value: [writeVia(via), ...others].join(', ') };
}

/** A refusal from the headers that are present, for a request too broken for a transaction. */
function refusalOf(message: SipRequest, fault: Fault): SipResponse {
  const headers = message.headers.filter(({ name }) => ['via', 'from', 'call-id', 'cseq'].includes(name));
  const to = header(message, 'to');
  if (to !== undefined) headers.push({ name: 'to', value: /;\s*tag\s*=/i.test(to) ? to : `${to};tag=${newTag()}` });
  return { kind: 'response', status: fault.status, reason: fault.reason, headers, body: Buffer.alloc(0) };
}

export class Receiver {
  readonly #layer: TransactionLayer;
  readonly #answers: (address: string) => boolean;
  readonly #edge: Edge;
  readonly #names: SdpNames;

  /** `answers`: whether a broken request from that address is answered. */
  constructor(layer: TransactionLayer, answers: (address: string) => boolean, edge: Edge, names: SdpNames) {
    this.#names = names;
    this.#layer = layer;
    this.#edge = edge;
    this.#answers = answers;
  }

  receive(bytes: Buffer, flow: Flow, broken: boolean): void {
    const parsed = parseMessage(bytes);
    if (parsed === null) return;
    const { essentials, faults } = readEssentials(parsed.message, parsed.work);
    const all = [...parsed.faults, ...faults];
    if (broken) all.push({ status: 400, reason: 'Bad Framing' });
    const message = withSdpPart(parsed.message);
    const take = (named: SipMessage): void => this.#take(named, essentials, all, flow);
    if (essentials === null) take(message);
    else this.#names.resolve(message, essentials.callId, flow.remote.address, take);
  }

  #take(message: SipMessage, parts: Essentials | null, faults: readonly Fault[], flow: Flow): void {
    const [fault] = faults;
    if (message.kind === 'response') {
      // RFC 3261 18.1.2: an unreadable response is dropped silently.
      if (!fault && parts !== null) this.#layer.receiveResponse({ message, parts, flow });
      return;
    }
    if (fault || parts === null) {
      this.#refuse(message, fault ?? { status: 400, reason: 'Bad Request' }, flow);
      return;
    }
    stampVia(message, parts, flow);
    this.#layer.receiveRequest({ message, parts, flow, source: this.#edge.sourceOf(message, flow) });
  }

  #refuse(message: SipRequest, fault: Fault, flow: Flow): void {
    // RFC 3261 8.2.7, 17: an ACK is never answered.
    if (message.method === 'ACK' || !this.#answers(flow.remote.address)) return;
    this.#layer.respondStateless(refusalOf(message, fault), flow);
  }
}
