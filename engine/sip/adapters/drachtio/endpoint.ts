// The Telephony port on drachtio, for SIP, and FreeSWITCH, for media (or the engine's own, where drachtio stands
// alone).
//
//   drachtio ─► link ─► invite intake ─► inbound leg ─┐
//                 │                                   ├─► established leg ◄─► media: FreeSWITCH's channels, or direct
//                 └───► trunks, outbound leg ─────────┘

import { arrivalsFirst, type Clock, sleep, systemClock } from '../../../clock.ts';
import type { SipAgent } from '../../dialog/sip-agent.ts';
import { locate } from '../../stack/network/locator.ts';
import type { Names } from '../../stack/network/network.ts';
import { createNodeNetwork } from '../../stack/network/node-network.ts';
import type { RefusalCounts } from '../../stack/network/source-gate.ts';
import type { Destination } from '../../stack/network/transport-layer.ts';
import type { IncomingRequest } from '../../stack/transaction/transaction-layer.ts';
import { ACCEPT_HEADER, ALLOW_HEADER, SUPPORTED_HEADER } from '../../stack/wire/responses.ts';
import type {
  DialRequest,
  InboundLeg,
  Obstacle,
  OutboundLeg,
  SipLog,
  SoftphoneRegistrar,
  StoredDialog,
  Telephony,
  TrunkConfig,
  TrunkState,
} from '../../telephony.ts';
import { TelephonyError } from '../../telephony.ts';
import { type AgentOptions, AgentParts, STOP_GRACE_MS, voiceOf } from '../shared/agent-parts.ts';
import { answersOptions } from '../shared/alive.ts';
import type { LegDeps, LinkedLeg } from './call/leg-deps.ts';
import { DrachtioOutboundLeg } from './call/outbound-leg.ts';
import { endStoredDialog } from './call/stored-dialog.ts';
import { InviteIntake } from './invite-intake.ts';
import type { ForkSocketAddress } from './media/audio-forks.ts';
import { DirectMedia } from './media/direct-media.ts';
import type { MediaPath } from './media/leg-media.ts';
import type { ChannelOwner } from './media/switch-channels.ts';
import type { SwitchAddress } from './media/switch-host.ts';
import { SwitchMedia } from './media/switch-media.ts';
import { SwitchPool } from './media/switch-pool.ts';
import type { Drachtio, DrachtioRequest, DrachtioResponse } from './signalling/drachtio.ts';
import { DrachtioLink } from './signalling/drachtio-link.ts';
import { answerable, readRequest, writeHeaders } from './signalling/raw-message.ts';
import { createRequestSender, keepAlive } from './signalling/request-layer.ts';

interface DrachtioOptions extends AgentOptions {
  drachtio: { host: string; port: number; secret: string };
  /** Empty: drachtio without FreeSWITCH; the engine handles the audio. */
  freeswitch: readonly SwitchAddress[];
  owner: ChannelOwner;
  /** Calls' audio comes by mod_audio_fork; by RTP if null or absent. */
  forks?: ForkSocketAddress | null;
  names?: Names;
  /** The operator knows that drachtio does not check a trunk's certificate. */
  allowsUncheckedTls?: boolean;
}

const SIP_PROFILE = 'drachtio_mrf';
/** Dialogs whose BYE waits until drachtio is back. */
const MAX_OWED = 2_000;

export class DrachtioTelephony implements Telephony {
  readonly usesForks: boolean;
  readonly #log: SipLog;
  readonly #clock: Clock;
  readonly #names: Names;
  readonly #link: DrachtioLink;
  readonly #pool: SwitchPool | null;
  readonly #media: MediaPath;
  readonly #core: SipAgent;
  readonly #parts: AgentParts;
  readonly #intake: InviteIntake;
  readonly #legs = new Set<LinkedLeg>();
  #owed: StoredDialog[] = [];
  #onInvite: ((leg: InboundLeg) => void) | null = null;

