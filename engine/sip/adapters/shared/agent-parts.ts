// The parts that both adapters' endpoints share: trunks, softphones, source checks, and the routes of a call. An
// endpoint adds only its own way to send requests.
import type { Clock } from '../../../clock.ts';
import { type DialRoute, isSipUri } from '../../dialog/dial-route.ts';
import type { IntakeGates } from '../../dialog/invite-sender.ts';
import type { SipAgent } from '../../dialog/sip-agent.ts';
import { Registrar, softphoneIn } from '../../registrar/registrar.ts';
import { SenderRules } from '../../registrar/sender-rules.ts';
import { Edge } from '../../stack/network/edge.ts';
import type { Names } from '../../stack/network/network.ts';
import { SourceGate } from '../../stack/network/source-gate.ts';
import type { Destination, Flow } from '../../stack/network/transport-layer.ts';
import { writeUri } from '../../stack/wire/uri.ts';
import {
  type AudioCodec,
  type DialRequest,
  NARROWBAND_CODECS,
  type Obstacle,
  type RefusedInvite,
  type SipLog,
  type TrunkConfig,
} from '../../telephony.ts';
import { TrunkBoard } from '../../trunk/trunk-board.ts';
import { directAttempt, redirectedAttempt } from '../../trunk/trunk-route.ts';

/** Two round trips to a distant peer; after a second SIGTERM the whole process has 2 s. */
export const STOP_GRACE_MS = 600;

/** The operator's settings that both adapters share. */
export interface AgentOptions {
  /** CIDRs that may send INVITEs, besides the trunks' own; loopback if empty. */
  inboundAllow: readonly string[];
  externalIp: string | null;
  /** Addresses and CIDRs of proxies of our own, who say in a header where a request came from. */
  edgeProxies?: readonly string[];
  /** The name by which others know them. */
  edgeName?: string | null;
  /** Seals the nonces of telephones that register through them, the same at all engines. */
  nonceKey?: Buffer | null;
  log: SipLog;
  /** Called for every INVITE that is refused before it becomes a leg. */
  onRefused?: (refused: RefusedInvite) => void;
  /** Codecs of callers and destinations without a trunk, in order of preference; G.711 by default. */
  codecs?: readonly AudioCodec[];
  /** An offer is answered with its first wideband codec that we support, if there is one. */
  prefersWideband?: boolean;
  clock?: Clock;
}

interface Endpoint {
  agent: SipAgent;
  names: Names;
  /** True while a call with that address is up. */
  hasCall(address: string): boolean;
  /** Keeps the path to a trunk open. Returns the id of its flow; null if there is none. */
  keepTrunkAlive(destination: Destination): number | null;
  keepPhoneAlive(destination: Destination): void;
  /** Why nothing may be sent to a trunk; null if it may. */
  bar(trunk: TrunkConfig): string | null;
  /** Where requests to the sender go; null once its connection is closed. */
  wayBack(flow: Flow): Destination | null;
}

export const voiceOf = ({ codecs, prefersWideband }: AgentOptions): SipAgent['voice'] => ({
  codecs: codecs ?? NARROWBAND_CODECS,
  prefersWideband: prefersWideband ?? false,
});

export class AgentParts {
  readonly trunks: TrunkBoard;
  readonly registrar: Registrar;
  readonly gate: SourceGate;
  readonly edge: Edge;
  readonly senders: SenderRules;
  /** The checks that decide on a new INVITE. */
  readonly gates: IntakeGates;
  readonly #agent: SipAgent;
  #obstacle: () => Obstacle | null = () => null;
  #isDraining = false;

  constructor(endpoint: Endpoint, options: AgentOptions) {
    const { agent, names } = endpoint;
    this.#agent = agent;
    this.edge = new Edge(options.edgeProxies ?? [], options.edgeName);
    this.gate = new SourceGate(agent.clock, agent.log, {
      standing: (address) => this.senders.standing(address),
      hasCall: (address) => endpoint.hasCall(address),
      hasPhone: (address) => this.registrar.knowsAddress(address),
    });
    this.trunks = new TrunkBoard({
      agent,
      names,
      keepAlive: (destination) => endpoint.keepTrunkAlive(destination),
      resolved: () => this.gate.forget(),
      bar: (trunk) => endpoint.bar(trunk),
    });
    this.registrar = new Registrar({
      agent,
      keepAlive: (destination) => endpoint.keepPhoneAlive(destination),
      wayBack: (flow) => endpoint.wayBack(flow),
      edge: this.edge,
      nonceKey: options.nonceKey ?? null,
    });
    this.senders = new SenderRules({
      gate: this.gate,
      edge: this.edge,
      trunks: this.trunks,
      registrar: this.registrar,
      inboundAllow: options.inboundAllow,
      codecs: agent.voice.codecs,
    });
    this.gates = {
      sender: (request) => this.senders.sender(request),
      obstacle: () => (this.#isDraining ? 'stopping' : this.#obstacle()),
      refused: (refused) => options.onRefused?.(refused),
    };
  }

  setAdmission(obstacle: () => Obstacle | null): void {
    this.#obstacle = obstacle;
  }

  setTrunks(trunks: TrunkConfig[]): void {
    this.trunks.set(trunks);
    this.gate.forget();
  }

  /** From now on no new calls are accepted. */
  drain(): void {
    this.#isDraining = true;
  }

  stop(): void {
    this.drain();
    this.trunks.stop();
    this.registrar.stop();
  }

  /** @throws {TelephonyError} for a target that cannot be dialled, and if no trunk is up */
  routesFor(request: DialRequest): DialRoute[] {
    const username = softphoneIn(request.to);
    if (username !== null) return this.registrar.routesFor(username, request);
    return isSipUri(request.to) ? [this.#directRoute(request)] : this.trunks.routesFor(request);
  }

  #directRoute(request: DialRequest): DialRoute {
    const locateUri = async (uri: string) => this.#agent.locate(uri, null);
    return {
      trunkId: null,
      name: request.to,
      destinations: () => locateUri(request.to),
      at: (destination) => directAttempt(this.#agent, request, destination),
      redirect: async (target, from) =>
        redirectedAttempt(from, target, await locateUri(request.to), await locateUri(writeUri(target)), {
          number: request.to,
          country: null,
        }),
      report: () => {},
    };
  }
}
