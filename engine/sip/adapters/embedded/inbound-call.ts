// An inbound INVITE until its final response: ringing, early media, and the race of CANCEL with the answer. The 2xx
// turns it into an EstablishedCall, which takes over.

import { MAX_RING_MS, type Peer } from '../../dialog/dial-route.ts';
import { contactIn, type Dialog, dialogOfInvite, refreshTarget } from '../../dialog/dialog.ts';
import { LegEvents } from '../../dialog/leg-events.ts';
import { type AudioSession, answerOffer, makeOffer, newAudioSession } from '../../dialog/offer-answer.ts';
import { decideAsServer, type SessionPlan } from '../../dialog/session-timer.ts';
import type { Destination } from '../../stack/network/transport-layer.ts';
import { refuse } from '../../stack/transaction/request-checks.ts';
import {
  type IncomingRequest,
  type IncomingResponse,
  makeResponse,
  type ServerTransaction,
} from '../../stack/transaction/transaction-layer.ts';
import { type Header, header, headerValues, type SipResponse, tokens } from '../../stack/wire/message.ts';
import { MAX_REASON_CHARS, plainHeaderText } from '../../stack/wire/plain-text.ts';
import {
  ACCEPT_HEADER,
  EARLY_ALLOW_HEADER,
  OWN_ALLOW_HEADER,
  OWN_SUPPORTED_HEADER,
  phraseOf,
  readReason,
  reasonHeader,
  SDP_HEADER,
} from '../../stack/wire/responses.ts';
import type {
  AudioCodec,
  Caller,
  HangUpReason,
  InboundLeg,
  InviteReading,
  LegEnd,
  LegEvent,
  LegState,
  LocalAudio,
} from '../../telephony.ts';
import { storedDialog } from './dialog-requests.ts';
import { answerEarlyOffer, answerEarlyUpdate } from './early-offers.ts';
import { EstablishedCall } from './established-call.ts';
import { ReliableProvisionals } from './reliable-provisionals.ts';
import type { DialogOwner, UserAgentCore } from './user-agent-core.ts';

interface InboundStart {
  transaction: ServerTransaction;
  called: string;
  caller: Caller;
  divertedFrom: string[];
  otherwise: InboundLeg['otherwise'];
  reading: InviteReading;
  peer: Peer;
  sipAccountId: string | null;
  codecs: readonly AudioCodec[];
  sampleRateHz: 8_000 | 16_000;
  srtp: boolean;
  destination: Destination;
  plan: { plan: SessionPlan; headers: Header[] };
}

type Phase =
  | { name: 'early' }
  /** The 2xx was sent; the EstablishedCall handles everything. */
  | { name: 'established'; call: EstablishedCall }
  | { name: 'over' };

// RFC 3261 13.3.1.1: proxies may cancel an INVITE after three minutes without a response.
const REPEAT_PROVISIONAL_MS = 60_000;

/** The dialog that a 2xx to this INVITE would create; null if no request could be sent in it. */
export function inboundDialog(transaction: ServerTransaction, localTag: string): Dialog | null {
  const { message, parts } = transaction.request;
  return dialogOfInvite(message, parts, localTag);
}

/** A response to an INVITE that creates a dialog. */
export function dialogResponse(
  core: UserAgentCore,
  { transaction: { request }, destination }: Pick<InboundStart, 'transaction' | 'destination'>,
  status: number,
  localTag: string,
  { headers, body }: { headers: readonly Header[]; body: string },
): SipResponse {
  const base = makeResponse(request, status, phraseOf(status), localTag);
  // RFC 3261 12.1.1: it copies Record-Route.
  const routes = request.message.headers.filter((entry) => entry.name === 'record-route');
  const contact = { name: 'contact', value: contactIn({ local: request.parts.to }, core.contact(destination)) };
  const all = [...base.headers, ...routes, contact, OWN_ALLOW_HEADER, OWN_SUPPORTED_HEADER, ...headers];
  return { ...base, headers: all, body: Buffer.from(body) };
}