  constructor(options: DrachtioOptions) {
    const { log, freeswitch, owner, clock = arrivalsFirst(systemClock), forks = null } = options;
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
      layer: createRequestSender(() => this.#link.drachtio),
      voice: voiceOf(options),
      locate: (uri, flow) => locate(this.#names, uri, flow),
      contact: (destination) => this.#contact(destination),
    };
    this.#parts = new AgentParts(
      {
        agent: this.#core,
        names: this.#names,
        // Requests inside dialogs do not pass the gate.
        hasCall: () => false,
        // drachtio keeps its own connections; the OPTIONS every 30 s keep a NAT binding open.
        keepTrunkAlive: () => 0,
        bar: (trunk) => (options.allowsUncheckedTls ? null : uncheckedKeys(trunk)),
        keepPhoneAlive: (destination) => keepAlive(this.#core, destination),
        // drachtio finds the connection itself.
        wayBack: ({ protocol, remote }) => ({ protocol, remote, serverName: null }),
      },
      options,
    );
    const rules = { ...this.#parts.gates, prefersWideband: this.#core.voice.prefersWideband };
    this.#intake = new InviteIntake(rules, clock);
  }

  get registrar(): SoftphoneRegistrar {
    return this.#parts.registrar;
  }

  get counts(): { refused: RefusalCounts } {
    return { refused: { ...this.#parts.gate.refused } };
  }

  /** host:port where drachtio receives SIP over UDP. */
  get address(): string {
    const udp = this.#link.addresses.find(({ protocol }) => protocol === 'udp') ?? this.#link.addresses[0];
    return udp === undefined ? '' : `${udp.host}:${udp.port}`;
  }

  /** True if a call could be accepted now. */
  get isReady(): boolean {
    return this.#link.drachtio !== null && this.#media.fault === null;
  }

  /** Waits for drachtio. FreeSWITCH may connect later; until then calls are answered 503. */
  async start(): Promise<{ sipUri: string }> {
    await Promise.all([this.#link.start(), this.#media.start()]);
    this.#parts.trunks.start();
    return { sipUri: `sip:${this.address}` };
  }

  onInvite(handler: (leg: InboundLeg) => void): void {
    this.#onInvite = handler;
  }

  setAdmission(obstacle: () => Obstacle | null): void {
    this.#parts.setAdmission(obstacle);
  }

  dial(request: DialRequest): OutboundLeg {
    const routes = this.#parts.routesFor(request);
    const { drachtio } = this.#link;
    if (drachtio === null) throw new TelephonyError('TRUNK_DOWN', 'no connection to drachtio');
    const { fault } = this.#media;
    if (fault !== null) throw new TelephonyError('TRUNK_DOWN', `no FreeSWITCH is up: ${fault}`);
    return new DrachtioOutboundLeg(this.#legDeps(drachtio), request, routes);
  }

  setTrunks(trunks: TrunkConfig[]): void {
    this.#parts.setTrunks(trunks);
  }

  onTrunkState(listener: (state: TrunkState) => void): void {
    this.#parts.trunks.onState(listener);
  }

  async endStored(dialog: StoredDialog): Promise<void> {
    const { drachtio } = this.#link;
    if (drachtio !== null) return endStoredDialog(drachtio, dialog, this.#clock);
    this.#owe(dialog);
  }

  reaches(sipUri: string, withinMs: number): Promise<boolean> {
    return answersOptions(this.#core, sipUri, withinMs);
  }

  drain(): void {
    this.#parts.drain();
  }

  async stop(): Promise<void> {
    this.#parts.stop();
    for (const leg of [...this.#legs]) leg.abandon();
    const { leaving } = this.#parts.trunks;
    // The echo of BYE and un-REGISTER shows that drachtio has received them.
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
      contact: (over) => this.#contact(over),
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
      if (incoming !== null) this.#parts.registrar.register(answerable(incoming, response));
    });
    this.#pool?.useDrachtio(drachtio);
    for (const dialog of this.#owed.splice(0)) endStoredDialog(drachtio, dialog, this.#clock).catch(() => {});
  }

  /** Null if the request was refused at once: it is malformed, or its sender is a stranger over its rate. */
  #admitted(request: DrachtioRequest, response: DrachtioResponse): IncomingRequest | null {
    const { source_address: address } = request;
    const incoming = this.#parts.gate.ignores(address, 0) ? null : readRequest(request, this.#parts.edge);
    if (incoming !== null && this.#parts.senders.admission(incoming).type !== 'drop') return incoming;
    // It needs an answer: drachtio would keep an unanswered request for half a minute.
    response.send(this.#parts.gate.standing(address) === 'stranger' ? 403 : 400);
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

  #contact({ protocol }: Pick<Destination, 'protocol'>): string {
    const { addresses } = this.#link;
    const own = addresses.find((each) => each.protocol === protocol) ?? addresses[0];
    const transport = protocol === 'udp' ? '' : `;transport=${protocol}`;
    return own === undefined ? '<sip:localhost>' : `<sip:${own.host}:${own.port}${transport}>`;
  }
}

/** SDES keys are as secret as the connection that carries them, and drachtio connects to anybody. */
function uncheckedKeys({ transport, srtp }: TrunkConfig): string | null {
  if (transport !== 'tls' || !srtp) return null;
  return 'drachtio does not check the certificate of a TLS trunk, so anybody on the way could read its SRTP keys: DRACHTIO_UNCHECKED_TLS=1 accepts that, TELEPHONY=embedded checks it';
}
