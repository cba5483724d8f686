// Maintains the session of an answered call: later offers and answers of either side (re-INVITE, UPDATE, hold, glare),
// 2xx responses that wait for their ACK, and the session timer.
import { randomInt } from 'node:crypto';
import { refreshTarget } from '../../dialog/dialog.ts';
import {
  type AudioSession,
  answerOffer,
  makeOffer,
  mediaWarning,
  offerFault,
  sameAudio,
  takeAnswer,
} from '../../dialog/offer-answer.ts';
import {
  decideAsClient,
  decideAsServer,
  expiryDelayMs,
  MIN_SESSION_SECONDS,
  offerTimer,
  readMinSe,
  refreshDelayMs,
  type SessionPlan,
} from '../../dialog/session-timer.ts';
import { FIRST_ACK_MS } from '../../dialog/unproven-invites.ts';
import { AcceptedInvite } from '../../stack/transaction/accepted-invite.ts';
import { isSdp, refuse } from '../../stack/transaction/request-checks.ts';
import {
  type IncomingRequest,
  type IncomingResponse,
  makeResponse,
  type ServerTransaction,
} from '../../stack/transaction/transaction-layer.ts';
import { type Header, header, type SipResponse, tokens } from '../../stack/wire/message.ts';
import {
  ACCEPT_HEADER,
  OWN_ALLOW_HEADER,
  OWN_SUPPORTED_HEADER,
  phraseOf,
  SDP_HEADER,
} from '../../stack/wire/responses.ts';
import type { LocalAudio, NegotiatedAudio } from '../../telephony.ts';
import type { DialogRequests, RequestOutcome } from './dialog-requests.ts';
import type { DialogOwner, UserAgentCore } from './user-agent-core.ts';

export interface UpkeepStart {
  role: 'uac' | 'uas';
  audio: AudioSession;
  plan: SessionPlan | null;
  /** Methods of the peer's Allow header. */
  peerAllows: readonly string[];
  /** Another process has announced the audio, and the session's interval began that long ago. */
  resumedAfterMs?: number;
}

/** The state from which another process goes on: the start of its upkeep. */
export type UpkeepState = Omit<UpkeepStart, 'role'> & { resumedAfterMs: number };

interface UpkeepUser {
  /** False once the call is ending: no new request is started then. */
  active(): boolean;
  audio(audio: NegotiatedAudio): void;
  /** The session cannot go on. */
  lost(reason: string): void;
  /** The 2xx has its ACK, or will never get it. */
  settled(acknowledged: boolean): void;
}

/** Versions of our session (RFC 4566 5.2) that the engine of another machine may have sent since it described it. */
const VERSION_RESERVE = 16;
/** More than the networks of any trunk plus the addresses that a phone moves between in a call. */
const MAX_SOURCES = 100;

export class SessionUpkeep {
  readonly #core: UserAgentCore;
  readonly #owner: DialogOwner;
  readonly #requests: DialogRequests;
  readonly #user: UpkeepUser;
  readonly #role: 'uac' | 'uas';
  #audio: AudioSession;
  #plan: SessionPlan | null;
  #peerAllows: readonly string[];
  #announced: NegotiatedAudio | null;
  #armedAtMs: number;
  #accepted: AcceptedInvite | null = null;
  #awaitsAnswer = false;
  /** The audio is held back until the ACK of our answer. */
  #isWithheld = false;
  /** A re-INVITE or UPDATE of ours has no final response yet, or waits for its retry. */
  #pending = false;
  #wantedRefresh = false;
  /** The peer does not know yet that our audio is on another machine. */
  #isMoving = false;
  #minSeconds = MIN_SESSION_SECONDS;
  #stopSession: () => void = () => {};
  #stopRetry: () => void = () => {};

  constructor(core: UserAgentCore, owner: DialogOwner, requests: DialogRequests, start: UpkeepStart, user: UpkeepUser) {
    this.#core = core;
    this.#owner = owner;
    this.#requests = requests;
    this.#role = start.role;
    this.#audio = start.audio;
    this.#plan = start.plan;
    this.#peerAllows = start.peerAllows;
    this.#user = user;
    this.#announced = start.resumedAfterMs === undefined ? null : start.audio.agreed;
    this.#armedAtMs = core.clock.monotonicMs() - (start.resumedAfterMs ?? 0);
  }

