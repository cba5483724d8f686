// Runs the transaction machines: matches each message to its transaction (RFC 3261 17.1.3, 17.2.3), performs the
// effects on transport and clock, and passes new requests and responses up. Retransmissions end here. The table has
// shares, so that no sender can crowd out running calls.
import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../../../clock.ts';
import type { Source } from '../network/edge.ts';
import type { TransportAddress } from '../network/network.ts';
import type { Destination, Flow, TransportLayer } from '../network/transport-layer.ts';
import type { Essentials } from '../wire/essentials.ts';
import { param, type Via } from '../wire/header.ts';
import { header, type SipRequest, type SipResponse, writeMessage } from '../wire/message.ts';
import { ackOfFailure, withVia } from './client-requests.ts';
import { clientKey, newBranch, serverKey } from './matching.ts';
import { type Share, TableShares } from './table-shares.ts';
import {
  newTransaction,
  proceedingInvite,
  stepTransaction,
  type TimerName,
  type Transaction,
  type TransactionEvent,
  type TransactionKind,
} from './transaction.ts';

export interface IncomingRequest {
  message: SipRequest;
  parts: Essentials;
  /** Where it came in, and answers go. */
  flow: Flow;
  /** The sender: behind a proxy of our own (edge.ts) not the address from which it came in. */
  source: Source;
}

export interface IncomingResponse {
  message: SipResponse;
  parts: Essentials;
  flow: Flow;
}

export type FailureCause = 'timeout' | 'transport';

interface ClientListener {
  response(response: IncomingResponse): void;
  /** `detail`: the transport's error text, for the operator. */
  failed(cause: FailureCause, detail: string): void;
}

export interface ClientTransaction {
  /** The caller has given up this INVITE: without a final response it ends after 64*T1. */
  giveUp(): void;
}

export interface ServerTransaction {
  readonly request: IncomingRequest;
  respond(response: SipResponse): void;
  /** INVITE only: it was cancelled, or the response could not be delivered. */
  listen(listener: Partial<ServerListener>): void;
}

interface ServerListener {
  cancelled(request: IncomingRequest): void;
  failed(cause: FailureCause): void;
}

/** `stateless`: one answer, made from the request alone (RFC 3261 8.2.7). */
export type Admission = { type: 'transaction'; share: Share } | { type: 'stateless' } | { type: 'drop' };

interface LayerHandlers {
  /** Called for each request that matches no transaction. */
  admit(request: IncomingRequest): Admission;
  /** A request that starts a server transaction, or is answered without one. */
  request(transaction: ServerTransaction): void;
  /** 503: the share of that sender is used up. */
  overloaded(request: IncomingRequest): void;
  /** ACK of a 2xx: it belongs to a dialog, not to a transaction. */
  acknowledged(request: IncomingRequest): void;
  /** A response that matches no transaction. */
  stray(response: IncomingResponse): void;
}

interface Running {
  key: string;
  /** Address of the sender, null for our own requests. */
  source: string | null;
  state: Transaction;
  timers: Map<TimerName, () => void>;
  transmit(): void;
  acknowledge(response: IncomingResponse): void;
  deliver(response: IncomingResponse | null): void;
  fail(cause: FailureCause): void;
}

const OVERLOAD_RETRY_AFTER = { name: 'retry-after', value: '5' };
/** RFC 3261 18.1.1. */
export const MAX_DATAGRAM_REQUEST_BYTES = 1_300;

export function newCallId(): string {
  return randomBytes(12).toString('hex');
}

export function newTag(): string {
  return randomBytes(6).toString('hex');
}

/** Where the response goes if the connection of its request is closed (RFC 3261 18.2.2): to the same host, always. */
function replyAddress(via: Via | undefined, { protocol, remote }: Flow): TransportAddress {
  const standard = protocol === 'tls' ? 5061 : 5060;
  return { address: remote.address, port: via?.port ?? standard };
}

