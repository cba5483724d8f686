// A call from the 2xx to the BYE, in either direction: the causes that end it, and the requests inside it. Its offers,
// answers and timers are in session-upkeep.ts.
//
//                                  ┌─► awaiting-ack ──ACK, 32 s──┐
//   confirmed ──hang up, 408, 481──┴─────────────────────────────┴──► bye-sent ──answer, timeout──► over
//       └──BYE of the peer──────────────────────────────────────────────────────────────────────────►┘

import type { Peer } from '../../dialog/dial-route.ts';
import type { Dialog } from '../../dialog/dialog.ts';
import {
  REFER_TAKEN,
  readInfoDigit,
  readReferProgress,
  readReferTo,
  referTarget,
} from '../../dialog/in-dialog-bodies.ts';
import { LegEvents } from '../../dialog/leg-events.ts';
import type { Destination, Flow } from '../../stack/network/transport-layer.ts';
import { checkExtensions, refuse } from '../../stack/transaction/request-checks.ts';
import {
  type IncomingRequest,
  type IncomingResponse,
  makeResponse,
  type ServerTransaction,
} from '../../stack/transaction/transaction-layer.ts';
import type { DigestClient } from '../../stack/wire/digest.ts';
import { tagOf } from '../../stack/wire/header.ts';
import { type Header, headerValues, type SipRequest, type SipResponse } from '../../stack/wire/message.ts';
import {
  ACCEPT_HEADER,
  OWN_ALLOW_HEADER,
  OWN_OPTIONS,
  OWN_SUPPORTED_HEADER,
  phraseOf,
  readReason,
  reasonHeader,
  reasonOf,
} from '../../stack/wire/responses.ts';
import type { HangUpReason, LegEnd, LegState, LocalAudio, StoredDialog } from '../../telephony.ts';
import { INFO_DIGITS_TYPE, InfoDigits } from '../shared/info-digits.ts';
import { DialogRequests, type RequestOutcome, storedDialog } from './dialog-requests.ts';
import type { ReliableProvisionals } from './reliable-provisionals.ts';
import { SessionUpkeep, type UpkeepStart, type UpkeepState } from './session-upkeep.ts';
import type { DialogOwner, UserAgentCore } from './user-agent-core.ts';

interface EstablishedStart extends UpkeepStart {
  events: LegEvents;
  /** Another dialog goes on with the leg. */
  replaced(by: EstablishedCall): void;
  /** The leg was answered in the dialog that this one replaces. */
  isSuccessor?: true;
  dialog: Dialog;
  destination: Destination;
  flow: Flow | null;
  peer: Peer;
  /**
   * How the call begins: our 2xx is repeated until its ACK, we acknowledge the peer's 2xx, or another process has begun
   * it. `moveTo`: on another machine, and the audio is to come to this one.
   */
  opening:
    | {
        type: 'send-2xx';
        transaction: ServerTransaction;
        response: SipResponse;
        lateOffer: boolean;
        /** Their PRACK may come after the 2xx. */
        reliable: ReliableProvisionals | null;
      }
    | { type: 'send-ack'; invite: SipRequest; digest: DigestClient }
    | { type: 'resume'; moveTo?: LocalAudio };
}

/** The state from which another process goes on with the call. */
export type EstablishedState = Omit<
  EstablishedStart,
  'events' | 'replaced' | 'isSuccessor' | 'opening' | keyof UpkeepState
> &
  UpkeepState;

/** `awaiting-ack`: the callee may not send BYE before the ACK of its 2xx has come (RFC 3261 15). */
type Phase = 'confirmed' | 'awaiting-ack' | 'bye-sent' | 'over';

/** Connections end with their process, and the numbers of another process name others. */
const NO_CONNECTION = -1;
const closedFlow = (flow: Flow): Flow => (flow.connectionId === null ? flow : { ...flow, connectionId: NO_CONNECTION });

export class EstablishedCall implements DialogOwner {
  readonly #core: UserAgentCore;
  readonly #start: EstablishedStart;
  #events: LegEvents;
  readonly #requests: DialogRequests;
  readonly #upkeep: SessionUpkeep;
  #phase: Phase = 'confirmed';
  #answered: boolean;
  #byeHeaders: Header[] = [];
  readonly #infoDigits = new InfoDigits();

