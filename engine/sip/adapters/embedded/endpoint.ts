// The embedded user agent: the Telephony port on our own SIP stack.
//
//   sockets ─► transport ─► receiver (parse, check) ─► transaction layer
//                ┌──────────────────────────────────────────┴──────────────┐
//          dialog table ─► InboundCall, EstablishedCall, OutboundCall   invite intake ─► onInvite

import { messageOf } from '../../../../db/domain/unexpected.ts';
import { urlHost } from '../../../../db/shared/net/url-host.ts';
import { arrivalsFirst, type Clock, systemClock } from '../../../clock.ts';
import type { DialRoute } from '../../dialog/dial-route.ts';
import { dialogKey } from '../../dialog/dialog.ts';
import { addressTowards } from '../../stack/network/addressing.ts';
import { locate } from '../../stack/network/locator.ts';
import type { Network, Protocol, TlsFiles } from '../../stack/network/network.ts';
import { createNodeNetwork } from '../../stack/network/node-network.ts';
import type { RefusalCounts } from '../../stack/network/source-gate.ts';
import { type Destination, type Flow, TransportLayer } from '../../stack/network/transport-layer.ts';
import { Receiver } from '../../stack/transaction/receiver.ts';
import { checkExtensions, isSipsInClear, refuse, SIPS_WARNING } from '../../stack/transaction/request-checks.ts';
import { SdpNames } from '../../stack/transaction/sdp-names.ts';
import {
  type Admission,
  type IncomingRequest,
  type IncomingResponse,
  makeResponse,
  newTag,
  type ServerTransaction,
  TransactionLayer,
} from '../../stack/transaction/transaction-layer.ts';
import { tagOf } from '../../stack/wire/header.ts';
import { MAX_REASON_CHARS, plainHeaderText } from '../../stack/wire/plain-text.ts';
import {
  ACCEPT_HEADER,
  isStandardMethod,
  OWN_ALLOW_HEADER,
  OWN_METHODS,
  OWN_OPTIONS,
  OWN_SUPPORTED_HEADER,
  phraseOf,
} from '../../stack/wire/responses.ts';
import { parseUri } from '../../stack/wire/uri.ts';
import type {
  DialRequest,
  InboundLeg,
  Leg,
  LegState,
  LocalAudio,
  Obstacle,
  OutboundLeg,
  RingingState,
  SipLog,
  SoftphoneRegistrar,
  StoredDialog,
  Telephony,
  TrunkConfig,
  TrunkState,
} from '../../telephony.ts';
import { RETRY_AFTER_SECONDS, TelephonyError } from '../../telephony.ts';
import { type AgentOptions, AgentParts, STOP_GRACE_MS, voiceOf } from '../shared/agent-parts.ts';
import { answersOptions } from '../shared/alive.ts';
import { InviteIntake } from './invite-intake.ts';
import { endStoredDialog } from './orphans.ts';
import { OutboundCall } from './outbound-call.ts';
import { ResumedCall } from './resumed-call.ts';
import type { OutboundState } from './ringing-call.ts';
import type { DialogOwner, UserAgentCore } from './user-agent-core.ts';

export interface EmbeddedOptions extends AgentOptions {
  host: string;
  port: number;
  tls: { port: number; files: TlsFiles } | null;
  network?: Network;
}

export class EmbeddedTelephony implements Telephony {
  readonly #options: EmbeddedOptions;
  readonly #log: SipLog;
  readonly #clock: Clock;
  readonly #network: Network;
  readonly #transport: TransportLayer;
  readonly #layer: TransactionLayer;
  readonly #receiver: Receiver;
  readonly #intake: InviteIntake;
  readonly #core: UserAgentCore;
  readonly #parts: AgentParts;
  readonly #dialogs = new Map<string, DialogOwner>();
  readonly #trunksKnown = Promise.withResolvers<void>();
  #expectsCalls = false;
  #onInvite: ((leg: InboundLeg) => void) | null = null;

