// The embedded user agent: the Telephony port on our own SIP stack.
//
//   sockets ─► transport ─► receiver (parse, check) ─► transaction layer
//                ┌──────────────────────────────────────────┴──────────────┐
//          dialog table ─► InboundCall, EstablishedCall, OutboundCall   invite intake ─► onInvite

import { messageOf } from '../../../../db/domain/unexpected.ts';
import { type Clock, systemClock } from '../../../clock.ts';
import { dialogKey } from '../../dialog/dialog.ts';
import { Registrar, softphoneIn } from '../../registrar/registrar.ts';
import { SenderRules } from '../../registrar/sender-rules.ts';
import { addressTowards } from '../../stack/network/addressing.ts';
import { locate } from '../../stack/network/locator.ts';
import type { Network, Protocol, TlsFiles } from '../../stack/network/network.ts';
import { createNodeNetwork } from '../../stack/network/node-network.ts';
import { type RefusalCounts, SourceGate } from '../../stack/network/source-gate.ts';
import { type Destination, type Flow, TransportLayer } from '../../stack/network/transport-layer.ts';
import { Receiver } from '../../stack/transaction/receiver.ts';
import { checkExtensions, refuse } from '../../stack/transaction/request-checks.ts';
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
  ALLOW_HEADER,
  isStandardMethod,
  phraseOf,
  SUPPORTED_HEADER,
} from '../../stack/wire/responses.ts';
import { parseUri, writeUri } from '../../stack/wire/uri.ts';
import type {
  AudioCodec,
  DialRequest,
  InboundLeg,
  LocalAudio,
  OutboundLeg,
  RefusedInvite,
  SipAccountConfig,
  SipBinding,
  SoftphoneRegistrar,
  StoredDialog,
  Telephony,
  TrunkConfig,
  TrunkState,
} from '../../telephony.ts';
import { NARROWBAND_CODECS, TelephonyError } from '../../telephony.ts';
import { TrunkBoard } from '../../trunk/trunk-board.ts';
import { directAttempt, redirectedAttempt } from '../../trunk/trunk-route.ts';
import { InviteIntake } from './invite-intake.ts';
import { endStoredDialog } from './orphans.ts';
import { type DialRoute, isSipUri, OutboundCall } from './outbound-call.ts';
import type { DialogOwner, SipLog, UserAgentCore } from './user-agent-core.ts';

export interface EmbeddedOptions {
  host: string;
  port: number;
  tls: { port: number; files: TlsFiles } | null;
  /** CIDRs that may send INVITEs, besides the trunks' own; loopback if empty. */
  inboundAllow: readonly string[];
  externalIp: string | null;
  log: SipLog;
  /** Told of every INVITE that is refused before it becomes a leg. */
  onRefused?: (refused: RefusedInvite) => void;
  /** Of callers and places without a trunk, in order of preference; G.711 if left out. */
  codecs?: readonly AudioCodec[];
  /** An offer is answered with its first wideband codec, if there is one that we take. */
  prefersWideband?: boolean;
  clock?: Clock;
  network?: Network;
}

// Two round trips to a distant peer; after a second SIGTERM the whole process has 2 s.
const STOP_GRACE_MS = 600;

export class EmbeddedTelephony implements Telephony, SoftphoneRegistrar {
  readonly #options: EmbeddedOptions;
  readonly #log: SipLog;
  readonly #clock: Clock;
  readonly #network: Network;
  readonly #gate: SourceGate;
  readonly #transport: TransportLayer;
  readonly #layer: TransactionLayer;
  readonly #receiver: Receiver;
  readonly #intake: InviteIntake;
  readonly #core: UserAgentCore;
  readonly #trunks: TrunkBoard;
  readonly #registrar: Registrar;
  readonly #dialogs = new Map<string, DialogOwner>();
  readonly #senders: SenderRules;
  #onInvite: ((leg: InboundLeg) => void) | null = null;
  #admit: () => boolean = () => true;
  #draining = false;

