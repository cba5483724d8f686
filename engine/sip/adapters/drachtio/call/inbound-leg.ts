// An inbound INVITE until its answer; an EstablishedLeg then takes over.

import { messageOf } from '../../../../../db/domain/unexpected.ts';
import { MAX_RING_MS } from '../../../dialog/dial-route.ts';
import { LegEvents } from '../../../dialog/leg-events.ts';
import type { IncomingRequest } from '../../../stack/transaction/transaction-layer.ts';
import { tagOf } from '../../../stack/wire/header.ts';
import type { Header } from '../../../stack/wire/message.ts';
import { MAX_REASON_CHARS, plainHeaderText } from '../../../stack/wire/plain-text.ts';
import { phraseOf, readReason, reasonHeader } from '../../../stack/wire/responses.ts';
import type {
  Caller,
  HangUpReason,
  InboundLeg,
  InviteReading,
  LegEnd,
  LegEvent,
  LocalAudio,
  NegotiatedAudio,
  StoredDialog,
} from '../../../telephony.ts';
import type { Agreed, LegMedia, MediaTerms } from '../media/leg-media.ts';
import type { DrachtioRequest, DrachtioResponse } from '../signalling/drachtio.ts';
import { writeHeaders } from '../signalling/raw-message.ts';
import { answerEarlyUpdate, type EarlyUpdate, tagsOf } from './early-updates.ts';
import { EstablishedLeg } from './established-leg.ts';
import type { LegDeps, LinkedLeg } from './leg-deps.ts';
import { type OpenDialog, openDialog } from './peer-requests.ts';
import { confirmedDialog } from './stored-dialog.ts';

interface InboundStart {
  request: DrachtioRequest;
  response: DrachtioResponse;
  incoming: IncomingRequest;
  called: string;
  caller: Caller;
  divertedFrom: string[];
  otherwise: InboundLeg['otherwise'];
  reading: InviteReading;
  trunkId: string | null;
  sipAccountId: string | null;
  sampleRateHz: 8_000 | 16_000;
  terms: MediaTerms;
  /** Headers of the 2xx: the session timer. */
  headers: readonly Header[];
}

type Phase =
  | { name: 'early' }
  /** The 2xx is being made or sent; the actions in `next` run afterwards. */
  | { name: 'answering'; isEnding: boolean; next: Array<(leg: EstablishedLeg) => void> }
  | { name: 'established'; leg: EstablishedLeg }
  | { name: 'over' };

const SDP = { 'Content-Type': 'application/sdp' };

export class DrachtioInboundLeg implements InboundLeg, LinkedLeg {
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
  readonly #deps: LegDeps;
  readonly #start: InboundStart;
  readonly #events: LegEvents;
  #phase: Phase = { name: 'early' };
  #media: LegMedia | null = null;
  /** The answer to the caller's offer, once early media has asked for it. */
  #early: Promise<Agreed | null> | null = null;
  /** The caller's side has moved it since. */
  #moved: NegotiatedAudio | null = null;
  #rang = false;
  #stopRinging: () => void;