  constructor(options: EmbeddedOptions) {
    this.#options = options;
    this.#log = options.log;
    this.#clock = options.clock ?? arrivalsFirst(systemClock);
    this.#network = options.network ?? createNodeNetwork();
    const rules = {
      connections: (address: string) => this.#parts.senders.connectionLimit(address),
      serverName: (address: string) => this.#parts.trunks.owner(address)?.peer.serverName ?? null,
      refused: (address: string) => this.#parts.gate.count('connection', address),
      inUse: (id: number) =>
        this.#parts.registrar.usesConnection(id) ||
        [...this.#dialogs.values()].some(({ connectionId }) => connectionId === id),
    };
    this.#transport = new TransportLayer(this.#network, this.#clock, options.log, rules, (bytes, flow, broken) => {
      if (!this.#parts.gate.ignores(flow.remote.address, bytes.length)) this.#receiver.receive(bytes, flow, broken);
    });
    this.#layer = new TransactionLayer(this.#clock, this.#transport, (destination) => this.#sentBy(destination), {
      admit: (request) => this.#admission(request),
      overloaded: ({ source }) => this.#parts.gate.count('overload', source.address),
      request: (transaction) => this.#request(transaction),
      acknowledged: (request) => this.#acknowledged(request),
      stray: (response) => this.#stray(response),
    });
    this.#core = this.#makeCore();
    this.#parts = new AgentParts(
      {
        agent: this.#core,
        names: this.#network.names,
        hasCall: (address) => this.#hasCall(address),
        keepTrunkAlive: (destination) => this.#transport.keepAlive(destination),
        keepPhoneAlive: (destination) => void this.#transport.keepAlive(destination),
        // Our own transport checks certificates.
        bar: () => null,
        wayBack: (flow) => this.#wayBack(flow),
      },
      options,
    );
    const sdpNames = new SdpNames({
      clock: this.#clock,
      names: this.#network.names,
      isKnown: (address) => this.#isKnown(address),
      unknown: (host, sourceAddress) =>
        this.#log.info({ host, sourceAddress }, 'the host name of an SDP has no address'),
      failed: (error, remote) => this.#log.warn({ err: error, remote }, 'message handling failed'),
    });
    const answers = (address: string): boolean => this.#parts.gate.answers(address);
    this.#receiver = new Receiver(this.#layer, answers, this.#parts.edge, sdpNames);
    this.#intake = new InviteIntake(this.#core, this.#parts.gates, (callId, localTag) =>
      this.#dialogs.get(dialogKey(callId, localTag)),
    );
  }

  get registrar(): SoftphoneRegistrar {
    return this.#parts.registrar;
  }

  /** Current counts, and the refusals since the start. */
  get counts(): { transactions: number; dialogs: number; connections: number; refused: RefusalCounts } {
    return {
      refused: { ...this.#parts.gate.refused },
      transactions: this.#layer.count,
      dialogs: this.#dialogs.size,
      connections: this.#transport.connectionCount,
    };
  }

  /** The bound port of that transport, 0 if it is off. */
  port(protocol: Protocol): number {
    return this.#transport.port(protocol);
  }

  async start(): Promise<{ sipUri: string }> {
    const { host, port, tls } = this.#options;
    try {
      await this.#transport.start({ host, port, tls });
    } catch (error) {
      const reason = messageOf(error);
      throw new TelephonyError('BIND_FAILED', `SIP_HOST/SIP_PORT ${host}:${port} cannot be bound: ${reason}`);
    }
    this.#parts.trunks.start();
    const shown = urlHost(host);
    return { sipUri: `sip:${shown}:${this.#transport.port('udp')}` };
  }

  onInvite(handler: (leg: InboundLeg) => void): void {
    this.#onInvite = handler;
  }

  setAdmission(obstacle: () => Obstacle | null): void {
    this.#parts.setAdmission(obstacle);
  }

  dial(request: DialRequest): OutboundLeg {
    return new OutboundCall(this.#core, request, this.#parts.routesFor(request));
  }

  setTrunks(trunks: TrunkConfig[]): void {
    this.#parts.setTrunks(trunks);
    this.#trunksKnown.resolve();
  }

  onTrunkState(listener: (state: TrunkState) => void): void {
    this.#parts.trunks.onState(listener);
  }

  expectCalls(areExpected: boolean): void {
    this.#expectsCalls = areExpected;
  }

  resume(state: LegState, elapsedMs: number): Leg {
    return new ResumedCall(this.#core, state, elapsedMs);
  }

  move(state: LegState, elapsedMs: number, audio: LocalAudio): Leg {
    return new ResumedCall(this.#core, state, elapsedMs, audio);
  }

  resumeRinging(
    { sipCallId, earlyAudio, rest }: RingingState,
    elapsedMs: number,
    beforeInvite: DialRequest['beforeInvite'],
  ): OutboundLeg {
    const state = rest as OutboundState;
    const find = async (trunkIds: string[]): Promise<DialRoute[]> => {
      await this.#trunksKnown.promise;
      return this.#parts.routesFor({ ...state.request, trunkIds });
    };
    return OutboundCall.resumed(this.#core, { sipCallId, state, earlyAudio, elapsedMs, find }, beforeInvite);
  }

  endStored(dialog: StoredDialog): Promise<void> {
    return endStoredDialog(this.#core, this.#transport, dialog);
  }

  reaches(sipUri: string, withinMs: number): Promise<boolean> {
    return answersOptions(this.#core, sipUri, withinMs);
  }

  leave(): void {
    this.#layer.stop();
    this.#transport.stop();
    this.#dialogs.clear();
  }

  drain(): void {
    this.#parts.drain();
  }

  async stop(): Promise<void> {
    this.#parts.stop();
    // Running calls are ended on the wire, with a short wait for the answers.
    for (const owner of [...this.#dialogs.values()]) this.#guard(owner, () => owner.abandon());
    const busy = () => this.#dialogs.size > 0 || this.#parts.trunks.leaving;
    for (let waitedMs = 0; busy() && waitedMs < STOP_GRACE_MS; waitedMs += 20) {
      await new Promise<void>((resolve) => this.#clock.after(20, resolve));
    }
    this.#layer.stop();
    this.#transport.stop();
    this.#dialogs.clear();
  }

  #hasCall(address: string): boolean {
    return [...this.#dialogs.values()].some((owner) => owner.peerAddresses.includes(address));
  }

  #isKnown(address: string): boolean {
    const { gate, registrar } = this.#parts;
    return gate.standing(address) !== 'stranger' || registrar.knowsAddress(address) || this.#hasCall(address);
  }

  #makeCore(): UserAgentCore {
    return {
      clock: this.#clock,
      log: this.#log,
      layer: this.#layer,
      voice: voiceOf(this.#options),
      locate: (uri, flow, viaFlow = false) => this.#locate(uri, flow && this.#transport.current(flow), viaFlow),
      contact: (destination) => this.#contact(destination),
      sipsStatus: this.#options.tls === null ? 416 : 403,
      hostTowards: (peerAddress) => addressTowards(this.#options.host, peerAddress, this.#options.externalIp),
      advertise: (audio, peerAddress) => this.#advertise(audio, peerAddress),
      register: (callId, localTag, owner) => {
        this.#dialogs.set(dialogKey(callId, localTag), owner);
      },
      unregister: (callId, localTag) => {
        this.#dialogs.delete(dialogKey(callId, localTag));
      },
      guard: (owner, callback) => this.#guard(owner, callback),
    };
  }

  #locate(uri: string, flow: Flow | null, viaFlow: boolean): Destination[] | Promise<Destination[]> {
    const back = viaFlow && flow !== null ? this.#wayBack(flow) : null;
    return back === null ? locate(this.#network.names, uri, flow) : [back];
  }

  #wayBack(flow: Flow): Destination | null {
    const { protocol, remote, connectionId } = this.#transport.current(flow);
    return protocol === 'udp' || connectionId !== null ? { protocol, remote, serverName: null } : null;
  }

  #guard(owner: DialogOwner, callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#log.error({ err: error }, 'call failed');
      try {
        owner.abandon();
      } catch (again) {
        this.#log.error({ err: again }, 'call could not be ended');
      }
    }
  }

  #sentBy({ protocol, remote }: Destination): { host: string; port: number } {
    const host = addressTowards(this.#options.host, remote.address, this.#options.externalIp);
    const port = this.#transport.port(protocol) || this.#transport.port('udp');
    return { host: urlHost(host), port };
  }

  #contact(destination: Destination): string {
    const { host, port } = this.#sentBy(destination);
    const transport = destination.protocol === 'udp' ? '' : `;transport=${destination.protocol}`;
    return `<sip:${host}:${port}${transport}>`;
  }

  #advertise(audio: LocalAudio, peerAddress: string): LocalAudio {
    return { ...audio, address: addressTowards(audio.address, peerAddress, this.#options.externalIp) };
  }

  #admission(request: IncomingRequest): Admission {
    const { parts } = request;
    if (tagOf(parts.to) !== undefined) {
      if (this.#owner(parts)) return { type: 'transaction', share: 'dialog' };
      // Of a call that is taken over in a moment: it is sent again.
      if (this.#expectsCalls) return { type: 'drop' };
    }
    return this.#parts.senders.admission(request);
  }

  #owner(parts: { callId: string; to: Parameters<typeof tagOf>[0] }): DialogOwner | undefined {
    return this.#dialogs.get(dialogKey(parts.callId, tagOf(parts.to) ?? ''));
  }

  #acknowledged(request: IncomingRequest): void {
    const owner = this.#owner(request.parts);
    if (owner) this.#guard(owner, () => owner.receiveAck(request));
  }

  #stray(response: IncomingResponse): void {
    const { callId, from } = response.parts;
    const owner = this.#dialogs.get(dialogKey(callId, tagOf(from) ?? ''));
    if (owner) this.#guard(owner, () => owner.receiveStray(response));
  }

  #request(transaction: ServerTransaction): void {
    try {
      this.#dispatch(transaction);
    } catch (error) {
      this.#log.error(
        { err: error, sipCallId: plainHeaderText(transaction.request.parts.callId, MAX_REASON_CHARS) },
        'request failed',
      );
      refuse(transaction, 500);
    }
  }

  #dispatch(transaction: ServerTransaction): void {
    const { message, parts } = transaction.request;
    const { method } = message;
    if (tagOf(parts.to) !== undefined) {
      const owner = this.#owner(parts);
      if (owner) this.#guard(owner, () => owner.receiveRequest(transaction));
      else refuse(transaction, 481);
      return;
    }
    if (method === 'REGISTER') this.#parts.registrar.register(transaction);
    else if (!isStandardMethod(method)) refuse(transaction, 501, [OWN_ALLOW_HEADER]);
    else if (!OWN_METHODS.includes(method)) {
      refuse(transaction, 405, [OWN_ALLOW_HEADER]);
    } else if ((parseUri(message.uri)?.scheme ?? 'other') === 'other') this.#refuseUri(transaction);
    else if (method === 'INVITE') this.#invite(transaction);
    else if (isSipsInClear(transaction.request)) refuse(transaction, this.#core.sipsStatus, [SIPS_WARNING]);
    else if (method === 'OPTIONS') this.#optionsRequest(transaction);
    else if (method === 'REFER') this.#refer(transaction);
    else refuse(transaction, 481);
  }

  /** RFC 3261 8.2.2.1: 416 for an unknown scheme, 400 for text that is not a URI. */
  #refuseUri(transaction: ServerTransaction): void {
    refuse(transaction, parseUri(transaction.request.message.uri) === null ? 400 : 416);
  }

  /** Declined, as a stranger's inside a call is: it would have a call placed (RFC 3515 2.4.2). */
  #refer(transaction: ServerTransaction): void {
    if (checkExtensions(transaction, OWN_OPTIONS)) refuse(transaction, 603);
  }

  #optionsRequest(transaction: ServerTransaction): void {
    if (!checkExtensions(transaction, OWN_OPTIONS)) return;
    // A proxy of our own sends new calls to those who answer; a carrier's question is whether the line works.
    if (this.#parts.edge.has(transaction.request.source.address) && this.#parts.gates.obstacle() !== null) {
      return refuse(transaction, 503, [{ name: 'retry-after', value: String(RETRY_AFTER_SECONDS) }]);
    }
    const base = makeResponse(transaction.request, 200, phraseOf(200), newTag());
    const contact = this.#contact({ ...transaction.request.flow, serverName: null });
    const headers = [{ name: 'contact', value: contact }, OWN_ALLOW_HEADER, OWN_SUPPORTED_HEADER, ACCEPT_HEADER];
    transaction.respond({ ...base, headers: [...base.headers, ...headers] });
  }

  #invite(transaction: ServerTransaction): void {
    transaction.respond(makeResponse(transaction.request, 100, phraseOf(100)));
    const call = this.#intake.take(transaction);
    if (!call) return;
    const handler = this.#onInvite;
    if (handler) this.#guard(call, () => handler(call));
    else call.reject(480);
  }
}
