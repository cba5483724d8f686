// A call from the 2xx to the BYE, the same for both directions: re-INVITE, UPDATE, hold, glare, session timers, INFO,
// REFER and its NOTIFYs, BYE and its crossings. Bodies of single methods are in the files it imports.
//
//   confirmed ──hang up──► ending (BYE under way, or waiting for the ACK that must come first) ──► over
//       └───────BYE, 408, 481, no ACK──────────────────────────────────────────────────────────────┘
import { randomInt } from 'node:crypto';
import type { LegEnd, NegotiatedAudio, StoredDialog } from '../telephony.ts';
import { AcceptedInvite } from './accepted-invite.ts';
import type { CallContext, DialogOwner, Peer } from './call-context.ts';
import { type Dialog, refreshTarget } from './dialog.ts';
import { DialogRequests, type Outcome, storedDialog } from './dialog-requests.ts';
import type { DigestClient } from './digest.ts';
import { readInfoDigit, readReferProgress, referTarget } from './in-dialog-bodies.ts';
import type { LegEvents } from './leg-events.ts';
import { type Header, header, headerValues, type SipResponse, tokens } from './message.ts';
import { type AudioSession, answerOffer, makeOffer, sameAudio, takeAnswer } from './offer-answer.ts';
import { checkExtensions, isSdp, refuse } from './request-checks.ts';
import {
  acceptHeader,
  allowHeader,
  phraseOf,
  readReason,
  reasonHeader,
  sdpHeader,
  supportedHeader,
} from './responses.ts';
import {
  decideAsClient,
  decideAsServer,
  expiryDelayMs,
  minSessionSeconds,
  offerTimer,
  readMinSe,
  refreshDelayMs,
  type SessionPlan,
} from './session-timer.ts';
import {
  type IncomingRequest,
  type IncomingResponse,
  makeResponse,
  type ServerTransaction,
} from './transaction-layer.ts';
import type { Destination, Flow } from './transport.ts';

export type EstablishedStart = {
  role: 'uac' | 'uas';
  events: LegEvents;
  dialog: Dialog;
  destination: Destination;
  flow: Flow | null;
  peer: Peer;
  digest?: DigestClient;
  audio: AudioSession;
  plan: SessionPlan | null;
  peerAllows: readonly string[];
  /** UAS: the INVITE whose 2xx waits for its ACK; `lateOffer`: our offer is in it, the answer comes with the ACK. */
  accepted: { transaction: ServerTransaction; response: SipResponse; lateOffer: boolean } | null;
};

type Phase = 'confirmed' | 'ending' | 'over';
export type HangUpReason = { sipStatus?: number; q850Cause?: number; text?: string };

const maxInfoDigits = 64;
const infoDigitMs = 160;

export class EstablishedCall implements DialogOwner {
  readonly #context: CallContext;
  readonly #start: EstablishedStart;
  readonly #events: LegEvents;
  readonly #requests: DialogRequests;
  #phase: Phase = 'confirmed';
  #audio: AudioSession;
  #plan: SessionPlan | null;
  #accepted: (AcceptedInvite & object) | null = null;
  #awaitsAnswer = false;
  #answeredEmitted = false;
  /** Our own re-INVITE or UPDATE that has no final response yet. */
  #pending = false;
  #wantedHold: boolean | null = null;
  #wantedRefresh = false;
  #minSeconds = minSessionSeconds;
  #byeHeaders: Header[] = [];
  #infoDigits: string[] = [];
  #peerAllows: readonly string[];
  #stopSession: () => void = () => {};
  #stopRetry: () => void = () => {};

