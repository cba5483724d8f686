// The checks on a new INVITE, in this order: source, capacity, then the message itself (merged request, extensions,
// body, session timer, codecs). An INVITE that passes becomes an InboundCall.

import type { Clock } from '../../../clock.ts';
import { type IntakeGates, type InviteSource, mediaRefusal, refusedInvite } from '../../dialog/invite-sender.ts';
import { answeredRateHz, mediaWarning } from '../../dialog/offer-answer.ts';
import { invitePartiesOf } from '../../dialog/parties.ts';
import { UnprovenInvites } from '../../dialog/unproven-invites.ts';
import { inviteFault, isSipsInClear, refuse, SIPS_WARNING } from '../../stack/transaction/request-checks.ts';
import { TRANSACTION_TIMEOUT_MS } from '../../stack/transaction/transaction.ts';
import { newTag, type ServerTransaction } from '../../stack/transaction/transaction-layer.ts';
import { param } from '../../stack/wire/header.ts';
import { type Header, header } from '../../stack/wire/message.ts';
import { OWN_OPTIONS } from '../../stack/wire/responses.ts';
import { type InviteRefusal, RETRY_AFTER_SECONDS } from '../../telephony.ts';
import { InboundCall, inboundDialog, planSession } from './inbound-call.ts';
import { replace } from './replaces.ts';
import type { DialogOwner, UserAgentCore } from './user-agent-core.ts';

const MAX_REMEMBERED = 4_096;

export class InviteIntake {
  readonly #core: UserAgentCore;
  readonly #clock: Clock;
  readonly #gates: IntakeGates;
  readonly #find: (callId: string, localTag: string) => DialogOwner | undefined;
  readonly #unproven: UnprovenInvites;
  /** From tag, Call-ID and CSeq of recent INVITEs, with their expiry, to find merged requests (RFC 3261 8.2.2.2). */
  readonly #recent = new Map<string, number>();

  /** `find`: the owner of a dialog. */
  constructor(
    core: UserAgentCore,
    gates: IntakeGates,
    find: (callId: string, localTag: string) => DialogOwner | undefined,
  ) {
    this.#find = find;
    this.#core = core;
    this.#clock = core.clock;
    this.#unproven = new UnprovenInvites(core.clock);
    this.#gates = gates;
  }

  /** The call, or null if the INVITE was refused. */
  take(transaction: ServerTransaction): InboundCall | null {
    const { message, flow } = transaction.request;
    const sender = this.#gates.sender(transaction.request);
    if (sender === null) return this.#refuse(transaction, null, 403, 'source_not_allowed', []);
    if ('challenge' in sender) {
      refuse(transaction, 401, sender.challenge);
      return null;
    }
    const { source } = sender;
    // An INVITE that takes the place of a running call needs no place of its own.
    const obstacle = header(message, 'replaces') === undefined ? this.#gates.obstacle() : null;
    if (obstacle !== null) {
      const headers = [{ name: 'retry-after', value: String(RETRY_AFTER_SECONDS) }];
      return this.#refuse(transaction, source, 503, obstacle, headers);
    }
    if (this.#isMerged(transaction)) {
      refuse(transaction, 482);
      return null;
    }
    if (isSipsInClear(transaction.request)) {
      return this.#refuse(transaction, source, this.#core.sipsStatus, 'bad_request', [SIPS_WARNING]);
    }
    const fault = inviteFault(message, OWN_OPTIONS);
    if (fault !== null) return this.#refuse(transaction, source, fault.status, 'bad_request', fault.headers);
    const plan = planSession(transaction);
    if (plan === null) return this.#report(transaction, source, 422, 'bad_request');
    const dialog = inboundDialog(transaction, newTag());
    if (dialog === null) {
      const headers = [{ name: 'warning', value: '399 - "Contact is no SIP URI"' }];
      return this.#refuse(transaction, source, 400, 'bad_request', headers);
    }
    const replaced = replace(this.#core, this.#find, { transaction, source, dialog, ...plan });
    if (replaced === null) return null;
    if (replaced !== undefined) return this.#refuse(transaction, source, replaced, 'bad_request', []);
    // Without a common codec, or an address that audio reaches, the offer is refused before the call is announced.
    const offer = message.body.length === 0 ? null : message.body.toString('utf8');
    const sampleRateHz = answeredRateHz(offer, source.codecs, {
      address: this.#core.hostTowards(transaction.request.source.address),
      secure: transaction.request.source.protocol === 'tls',
      demandSrtp: source.srtp,
      prefersWideband: this.#core.voice.prefersWideband,
    });
    if (typeof sampleRateHz === 'string') {
      return this.#refuse(transaction, source, 488, mediaRefusal(sampleRateHz), mediaWarning(sampleRateHz));
    }
    const call = new InboundCall(
      this.#core,
      {
        transaction,
        ...invitePartiesOf(transaction.request, source),
        peer: source.peer,
        sipAccountId: source.account?.id ?? null,
        codecs: source.codecs,
        sampleRateHz,
        srtp: source.srtp,
        destination: { protocol: flow.protocol, remote: flow.remote, serverName: source.peer.serverName },
        plan,
      },
      dialog,
    );
    if (flow.protocol === 'udp') this.#unproven.add(transaction.request.source.address, call);
    return call;
  }

  #refuse(
    transaction: ServerTransaction,
    source: InviteSource | null,
    status: number,
    reason: InviteRefusal,
    headers: readonly Header[],
  ): null {
    refuse(transaction, status, headers);
    return this.#report(transaction, source, status, reason);
  }

  #report({ request }: ServerTransaction, source: InviteSource | null, sipStatus: number, reason: InviteRefusal): null {
    this.#gates.refused(refusedInvite(request, source, sipStatus, reason));
    return null;
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