  constructor(core: UserAgentCore, start: EstablishedStart) {
    const { opening, dialog } = start;
    this.#core = core;
    this.#start = start;
    this.#events = start.events;
    this.#answered = opening.type === 'resume' || start.isSuccessor === true;
    const digest = opening.type === 'send-ack' ? { digest: opening.digest } : {};
    this.#requests = new DialogRequests(core, this, { ...start, ...digest }, () => this.#store());
    this.#upkeep = new SessionUpkeep(core, this, this.#requests, start, {
      active: () => this.#phase === 'confirmed',
      audio: (audio) => {
        this.#events.emit({ type: this.#answered ? 'audio-changed' : 'answered', audio });
        this.#answered = true;
      },
      lost: (reason) => this.#close('network', reason),
      settled: (acknowledged) => this.#settled(acknowledged),
    });
    core.register(dialog.callId, dialog.localTag, this);
  }

  /**
   * Sends the ACK or the 200. Register the call first: a listener may hang up during the callback.
   */
  begin(): void {
    const { opening } = this.#start;
    if (opening.type === 'send-2xx') this.#upkeep.accept(opening.transaction, opening.response, opening.lateOffer);
    else if (opening.type === 'send-ack') this.#requests.acknowledge(opening.invite);
    this.#requests.locateNextHop();
    this.#upkeep.begin();
    if (opening.type === 'resume' && opening.moveTo)
      this.#upkeep.move(this.#core.advertise(opening.moveTo, this.#requests.destination.remote.address));
  }

  #store(): void {
    if (this.#phase === 'confirmed') this.#events.emit({ type: 'dialog-stored', dialog: this.#stored });
  }

  get #stored(): StoredDialog {
    const { role, peer } = this.#start;
    const rest = { state: 'confirmed', role, inviteVia: null, trunkId: peer.trunkId } as const;
    return storedDialog(this.#requests.dialog, this.#requests.destination, rest);
  }

  get state(): LegState | null {
    const upkeep = this.#upkeep.state;
    if (this.#phase !== 'confirmed' || upkeep?.audio.agreed == null) return null;
    const { role } = this.#start;
    const { dialog, destination, flow, peer } = this.#requests;
    const rest: EstablishedState = { role, dialog, destination, flow: flow && closedFlow(flow), peer, ...upkeep };
    return { sipCallId: dialog.callId, dialog: this.#stored, audio: upkeep.audio.agreed, rest };
  }

  get peerAddresses(): readonly string[] {
    return this.#requests.peerAddresses;
  }

  get connectionId(): number | null {
    return this.#requests.connectionId;
  }

  /** Null: no other dialog can take its place. */
  get replaceable(): { remoteTag: string; peer: Peer; local: LocalAudio } | null {
    const upkeep = this.#upkeep.state;
    if (this.#phase !== 'confirmed' || upkeep === null) return null;
    const { dialog, peer } = this.#requests;
    return { remoteTag: dialog.remoteTag ?? '', peer, local: upkeep.audio.local };
  }

  /** Another dialog goes on with the leg (RFC 3891); this one ends without a word to the leg. */
  replaceBy(start: Omit<EstablishedStart, 'events' | 'replaced' | 'isSuccessor'>): void {
    const { replaced } = this.#start;
    const events = this.#events;
    this.#events = new LegEvents(() => undefined);
    const next = new EstablishedCall(this.#core, { ...start, events, replaced, isSuccessor: true });
    replaced(next);
    next.begin();
    this.#close('local', 'replaced');
  }

  receiveAck(request: IncomingRequest): void {
    this.#upkeep.receiveAck(request);
  }

  /** RFC 3261 13.3.1.4: without an ACK the dialog is confirmed all the same, and the session is ended by BYE. */
  #settled(acknowledged: boolean): void {
    if (this.#phase === 'awaiting-ack') this.#sendBye();
    else if (!acknowledged) this.#close('network', 'no ACK');
  }

  receiveRequest(transaction: ServerTransaction): void {
    const { message, parts } = transaction.request;
    const { dialog } = this.#requests;
    if ((tagOf(parts.from) ?? '') !== (dialog.remoteTag ?? '')) {
      // Another fork of our INVITE; invite-attempt.ts has sent it a BYE.
      if (message.method === 'BYE') transaction.respond(this.#response(transaction, []));
      else refuse(transaction, 481);
      return;
    }
    if (dialog.remoteCSeq !== null && parts.cseq.number < dialog.remoteCSeq) {
      refuse(transaction, 500, [{ name: 'warning', value: '399 - "CSeq out of order"' }]);
      return;
    }
    this.#requests.heardOn(transaction.request.flow);
    this.#requests.update({ ...dialog, remoteCSeq: parts.cseq.number });
    if (message.method === 'BYE') this.#receiveBye(transaction);
    else if (this.#phase !== 'confirmed') refuse(transaction, 481);
    else if (checkExtensions(transaction, OWN_OPTIONS)) this.#dispatch(transaction);
  }

  #dispatch(transaction: ServerTransaction): void {
    switch (transaction.request.message.method) {
      case 'INVITE':
      case 'UPDATE':
        this.#upkeep.receiveOffer(transaction);
        return;
      case 'INFO':
        this.#receiveInfo(transaction);
        return;
      case 'NOTIFY':
        this.#receiveNotify(transaction);
        return;
      case 'PRACK':
        this.#receivePrack(transaction);
        return;
      case 'REFER':
        this.#receiveRefer(transaction);
        return;
      case 'OPTIONS':
        transaction.respond(this.#response(transaction, [OWN_ALLOW_HEADER, OWN_SUPPORTED_HEADER, ACCEPT_HEADER]));
        return;
      default:
        refuse(transaction, 405, [OWN_ALLOW_HEADER]);
    }
  }

  #response(transaction: ServerTransaction, headers: Header[]): SipResponse {
    const base = makeResponse(transaction.request, 200, phraseOf(200));
    return { ...base, headers: [...base.headers, ...headers] };
  }

  #receiveBye(transaction: ServerTransaction): void {
    transaction.respond(this.#response(transaction, []));
    this.#upkeep.forgetAccepted();
    const { cause, text } = readReason(headerValues(transaction.request.message, 'reason'));
    // Our own BYE crossed it: the call is over when ours is answered.
    if (this.#phase !== 'bye-sent') this.#over();
    this.#events.end({ by: 'remote', sipStatus: null, q850Cause: cause, reason: text ?? 'BYE', rang: true });
  }

  #receivePrack(transaction: ServerTransaction): void {
    const { opening } = this.#start;
    const reliable = opening.type === 'send-2xx' ? opening.reliable : null;
    if (reliable === null) refuse(transaction, 481);
    else if (reliable.takes(transaction)) transaction.respond(this.#response(transaction, []));
  }

  #receiveInfo(transaction: ServerTransaction): void {
    const { message } = transaction.request;
    const digit = readInfoDigit(message);
    if (digit === null && message.body.length > 0) {
      refuse(transaction, 415, [
        { name: 'accept', value: 'application/dtmf-relay, application/dtmf, audio/telephone-event' },
      ]);
      return;
    }
    transaction.respond(this.#response(transaction, []));
    if (digit) this.#events.emit({ type: 'digit', ...digit });
  }

  #receiveNotify(transaction: ServerTransaction): void {
    const progress = readReferProgress(transaction.request.message);
    if (progress === null) {
      refuse(transaction, 489, [{ name: 'allow-events', value: 'refer' }]);
      return;
    }
    transaction.respond(this.#response(transaction, []));
    this.#events.emit({ type: 'refer-progress', ...progress });
  }

  /** The person on this leg hands the call on. Its one NOTIFY ends the subscription: the call is no longer theirs. */
  #receiveRefer(transaction: ServerTransaction): void {
    const target = readReferTo(transaction.request.message);
    let isAccepted = false;
    const accept = (): void => {
      isAccepted = true;
      const { contact } = this.#requests;
      const accepted = makeResponse(transaction.request, 202, 'Accepted');
      transaction.respond({ ...accepted, headers: [...accepted.headers, contact] });
      const about = Object.entries(REFER_TAKEN.headers).map(([name, value]) => ({ name: name.toLowerCase(), value }));
      const body = Buffer.from(REFER_TAKEN.body);
      this.#requests.send('NOTIFY', { headers: [...about, contact], body, done: () => undefined });
    };
    if (target !== null) this.#events.emit({ type: 'refer-asked', target, accept });
    if (!isAccepted) refuse(transaction, 603);
  }

  receiveStray(response: IncomingResponse): void {
    this.#requests.reacknowledge(response);
  }

  abandon(): void {
    this.#close('network', 'internal error');
  }

  get awaitsAck(): boolean {
    return this.#upkeep.awaitsAck;
  }

  giveUp(): void {
    this.#close('network', 'no ACK');
  }

  hangUp(reason: HangUpReason = {}): void {
    if (reason.q850Cause !== undefined) this.#byeHeaders = [reasonHeader(reason.q850Cause, reason.text)];
    this.#close('local', reason.text ?? 'hung up');
  }

  /** Reports the end at once; the BYE on the wire may take longer. */
  #close(by: LegEnd['by'], reason: string): void {
    if (this.#phase !== 'confirmed') return;
    this.#upkeep.stop();
    if (this.#upkeep.awaitsAck) this.#phase = 'awaiting-ack';
    else this.#sendBye();
    this.#events.end({ by, sipStatus: null, q850Cause: null, reason, rang: true });
  }

  #sendBye(): void {
    this.#phase = 'bye-sent';
    this.#requests.send('BYE', { headers: this.#byeHeaders, done: () => this.#over() });
  }

  #over(): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    this.#upkeep.stop();
    this.#upkeep.forgetAccepted();
    this.#requests.giveUpInvite();
    const { callId, localTag } = this.#start.dialog;
    this.#core.unregister(callId, localTag);
  }

  /** A 408 or 481 to a request inside the dialog ends it (RFC 3261 12.2.1.2). True if it did. */
  #lost(outcome: RequestOutcome): boolean {
    if (outcome.type === 'failed') {
      this.#close('network', outcome.cause === 'timeout' ? 'peer does not answer' : 'peer cannot be reached');
      return true;
    }
    const { status } = outcome.response.message;
    if (status !== 408 && status !== 481) return false;
    this.#close('network', `peer answered ${status}`);
    return true;
  }

  refresh(): void {
    if (this.#phase === 'confirmed') this.#upkeep.refresh();
  }

  refer(target: string): void {
    const uri = referTarget(target, this.#requests.dialog);
    const fail = (status: number, reason: string) => this.#events.emit({ type: 'refer-progress', status, reason });
    if (uri === null || this.#phase !== 'confirmed') {
      fail(uri === null ? 484 : 481, uri === null ? 'no such target' : 'no call');
      return;
    }
    const { contact } = this.#requests;
    const headers: Header[] = [
      { name: 'refer-to', value: `<${uri}>` },
      { name: 'referred-by', value: contact.value },
      contact,
      OWN_ALLOW_HEADER,
    ];
    this.#requests.send('REFER', {
      headers,
      done: (outcome) => {
        if (outcome.type === 'failed') fail(408, 'no answer to REFER');
        else if (outcome.response.message.status < 300) fail(100, 'Accepted');
        else fail(outcome.response.message.status, reasonOf(outcome.response.message));
        this.#lost(outcome);
      },
    });
  }

  sendInfoDigits(digits: string): void {
    if (this.#infoDigits.add(digits)) this.#sendInfo();
  }

  #sendInfo(): void {
    const { body } = this.#infoDigits;
    if (body === null || this.#phase !== 'confirmed') return;
    this.#requests.send('INFO', {
      headers: [{ name: 'content-type', value: INFO_DIGITS_TYPE }],
      body: Buffer.from(body),
      done: (outcome) => {
        this.#infoDigits.sent();
        if (!this.#lost(outcome)) this.#sendInfo();
      },
    });
  }
}