  constructor(context: CallContext, start: EstablishedStart) {
    this.#context = context;
    this.#start = start;
    this.#events = start.events;
    this.#audio = start.audio;
    this.#plan = start.plan;
    this.#peerAllows = start.peerAllows;
    this.#requests = new DialogRequests(context, this, start, () => this.#store());
    context.register(start.dialog.callId, start.dialog.localTag, this);
    if (start.accepted) this.#accept(start.accepted.transaction, start.accepted.response, start.accepted.lateOffer);
    this.#requests.locateNextHop();
    this.#armSession();
    if (this.#audio.agreed && !this.#awaitsAnswer) this.#announce(this.#audio.agreed);
  }

  #store(): void {
    if (this.#phase !== 'confirmed') return;
    const rest = {
      state: 'confirmed',
      role: this.#start.role,
      inviteVia: null,
      trunkId: this.#start.peer.trunkId,
    } as const;
    const dialog: StoredDialog = storedDialog(this.#requests.dialog, this.#requests.destination, rest);
    this.#events.emit({ type: 'dialog-stored', dialog });
  }

  #announce(audio: NegotiatedAudio): void {
    this.#events.emit({ type: this.#answeredEmitted ? 'audio-changed' : 'answered', audio });
    this.#answeredEmitted = true;
  }

  #adopt(session: AudioSession, audio: NegotiatedAudio): void {
    const before = this.#audio.agreed;
    this.#audio = session;
    if (!this.#answeredEmitted || !before || !sameAudio(before, audio)) this.#announce(audio);
  }

  #after(delayMs: number, fire: () => void): () => void {
    return this.#context.clock.after(delayMs, () => this.#context.guard(this, fire));
  }

