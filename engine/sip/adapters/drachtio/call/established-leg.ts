// A leg from its answer to its end: the peer's offers, digits, transfer, and the causes that end it.

import { messageOf } from '../../../../../db/domain/unexpected.ts';
import type { Dialog } from '../../../dialog/dialog.ts';
import {
  REFER_TAKEN,
  readInfoDigit,
  readReferProgress,
  readReferTo,
  referTarget,
} from '../../../dialog/in-dialog-bodies.ts';
import type { LegEvents } from '../../../dialog/leg-events.ts';
import { sameAudio } from '../../../dialog/offer-answer.ts';
import { FIRST_ACK_MS } from '../../../dialog/unproven-invites.ts';
import { parseNameAddr } from '../../../stack/wire/header.ts';
import { headerValues } from '../../../stack/wire/message.ts';
import { readReason, reasonHeader } from '../../../stack/wire/responses.ts';
import type { HangUpReason, LegEnd, NegotiatedAudio, StoredDialog } from '../../../telephony.ts';
import { INFO_DIGITS_TYPE, InfoDigits } from '../../shared/info-digits.ts';
import type { LegMedia } from '../media/leg-media.ts';
import {
  type DrachtioDialog,
  type DrachtioRequest,
  type DrachtioResponse,
  sendRequest,
} from '../signalling/drachtio.ts';
import { readInDialog, writeHeaders } from '../signalling/raw-message.ts';
import type { LegDeps } from './leg-deps.ts';
import type { PeerRequests } from './peer-requests.ts';

interface EstablishedStart {
  dialog: DrachtioDialog;
  requests: PeerRequests;
  media: LegMedia;
  events: LegEvents;
  stored: StoredDialog;
  /** The audio that is in use; null while the ACK must come first. */
  audio: NegotiatedAudio | null;
  /** Of a call to us. */
  unacknowledged?: Unacknowledged;
  /** The leg has ended. */
  over(): void;
}

/** Our 2xx was sent, and its ACK has not arrived. */
interface Unacknowledged {
  /** The agreed audio, to be used from the ACK on; null: the ACK brings the answer to our offer. */
  agreed: NegotiatedAudio | null;
}

const SDP = { 'Content-Type': 'application/sdp' };

export class EstablishedLeg {
  readonly stored: StoredDialog;
  readonly #deps: Pick<LegDeps, 'drachtio' | 'log' | 'clock'>;
  readonly #start: EstablishedStart;
  readonly #dialog: DrachtioDialog;
  readonly #events: LegEvents;
  #audio: NegotiatedAudio | null;
  /** Our offer was sent in a 2xx: the ACK carries the answer. */
  #awaitsAnswer: boolean;
  #unacknowledged: Unacknowledged | null;
  #stopWaiting: () => void = () => {};
  readonly #infoDigits = new InfoDigits();
  #isOver = false;

  constructor(deps: Pick<LegDeps, 'drachtio' | 'log' | 'clock'>, start: EstablishedStart) {
    const { dialog, events, audio, stored } = start;
    this.stored = stored;
    this.#deps = deps;
    this.#start = start;
    this.#dialog = dialog;
    this.#events = events;
    this.#audio = audio;
    this.#unacknowledged = start.unacknowledged ?? null;
    this.#awaitsAnswer = this.#unacknowledged?.agreed === null;
    if (this.#unacknowledged !== null) this.#stopWaiting = deps.clock.after(FIRST_ACK_MS, () => this.giveUp());
    start.requests.listen({
      acknowledged: (ack) => this.#acknowledged(ack),
      offered: (request, response) => this.#offered(request, response),
      info: (request, response) => this.#receiveInfo(request, response),
      notified: (request, response) => this.#receiveNotify(request, response),
      referred: (request, response) => this.#receiveRefer(request, response),
      ended: (bye) => this.#ended(bye),
    });
  }

  get awaitsAck(): boolean {
    return this.#unacknowledged !== null;
  }

  giveUp(): void {
    this.fail('no ACK');
  }

  hangUp(reason: HangUpReason = {}): void {
    const headers = reason.q850Cause === undefined ? [] : [reasonHeader(reason.q850Cause, reason.text)];
    this.#close('local', reason.text ?? 'hung up', writeHeaders(headers));
  }

  /** Ends the call because of a failure. */
  fail(reason: string, by: LegEnd['by'] = 'network'): void {
    this.#close(by, reason, {});
  }

  /** The connection to drachtio is lost: nothing can be sent. */
  linkLost(): void {
    this.#over({ by: 'server', sipStatus: null, q850Cause: null, reason: 'connection to drachtio lost', rang: true });
  }

  #close(by: LegEnd['by'], reason: string, headers: Record<string, string | string[]>): void {
    if (this.#isOver) return;
    this.#dialog.destroy({ headers }).catch(() => {});
    this.#over({ by, sipStatus: null, q850Cause: null, reason, rang: true });
  }

  #over(end: LegEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopWaiting();
    this.#start.media.close();
    this.#events.end(end);
    this.#start.over();
  }