  constructor(deps: LegDeps, start: InboundStart) {
    this.#deps = deps;
    this.#start = start;
    this.called = start.called;
    this.caller = start.caller;
    this.divertedFrom = start.divertedFrom;
    this.otherwise = start.otherwise;
    this.reading = start.reading;
    this.trunkId = start.trunkId;
    this.sipAccountId = start.sipAccountId;
    this.sampleRateHz = start.sampleRateHz;
    this.remoteAddress = start.incoming.flow.remote.address;
    this.sipCallId = plainHeaderText(start.incoming.parts.callId, MAX_REASON_CHARS);
    this.#events = new LegEvents((error) => {
      deps.log.error({ err: error, sipCallId: this.sipCallId }, 'leg listener failed');
      this.abandon();
    });
    this.#stopRinging = deps.clock.after(MAX_RING_MS, () => this.reject(480, { reason: 'not answered' }));
    start.request.on('cancel', (cancel) => this.#cancelled(cancel.raw));
    start.request.on('update', (request, response) => {
      this.#updated({ request, response }).catch((error: unknown) => {
        deps.log.warn({ sipCallId: this.sipCallId, error: messageOf(error) }, 'could not answer an UPDATE');
        if (!response.finalResponseSent) response.send(500);
      });
    });
    deps.add(this);
  }

  onEvent(listener: (event: LegEvent) => void): void {
    this.#events.listen(listener);
  }

  ring(earlyAudio?: LocalAudio): void {
    if (this.#phase.name !== 'early') return;
    this.#rang = true;
    if (earlyAudio === undefined || this.#offer === null) return this.#start.response.send(180);
    this.#agree(earlyAudio, this.#offer).then(
      (agreed) => {
        if (this.#phase.name !== 'early') return;
        if (agreed === null) return this.#start.response.send(180);
        this.#start.response.send(183, { headers: SDP, body: agreed.sdp });
        this.#events.emit({ type: 'audio-changed', audio: agreed.audio });
      },
      (error: unknown) => this.#failed(error),
    );
  }

  get #offer(): string | null {
    // Of a body with several parts only the SDP.
    const { body } = this.#start.incoming.message;
    return body.length === 0 ? null : body.toString('utf8');
  }

  #openMedia(audio: LocalAudio): LegMedia {
    this.#media ??= this.#deps.media.open(audio, this.#start.terms, {
      lost: (reason, by) => this.#mediaLost(reason, by),
      digit: (digit, durationMs) => this.#events.emit({ type: 'digit', digit, durationMs }),
    });
    return this.#media;
  }

  /** Negotiates once: the 2xx repeats what early media agreed on. */
  #agree(audio: LocalAudio, offer: string): Promise<Agreed | null> {
    this.#early ??= this.#openMedia(audio).answer(offer);
    return this.#early;
  }

  /** The caller's side moves its audio while the call rings here. */
  async #updated(update: EarlyUpdate): Promise<void> {
    const { incoming } = this.#start;
    if (this.#phase.name === 'over' || tagsOf(update).from !== tagOf(incoming.parts.from))
      return update.response.send(481);
    const isAgreed = this.#phase.name === 'early' && this.#early !== null && (await this.#early) !== null;
    const contact = this.#deps.contact(incoming.flow);
    const audio = await answerEarlyUpdate(update, { media: isAgreed ? this.#media : null, pending: 500, contact });
    if (audio === null) return;
    this.#moved = audio;
    this.#events.emit({ type: 'audio-changed', audio });
  }

  answer(audio: LocalAudio): void {
    if (this.#phase.name !== 'early') return;
    this.#phase = { name: 'answering', isEnding: false, next: [] };
    this.#stopRinging();
    this.#accept(audio).catch((error: unknown) => this.#failed(error));
  }

  async #accept(audio: LocalAudio): Promise<void> {
    const { drachtio } = this.#deps;
    const { request, response, incoming, headers } = this.#start;
    const offer = this.#offer;
    const agreed = offer === null ? null : await this.#agree(audio, offer);
    if (offer !== null && agreed === null) return this.#refuse(488, 'no common codec');
    const localSdp = agreed?.sdp ?? (await this.#openMedia(audio).offer());
    if (this.#phase.name !== 'answering') return;
    if (this.#phase.isEnding) return this.#refuse(480, 'hung up');
    const options = { localSdp, headers: writeHeaders(headers) };
    const sent = openDialog((done) => drachtio.createUAS(request, response, options, done));
    // With a forged source, an INVITE over UDP could otherwise make us send audio to the address in its SDP.
    const isProven = incoming.flow.protocol !== 'udp';
    if (agreed !== null && isProven) this.#events.emit({ type: 'answered', audio: this.#moved ?? agreed.audio });
    let open: OpenDialog;
    try {
      open = await sent;
    } catch (error) {
      if (typeof error === 'string') return this.#notSent(error);
      throw error;
    }
    this.#established(open, this.#moved ?? agreed?.audio ?? null, isProven);
  }

  /** drachtio could not send our 200: a CANCEL had reached it, or the caller's connection is gone. */
  #notSent(reason: string): void {
    if (reason.includes('unknown transaction')) this.#finish('remote', 487, 'cancelled');
    else this.#finish('network', null, reason);
  }

  #established({ dialog, requests }: OpenDialog, agreed: NegotiatedAudio | null, isProven: boolean): void {
    if (this.#phase.name !== 'answering' || this.#media === null) {
      dialog.destroy().catch(() => {});
      return;
    }
    const { next } = this.#phase;
    const { incoming, trunkId } = this.#start;
    const stored = confirmedDialog(dialog, 'uas', incoming.message, incoming.flow, trunkId);
    const leg = new EstablishedLeg(this.#deps, {
      dialog,
      requests,
      media: this.#media,
      events: this.#events,
      stored,
      audio: isProven ? agreed : null,
      unacknowledged: { agreed },
      over: () => this.#release(),
    });
    this.#phase = { name: 'established', leg };
    this.#events.emit({ type: 'dialog-stored', dialog: stored });
    for (const action of next) action(leg);
  }

  /** For the intake; the call's owner uses `onEvent`. */
  watch(observer: (event: LegEvent) => void): void {
    this.#events.watch(observer);
  }

  get awaitsAck(): boolean {
    return this.#phase.name === 'established' && this.#phase.leg.awaitsAck;
  }

  giveUp(): void {
    if (this.#phase.name === 'established') this.#phase.leg.giveUp();
  }

  #failed(error: unknown): void {
    if (this.#phase.name === 'over') return;
    this.#deps.log.warn({ sipCallId: this.sipCallId, error: messageOf(error) }, 'could not answer an INVITE');
    this.#refuse(503, messageOf(error), [], 'server');
  }

  #mediaLost(reason: string, by: LegEnd['by']): void {
    if (this.#phase.name === 'established') this.#phase.leg.fail(reason, by);
    else this.#refuse(503, reason, [], by);
  }

  reject(sipStatus: number, options: { retryAfterSeconds?: number; reason?: string } = {}): void {
    if (this.#phase.name !== 'early') return;
    const { retryAfterSeconds, reason } = options;
    const retry = retryAfterSeconds === undefined ? [] : [Math.max(1, Math.ceil(retryAfterSeconds))];
    const headers = retry.map((seconds) => ({ name: 'retry-after', value: String(seconds) }));
    this.#refuse(sipStatus, reason ?? phraseOf(sipStatus), headers);
  }

  #refuse(status: number, reason: string, headers: readonly Header[] = [], by: LegEnd['by'] = 'local'): void {
    if (this.#phase.name === 'established' || this.#phase.name === 'over') return;
    const final = status >= 300 && status <= 699 ? status : 480;
    this.#send(final, headers);
    this.#finish(by, final, reason);
  }

  #send(status: number, headers: readonly Header[] = []): void {
    try {
      this.#start.response.send(status, { headers: writeHeaders(headers) });
    } catch {
      // drachtio is disconnected and has forgotten the INVITE.
    }
  }

  #cancelled(raw: string): void {
    // A CANCEL that crosses the 200 has no effect (RFC 3261 9.2); the caller will send BYE.
    if (this.#phase.name === 'established' || this.#phase.name === 'over') return;
    const reasons = [...raw.matchAll(/^Reason:\s*(.*)$/gim)].map(([, value]) => value?.trim() ?? '');
    const { cause, text } = readReason(reasons);
    this.#send(487);
    this.#finish('remote', 487, text ?? 'cancelled', cause);
  }

  #finish(by: LegEnd['by'], sipStatus: number | null, reason: string, q850Cause: number | null = null): void {
    if (this.#phase.name === 'over') return;
    this.#phase = { name: 'over' };
    this.#stopRinging();
    this.#media?.close();
    this.#events.end({ by, sipStatus, q850Cause, reason, rang: this.#rang });
    this.#release();
  }

  #release(): void {
    this.#phase = { name: 'over' };
    this.#deps.remove(this);
  }

  hangUp(reason: HangUpReason = {}): void {
    if (this.#phase.name === 'answering') this.#phase.isEnding = true;
    if (this.#whenEstablished((leg) => leg.hangUp(reason))) return;
    if (this.#phase.name === 'early') {
      const headers = reason.q850Cause === undefined ? [] : [reasonHeader(reason.q850Cause, reason.text)];
      this.#refuse(reason.sipStatus ?? 480, reason.text ?? 'hung up', headers);
    }
  }

  refer(target: string): void {
    if (this.#whenEstablished((leg) => leg.refer(target))) return;
    this.#events.emit({ type: 'refer-progress', status: 481, reason: 'not answered' });
  }

  sendInfoDigits(digits: string): void {
    this.#whenEstablished((leg) => leg.sendInfoDigits(digits));
  }

  /** False before the answer and after the end. */
  #whenEstablished(action: (leg: EstablishedLeg) => void): boolean {
    if (this.#phase.name === 'established') action(this.#phase.leg);
    else if (this.#phase.name === 'answering') this.#phase.next.push(action);
    else return false;
    return true;
  }

  linkLost(): StoredDialog | null {
    if (this.#phase.name === 'established') {
      const { leg } = this.#phase;
      leg.linkLost();
      return leg.stored;
    }
    this.#finish('server', null, 'connection to drachtio lost');
    return null;
  }

  abandon(): void {
    if (this.#phase.name === 'established') this.#phase.leg.fail('internal error');
    else this.#refuse(500, 'internal error');
  }
}
