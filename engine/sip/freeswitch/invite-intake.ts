// The checks on a new INVITE, in the order of the embedded endpoint's: source, capacity, the message itself, its codecs.

import type { InviteSource } from '../embedded/call/invite-intake.ts';
import { calledParty, callerOf, divertedFrom } from '../embedded/call/parties.ts';
import { decideAsServer } from '../embedded/call/session-timer.ts';
import { type AddressRange, inRange, LOOPBACK_RANGES, parseRange } from '../embedded/network/addressing.ts';
import { acceptsSdp, hasForeignBody } from '../embedded/transaction/request-checks.ts';
import type { IncomingRequest } from '../embedded/transaction/transaction-layer.ts';
import { tokens } from '../embedded/wire/message.ts';
import { MAX_REASON_CHARS } from '../embedded/wire/plain-text.ts';
import { ACCEPT_HEADER, SUPPORTED_OPTIONS } from '../embedded/wire/responses.ts';
import type { AudioCodec, InviteRefusal, RefusedInvite } from '../telephony.ts';
import { DrachtioInboundLeg } from './call/inbound-leg.ts';
import type { LegDeps } from './call/leg-deps.ts';
import type { DrachtioRequest, DrachtioResponse, Headers } from './signalling/drachtio.ts';
import { readRequest } from './signalling/raw-message.ts';

export interface IntakeRules {
  /** CIDRs beside the trunks' own; loopback if empty. */
  inboundAllow: readonly string[];
  /** Of callers without a trunk. */
  codecs: readonly AudioCodec[];
  prefersWideband: boolean;
  /** The trunk that an address belongs to. */
  ownerOf(address: string): InviteSource | null;
  /** Why no call can be taken now; null where one can. */
  obstacle(): 'capacity' | 'stopping' | null;
  refused(refused: RefusedInvite): void;
  /** A source that is neither a trunk nor allowed. */
  stranger(address: string): void;
}

const RETRY_AFTER: Headers = { 'Retry-After': '10' };

export class InviteIntake {
  readonly #rules: IntakeRules;
  readonly #allowed: AddressRange[];

  constructor(rules: IntakeRules) {
    this.#rules = rules;
    const configured = rules.inboundAllow.map(parseRange).filter((range) => range !== null);
    this.#allowed = configured.length > 0 ? configured : LOOPBACK_RANGES;
  }

  /** The call, or null if the INVITE was refused. */
  take(deps: LegDeps, request: DrachtioRequest, response: DrachtioResponse): DrachtioInboundLeg | null {
    const incoming = readRequest(request);
    const source = this.#sourceOf(request.source_address);
    const refuse = (status: number, reason: InviteRefusal, headers: Headers = {}): null => {
      response.send(status, { headers });
      if (incoming !== null) this.#report(incoming, source, status, reason);
      return null;
    };
    if (source === null) {
      this.#rules.stranger(request.source_address);
      return refuse(403, 'source_not_allowed');
    }
    const obstacle = deps.media.fault === null ? this.#rules.obstacle() : 'capacity';
    if (obstacle !== null) return refuse(503, obstacle, RETRY_AFTER);
    if (incoming === null) return refuse(400, 'bad_request');
    const { message } = incoming;
    const unknown = tokens(message, 'require', false).filter((tag) => !SUPPORTED_OPTIONS.includes(tag.toLowerCase()));
    if (unknown.length > 0) return refuse(420, 'bad_request', { Unsupported: unknown.join(', ') });
    if (hasForeignBody(message)) return refuse(415, 'bad_request', { Accept: ACCEPT_HEADER.value });
    if (!acceptsSdp(message)) return refuse(406, 'bad_request', { Accept: ACCEPT_HEADER.value });
    const timer = decideAsServer(message);
    if (timer.type === 'too-small') return refuse(422, 'bad_request', { 'Min-SE': '90' });
    const terms = {
      codecs: source.codecs,
      demandSrtp: source.srtp,
      prefersWideband: this.#rules.prefersWideband,
      secure: incoming.flow.protocol === 'tls',
      peerAddress: incoming.flow.remote.address,
    };
    const sampleRateHz = deps.media.rateOf(request.body === '' ? null : request.body, terms);
    if (sampleRateHz === null) {
      return refuse(488, 'no_common_codec', { Warning: '305 - "Incompatible media format"' });
    }
    return new DrachtioInboundLeg(deps, {
      request,
      response,
      incoming,
      called: calledParty(incoming, source.country, source.contactUser),
      caller: callerOf(incoming, source.country),
      divertedFrom: divertedFrom(message, source.country),
      trunkId: source.peer.trunkId,
      sampleRateHz,
      terms,
      headers: timer.headers,
    });
  }

  #sourceOf(address: string): InviteSource | null {
    const owner = this.#rules.ownerOf(address);
    if (owner !== null) return owner;
    if (!this.#allowed.some((range) => inRange(address, range))) return null;
    return {
      peer: { trunkId: null, credentials: null, serverName: null, allowTcp: false, viaFlow: false },
      codecs: this.#rules.codecs,
      srtp: false,
      country: null,
      contactUser: null,
      account: null,
    };
  }

  #report(incoming: IncomingRequest, source: InviteSource | null, sipStatus: number, reason: InviteRefusal): void {
    const country = source?.country ?? null;
    this.#rules.refused({
      calledNumber: calledParty(incoming, country, source?.contactUser ?? null).slice(0, MAX_REASON_CHARS),
      callerNumber: callerOf(incoming, country).number.slice(0, MAX_REASON_CHARS),
      sourceAddress: incoming.flow.remote.address,
      trunkId: source?.peer.trunkId ?? null,
      sipStatus,
      reason,
    });
  }
}