  /** Retransmits a 2xx of ours until its ACK. */
  #accept(transaction: ServerTransaction, response: SipResponse, lateOffer: boolean): void {
    this.#awaitsAnswer = lateOffer;
    this.#accepted = new AcceptedInvite(this.#context.clock, transaction, response, () =>
      this.#context.guard(this, () => {
        this.#accepted = null;
        // RFC 3261 13.3.1.4: no ACK, so the dialog is confirmed and the session ends by BYE.
        if (this.#phase === 'ending') this.#sendBye();
        else this.#close('network', 'No ACK');
      }),
    );
  }

  receiveAck(request: IncomingRequest): void {
    if (!this.#accepted || this.#accepted.number !== request.parts.cseq.number) return;
    this.#accepted.stop();
    this.#accepted = null;
    if (this.#awaitsAnswer) {
      this.#awaitsAnswer = false;
      const body = isSdp(request.message) ? request.message.body.toString('utf8') : '';
      const taken = takeAnswer(this.#audio, body);
      if (taken) this.#adopt(taken.session, taken.audio);
      else if (this.#phase === 'confirmed') {
        this.#close('network', 'No usable answer in ACK');
        return;
      }
    }
    if (this.#phase === 'ending') this.#sendBye();
    else this.#pump();
  }

  receiveRequest(transaction: ServerTransaction): void {
    const { message, parts } = transaction.request;
    const { dialog } = this.#requests;
    if (dialog.remoteCSeq !== null && parts.cseq.number < dialog.remoteCSeq) {
      refuse(transaction, 500, [{ name: 'warning', value: '399 - "CSeq out of order"' }]);
      return;
    }
    this.#requests.update({ ...dialog, remoteCSeq: parts.cseq.number });
    if (message.method === 'BYE') {
      this.#receiveBye(transaction);
      return;
    }
    if (this.#phase !== 'confirmed') refuse(transaction, 481);
    else if (checkExtensions(transaction)) this.#dispatch(transaction);
  }

  #dispatch(transaction: ServerTransaction): void {
    switch (transaction.request.message.method) {
      case 'INVITE':
      case 'UPDATE':
        this.#receiveOffer(transaction);
        return;
      case 'INFO':
        this.#receiveInfo(transaction);
        return;
      case 'NOTIFY':
        this.#receiveNotify(transaction);
        return;
      case 'OPTIONS':
        transaction.respond(this.#response(transaction, 200, [allowHeader, supportedHeader, acceptHeader]));
        return;
      default:
        refuse(transaction, 405, [allowHeader]);
    }
  }

  #response(transaction: ServerTransaction, status: number, headers: Header[], body?: string): SipResponse {
    const base = makeResponse(transaction.request, status, phraseOf(status));
    return { ...base, headers: [...base.headers, ...headers], body: Buffer.from(body ?? '') };
  }

  #receiveBye(transaction: ServerTransaction): void {
    transaction.respond(this.#response(transaction, 200, []));
    this.#accepted?.stop();
    this.#accepted = null;
    const { cause, text } = readReason(headerValues(transaction.request.message, 'reason'));
    const end: LegEnd = { by: 'remote', sipStatus: null, q850Cause: cause, reason: text ?? 'BYE', rang: true };
    this.#over();
    this.#events.end(end);
  }

  /** re-INVITE (RFC 3261 14.2) and UPDATE (RFC 3311 5.2), with or without an offer. */
  #receiveOffer(transaction: ServerTransaction): void {
    const { message, parts } = transaction.request;
    const invite = message.method === 'INVITE';
    const offers = message.body.length > 0;
    if (this.#pending && (invite || offers)) {
      refuse(transaction, 491);
      return;
    }
    if (this.#accepted && (invite || offers)) {
      refuse(transaction, 500, [{ name: 'retry-after', value: String(randomInt(1, 10)) }]);
      return;
    }
    const timer = decideAsServer(message);
    if (timer.type === 'too-small') {
      refuse(transaction, 422, [{ name: 'min-se', value: String(minSessionSeconds) }]);
      return;
    }
    if (offers && !isSdp(message)) {
      refuse(transaction, 415, [acceptHeader]);
      return;
    }
    const answered = offers ? answerOffer(this.#audio, message.body.toString('utf8')) : null;
    if (offers && !answered) {
      // T.38 and whatever else we do not speak: refused, and the call goes on as it was.
      refuse(transaction, 488, [{ name: 'warning', value: '304 - "Media type not available"' }]);
      return;
    }
    this.#requests.update(refreshTarget(this.#requests.dialog, parts.contacts));
    this.#learnAllow(message);
    let sdp = answered?.sdp ?? null;
    if (invite && !offers) {
      const made = makeOffer(this.#audio);
      this.#audio = made.session;
      sdp = made.sdp;
    }
    const contact = { name: 'contact', value: this.#context.contact(this.#requests.destination) };
    const content = sdp === null ? [] : [sdpHeader];
    const headers = [contact, allowHeader, supportedHeader, ...timer.headers, ...content];
    const response = this.#response(transaction, 200, headers, sdp ?? '');
    this.#plan = timer.plan;
    this.#armSession();
    if (invite) this.#accept(transaction, response, !offers);
    else transaction.respond(response);
    if (answered) this.#adopt(answered.session, answered.audio);
  }

  #learnAllow(message: { headers: readonly Header[] }): void {
    if (header(message, 'allow') !== undefined) this.#peerAllows = tokens(message, 'allow', false);
  }

  #receiveInfo(transaction: ServerTransaction): void {
    const { message } = transaction.request;
    const digit = readInfoDigit(message);
    if (digit === null && message.body.length > 0) {
      refuse(transaction, 415, [{ name: 'accept', value: 'application/dtmf-relay, application/dtmf' }]);
      return;
    }
    transaction.respond(this.#response(transaction, 200, []));
    if (digit) this.#events.emit({ type: 'digit', ...digit });
  }

  #receiveNotify(transaction: ServerTransaction): void {
    const progress = readReferProgress(transaction.request.message);
    if (progress === null) {
      refuse(transaction, 489, [{ name: 'allow-events', value: 'refer' }]);
      return;
    }
    transaction.respond(this.#response(transaction, 200, []));
    this.#events.emit({ type: 'refer-progress', ...progress });
  }

  receiveStray(response: IncomingResponse): void {
    this.#requests.reacknowledge(response);
  }

  abandon(): void {
    this.#close('network', 'internal error');
  }

  hangUp(reason: HangUpReason = {}): void {
    if (reason.q850Cause !== undefined) this.#byeHeaders = [reasonHeader(reason.q850Cause, reason.text)];
    this.#close('local', reason.text ?? 'hung up');
  }

  /** Says that the call has ended, and ends it on the wire in its own time. */
  #close(by: LegEnd['by'], reason: string): void {
    if (this.#phase !== 'confirmed') return;
    this.#phase = 'ending';
    this.#stopSession();
    this.#stopRetry();
    // RFC 3261 15: the callee may not send BYE before the ACK has come.
    if (!this.#accepted) this.#sendBye();
    this.#events.end({ by, sipStatus: null, q850Cause: null, reason, rang: true });
  }

  #sendBye(): void {
    this.#requests.send('BYE', { headers: this.#byeHeaders, done: () => this.#over() });
  }

  #over(): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    this.#stopSession();
    this.#stopRetry();
    this.#accepted?.stop();
    const { callId, localTag } = this.#start.dialog;
    this.#context.unregister(callId, localTag);
  }

  /** 408 and 481 to a request inside the dialog end it (RFC 3261 12.2.1.2). True when it has. */
  #lost(outcome: Outcome): boolean {
    if (outcome.type === 'failed') {
      this.#close('network', outcome.cause === 'timeout' ? 'peer does not answer' : 'peer cannot be reached');
      return true;
    }
    const { status } = outcome.response.message;
    if (status !== 408 && status !== 481) return false;
    this.#close('network', `peer answered ${status}`);
    return true;
  }

  hold(on: boolean): void {
    this.#wantedHold = on;
    this.#pump();
  }

  /** Sends what is wanted when nothing stands in its way: one offer at a time (RFC 3261 14.1). */
  #pump(): void {
    if (this.#phase !== 'confirmed' || this.#pending || this.#accepted) return;
    if (this.#wantedHold !== null) {
      const wanted = this.#wantedHold;
      if (wanted === this.#audio.holding) this.#wantedHold = null;
      else this.#sendOffer({ ...this.#audio, holding: wanted });
    } else if (this.#wantedRefresh) {
      if (this.#peerAllows.includes('UPDATE')) this.#sendUpdate();
      else this.#sendOffer(this.#audio);
    }
  }

  #refreshHeaders(): Header[] {
    const contact = { name: 'contact', value: this.#context.contact(this.#requests.destination) };
    return [contact, allowHeader, supportedHeader, ...offerTimer(this.#plan, this.#minSeconds)];
  }

  #sendUpdate(): void {
    this.#pending = true;
    this.#requests.send('UPDATE', { headers: this.#refreshHeaders(), done: (outcome) => this.#settle(outcome, null) });
  }

  #sendOffer(session: AudioSession): void {
    this.#pending = true;
    const made = makeOffer(session);
    this.#requests.send('INVITE', {
      headers: [...this.#refreshHeaders(), sdpHeader],
      body: Buffer.from(made.sdp),
      done: (outcome) => this.#settle(outcome, made.session),
    });
  }

  /** The end of our re-INVITE (`offered`: its session) or UPDATE. */
  #settle(outcome: Outcome, offered: AudioSession | null): void {
    this.#pending = false;
    if (outcome.type === 'response' && outcome.response.message.status < 300) {
      const { message, parts } = outcome.response;
      this.#requests.update(refreshTarget(this.#requests.dialog, parts.contacts));
      if (offered) this.#requests.acknowledge(outcome.sent, null);
      if (this.#phase !== 'confirmed') return;
      this.#learnAllow(message);
      this.#wantedRefresh = false;
      this.#plan = decideAsClient(message);
      this.#armSession();
      const taken = offered && isSdp(message) ? takeAnswer(offered, message.body.toString('utf8')) : null;
      if (taken) {
        this.#adopt(taken.session, taken.audio);
        this.#wantedHold = this.#wantedHold === taken.session.holding ? null : this.#wantedHold;
      } else if (offered) this.#wantedHold = null;
      this.#pump();
      return;
    }
    if (this.#phase !== 'confirmed' || this.#lost(outcome) || outcome.type === 'failed') return;
    this.#refused(outcome.response, offered !== null);
  }

  /** Our offer or refresh was refused: what was agreed before still holds (RFC 3261 14.1). */
  #refused({ message }: IncomingResponse, offer: boolean): void {
    if (message.status === 491) {
      // RFC 3261 14.1: the owner of the Call-ID waits longer, so that the two do not meet again.
      const delayMs = this.#start.role === 'uac' ? randomInt(210, 401) * 10 : randomInt(0, 201) * 10;
      this.#retryAfter(delayMs);
    } else if (message.status === 422 && readMinSe(message) > this.#minSeconds) {
      this.#minSeconds = readMinSe(message);
      this.#pump();
    } else if (message.status === 500 && header(message, 'retry-after') !== undefined) {
      const seconds = Number(/^\d{1,4}/.exec(header(message, 'retry-after') ?? '')?.[0] ?? 5);
      this.#retryAfter(Math.min(Math.max(seconds, 1), 32) * 1_000);
    } else {
      if (offer) this.#wantedHold = null;
      // UPDATE refused as a method: re-INVITE does it.
      if (!offer && (message.status === 405 || message.status === 501)) {
        this.#peerAllows = this.#peerAllows.filter((method) => method !== 'UPDATE');
        this.#pump();
      } else this.#wantedRefresh = false;
    }
  }

  #retryAfter(delayMs: number): void {
    this.#pending = true;
    this.#stopRetry = this.#after(delayMs, () => {
      this.#pending = false;
      this.#pump();
    });
  }

  #armSession(): void {
    this.#stopSession();
    const plan = this.#plan;
    if (!plan) return;
    const stopExpiry = this.#after(expiryDelayMs(plan), () => this.#close('network', 'session expired'));
    const stopRefresh =
      plan.refresher === 'local'
        ? this.#after(refreshDelayMs(plan), () => {
            this.#wantedRefresh = true;
            this.#pump();
          })
        : () => {};
    this.#stopSession = () => {
      stopExpiry();
      stopRefresh();
    };
  }

  refer(target: string): void {
    const uri = referTarget(target, this.#requests.dialog);
    const fail = (status: number, reason: string) => this.#events.emit({ type: 'refer-progress', status, reason });
    if (uri === null || this.#phase !== 'confirmed') {
      fail(uri === null ? 484 : 481, uri === null ? 'no such target' : 'no call');
      return;
    }
    const headers: Header[] = [
      { name: 'refer-to', value: `<${uri}>` },
      { name: 'referred-by', value: this.#context.contact(this.#requests.destination) },
      { name: 'contact', value: this.#context.contact(this.#requests.destination) },
      allowHeader,
    ];
    this.#requests.send('REFER', {
      headers,
      done: (outcome) => {
        if (this.#lost(outcome) || outcome.type === 'failed') fail(408, 'no answer to REFER');
        else if (outcome.response.message.status < 300) fail(100, 'Accepted');
        else fail(outcome.response.message.status, outcome.response.message.reason);
      },
    });
  }

  sendInfoDigits(digits: string): void {
    const idle = this.#infoDigits.length === 0;
    const room = maxInfoDigits - this.#infoDigits.length;
    this.#infoDigits.push(...[...digits].filter((digit) => /[0-9A-D*#]/.test(digit)).slice(0, room));
    if (idle && this.#infoDigits.length > 0) this.#sendInfo();
  }

  #sendInfo(): void {
    const digit = this.#infoDigits[0];
    if (digit === undefined || this.#phase !== 'confirmed') return;
    this.#requests.send('INFO', {
      headers: [{ name: 'content-type', value: 'application/dtmf-relay' }],
      body: Buffer.from(`Signal=${digit}\r\nDuration=${infoDigitMs}\r\n`),
      done: (outcome) => {
        this.#infoDigits.shift();
        if (!this.#lost(outcome)) this.#sendInfo();
      },
    });
  }
}
