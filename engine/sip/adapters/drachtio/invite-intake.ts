// The checks on a new INVITE, in the same order as in the embedded endpoint: source, capacity, message, codecs.

import type { Clock } from '../../../clock.ts';
import { type IntakeGates, mediaRefusal, refusedInvite } from '../../dialog/invite-sender.ts';
import { mediaWarning } from '../../dialog/offer-answer.ts';
import { invitePartiesOf } from '../../dialog/parties.ts';
import { decideAsServer } from '../../dialog/session-timer.ts';
import { UnprovenInvites } from '../../dialog/unproven-invites.ts';
import { inviteFault, isSipsInClear, SIPS_WARNING } from '../../stack/transaction/request-checks.ts';
import type { IncomingRequest } from '../../stack/transaction/transaction-layer.ts';
import { SUPPORTED_OPTIONS } from '../../stack/wire/responses.ts';
import { type InviteRefusal, RETRY_AFTER_SECONDS } from '../../telephony.ts';
import { DrachtioInboundLeg } from './call/inbound-leg.ts';
import type { LegDeps } from './call/leg-deps.ts';
import type { DrachtioRequest, DrachtioResponse, Headers } from './signalling/drachtio.ts';
import { writeHeaders } from './signalling/raw-message.ts';

interface IntakeRules extends IntakeGates {
  prefersWideband: boolean;
}

const RETRY_AFTER: Headers = { 'Retry-After': String(RETRY_AFTER_SECONDS) };

export class InviteIntake {
  readonly #rules: IntakeRules;
  readonly #unproven: UnprovenInvites;

  constructor(rules: IntakeRules, clock: Clock) {
    this.#rules = rules;
    this.#unproven = new UnprovenInvites(clock);
  }

  /** The call, or null if the INVITE was refused. */
  take(
    deps: LegDeps,
    incoming: IncomingRequest,
    request: DrachtioRequest,
    response: DrachtioResponse,
  ): DrachtioInboundLeg | null {
    const sender = this.#rules.sender(incoming);
    const source = sender !== null && 'source' in sender ? sender.source : null;
    const refuse = (status: number, reason: InviteRefusal, headers: Headers = {}): null => {
      response.send(status, { headers });
      this.#rules.refused(refusedInvite(incoming, source, status, reason));
      return null;
    };
    if (sender !== null && 'challenge' in sender) {
      response.send(401, { headers: writeHeaders(sender.challenge) });
      return null;
    }
    if (source === null) return refuse(403, 'source_not_allowed');
    const obstacle = deps.media.fault === null ? this.#rules.obstacle() : 'capacity';
    if (obstacle !== null) return refuse(503, obstacle, RETRY_AFTER);
    const { message } = incoming;
    if (isSipsInClear(incoming)) return refuse(403, 'bad_request', writeHeaders([SIPS_WARNING]));
    const fault = inviteFault(message, SUPPORTED_OPTIONS);
    if (fault !== null) return refuse(fault.status, 'bad_request', writeHeaders(fault.headers));
    const timer = decideAsServer(message);
    if (timer.type === 'too-small') return refuse(422, 'bad_request', { 'Min-SE': '90' });
    const terms = {
      codecs: source.codecs,
      demandSrtp: source.srtp,
      prefersWideband: this.#rules.prefersWideband,
      secure: incoming.source.protocol === 'tls',
      peerAddress: incoming.source.address,
      sources: [incoming.source.address, ...source.peer.mediaFrom],
    };
    const sampleRateHz = deps.media.rateOf(message.body.length === 0 ? null : message.body.toString('utf8'), terms);
    if (typeof sampleRateHz === 'string') {
      return refuse(488, mediaRefusal(sampleRateHz), writeHeaders(mediaWarning(sampleRateHz)));
    }
    const leg = new DrachtioInboundLeg(deps, {
      request,
      response,
      incoming,
      ...invitePartiesOf(incoming, source),
      trunkId: source.peer.trunkId,
      sipAccountId: source.account?.id ?? null,
      sampleRateHz,
      terms,
      headers: timer.headers,
    });
    if (incoming.flow.protocol === 'udp') this.#unproven.add(incoming.flow.remote.address, leg);
    return leg;
  }
}
