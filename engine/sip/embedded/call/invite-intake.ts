// The checks on a new INVITE, in this order: source, capacity, then the message itself (merged request, extensions, body,
// session timer, codecs). An INVITE that passes becomes an InboundCall.

import type { Clock } from '../../../clock.ts';
import type { AudioCodec } from '../../telephony.ts';
import type { DigestServer, Verdict } from '../transaction/digest-server.ts';
import { acceptsSdp, checkExtensions, hasForeignBody, refuse } from '../transaction/request-checks.ts';
import { TRANSACTION_TIMEOUT_MS } from '../transaction/transaction.ts';
import { type IncomingRequest, newTag, type ServerTransaction } from '../transaction/transaction-layer.ts';
import { param } from '../wire/header.ts';
import { header } from '../wire/message.ts';
import { ACCEPT_HEADER } from '../wire/responses.ts';
import { InboundCall, inboundDialog, planSession } from './inbound-call.ts';
import { answerOffer, newAudioSession } from './offer-answer.ts';
import { calledParty, callerOf, divertedFrom } from './parties.ts';
import type { Peer, UserAgentCore } from './user-agent-core.ts';

/** What the source check found out about the sender. */
export interface InviteSource {
  peer: Peer;
  codecs: readonly AudioCodec[];
  country: string | null;
  /** User part of the Contact that we registered there, null if we did not register. */
  contactUser: string | null;
}

interface IntakeGates {
  /** Admits callers from any address by password; null if that is off. */
  digest: DigestServer | null;
  /** Source of a caller that was admitted by password. */
  authenticated(): InviteSource;
  /** Null for an address that may not call. */
  source(address: string): InviteSource | null;
  admit(): boolean;
}

// Retry-After at capacity: about the time until one of many calls ends.
const RETRY_AFTER_SECONDS = 10;
const MAX_REMEMBERED = 4_096;
const MAX_LOGGED_PER_MINUTE = 20;

export class InviteIntake {
  readonly #core: UserAgentCore;
  readonly #clock: Clock;
  readonly #gates: IntakeGates;
  /** From tag, Call-ID and CSeq of recent INVITEs, with their expiry, to find merged requests (RFC 3261 8.2.2.2). */
  readonly #recent = new Map<string, number>();
  /** What digest made of the INVITEs of strangers: a nonce count can be checked once only. */
  readonly #verdicts = new WeakMap<IncomingRequest, Verdict>();
  #loggedSinceMs = 0;
  #logged = 0;

  constructor(core: UserAgentCore, gates: IntakeGates) {
    this.#core = core;
    this.#clock = core.clock;
    this.#gates = gates;
  }

  /** Rate-limited: an operator must see why a trunk's calls are refused, but a broken PBX must not fill the disk. */
  #logRefusal({ request }: ServerTransaction, reason: string): void {
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#loggedSinceMs >= 60_000) {
      this.#loggedSinceMs = nowMs;
      this.#logged = 0;
    }
    if (++this.#logged > MAX_LOGGED_PER_MINUTE) return;
    const { remote } = request.flow;
    this.#core.log.info({ remote, sipCallId: request.parts.callId, reason }, 'INVITE refused');
  }

  /** True if the sender of this INVITE has proved a password, whatever its address. */
  authenticates(request: IncomingRequest): boolean {
    const verdict = this.#gates.digest?.check(request.message, this.#clock.nowMs());
    if (verdict) this.#verdicts.set(request, verdict);
    return verdict?.type === 'authenticated';
  }

  /** The call, or null if the INVITE was refused. */
  take(transaction: ServerTransaction): InboundCall | null {
    const { message, flow } = transaction.request;
    const source = this.#gates.source(flow.remote.address) ?? this.#authenticate(transaction);
    if (source === null) return null;
    if (!this.#gates.admit()) {
      this.#logRefusal(transaction, 'at capacity or draining');
      refuse(transaction, 503, [{ name: 'retry-after', value: String(RETRY_AFTER_SECONDS) }]);
      return null;
    }
    if (this.#isMerged(transaction)) {
      refuse(transaction, 482);
      return null;
    }
    if (!checkExtensions(transaction)) return null;
    if (hasForeignBody(message)) {
      refuse(transaction, 415, [ACCEPT_HEADER, { name: 'accept-encoding', value: 'identity' }]);
      return null;
    }
    if (!acceptsSdp(message)) {
      refuse(transaction, 406, [ACCEPT_HEADER]);
      return null;
    }
    const plan = planSession(transaction);
    if (plan === null) return null;
    const dialog = inboundDialog(transaction, newTag());
    if (dialog === null) {
      refuse(transaction, 400, [{ name: 'warning', value: '399 - "Contact is no SIP URI"' }]);
      return null;
    }
    if (!this.#hasAudio(transaction, source)) {
      this.#logRefusal(transaction, 'no common codec');
      refuse(transaction, 488, [{ name: 'warning', value: '305 - "Incompatible media format"' }]);
      return null;
    }
    return new InboundCall(
      this.#core,
      {
        transaction,
        called: calledParty(transaction.request, source.country, source.contactUser),
        caller: callerOf(transaction.request, source.country),
        divertedFrom: divertedFrom(message, source.country),
        peer: source.peer,
        codecs: source.codecs,
        destination: { protocol: flow.protocol, remote: flow.remote, serverName: source.peer.serverName },
        plan,
      },
      dialog,
    );
  }

  /** An unknown address: digest if it is configured, else a plain 403. */
  #authenticate(transaction: ServerTransaction): InviteSource | null {
    const verdict = this.#verdicts.get(transaction.request);
    if (verdict?.type === 'authenticated') return this.#gates.authenticated();
    if (verdict) refuse(transaction, 401, verdict.headers);
    else refuse(transaction, 403);
    return null;
  }

  /** An offer without a common codec is refused before the call is announced. */
  #hasAudio({ request }: ServerTransaction, source: InviteSource): boolean {
    if (request.message.body.length === 0) return true;
    const secure = request.flow.protocol === 'tls';
    const probe = newAudioSession({ address: '127.0.0.1', port: 9 }, source.codecs, { secure, offerSrtp: false });
    return answerOffer(probe, request.message.body.toString('utf8')) !== null;
  }

  #isMerged({ request: { message, parts } }: ServerTransaction): boolean {
    const fromTag = param(parts.from.params, 'tag') ?? header(message, 'from') ?? '';
    const key = `${fromTag}|${parts.callId}|${parts.cseq.number}`;
    const nowMs = this.#clock.nowMs();
    const until = this.#recent.get(key);
    this.#recent.delete(key);
    this.#recent.set(key, nowMs + TRANSACTION_TIMEOUT_MS);
    for (const [oldest, oldestUntil] of this.#recent) {
      if (oldestUntil > nowMs && this.#recent.size <= MAX_REMEMBERED) break;
      this.#recent.delete(oldest);
    }
    return until !== undefined && until > nowMs;
  }
}