/** Sends requests outside dialogs: this layer, or an adapter's equivalent. */
export interface RequestSender {
  request(request: SipRequest, destination: Destination, listener: ClientListener): { giveUp(): void };
}

export class TransactionLayer implements RequestSender {
  readonly #clock: Clock;
  readonly #transport: TransportLayer;
  readonly #handlers: LayerHandlers;
  readonly #sentBy: (destination: Destination) => { host: string; port: number };
  readonly #running = new Map<string, Running>();
  readonly #servers = new Map<string, ServerTransaction & { notify: Partial<ServerListener> }>();
  readonly #shares = new TableShares();
  readonly #tagKey = randomBytes(16);

  constructor(
    clock: Clock,
    transport: TransportLayer,
    sentBy: (destination: Destination) => { host: string; port: number },
    handlers: LayerHandlers,
  ) {
    this.#clock = clock;
    this.#transport = transport;
    this.#sentBy = sentBy;
    this.#handlers = handlers;
  }

  get count(): number {
    return this.#running.size;
  }

  stop(): void {
    for (const running of [...this.#running.values()]) this.#end(running);
  }

  /**
   * Sends a request in a new client transaction. `via`: CANCEL keeps that of its INVITE. `allowTcp`: a UDP request over
   * 1,300 bytes goes over TCP, and falls back to UDP if no connection can be made (RFC 3261 18.1.1).
   */
  request(
    bare: SipRequest,
    destination: Destination,
    listener: ClientListener,
    options: { allowTcp?: boolean; via?: Via } = {},
  ): ClientTransaction {
    const via = options.via ?? this.newVia(destination);
    const request = withVia(bare, via);
    const bytes = writeMessage(request);
    if (options.allowTcp && destination.protocol === 'udp' && bytes.length > MAX_DATAGRAM_REQUEST_BYTES) {
      const overTcp: Destination = { ...destination, protocol: 'tcp' };
      let provisional = false;
      let current = this.request(bare, overTcp, {
        response: (response) => {
          provisional = true;
          listener.response(response);
        },
        failed: (cause, detail) => {
          if (cause === 'transport' && !provisional) current = this.request(bare, destination, listener);
          else listener.failed(cause, detail);
        },
      });
      return { giveUp: () => current.giveUp() };
    }
    const kind: TransactionKind = request.method === 'INVITE' ? 'invite-client' : 'client';
    const running = this.#newClient({ kind, request, bytes, via }, destination, listener);
    this.#step(running, { type: 'started' }, null);
    return { giveUp: () => this.#step(running, { type: 'given-up' }, null) };
  }

  /** Goes on with an INVITE that another process sent `elapsedMs` ago. `isProceeding`: it has a 1xx response. */
  resumeInvite(
    bare: SipRequest,
    destination: Destination,
    listener: ClientListener,
    { via, isProceeding, elapsedMs }: { via: Via; isProceeding: boolean; elapsedMs: number },
  ): ClientTransaction {
    const request = withVia(bare, via);
    const sent = { kind: 'invite-client', request, bytes: writeMessage(request), via } as const;
    const running = this.#newClient(sent, destination, listener);
    if (isProceeding) running.state = proceedingInvite(destination.protocol !== 'udp');
    else this.#step(running, { type: 'resumed', elapsedMs }, null);
    return { giveUp: () => this.#step(running, { type: 'given-up' }, null) };
  }

  #newClient(
    { kind, request, bytes, via }: { kind: TransactionKind; request: SipRequest; bytes: Buffer; via: Via },
    destination: Destination,
    listener: ClientListener,
  ): Running {
    let detail = 'no response';
    const failed = (error: Error) => {
      detail = error.message;
      this.#step(running, { type: 'transport-failed' }, null);
    };
    const running: Running = {
      key: clientKey(param(via.params, 'branch') ?? '', request.method),
      source: null,
      state: newTransaction(kind, destination.protocol !== 'udp'),
      timers: new Map(),
      transmit: () => this.#transport.send(bytes, destination, failed),
      acknowledge: (response) =>
        this.#transport.send(writeMessage(ackOfFailure(request, response.message)), destination, () => {}),
      deliver: (response) => {
        if (response) listener.response(response);
      },
      fail: (cause) => listener.failed(cause, detail),
    };
    this.#running.set(running.key, running);
    return running;
  }

  /** A new Via for a request whose branch must be known before it is sent. */
  newVia(destination: Destination): Via {
    const params = [
      { name: 'rport', value: null },
      { name: 'branch', value: newBranch() },
    ];
    return { protocol: destination.protocol.toUpperCase(), ...this.#sentBy(destination), params };
  }

  /** Sends the ACK of a 2xx, which has no transaction; returns it with its Via. */
  sendAck(bare: SipRequest, destination: Destination): SipRequest {
    const ack = withVia(bare, this.newVia(destination));
    this.sendRaw(ack, destination);
    return ack;
  }

  /**
   * Sends a request that already has its Via: the ACK of a refusal whose transaction has ended, or of a 2xx that was
   * repeated (RFC 3261 13.2.2.4: the same ACK; with another branch, sipp takes it for another one and gives up).
   */
  sendRaw(request: SipRequest, destination: Destination): void {
    this.#transport.send(writeMessage(request), destination, () => {});
  }

  receiveRequest(request: IncomingRequest): void {
    const { method } = request.message;
    const key = serverKey(request, method === 'ACK' ? 'INVITE' : method);
    const running = this.#running.get(key);
    if (method === 'ACK') {
      // The ACK of a 2xx has its own branch; only RFC 2543 peers reuse that of the INVITE.
      if (running && running.state.phase !== 'accepted') this.#step(running, { type: 'ack-received' }, null);
      else this.#handlers.acknowledged(request);
      return;
    }
    if (running) {
      this.#step(running, { type: 'request-received' }, null);
      return;
    }
    const invite = method === 'CANCEL' ? this.#servers.get(serverKey(request, 'INVITE')) : undefined;
    const admission: Admission = invite ? { type: 'transaction', share: 'dialog' } : this.#handlers.admit(request);
    const transaction = this.#open(key, request, admission);
    if (transaction === null) return;
    if (method === 'CANCEL') {
      if (invite) {
        transaction.respond(makeResponse(request, 200, 'OK'));
        invite.notify.cancelled?.(request);
      } else transaction.respond(makeResponse(request, 481, 'Call/Transaction Does Not Exist', newTag()));
      return;
    }
    this.#handlers.request(transaction);
  }

  receiveResponse(response: IncomingResponse): void {
    const [via] = response.parts.via;
    const branch = via ? (param(via.params, 'branch') ?? '') : '';
    const running = this.#running.get(clientKey(branch, response.parts.cseq.method));
    if (running) {
      this.#step(running, { type: 'response-received', status: response.message.status }, response);
    } else this.#handlers.stray(response);
  }

  /** The transaction that answers a new request; null if the request was refused. */
  #open(key: string, request: IncomingRequest, admission: Admission): ServerTransaction | null {
    if (admission.type === 'drop') return null;
    if (admission.type === 'stateless') return this.#stateless(key, request);
    if (this.#shares.hasRoom(admission.share, request.source.address, this.#running.size)) {
      return this.#newServer(key, request);
    }
    this.#handlers.overloaded(request);
    const busy = makeResponse(request, 503, 'Service Unavailable', newTag());
    this.#stateless(key, request).respond({ ...busy, headers: [...busy.headers, OVERLOAD_RETRY_AFTER] });
    return null;
  }

  /** RFC 3261 8.2.7: no provisional responses, no retransmissions, and always the same To tag for one request. */
  #stateless(key: string, request: IncomingRequest): ServerTransaction {
    return {
      request,
      listen() {},
      respond: (response) => {
        if (response.status < 200) return;
        const tag = createHmac('sha256', this.#tagKey).update(key).digest('hex').slice(0, 12);
        const { headers } = makeResponse(request, response.status, response.reason, tag);
        const own = response.headers.filter((entry) => !headers.some(({ name }) => name === entry.name));
        this.respondStateless({ ...response, headers: [...headers, ...own] }, request.flow);
      },
    };
  }

  /** Answers strangers and malformed messages without a transaction, and where they came from alone. */
  respondStateless(response: SipResponse, flow: Flow): void {
    this.#transport.reply(writeMessage(response), flow, null, () => {});
  }

  #newServer(key: string, request: IncomingRequest): ServerTransaction {
    const invite = request.message.method === 'INVITE';
    let last: Buffer | null = null;
    const back = replyAddress(request.parts.via[0], request.flow);
    const failed = () => this.#step(running, { type: 'transport-failed' }, null);
    const running: Running = {
      key,
      source: request.source.address,
      state: newTransaction(invite ? 'invite-server' : 'server', request.flow.protocol !== 'udp'),
      timers: new Map(),
      transmit: () => {
        if (last) this.#transport.reply(last, request.flow, back, failed);
      },
      acknowledge: () => {},
      deliver: () => {},
      fail: (cause) => transaction.notify.failed?.(cause),
    };
    const transaction: ServerTransaction & { notify: Partial<ServerListener> } = {
      request,
      notify: {},
      listen(listener) {
        transaction.notify = listener;
      },
      respond: (response) => {
        if (running.state.phase === 'completed' || running.state.phase === 'confirmed') return;
        last = writeMessage(response);
        this.#step(running, { type: 'response-sent', status: response.status }, null);
      },
    };
    this.#running.set(key, running);
    this.#shares.add(request.source.address);
    if (invite) this.#servers.set(key, transaction);
    return transaction;
  }

  #step(running: Running, event: TransactionEvent, response: IncomingResponse | null): void {
    if (this.#running.get(running.key) !== running) return;
    const [state, effects] = stepTransaction(running.state, event);
    running.state = state;
    // A callback may step this transaction again, so callbacks come last.
    const callbacks: Array<() => void> = [];
    for (const effect of effects) {
      switch (effect.type) {
        case 'transmit':
          running.transmit();
          break;
        case 'transmit-ack':
          if (response) running.acknowledge(response);
          break;
        case 'arm':
          this.#arm(running, effect.timer, effect.delayMs);
          break;
        case 'disarm':
          running.timers.get(effect.timer)?.();
          running.timers.delete(effect.timer);
          break;
        case 'deliver':
          callbacks.push(() => running.deliver(response));
          break;
        case 'fail':
          callbacks.push(() => running.fail(effect.cause));
          break;
        case 'end':
          this.#end(running);
          break;
      }
    }
    for (const callback of callbacks) callback();
  }

  #arm(running: Running, timer: TimerName, delayMs: number): void {
    running.timers.get(timer)?.();
    running.timers.set(
      timer,
      this.#clock.after(delayMs, () => {
        running.timers.delete(timer);
        this.#step(running, { type: 'timer-fired', timer }, null);
      }),
    );
  }

  #end(running: Running): void {
    for (const stop of running.timers.values()) stop();
    running.timers.clear();
    if (this.#running.get(running.key) !== running) return;
    this.#running.delete(running.key);
    this.#servers.delete(running.key);
    if (running.source !== null) this.#shares.remove(running.source);
  }
}

/** A response with the headers that it must copy (RFC 3261 8.2.6.2). `tag` is added to To if it has none yet. */
export function makeResponse(
  request: IncomingRequest,
  status: number,
  reason: string,
  tag: string | null = null,
): SipResponse {
  const headers = request.message.headers.filter((entry) =>
    ['via', 'from', 'call-id', 'cseq', 'timestamp'].includes(entry.name),
  );
  const to = header(request.message, 'to') ?? '';
  const tagged = tag === null || param(request.parts.to.params, 'tag') !== undefined ? to : `${to};tag=${tag}`;
  headers.push({ name: 'to', value: tagged });
  return { kind: 'response', status, reason, headers, body: Buffer.alloc(0) };
}