  #ended(bye: DrachtioRequest): void {
    const { cause, text } = readReason(headerValues(readInDialog(bye), 'reason'));
    // drachtio itself ends a call whose ACK or session refresh is missing.
    const by = bye.stackTxnId === 'unsolicited' ? 'network' : 'remote';
    // A BYE shows, as the ACK does, that the peer has our 2xx; drachtio-srf tells of an ACK a moment later.
    if (by === 'remote') this.#proven();
    this.#over({ by, sipStatus: null, q850Cause: cause, reason: text ?? 'BYE', rang: true });
  }

  #agreed(audio: NegotiatedAudio): void {
    if (this.#isOver) return;
    if (this.#audio === null) this.#events.emit({ type: 'answered', audio });
    else if (!sameAudio(this.#audio, audio)) this.#events.emit({ type: 'audio-changed', audio });
    this.#audio = audio;
  }

  /** The peer has received our 2xx. */
  #proven(): void {
    this.#stopWaiting();
    const agreed = this.#unacknowledged?.agreed ?? null;
    this.#unacknowledged = null;
    if (agreed !== null) this.#agreed(agreed);
  }

  #acknowledged(ack: DrachtioRequest): void {
    this.#proven();
    if (!this.#awaitsAnswer) return;
    this.#awaitsAnswer = false;
    this.#start.media.accept(ack.body).then(
      (audio) => {
        if (audio !== null) this.#agreed(audio);
        else if (this.#audio === null) this.fail('no common codec');
      },
      (error: unknown) => this.fail(messageOf(error)),
    );
  }

  /** re-INVITE or UPDATE. */
  #offered(request: DrachtioRequest, response: DrachtioResponse): void {
    // An ACK that drachtio-srf tells of later must not bring the former audio back.
    this.#proven();
    this.#answerTo(request, response).catch((error: unknown) => {
      this.#deps.log.warn({ sipCallId: this.#dialog.sip.callId, error: messageOf(error) }, 'could not answer an offer');
      if (!response.finalResponseSent) response.send(500);
    });
  }

  async #answerTo(request: DrachtioRequest, response: DrachtioResponse): Promise<void> {
    const { media } = this.#start;
    const headers = { Contact: this.#dialog.local.contact };
    if (request.body === '') {
      if (request.method === 'UPDATE') return response.send(200, { headers });
      const body = await media.offer();
      this.#awaitsAnswer = true;
      return response.send(200, { headers: { ...headers, ...SDP }, body });
    }
    const agreed = await media.answer(request.body);
    if (agreed === null) return response.send(488);
    response.send(200, { headers: { ...headers, ...SDP }, body: agreed.sdp });
    this.#agreed(agreed.audio);
  }

  #receiveInfo(request: DrachtioRequest, response: DrachtioResponse): void {
    const message = readInDialog(request);
    const digit = readInfoDigit(message);
    if (digit === null && message.body.length > 0) {
      return response.send(415, { headers: { Accept: 'application/dtmf-relay, application/dtmf' } });
    }
    response.send(200);
    if (digit) this.#events.emit({ type: 'digit', ...digit });
  }

  #receiveNotify(request: DrachtioRequest, response: DrachtioResponse): void {
    const progress = readReferProgress(readInDialog(request));
    if (progress === null) return response.send(489, { headers: { 'Allow-Events': 'refer' } });
    response.send(200);
    this.#events.emit({ type: 'refer-progress', ...progress });
  }

  /** The person on this leg hands the call on. Its one NOTIFY ends the subscription: the call is no longer theirs. */
  #receiveRefer(request: DrachtioRequest, response: DrachtioResponse): void {
    const target = readReferTo(readInDialog(request));
    const contact = this.#dialog.local.contact;
    let isAccepted = false;
    const accept = (): void => {
      isAccepted = true;
      response.send(202, { headers: { Contact: contact } });
      this.#request('NOTIFY', { ...REFER_TAKEN.headers, Contact: contact }, REFER_TAKEN.body).catch(() => {});
    };
    if (target !== null) this.#events.emit({ type: 'refer-asked', target, accept });
    if (!isAccepted) response.send(603);
  }

  refer(target: string): void {
    const uri = referTarget(target, this.#asDialog());
    const progress = (status: number, reason: string) => this.#events.emit({ type: 'refer-progress', status, reason });
    if (uri === null) return progress(484, 'no such target');
    const contact = this.#dialog.local.contact;
    this.#request('REFER', { 'Refer-To': `<${uri}>`, 'Referred-By': contact, Contact: contact }).then(
      ({ status, reason }) => progress(status < 300 ? 100 : status, status < 300 ? 'Accepted' : reason),
      () => progress(408, 'no answer to REFER'),
    );
  }

  #asDialog(): Dialog {
    const { callId, localUri, localTag, remoteUri, remoteTag, remoteTarget, routeSet, localCSeq } = this.stored;
    const unknown = { display: null, uri: { scheme: 'other', name: '', text: '' } as const, params: [] };
    return {
      ...{ callId, localTag, remoteTag, remoteTarget, routeSet, localCSeq, remoteCSeq: null },
      local: parseNameAddr(localUri) ?? unknown,
      remote: parseNameAddr(remoteUri) ?? unknown,
    };
  }

  sendInfoDigits(digits: string): void {
    if (this.#infoDigits.add(digits)) void this.#sendInfo();
  }

  async #sendInfo(): Promise<void> {
    for (let body = this.#infoDigits.body; body !== null && !this.#isOver; body = this.#infoDigits.body) {
      await this.#request('INFO', { 'Content-Type': INFO_DIGITS_TYPE }, body).catch(() => {});
      this.#infoDigits.sent();
    }
  }

  /** RFC 3261 12.2.1.2: a 408 or 481 inside the dialog ends it. */
  async #request(method: string, headers: Record<string, string>, body?: string): Promise<DrachtioResponse> {
    const { id: stackDialogId, auth } = this.#dialog;
    const more = { ...(body === undefined ? {} : { body }), ...(auth === undefined ? {} : { auth }) };
    const options = { method, stackDialogId, headers, ...more };
    const response = await sendRequest(this.#deps.drachtio, 'sip:placeholder', options, (offer, answer) =>
      this.#offered(offer, answer),
    );
    if (response.status === 408 || response.status === 481) this.fail(`peer answered ${response.status}`);
    return response;
  }
}
