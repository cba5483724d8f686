// Decides by sender which requests may come: by address (a trunk's, an allowed network, a stranger's), and for
// softphones by password.

import { unreachable } from '../../../db/domain/unexpected.ts';
import type { InviteSender, InviteSource } from '../dialog/invite-sender.ts';
import { type AddressRange, inRange, LOOPBACK_RANGES, parseRange } from '../stack/network/addressing.ts';
import type { Edge } from '../stack/network/edge.ts';
import type { SourceGate, Standing } from '../stack/network/source-gate.ts';
import type { Admission, IncomingRequest } from '../stack/transaction/transaction-layer.ts';
import type { AudioCodec } from '../telephony.ts';
import { PHONE_PEER } from './phone-route.ts';
import type { Registrar } from './registrar.ts';

// A proxy has one connection per worker process, a telephone one or two. Strangers use TCP only to register.
const EDGE_CONNECTIONS = 1_024;
const CONNECTIONS_PER_ADDRESS: Record<Standing, number> = { trunk: 256, allowed: 64, stranger: 4 };

interface SenderDeps {
  gate: SourceGate;
  /** Proxies of our own. */
  edge: Edge;
  /** Finds the trunk that an address belongs to. */
  trunks: { owns(address: string): boolean; owner(address: string): InviteSource | null };
  registrar: Registrar;
  /** Allowed CIDRs, besides the trunks' own; loopback if empty. */
  inboundAllow: readonly string[];
  /** Codecs of callers without a trunk. */
  codecs: readonly AudioCodec[];
}

export class SenderRules {
  readonly #deps: SenderDeps;
  readonly #allowed: AddressRange[];

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    const configured = deps.inboundAllow.map(parseRange).filter((range) => range !== null);
    this.#allowed = configured.length > 0 ? configured : LOOPBACK_RANGES;
  }

  standing(address: string): Standing {
    if (this.#deps.trunks.owns(address) || this.#deps.edge.has(address)) return 'trunk';
    return this.#isAllowed(address) ? 'allowed' : 'stranger';
  }

  #isAllowed(address: string): boolean {
    return this.#allowed.some((range) => inRange(address, range));
  }

  connectionLimit(address: string): { limit: number; trunk: boolean } {
    // All traffic of an installation comes by a few connections of its proxies.
    if (this.#deps.edge.has(address)) return { limit: EDGE_CONNECTIONS, trunk: true };
    const standing = this.#deps.gate.standing(address);
    const limit = standing === 'stranger' ? this.#strangersLimit(address) : CONNECTIONS_PER_ADDRESS[standing];
    return { limit, trunk: standing === 'trunk' };
  }

  /** Higher where phones are registered: an office has several behind one address. */
  #strangersLimit(address: string): number {
    const { registrar } = this.#deps;
    if (!registrar.isOpen) return 0;
    return CONNECTIONS_PER_ADDRESS[registrar.knowsAddress(address) ? 'allowed' : 'stranger'];
  }

  /** Judges a request outside a dialog. */
  admission(request: IncomingRequest): Admission {
    const { gate, registrar } = this.#deps;
    const { method } = request.message;
    const { address } = request.source;
    const standing = gate.standing(address);
    if (standing !== 'stranger') return { type: 'transaction', share: standing };
    const isOfPhone =
      (method === 'INVITE' || method === 'REGISTER') &&
      (registrar.judge(request).type === 'account' || registrar.knowsAddress(address));
    if (isOfPhone) return { type: 'transaction', share: 'allowed' };
    return { type: gate.answers(address) ? 'stateless' : 'drop' };
  }

  /** Judges an INVITE. */
  sender(request: IncomingRequest): InviteSender {
    const { gate, trunks, registrar } = this.#deps;
    // Same judgement as at admission: a stranger's request has no transaction, so it cannot become a call.
    const { address, port } = request.source;
    const standing = gate.standing(address);
    const owner = standing === 'trunk' ? trunks.owner(address) : null;
    // A PBX and our phones may share the address of an office: then the port tells them apart.
    if (owner !== null && !registrar.knowsPort(address, port)) return { source: owner };
    const judgement = registrar.judge(request);
    switch (judgement.type) {
      case 'account': {
        const { account } = judgement;
        return { source: { ...this.#withoutTrunk(), peer: { ...PHONE_PEER, phoneOf: account.accountId }, account } };
      }
      case 'challenge':
        return { challenge: judgement.headers };
      case 'locked':
        return null;
      case 'nobody':
        if (owner !== null) return { source: owner };
        // A caller on the machine of a proxy of ours has the standing of the proxy.
        return this.#isAllowed(address) ? { source: this.#withoutTrunk() } : null;
      default:
        return unreachable(judgement);
    }
  }

  #withoutTrunk(): InviteSource {
    return {
      peer: { trunkId: null, credentials: null, serverName: null, allowTcp: false, viaFlow: false, mediaFrom: [] },
      codecs: this.#deps.codecs,
      srtp: false,
      country: null,
      inboundFormat: 'auto',
      contactUser: null,
      account: null,
    };
  }
}