  /** Null until both sides have agreed. */
  get state(): UpkeepState | null {
    if (this.#announced === null || this.#awaitsAnswer) return null;
    const resumedAfterMs = this.#core.clock.monotonicMs() - this.#armedAtMs;
    return { audio: this.#audio, plan: this.#plan, peerAllows: this.#peerAllows, resumedAfterMs };
  }

  /**
   * Starts the timer, and announces the audio that is already agreed. For an inbound call over UDP the audio waits for
   * the ACK: with a forged source, an INVITE could otherwise make us send 50 packets a second to the address in its
   * SDP.
   */
  begin(): void {
    this.#armSession(this.#core.clock.monotonicMs() - this.#armedAtMs);
    this.#isWithheld = this.#accepted !== null && this.#requests.isOverUdp;
    if (this.#audio.agreed && !this.#awaitsAnswer && !this.#isWithheld) this.#announce(this.#audio.agreed);
  }

  get awaitsAck(): boolean {
    return this.#accepted !== null;
  }

  stop(): void {
    this.#stopSession();
    this.#stopRetry();
  }

  /** Stops waiting for an ACK: the peer has sent BYE. */
  forgetAccepted(): void {
    this.#accepted?.stop();
    this.#accepted = null;
  }

  #announce(audio: NegotiatedAudio): void {
    if (this.#announced && sameAudio(this.#announced, audio)) return;
    this.#announced = audio;
    this.#user.audio(audio);
  }

  #adopt(session: AudioSession, audio: NegotiatedAudio): void {
    this.#audio = session;
    this.#announce(audio);
  }

  #after(delayMs: number, fire: () => void): () => void {
    return this.#core.clock.after(delayMs, () => this.#core.guard(this.#owner, fire));
  }

  /** Repeats a 2xx until its ACK. `lateOffer`: it carries our offer, and the ACK the answer. */
  accept(transaction: ServerTransaction, response: SipResponse, lateOffer: boolean): void {
    this.#awaitsAnswer = lateOffer;
    const expired = (): void =>
      this.#core.guard(this.#owner, () => {
        this.#accepted = null;
        this.#user.settled(false);
      });
    const giveUpMs = this.#announced === null ? FIRST_ACK_MS : undefined;
    this.#accepted = new AcceptedInvite(this.#core.clock, transaction, response, expired, giveUpMs);
  }

  receiveAck(request: IncomingRequest): void {
    if (!this.#accepted || this.#accepted.number !== request.parts.cseq.number) return;
    this.forgetAccepted();
    if (this.#awaitsAnswer) {
      this.#awaitsAnswer = false;
      const body = isSdp(request.message) ? request.message.body.toString('utf8') : '';
      const taken = takeAnswer(this.#audio, body);
      if (taken) this.#adopt(taken.session, taken.audio);
      else this.#user.lost('no usable answer in ACK');
    } else if (this.#isWithheld && this.#audio.agreed) this.#announce(this.#audio.agreed);
    this.#isWithheld = false;
    this.#user.settled(true);
    this.#pump();
  }

  #response(transaction: ServerTransaction, headers: Header[], body: string): SipResponse {
    const base = makeResponse(transaction.request, 200, phraseOf(200));
    const { contact } = this.#requests;
    const all = [...base.headers, contact, OWN_ALLOW_HEADER, OWN_SUPPORTED_HEADER, ...headers];
    return { ...base, headers: all, body: Buffer.from(body) };
  }

  /** False if the offer was refused because of its timing or body (RFC 3261 14.2, RFC 3311 5.2). */
  #mayOffer(transaction: ServerTransaction, invite: boolean, offers: boolean): boolean {
    const { message } = transaction.request;
    if (this.#pending && (invite || offers)) refuse(transaction, 491);
    else if (this.#accepted && (invite || offers)) {
      refuse(transaction, 500, [{ name: 'retry-after', value: String(randomInt(1, 10)) }]);
    } else if (offers && !isSdp(message)) refuse(transaction, 415, [ACCEPT_HEADER]);
    else return true;
    return false;
  }

  /** The peer's re-INVITE or UPDATE, with or without an offer. */
  receiveOffer(transaction: ServerTransaction): void {
    const { message, parts, flow } = transaction.request;
    const invite = message.method === 'INVITE';
    const offers = message.body.length > 0;
    if (!this.#mayOffer(transaction, invite, offers)) return;
    const timer = decideAsServer(message);
    if (timer.type === 'too-small') {
      refuse(transaction, 422, [{ name: 'min-se', value: String(MIN_SESSION_SECONDS) }]);
      return;
    }
    // A phone may have moved to another network.
    const sources = [...new Set([flow.remote.address, ...this.#audio.sources])].slice(0, MAX_SOURCES);
    const session = { ...this.#audio, sources };
    const answered = offers ? answerOffer(session, message.body.toString('utf8')) : null;
    if (offers && !answered) {
      // T.38 and the like: refused, and the call goes on unchanged.
      refuse(transaction, 488, mediaWarning(offerFault(session, message.body.toString('utf8'))));
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
    const response = this.#response(transaction, [...timer.headers, ...(sdp === null ? [] : [SDP_HEADER])], sdp ?? '');
    this.#plan = timer.plan;
    this.#armSession();
    if (invite) this.accept(transaction, response, !offers);
    else transaction.respond(response);
    if (answered) this.#adopt(answered.session, answered.audio);
  }

  #learnAllow(message: { headers: readonly Header[] }): void {
    if (header(message, 'allow') !== undefined) this.#peerAllows = tokens(message, 'allow', false);
  }

  /** Sends the refresh that is due, unless another offer is in progress (RFC 3261 14.1). */
  #pump(): void {
    if (!this.#user.active() || this.#pending || this.#accepted) return;
    if (!this.#wantedRefresh && !this.#isMoving) return;
    if (!this.#isMoving && this.#peerAllows.includes('UPDATE')) this.#sendUpdate();
    else this.#sendOffer();
  }

  /** Refreshes the session before its time. */
  refresh(): void {
    this.#wantedRefresh = true;
    this.#pump();
  }

  /**
   * Our audio is at `local` from now on, with new keys, as the other machine's streams cannot be gone on with. Without
   * the peer's consent the session is lost.
   */
  move(local: LocalAudio): void {
    this.#announced = null;
    this.#audio = { ...this.#audio, local, localKeySalt: null, version: this.#audio.version + VERSION_RESERVE };
    this.#isMoving = true;
    this.#pump();
  }

  #refreshHeaders(): Header[] {
    const { contact } = this.#requests;
    return [contact, OWN_ALLOW_HEADER, OWN_SUPPORTED_HEADER, ...offerTimer(this.#plan, this.#minSeconds)];
  }

  #sendUpdate(): void {
    this.#pending = true;
    this.#requests.send('UPDATE', { headers: this.#refreshHeaders(), done: (outcome) => this.#settle(outcome, null) });
  }

  #sendOffer(): void {
    this.#pending = true;
    const made = makeOffer(this.#audio);
    this.#requests.send('INVITE', {
      headers: [...this.#refreshHeaders(), SDP_HEADER],
      body: Buffer.from(made.sdp),
      done: (outcome) => this.#settle(outcome, made.session),
    });
  }

  /** The outcome of our re-INVITE (`offered`: its session) or UPDATE. */
  #settle(outcome: RequestOutcome, offered: AudioSession | null): void {
    this.#pending = false;
    if (outcome.type === 'failed') {
      this.#user.lost(outcome.cause === 'timeout' ? 'peer does not answer' : 'peer cannot be reached');
      return;
    }
    const { message } = outcome.response;
    if (message.status >= 300) {
      if (this.#user.active()) this.#refused(outcome.response, offered !== null);
      return;
    }
    this.#requests.update(refreshTarget(this.#requests.dialog, outcome.response.parts.contacts));
    if (offered) this.#requests.acknowledge(outcome.sent);
    if (!this.#user.active()) return;
    this.#learnAllow(message);
    this.#wantedRefresh = false;
    this.#plan = decideAsClient(message);
    this.#armSession();
    const taken = offered && isSdp(message) ? takeAnswer(offered, message.body.toString('utf8')) : null;
    if (!taken && this.#isMoving) return this.#user.lost('no usable answer');
    this.#isMoving = false;
    if (taken) this.#adopt(taken.session, taken.audio);
    this.#pump();
  }

  /** Our offer or refresh was refused: the session is unchanged (RFC 3261 14.1). */
  #refused({ message }: IncomingResponse, offer: boolean): void {
    const { status } = message;
    const retryAfter = header(message, 'retry-after');
    if (status === 408 || status === 481) this.#user.lost(`peer answered ${status}`);
    else if (status === 491) {
      // RFC 3261 14.1: the owner of the Call-ID waits longer, so that the two do not collide again.
      this.#retryAfter(this.#role === 'uac' ? randomInt(210, 401) * 10 : randomInt(0, 201) * 10);
    } else if (status === 422 && readMinSe(message) > this.#minSeconds) {
      this.#minSeconds = readMinSe(message);
      this.#pump();
    } else if (status === 500 && retryAfter !== undefined) {
      const seconds = Number(/^\d{1,4}/.exec(retryAfter)?.[0] ?? 5);
      this.#retryAfter(Math.min(Math.max(seconds, 1), 32) * 1_000);
    } else if (!offer && (status === 405 || status === 501)) {
      // The peer does not support UPDATE: use re-INVITE.
      this.#peerAllows = this.#peerAllows.filter((method) => method !== 'UPDATE');
      this.#pump();
    } else if (this.#isMoving) this.#user.lost(`peer answered ${status}`);
    else this.#wantedRefresh = false;
  }

  #retryAfter(delayMs: number): void {
    this.#pending = true;
    this.#stopRetry = this.#after(delayMs, () => {
      this.#pending = false;
      this.#pump();
    });
  }

  /** `elapsedMs`: so much of the interval has passed. */
  #armSession(elapsedMs = 0): void {
    this.#stopSession();
    this.#armedAtMs = this.#core.clock.monotonicMs() - elapsedMs;
    const plan = this.#plan;
    if (!plan || !this.#user.active()) return;
    const left = (delayMs: number): number => Math.max(0, delayMs - elapsedMs);
    const stopExpiry = this.#after(left(expiryDelayMs(plan)), () => this.#user.lost('session expired'));
    const refreshMs = left(refreshDelayMs(plan));
    const stopRefresh = plan.refresher === 'local' ? this.#after(refreshMs, () => this.refresh()) : () => {};
    this.#stopSession = () => {
      stopExpiry();
      stopRefresh();
    };
  }
}