export class InboundCall implements InboundLeg, DialogOwner {
  readonly direction = 'inbound';
  readonly called: string;
  readonly caller: Caller;
  readonly divertedFrom: string[];
  readonly otherwise: InboundLeg['otherwise'];
  readonly reading: InviteReading;
  readonly trunkId: string | null;
  readonly sipAccountId: string | null;
  readonly remoteAddress: string;
  readonly sampleRateHz: 8_000 | 16_000;
  readonly sipCallId: string;
  readonly #core: UserAgentCore;
  readonly #start: InboundStart;
  #dialog: Dialog;
  readonly #localTag: string;
  readonly #events: LegEvents;
  #phase: Phase = { name: 'early' };
  #audio: AudioSession | null = null;
  #provisional: SipResponse | null = null;
  /** Null where the caller does not require that provisional responses arrive. */
  readonly #reliable: ReliableProvisionals | null;
  /** Answered while the caller has not acknowledged our SDP yet. */
  #answerWith: LocalAudio | null = null;
  #stopTimers: Array<() => void> = [];

  constructor(core: UserAgentCore, start: InboundStart, dialog: Dialog) {
    const { message, parts, source } = start.transaction.request;
    this.#core = core;
    this.#start = start;
    this.#dialog = dialog;
    this.#localTag = dialog.localTag;
    this.called = start.called;
    this.caller = start.caller;
    this.divertedFrom = start.divertedFrom;
    this.otherwise = start.otherwise;
    this.reading = start.reading;
    this.trunkId = start.peer.trunkId;
    this.sipAccountId = start.sipAccountId;
    this.remoteAddress = source.address;
    this.sampleRateHz = start.sampleRateHz;
    this.sipCallId = plainHeaderText(parts.callId, MAX_REASON_CHARS);
    this.#events = new LegEvents((error) => {
      core.log.error({ err: error, sipCallId: this.sipCallId }, 'leg listener failed');
      this.abandon();
    });
    this.#reliable = ReliableProvisionals.of(core, this, start.transaction, {
      acknowledged: () => {
        if (this.#answerWith !== null) this.answer(this.#answerWith);
      },
      lost: () => this.#refuse(504, 'no PRACK'),
    });
    core.register(parts.callId, this.#localTag, this);
    start.transaction.listen({
      cancelled: (request) => core.guard(this, () => this.#cancelled(request)),
      failed: () => core.guard(this, () => this.#finish('network', null, 'response could not be sent')),
    });
    this.#after(MAX_RING_MS, () => this.reject(480, { reason: 'not answered' }));
    const expires = Number(/^\d{1,6}$/.exec(header(message, 'expires') ?? '')?.[0] ?? 0);
    if (expires > 0 && expires * 1_000 < MAX_RING_MS)
      this.#after(expires * 1_000, () => this.#refuse(487, 'INVITE expired'));
    // Another process refuses this INVITE after a crash, and needs its Via and CSeq number for the response.
    const stored = storedDialog(dialog, start.destination, {
      state: 'inviting',
      role: 'uas',
      inviteVia: headerValues(message, 'via').join(', '),
      trunkId: start.peer.trunkId,
    });
    this.#events.emit({ type: 'dialog-stored', dialog: { ...stored, localCSeq: parts.cseq.number } });
  }

  get state(): LegState | null {
    return this.#phase.name === 'established' ? this.#phase.call.state : null;
  }

  onEvent(listener: (event: LegEvent) => void): void {
    this.#events.listen(listener);
  }

  /** For the intake; the call's owner uses `onEvent`. */
  watch(observer: (event: LegEvent) => void): void {
    this.#events.watch(observer);
  }

  #after(delayMs: number, fire: () => void): void {
    this.#stopTimers.push(this.#core.clock.after(delayMs, () => this.#core.guard(this, fire)));
  }

  #response(status: number, headers: readonly Header[], body = ''): SipResponse {
    return dialogResponse(this.#core, this.#start, status, this.#localTag, { headers, body });
  }

  #openAudio(local: LocalAudio): AudioSession {
    const { source } = this.#start.transaction.request;
    const shown = this.#core.advertise(local, source.address);
    const { codecs, srtp } = this.#start;
    return newAudioSession(shown, codecs, {
      secure: source.protocol === 'tls',
      demandSrtp: srtp,
      prefersWideband: this.#core.voice.prefersWideband,
      sources: [source.address, ...this.#start.peer.mediaFrom],
    });
  }

  #offerText(): string | null {
    const { body } = this.#start.transaction.request.message;
    return body.length > 0 ? body.toString('utf8') : null;
  }

  ring(earlyAudio?: LocalAudio): void {
    if (this.#phase.name !== 'early') return;
    const offer = this.#offerText();
    // The first reliable response to an INVITE without an offer would have to carry ours: no such call rings.
    if (offer === null && this.#reliable !== null) return;
    if (earlyAudio && offer !== null && this.#audio === null) {
      const answered = answerOffer(this.#openAudio(earlyAudio), offer);
      if (answered) {
        this.#audio = answered.session;
        this.#sendProvisional(this.#response(183, [SDP_HEADER], answered.sdp));
        this.#events.emit({ type: 'audio-changed', audio: answered.audio });
        return;
      }
    }
    this.#sendProvisional(this.#response(180, []));
  }

  #sendProvisional(response: SipResponse): void {
    const repeating = this.#provisional !== null;
    this.#provisional = response;
    if (this.#reliable === null) this.#start.transaction.respond(response);
    else this.#reliable.send(response);
    if (!repeating) this.#repeatProvisional();
  }

  #repeatProvisional(): void {
    this.#after(REPEAT_PROVISIONAL_MS, () => {
      if (this.#phase.name !== 'early' || !this.#provisional) return;
      if (this.#reliable === null) this.#start.transaction.respond(this.#provisional);
      // With the SDP again it would be another answer.
      else this.#reliable.send(this.#response(this.#provisional.status, []));
      this.#repeatProvisional();
    });
  }

  answer(audio: LocalAudio): void {
    if (this.#phase.name !== 'early') return;
    if (this.#reliable?.holdsAnswer) {
      this.#answerWith = audio;
      return;
    }
    const offer = this.#offerText();
    const opened = this.#audio ?? this.#openAudio(audio);
    const answered = offer === null ? null : answerOffer(opened, offer);
    if (offer !== null && !answered) {
      this.#refuse(488, 'no common codec');
      return;
    }
    const made = answered ?? makeOffer(opened);
    const response = this.#response(200, [...this.#start.plan.headers, SDP_HEADER], made.sdp);
    this.#clearTimers();
    const { transaction, destination, peer, plan } = this.#start;
    const { message, flow } = transaction.request;
    const call = new EstablishedCall(this.#core, {
      role: 'uas',
      events: this.#events,
      replaced: (by) => {
        this.#phase = { name: 'established', call: by };
      },
      dialog: this.#dialog,
      destination,
      flow,
      peer,
      audio: made.session,
      plan: plan.plan,
      peerAllows: tokens(message, 'allow', false),
      opening: { type: 'send-2xx', transaction, response, lateOffer: offer === null, reliable: this.#reliable },
    });
    this.#phase = { name: 'established', call };
    // Nothing is left to cancel; a lost 2xx shows as a missing ACK.
    transaction.listen({});
    call.begin();
  }

  reject(sipStatus: number, options: { retryAfterSeconds?: number; reason?: string } = {}): void {
    const headers: Header[] = [];
    if (options.retryAfterSeconds !== undefined) {
      headers.push({ name: 'retry-after', value: String(Math.max(1, Math.ceil(options.retryAfterSeconds))) });
    }
    this.#refuse(sipStatus, options.reason ?? phraseOf(sipStatus), headers);
  }

  #refuse(status: number, reason: string, headers: readonly Header[] = []): void {
    if (this.#phase.name !== 'early') return;
    const final = status >= 300 && status <= 699 ? status : 480;
    const base = makeResponse(this.#start.transaction.request, final, phraseOf(final), this.#localTag);
    this.#start.transaction.respond({ ...base, headers: [...base.headers, OWN_ALLOW_HEADER, ...headers] });
    this.#finish('local', final, reason);
  }

  #cancelled(request: IncomingRequest): void {
    // A CANCEL that crosses the 200 has no effect (RFC 3261 9.2); the caller will send BYE.
    if (this.#phase.name !== 'early') return;
    const { cause, text } = readReason(headerValues(request.message, 'reason'));
    const response = makeResponse(this.#start.transaction.request, 487, phraseOf(487), this.#localTag);
    this.#start.transaction.respond(response);
    this.#finish('remote', 487, text ?? 'cancelled', cause);
  }

  #finish(by: LegEnd['by'], sipStatus: number | null, reason: string, q850Cause: number | null = null): void {
    if (this.#phase.name !== 'early') return;
    this.#phase = { name: 'over' };
    this.#clearTimers();
    this.#core.unregister(this.#dialog.callId, this.#localTag);
    this.#events.end({ by, sipStatus, q850Cause, reason, rang: this.#provisional !== null });
  }

  #clearTimers(): void {
    this.#reliable?.stop();
    for (const stop of this.#stopTimers) stop();
    this.#stopTimers = [];
  }

  hangUp(reason: HangUpReason = {}): void {
    if (this.#phase.name === 'established') this.#phase.call.hangUp(reason);
    else {
      const headers = reason.q850Cause === undefined ? [] : [reasonHeader(reason.q850Cause, reason.text)];
      this.#refuse(reason.sipStatus ?? 480, reason.text ?? 'hung up', headers);
    }
  }

  refer(target: string): void {
    if (this.#phase.name === 'established') this.#phase.call.refer(target);
    else this.#events.emit({ type: 'refer-progress', status: 481, reason: 'not answered' });
  }

  sendInfoDigits(digits: string): void {
    if (this.#phase.name === 'established') this.#phase.call.sendInfoDigits(digits);
  }

  /** Requests inside the early dialog; after the 2xx, the established call is in the dialog table. */
  receiveRequest(transaction: ServerTransaction): void {
    const { method } = transaction.request.message;
    if (method === 'BYE') {
      transaction.respond(makeResponse(transaction.request, 200, phraseOf(200)));
      this.#start.transaction.respond(
        makeResponse(this.#start.transaction.request, 487, phraseOf(487), this.#localTag),
      );
      this.#finish('remote', 487, 'BYE');
    } else if (method === 'PRACK') this.#receivePrack(transaction);
    else if (method === 'OPTIONS') transaction.respond(this.#optionsAnswer(transaction));
    else if (method === 'UPDATE') this.#receiveUpdate(transaction);
    else if (method === 'INVITE') refuse(transaction, 500, [{ name: 'retry-after', value: '3' }]);
    else refuse(transaction, 405, [EARLY_ALLOW_HEADER]);
  }

  /** It may carry another offer once ours is answered (RFC 3262 5). */
  #receivePrack(transaction: ServerTransaction): void {
    if (this.#reliable === null) return refuse(transaction, 481);
    if (!this.#reliable.takes(transaction)) return;
    if (transaction.request.message.body.length > 0) this.#adopt(answerEarlyOffer(transaction, this.#audio));
    else transaction.respond(makeResponse(transaction.request, 200, phraseOf(200)));
    this.#reliable.settle(transaction);
  }

  /** The caller's side moves its audio, or its address, while the call rings here. */
  #receiveUpdate(transaction: ServerTransaction): void {
    const { parts } = transaction.request;
    if (this.#dialog.remoteCSeq !== null && parts.cseq.number < this.#dialog.remoteCSeq) {
      refuse(transaction, 500, [{ name: 'warning', value: '399 - "CSeq out of order"' }]);
      return;
    }
    this.#dialog = { ...refreshTarget(this.#dialog, parts.contacts), remoteCSeq: parts.cseq.number };
    const contact = contactIn(this.#dialog, this.#core.contact(this.#start.destination));
    this.#adopt(answerEarlyUpdate(transaction, { before: this.#audio, pending: 500, contact }));
  }

  #adopt(answered: ReturnType<typeof answerEarlyOffer>): void {
    if (answered === null) return;
    this.#audio = answered.session;
    this.#events.emit({ type: 'audio-changed', audio: answered.audio });
  }

  #optionsAnswer(transaction: ServerTransaction): SipResponse {
    const base = makeResponse(transaction.request, 200, phraseOf(200));
    return { ...base, headers: [...base.headers, EARLY_ALLOW_HEADER, OWN_SUPPORTED_HEADER, ACCEPT_HEADER] };
  }

  get peerAddresses(): readonly string[] {
    return this.#phase.name === 'established' ? this.#phase.call.peerAddresses : [this.remoteAddress];
  }

  get connectionId(): number | null {
    if (this.#phase.name === 'established') return this.#phase.call.connectionId;
    return this.#start.transaction.request.flow.connectionId;
  }

  receiveAck(_request: IncomingRequest): void {}

  receiveStray(_response: IncomingResponse): void {}

  /** The 200 was sent, and nobody has acknowledged it. */
  get awaitsAck(): boolean {
    return this.#phase.name === 'established' && this.#phase.call.awaitsAck;
  }

  /** Ends a call whose 200 nobody has acknowledged. */
  giveUp(): void {
    if (this.#phase.name === 'established') this.#phase.call.giveUp();
  }

  abandon(): void {
    if (this.#phase.name === 'established') this.#phase.call.abandon();
    else this.#refuse(500, 'internal error');
  }
}

/** The session timer of an INVITE (RFC 4028 9), or null after a 422. */
export function planSession(transaction: ServerTransaction): { plan: SessionPlan; headers: Header[] } | null {
  const decision = decideAsServer(transaction.request.message);
  if (decision.type === 'agreed') return decision;
  refuse(transaction, 422, [{ name: 'min-se', value: '90' }]);
  return null;
}
