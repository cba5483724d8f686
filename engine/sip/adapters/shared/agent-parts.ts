// What the endpoints of both adapters are made of: trunks, softphones, the check of who sends, and the routes of a
// call. An endpoint brings its own way to send requests; everything decided here is the same over either.
import type { Clock } from '../../../clock.ts';
import { type DialRoute, isSipUri } from '../../dialog/dial-route.ts';
import type { IntakeGates } from '../../dialog/invite-sender.ts';
import type { SipAgent } from '../../dialog/sip-agent.ts';
import { Registrar, softphoneIn } from '../../registrar/registrar.ts';
import { SenderRules } from '../../registrar/sender-rules.ts';
import type { Names } from '../../stack/network/network.ts';
import { SourceGate } from '../../stack/network/source-gate.ts';
import type { Destination, Flow } from '../../stack/network/transport-layer.ts';
import { writeUri } from '../../stack/wire/uri.ts';
import {
  type AudioCodec,
  type DialRequest,
  NARROWBAND_CODECS,
  type RefusedInvite,
  type SipLog,
  type TrunkConfig,
} from '../../telephony.ts';
import { TrunkBoard } from '../../trunk/trunk-board.ts';
import { directAttempt, redirectedAttempt } from '../../trunk/trunk-route.ts';

/** What the operator sets for either adapter. */
export interface AgentOptions {
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
}

interface Endpoint {
  agent: SipAgent;
  names: Names;
  /** Whether a call is up whose requests come from that address. */
  hasCall(address: string): boolean;
  /** Keeps the way to a trunk open. Id of its flow; null if there is none. */
  keepTrunkAlive(destination: Destination): number | null;
  keepPhoneAlive(destination: Destination): void;
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
  readonly senders: SenderRules;
  /** What decides about a new INVITE. */
  readonly gates: IntakeGates;
  readonly #agent: SipAgent;
  #admit: () => boolean = () => true;
  #isDraining = false;

  constructor(endpoint: Endpoint, options: AgentOptions) {
    const { agent, names } = endpoint;
    this.#agent = agent;
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
    });
    this.registrar = new Registrar({
      agent,
      keepAlive: (destination) => endpoint.keepPhoneAlive(destination),
      wayBack: (flow) => endpoint.wayBack(flow),
    });
    this.senders = new SenderRules({
      gate: this.gate,
      trunks: this.trunks,
      registrar: this.registrar,
      inboundAllow: options.inboundAllow,
      codecs: agent.voice.codecs,
    });
    this.gates = {
      sender: (request) => this.senders.sender(request),
      obstacle: () => (this.#isDraining ? 'stopping' : this.#admit() ? null : 'capacity'),
      refused: (refused) => options.onRefused?.(refused),
    };
  }

  setAdmission(admit: () => boolean): void {
    this.#admit = admit;
  }

  setTrunks(trunks: TrunkConfig[]): void {
    this.trunks.set(trunks);
    this.gate.forget();
  }

  /** From now on no call is taken. */
  drain(): void {
    this.#isDraining = true;
  }

  stop(): void {
    this.drain();
    this.trunks.stop();
    this.registrar.stop();
  }

  /** @throws {TelephonyError} for a target that cannot be dialled, and where no trunk is up */
  routesFor(request: DialRequest): DialRoute[] {
    const username = softphoneIn(request.to);
    if (username !== null) return this.registrar.routesFor(username, request);
    return isSipUri(request.to) ? [this.#directRoute(request)] : this.trunks.routesFor(request);
  }

  #directRoute(request: DialRequest): DialRoute {
    const locateUri = async (uri: string) => this.#agent.locate(uri, null);
    return {
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