  constructor(options: EmbeddedOptions) {
    this.#options = options;
    this.#log = options.log;
    this.#clock = options.clock ?? systemClock;
    this.#network = options.network ?? createNodeNetwork();
    this.#gate = new SourceGate(this.#clock, options.log, {
      standing: (address) => this.#senders.standing(address),
      hasCall: (address) => [...this.#dialogs.values()].some((owner) => owner.peerAddresses.includes(address)),
    });
    const rules = {
      connections: (address: string) => this.#senders.connectionLimit(address),
      serverName: (address: string) => this.#trunks.owner(address)?.peer.serverName ?? null,
      refused: (address: string) => this.#gate.count('connection', address),
      inUse: (id: number) =>
        this.#registrar.usesConnection(id) ||
        [...this.#dialogs.values()].some(({ connectionId }) => connectionId === id),
    };
    this.#transport = new TransportLayer(this.#network, this.#clock, options.log, rules, (bytes, flow, broken) => {
      if (!this.#gate.ignores(flow.remote.address)) this.#receiver.receive(bytes, flow, broken);
    });
    this.#layer = new TransactionLayer(this.#clock, this.#transport, (destination) => this.#sentBy(destination), {
      admit: (request) => this.#admission(request),
      overloaded: ({ flow }) => this.#gate.count('overload', flow.remote.address),
      request: (transaction) => this.#request(transaction),
      acknowledged: (request) => this.#acknowledged(request),
      stray: (response) => this.#stray(response),
    });
    this.#receiver = new Receiver(this.#layer, (address) => this.#gate.answers(address));
    this.#core = this.#makeCore();
    this.#trunks = new TrunkBoard({
      core: this.#core,
      names: this.#network.names,
      keepAlive: (destination) => this.#transport.keepAlive(destination),
      resolved: () => this.#gate.forget(),
    });
    this.#registrar = new Registrar({
      core: this.#core,
      keepAlive: (destination) => void this.#transport.keepAlive(destination),
      wayBack: (flow) => this.#wayBack(flow),
    });
    this.#senders = new SenderRules({
      gate: this.#gate,
      trunks: this.#trunks,
      registrar: this.#registrar,
      inboundAllow: options.inboundAllow,
      codecs: this.#core.voice.codecs,
    });
    this.#intake = new InviteIntake(this.#core, {
      sender: (request) => this.#senders.sender(request),
      obstacle: () => (this.#draining ? 'stopping' : this.#admit() ? null : 'capacity'),
      refused: (refused) => options.onRefused?.(refused),
    });
  }

  /** What is open now, and what was refused since the start. */
  get counts(): { transactions: number; dialogs: number; connections: number; refused: RefusalCounts } {
    return {
      refused: { ...this.#gate.refused },
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
    this.#trunks.start();
    const shown = host.includes(':') ? `[${host}]` : host;
    return { sipUri: `sip:${shown}:${this.#transport.port('udp')}` };
  }

  onInvite(handler: (leg: InboundLeg) => void): void {
    this.#onInvite = handler;
  }

  setAdmission(admit: () => boolean): void {
    this.#admit = admit;
  }

  dial(request: DialRequest): OutboundLeg {
    return new OutboundCall(this.#core, request, this.#routesFor(request));
  }

  #routesFor(request: DialRequest): DialRoute[] {
    const username = softphoneIn(request.to);
    if (username !== null) return this.#registrar.routesFor(username, request);
    return isSipUri(request.to) ? [this.#directRoute(request)] : this.#trunks.routesFor(request);
  }

  setSipAccounts(accounts: readonly SipAccountConfig[]): void {
    this.#registrar.set(accounts);
  }

  restoreBindings(bindings: readonly SipBinding[]): void {
    this.#registrar.restore(bindings);
  }

  onBinding(listener: (sipAccountId: string, binding: SipBinding | null) => void): void {
    this.#registrar.onBinding(listener);
  }

  setTrunks(trunks: TrunkConfig[]): void {
    this.#trunks.set(trunks);
    this.#gate.forget();
  }

  onTrunkState(listener: (state: TrunkState) => void): void {
    this.#trunks.onState(listener);
  }

  endStored(dialog: StoredDialog): Promise<void> {
    return endStoredDialog(this.#core, this.#transport, dialog);
  }

  drain(): void {
    this.#draining = true;
  }

  async stop(): Promise<void> {
    this.#draining = true;
    this.#trunks.stop();
    this.#registrar.stop();
    // Running calls are ended on the wire, with a short wait for the answers.
    for (const owner of [...this.#dialogs.values()]) this.#guard(owner, () => owner.abandon());
    const busy = () => this.#dialogs.size > 0 || this.#trunks.leaving;
    for (let waitedMs = 0; busy() && waitedMs < STOP_GRACE_MS; waitedMs += 20) {
      await new Promise<void>((resolve) => this.#clock.after(20, resolve));
    }
    this.#layer.stop();
    this.#transport.stop();
    this.#dialogs.clear();
  }

  #makeCore(): UserAgentCore {
    return {
      clock: this.#clock,
      log: this.#log,
      layer: this.#layer,
      voice: {
        codecs: this.#options.codecs ?? NARROWBAND_CODECS,
        prefersWideband: this.#options.prefersWideband ?? false,
      },
      locate: (uri, flow, viaFlow = false) => this.#locate(uri, flow && this.#transport.current(flow), viaFlow),
      contact: (destination) => this.#contact(destination),
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

  #directRoute(request: DialRequest): DialRoute {
    const locateUri = async (uri: string) => this.#core.locate(uri, null);
    return {
      name: request.to,
      destinations: () => locateUri(request.to),
      redirect: async (target, from) =>
        redirectedAttempt(from, target, await locateUri(request.to), await locateUri(writeUri(target)), {
          number: request.to,
          country: null,
        }),
      at: (destination) => directAttempt(this.#core, request, destination),
      report: () => {},
    };
  }

  #sentBy({ protocol, remote }: Destination): { host: string; port: number } {
    const host = addressTowards(this.#options.host, remote.address, this.#options.externalIp);
    const port = this.#transport.port(protocol) || this.#transport.port('udp');
    return { host: host.includes(':') ? `[${host}]` : host, port };
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
    if (tagOf(parts.to) !== undefined && this.#owner(parts)) return { type: 'transaction', share: 'dialog' };
    return this.#senders.admission(request);
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
    if (method === 'REGISTER') this.#registrar.register(transaction);
    else if (!isStandardMethod(method)) refuse(transaction, 501, [ALLOW_HEADER]);
    else if (!['INVITE', 'OPTIONS', 'BYE', 'UPDATE', 'INFO', 'NOTIFY'].includes(method)) {
      refuse(transaction, 405, [ALLOW_HEADER]);
    } else if ((parseUri(message.uri)?.scheme ?? 'other') === 'other') this.#refuseUri(transaction);
    else if (method === 'INVITE') this.#invite(transaction);
    else if (method === 'OPTIONS') this.#optionsRequest(transaction);
    else refuse(transaction, 481);
  }

  /** RFC 3261 8.2.2.1: 416 for an unknown scheme, 400 for text that is not a URI. */
  #refuseUri(transaction: ServerTransaction): void {
    refuse(transaction, parseUri(transaction.request.message.uri) === null ? 400 : 416);
  }

  #optionsRequest(transaction: ServerTransaction): void {
    if (!checkExtensions(transaction)) return;
    const base = makeResponse(transaction.request, 200, phraseOf(200), newTag());
    const contact = this.#contact({ ...transaction.request.flow, serverName: null });
    const headers = [{ name: 'contact', value: contact }, ALLOW_HEADER, SUPPORTED_HEADER, ACCEPT_HEADER];
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
