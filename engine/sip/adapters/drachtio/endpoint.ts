// The Telephony port on drachtio, for SIP, and FreeSWITCH, for media (or the engine's own, where drachtio stands
// alone).
//
//   drachtio ─► link ─► invite intake ─► inbound leg ─┐
//                 │                                   ├─► established leg ◄─► media: FreeSWITCH's channels, or direct
//                 └───► trunks, outbound leg ─────────┘
import { type Clock, sleep, systemClock } from '../../../clock.ts';
import { Registrar, softphoneIn } from '../../registrar/registrar.ts';
import { SenderRules } from '../../registrar/sender-rules.ts';
import { locate } from '../../stack/network/locator.ts';
import type { Names } from '../../stack/network/network.ts';
import { createNodeNetwork } from '../../stack/network/node-network.ts';
import { type RefusalCounts, SourceGate } from '../../stack/network/source-gate.ts';
import type { Destination } from '../../stack/network/transport-layer.ts';
import type { IncomingRequest } from '../../stack/transaction/transaction-layer.ts';
import { ACCEPT_HEADER, ALLOW_HEADER, SUPPORTED_HEADER } from '../../stack/wire/responses.ts';
import { writeUri } from '../../stack/wire/uri.ts';
import type {
  AudioCodec,
  DialRequest,
  InboundLeg,
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
import type { TrunkCore } from '../../trunk/trunk.ts';
import { TrunkBoard } from '../../trunk/trunk-board.ts';
import { directAttempt, redirectedAttempt } from '../../trunk/trunk-route.ts';
import type { DialRoute } from '../embedded/outbound-call.ts';
import { isSipUri } from '../embedded/outbound-call.ts';
import type { SipLog } from '../embedded/user-agent-core.ts';
import type { LegDeps, LinkedLeg } from './call/leg-deps.ts';
import { DrachtioOutboundLeg } from './call/outbound-leg.ts';
import { endStoredDialog } from './call/stored-dialog.ts';
import { InviteIntake } from './invite-intake.ts';
import type { ForkSocketAddress } from './media/audio-forks.ts';
import { DirectMedia } from './media/direct-media.ts';
import type { MediaPath } from './media/leg-media.ts';
import type { ChannelOwner, SwitchAddress } from './media/switch-host.ts';
import { SwitchMedia } from './media/switch-media.ts';
import { SwitchPool } from './media/switch-pool.ts';
import type { Drachtio, DrachtioRequest, DrachtioResponse } from './signalling/drachtio.ts';
import { DrachtioLink } from './signalling/drachtio-link.ts';
import { answerable, readRequest, writeHeaders } from './signalling/raw-message.ts';
import { createRequestLayer, keepAlive } from './signalling/request-layer.ts';

export interface FreeswitchOptions {
  drachtio: { host: string; port: number; secret: string };
  /** Empty: drachtio alone, with the engine's own audio. */
  freeswitch: readonly SwitchAddress[];
  owner: ChannelOwner;
  /** Calls' audio comes by mod_audio_fork; by RTP if null or left out. */
  forks?: ForkSocketAddress | null;
  /** CIDRs that may send INVITEs, besides the trunks' own; loopback if empty. */
  inboundAllow: readonly string[];
  externalIp: string | null;
  log: SipLog;
  onRefused?: (refused: RefusedInvite) => void;
  /** Of callers and places without a trunk, in order of preference; G.711 if left out. */
  codecs?: readonly AudioCodec[];
  prefersWideband?: boolean;
  clock?: Clock;
  names?: Names;
}

const SIP_PROFILE = 'drachtio_mrf';
const STOP_GRACE_MS = 600;
/** Peers that wait for a BYE until drachtio is back. */
const MAX_OWED = 2_000;

export class FreeswitchTelephony implements Telephony, SoftphoneRegistrar {
  readonly usesForks: boolean;
  readonly #log: SipLog;
  readonly #clock: Clock;
  readonly #names: Names;
  readonly #link: DrachtioLink;
  readonly #pool: SwitchPool | null;
  readonly #media: MediaPath;
  readonly #core: TrunkCore;
  readonly #trunks: TrunkBoard;
  readonly #gate: SourceGate;
  readonly #registrar: Registrar;
  readonly #senders: SenderRules;
  readonly #intake: InviteIntake;
  readonly #legs = new Set<LinkedLeg>();
  #owed: StoredDialog[] = [];
  #onInvite: ((leg: InboundLeg) => void) | null = null;
  #admit: () => boolean = () => true;
  #isDraining = false;

  constructor(options: FreeswitchOptions) {
    const { log, freeswitch, owner, clock = systemClock, forks = null } = options;
    this.usesForks = forks !== null;
    this.#log = log;
    this.#clock = clock;
    this.#names = options.names ?? createNodeNetwork().names;
    this.#link = new DrachtioLink({
      ...options.drachtio,
      clock,
      log,
      opened: (drachtio) => this.#opened(drachtio),
      lost: () => this.#lost(),
    });
    this.#pool =
      freeswitch.length === 0 ? null : new SwitchPool(freeswitch, { owner, clock, log, profile: SIP_PROFILE, forks });
    this.#media =
      this.#pool === null ? new DirectMedia(options.externalIp) : new SwitchMedia(this.#pool, options.externalIp);
    this.#core = {
      clock,
      log,
      layer: createRequestLayer(() => this.#link.drachtio),
      voice: { codecs: options.codecs ?? NARROWBAND_CODECS, prefersWideband: options.prefersWideband ?? false },
      locate: (uri, flow) => locate(this.#names, uri, flow),
      contact: (destination) => this.#contact(destination),
    };
    this.#trunks = new TrunkBoard({
      core: this.#core,
      names: this.#names,
      // drachtio keeps its own connections; the OPTIONS of every half minute keep a NAT's binding.
      keepAlive: () => 0,
      resolved: () => this.#gate.forget(),
    });
    this.#gate = new SourceGate(clock, log, {
      standing: (address) => this.#senders.standing(address),
      // Requests inside dialogs do not come by the gate.
      hasCall: () => false,
    });
    this.#registrar = new Registrar({
      core: this.#core,
      keepAlive: (destination) => keepAlive(this.#core, destination),
      // drachtio knows its connections.
      wayBack: ({ protocol, remote }) => ({ protocol, remote, serverName: null }),
    });
    this.#senders = new SenderRules({
      gate: this.#gate,
      trunks: this.#trunks,
      registrar: this.#registrar,
      inboundAllow: options.inboundAllow,
      codecs: this.#core.voice.codecs,
    });
    this.#intake = new InviteIntake({
      prefersWideband: this.#core.voice.prefersWideband,
      sender: (request) => this.#senders.sender(request),
      obstacle: () => (this.#isDraining ? 'stopping' : this.#admit() ? null : 'capacity'),
      refused: (refused) => options.onRefused?.(refused),
    });
  }

  get counts(): { refused: RefusalCounts } {
    return { refused: { ...this.#gate.refused } };
  }

  /** host:port where drachtio takes calls over UDP. */
  get address(): string {
    const udp = this.#link.addresses.find(({ protocol }) => protocol === 'udp') ?? this.#link.addresses[0];
    return udp === undefined ? '' : `${udp.host}:${udp.port}`;
  }

  /** A call would be taken now. */
  get isReady(): boolean {
    return this.#link.drachtio !== null && this.#media.fault === null;
  }

  /** Waits for drachtio. FreeSWITCH may come later: until then calls are answered 503. */
  async start(): Promise<{ sipUri: string }> {
    await Promise.all([this.#link.start(), this.#media.start()]);
    this.#trunks.start();
    return { sipUri: `sip:${this.address}` };
  }

  onInvite(handler: (leg: InboundLeg) => void): void {
    this.#onInvite = handler;
  }

  setAdmission(admit: () => boolean): void {
    this.#admit = admit;
  }

  dial(request: DialRequest): OutboundLeg {
    const routes = this.#routesFor(request);
    const { drachtio } = this.#link;
    if (drachtio === null) throw new TelephonyError('TRUNK_DOWN', 'no connection to drachtio');
    const { fault } = this.#media;
    if (fault !== null) throw new TelephonyError('TRUNK_DOWN', `no FreeSWITCH is up: ${fault}`);
    return new DrachtioOutboundLeg(this.#legDeps(drachtio), request, routes);
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

  async endStored(dialog: StoredDialog): Promise<void> {
    const { drachtio } = this.#link;
    if (drachtio !== null) return endStoredDialog(drachtio, dialog, this.#clock);
    this.#owe(dialog);
  }

  drain(): void {
    this.#isDraining = true;
  }

  async stop(): Promise<void> {
    this.#isDraining = true;
    this.#trunks.stop();
    this.#registrar.stop();
    for (const leg of [...this.#legs]) leg.abandon();
    const { leaving } = this.#trunks;
    // BYE and un-REGISTER have been handed to drachtio when their echo has come back.
    await sleep(this.#clock, leaving ? STOP_GRACE_MS : STOP_GRACE_MS / 6);
    this.#link.stop();
    await this.#media.stop();
  }

  #legDeps(drachtio: Drachtio): LegDeps {
    return {
      drachtio,
      media: this.#media,
      clock: this.#clock,
      log: this.#log,
      add: (leg) => {
        this.#legs.add(leg);
      },
      remove: (leg) => {
        this.#legs.delete(leg);
      },
    };
  }

  #opened(drachtio: Drachtio): void {
    drachtio.use('invite', (request, response) => {
      const incoming = this.#admitted(request, response);
      const leg = incoming && this.#intake.take(this.#legDeps(drachtio), incoming, request, response);
      if (leg === null) return;
      if (this.#onInvite === null) return leg.reject(480);
      try {
        this.#onInvite(leg);
      } catch (error) {
        this.#log.error({ err: error, sipCallId: leg.sipCallId }, 'call failed');
        leg.abandon();
      }
    });
    drachtio.use('options', (_request, response) => {
      response.send(200, { headers: writeHeaders([ALLOW_HEADER, SUPPORTED_HEADER, ACCEPT_HEADER]) });
    });
    drachtio.use('register', (request, response) => {
      const incoming = this.#admitted(request, response);
      if (incoming !== null) this.#registrar.register(answerable(incoming, response));
    });
    this.#pool?.useDrachtio(drachtio);
    for (const dialog of this.#owed.splice(0)) endStoredDialog(drachtio, dialog, this.#clock).catch(() => {});
  }

  /** Null for a request that was refused at once: it is broken, or one too many of a stranger. */
  #admitted(request: DrachtioRequest, response: DrachtioResponse): IncomingRequest | null {
    const { source_address: address } = request;
    const incoming = this.#gate.ignores(address) ? null : readRequest(request);
    if (incoming !== null && this.#senders.admission(incoming).type !== 'drop') return incoming;
    // It cannot be left unanswered: drachtio would keep it for half a minute.
    response.send(this.#gate.standing(address) === 'stranger' ? 403 : 400);
    return null;
  }

  #lost(): void {
    this.#pool?.useDrachtio(null);
    for (const leg of [...this.#legs]) {
      const dialog = leg.linkLost();
      if (dialog !== null) this.#owe(dialog);
    }
  }

  #owe(dialog: StoredDialog): void {
    this.#owed.push(dialog);
    if (this.#owed.length > MAX_OWED) this.#owed.shift();
  }

  #contact({ protocol }: Destination): string {
    const { addresses } = this.#link;
    const own = addresses.find((each) => each.protocol === protocol) ?? addresses[0];
    const transport = protocol === 'udp' ? '' : `;transport=${protocol}`;
    return own === undefined ? '<sip:localhost>' : `<sip:${own.host}:${own.port}${transport}>`;
  }

  #directRoute(request: DialRequest): DialRoute {
    const locateUri = async (uri: string) => this.#core.locate(uri, null);
    return {
      name: request.to,
      destinations: () => locateUri(request.to),
      at: (destination) => directAttempt(this.#core, request, destination),
      redirect: async (target, from) =>
        redirectedAttempt(from, target, await locateUri(request.to), await locateUri(writeUri(target)), {
          number: request.to,
          country: null,
        }),
      report: () => {},
    };
  }
}
