// One outbound INVITE to one destination: retries for digest and session timer, early dialogs of a forking proxy, and
// the race of CANCEL with the answer. It has one result; forks that answer too late get ACK and BYE.

import type { AttemptFailure, AttemptRoute } from '../../dialog/dial-route.ts';
import { type Dialog, dialogOfResponse, requestIn } from '../../dialog/dialog.ts';
import { type AudioSession, makeOffer, takeAnswer } from '../../dialog/offer-answer.ts';
import { MIN_SESSION_SECONDS, offerTimer, readMinSe } from '../../dialog/session-timer.ts';
import type { Destination } from '../../stack/network/transport-layer.ts';
import { isSdp } from '../../stack/transaction/request-checks.ts';
import {
  type ClientTransaction,
  type FailureCause,
  type IncomingResponse,
  MAX_DATAGRAM_REQUEST_BYTES,
  type ServerTransaction,
} from '../../stack/transaction/transaction-layer.ts';
import type { DigestClient } from '../../stack/wire/digest.ts';
import { tagOf, type Via, writeVia } from '../../stack/wire/header.ts';
import { type Header, headerValues, type SipRequest, writeMessage } from '../../stack/wire/message.ts';
import {
  OWN_ALLOW_HEADER,
  OWN_SUPPORTED_HEADER,
  readReason,
  reasonOf,
  SDP_HEADER,
} from '../../stack/wire/responses.ts';
import type { NegotiatedAudio, StoredDialog } from '../../telephony.ts';
import type { AttemptStart, AttemptState } from './attempt-state.ts';
import { DialogRequests, storedDialog } from './dialog-requests.ts';
import { answerEarlyUpdate } from './early-offers.ts';
import { EarlyDialogs } from './reliable-provisionals.ts';
import type { DialogOwner, UserAgentCore } from './user-agent-core.ts';

export interface AttemptAnswer {
  dialog: Dialog;
  destination: Destination;
  session: AudioSession;
  invite: SipRequest;
  response: IncomingResponse;
  digest: DigestClient;
}

interface AttemptUser {
  stored(dialog: StoredDialog): void;
  /** Awaited before each INVITE. */
  durable(dialog: StoredDialog): Promise<void>;
  ringing(status: number, early: NegotiatedAudio | null): void;
  answered(answer: AttemptAnswer): void;
  failed(failure: AttemptFailure): void;
  /** Cancelled; no further callback. */
  gone(): void;
}

type Phase = 'preparing' | 'inviting' | 'answered' | 'over';

interface SentInvite {
  request: SipRequest;
  destination: Destination;
  via: Via;
  offered: AudioSession;
}

const MAX_CHALLENGES = 3;
const MAX_INTERVAL_RETRIES = 2;
// More answering forks than this are an attack.
const MAX_FORKS = 8;

export class InviteAttempt {
  readonly #core: UserAgentCore;
  readonly #owner: DialogOwner;
  readonly #route: AttemptRoute;
  readonly #user: AttemptUser;
  readonly #digest: DigestClient;
  #dialog: Dialog;
  #session: AudioSession;
  #destination: Destination;
  #phase: Phase = 'preparing';
  #sent: SentInvite | null = null;
  #sentAtMs = 0;
  #provisional = false;
  #cancelled: Header[] | null = null;
  #challenges = 0;
  #intervalRetries = 0;
  #minSeconds = MIN_SESSION_SECONDS;
  #answeredTag: string | null = null;
  /** Audio agreed in early dialogs, by To tag. */
  readonly #early = new Map<string, AudioSession>();
  /** Of those, dialogs whose audio the callee has changed since: a copy of its first answer is no news. */
  readonly #updated = new Set<string>();
  readonly #earlyDialogs: EarlyDialogs;
  readonly #forks = new Map<string, DialogRequests>();
  #transaction: ClientTransaction | null = null;

  constructor(core: UserAgentCore, owner: DialogOwner, route: AttemptRoute, start: AttemptStart, user: AttemptUser) {
    this.#core = core;
    this.#owner = owner;
    this.#earlyDialogs = new EarlyDialogs(core, owner);
    this.#route = route;
    this.#user = user;
    this.#destination = route.destination;
    this.#digest = start.digest;
    this.#session = start.session;
    this.#dialog = start.dialog;
  }

  /** Where the INVITE goes. */
  get address(): string {
    return this.#destination.remote.address;
  }

  start(): void {
    this.#invite();
  }

  /** Null unless the INVITE is out, unanswered and wanted. */
  get state(): AttemptState | null {
    const sent = this.#sent;
    if (sent === null || this.#phase !== 'inviting' || this.#cancelled) return null;
    const { body, ...request } = sent.request;
    return {
      route: this.#route,
      dialog: this.#dialog,
      session: sent.offered,
      invite: { request, body: body.toString('utf8'), destination: sent.destination, via: sent.via },
      sinceMs: this.#core.clock.monotonicMs() - this.#sentAtMs,
      provisional: this.#provisional,
      challenges: this.#challenges,
      intervalRetries: this.#intervalRetries,
      minSeconds: this.#minSeconds,
      early: [...this.#early],
      updated: [...this.#updated],
      earlyDialogs: this.#earlyDialogs.state,
      digest: this.#digest.state,
    };
  }

  /** How the INVITE that is out is cancelled by another process. */
  get stored(): StoredDialog | null {
    return this.#sent && this.#storedAs(this.#sent);
  }

  /** Goes on with the INVITE of another process, which described it `elapsedMs` ago. */
  resume(state: AttemptState, elapsedMs: number): void {
    const { request, body, destination, via } = state.invite;
    const sent = { request: { ...request, body: Buffer.from(body) }, destination, via, offered: state.session };
    this.#sent = sent;
    this.#phase = 'inviting';
    this.#provisional = state.provisional;
    this.#challenges = state.challenges;
    this.#intervalRetries = state.intervalRetries;
    this.#minSeconds = state.minSeconds;
    for (const [tag, session] of state.early) this.#early.set(tag, session);
    for (const tag of state.updated ?? []) this.#updated.add(tag);
    this.#earlyDialogs.restore(state.earlyDialogs ?? [], { ...this.#inDialog, destination, flow: null });
    const sinceMs = state.sinceMs + elapsedMs;
    this.#sentAtMs = this.#core.clock.monotonicMs() - sinceMs;
    const transaction = { via, isProceeding: state.provisional, elapsedMs: sinceMs };
    this.#transaction = this.#core.layer.resumeInvite(sent.request, destination, this.#listener(sent), transaction);
  }

  get #inDialog() {
    return { peer: this.#route.peer, digest: this.#digest };
  }

  #guard(callback: () => void): void {
    this.#core.guard(this.#owner, callback);
  }

  /** Builds the next INVITE, waits until it is stored, and sends it. */
  #invite(): void {
    this.#phase = 'preparing';
    const made = makeOffer(this.#session);
    this.#session = made.session;
    const contact = { name: 'contact', value: this.#core.contact(this.#destination) };
    const headers = [
      contact,
      OWN_ALLOW_HEADER,
      OWN_SUPPORTED_HEADER,
      ...offerTimer(null, this.#minSeconds),
      ...this.#route.headers,
      SDP_HEADER,
    ];
    const bare = requestIn(this.#dialog, 'INVITE', headers, Buffer.from(made.sdp));
    this.#dialog = bare.dialog;
    const request = { ...bare.request, headers: [...bare.request.headers, ...this.#digest.authorize(bare.request)] };
    const destination = this.#fit(request);
    const via = this.#core.layer.newVia(destination);
    this.#sent = { request, destination, via, offered: made.session };
    const stored = this.#storedAs(this.#sent);
    this.#user.stored(stored);
    this.#user.durable(stored).then(
      () => this.#guard(() => this.#send()),
      () => this.#guard(() => this.#fail({ cause: 'not-stored', reason: 'the call could not be stored' })),
    );
  }

  #storedAs({ destination, via }: SentInvite): StoredDialog {
    const { trunkId } = this.#route.peer;
    return storedDialog(this.#dialog, destination, {
      state: 'inviting',
      role: 'uac',
      inviteVia: writeVia(via),
      trunkId,
    });
  }

  /** RFC 3261 18.1.1: a request near the path MTU goes over TCP, if the peer has it. */
  #fit(request: SipRequest): Destination {
    const viaBytes = 90;
    const large = writeMessage(request).length + viaBytes > MAX_DATAGRAM_REQUEST_BYTES;
    if (!large || !this.#route.peer.allowTcp || this.#destination.protocol !== 'udp') return this.#destination;
    return { ...this.#destination, protocol: 'tcp' };
  }

  #send(): void {
    const sent = this.#sent;
    if (!sent || this.#phase !== 'preparing') return;
    if (this.#cancelled) {
      this.#finish();
      return;
    }
    this.#phase = 'inviting';
    this.#provisional = false;
    this.#sentAtMs = this.#core.clock.monotonicMs();
    const listener = this.#listener(sent);
    this.#transaction = this.#core.layer.request(sent.request, sent.destination, listener, { via: sent.via });
  }

  #listener(sent: SentInvite) {
    return {
      response: (response: IncomingResponse) => this.#guard(() => this.#receive(sent, response)),
      failed: (cause: FailureCause, detail: string) => this.#guard(() => this.#lost(sent, cause, detail)),
    };
  }

  #receive(sent: SentInvite, response: IncomingResponse): void {
    const { status } = response.message;
    if (status < 200) this.#receiveProvisional(sent, response);
    else if (status < 300) this.#receiveAnswer(sent, response);
    else if (this.#sent === sent && this.#phase === 'inviting') this.#receiveRefusal(response);
  }

  #receiveProvisional(sent: SentInvite, response: IncomingResponse): void {
    if (this.#phase !== 'inviting' || this.#sent !== sent) return;
    const first = !this.#provisional;
    this.#provisional = true;
    if (this.#cancelled) {
      if (first) this.#sendCancel(sent);
      return;
    }
    const { status } = response.message;
    if (status === 100) return;
    const tag = tagOf(response.parts.to) ?? '';
    const isKnown = this.#earlyDialogs.has(tag) || this.#earlyDialogs.size < MAX_FORKS;
    const start = { ...this.#inDialog, destination: sent.destination, flow: response.flow };
    if (!isKnown || !this.#earlyDialogs.takes(response, tag, this.#dialog, start)) return;
    let early: NegotiatedAudio | null = null;
    if (isSdp(response.message) && (this.#early.has(tag) || this.#early.size < MAX_FORKS)) {
      const taken = takeAnswer(sent.offered, response.message.body.toString('utf8'));
      if (taken) {
        this.#early.set(tag, taken.session);
        early = taken.audio;
      }
    }
    this.#user.ringing(status, early);
  }

  /** The callee moves its audio while it rings: from a tone to the telephone that the call is forwarded to. */
  receiveUpdate(transaction: ServerTransaction): void {
    const tag = tagOf(transaction.request.parts.from) ?? '';
    const before = this.#early.get(tag) ?? null;
    const contact = this.#core.contact(this.#sent?.destination ?? this.#destination);
    const answered = answerEarlyUpdate(transaction, { before, pending: 491, contact });
    if (answered === null) return;
    this.#early.set(tag, answered.session);
    this.#updated.add(tag);
    this.#user.ringing(183, answered.audio);
  }

  #receiveAnswer(sent: SentInvite, response: IncomingResponse): void {
    const tag = tagOf(response.parts.to) ?? '';
    if (this.#phase === 'answered' && tag === this.#answeredTag) {
      this.#owner.receiveStray(response);
      return;
    }
    const answered = dialogOfResponse(this.#dialog, response.message, response.parts);
    // PRACKs have used numbers of the dialog.
    const { localCSeq } = this.#earlyDialogs.dialogOf(tag) ?? answered;
    const dialog = { ...answered, localCSeq };
    if (this.#phase !== 'inviting' || this.#cancelled) {
      this.#dismiss(sent, dialog, tag, response);
      if (this.#phase === 'inviting') this.#finish();
      return;
    }
    this.#phase = 'answered';
    this.#answeredTag = tag;
    const answers = isSdp(response.message) && !this.#updated.has(tag);
    const answer = answers ? takeAnswer(sent.offered, response.message.body.toString('utf8')) : null;
    const session = answer?.session ?? (answers ? null : this.#early.get(tag));
    if (!session) {
      // RFC 3261 13.2.2.4: acknowledge, then end it.
      this.#dismiss(sent, dialog, tag, response);
      this.#fail({ status: 488, cause: 'refused', reason: 'the answer has no audio that we support' });
      return;
    }
    const { destination } = sent;
    this.#user.answered({ dialog, destination, session, invite: sent.request, response, digest: this.#digest });
  }

  /** Sends ACK and BYE for an unwanted dialog: a second fork, or an answer that crossed our CANCEL. */
  #dismiss(sent: SentInvite, dialog: Dialog, tag: string, response: IncomingResponse): void {
    const known = this.#forks.get(tag);
    if (known) {
      known.reacknowledge(response);
      return;
    }
    if (this.#forks.size >= MAX_FORKS) return;
    const start = { ...this.#inDialog, dialog, destination: sent.destination, flow: response.flow };
    const requests = new DialogRequests(this.#core, this.#owner, start, () => {});
    this.#forks.set(tag, requests);
    requests.acknowledge(sent.request);
    requests.send('BYE', { headers: [], done: () => {} });
  }

  #receiveRefusal(response: IncomingResponse): void {
    const { message } = response;
    const challenged = message.status === 401 || message.status === 407;
    if (this.#cancelled) {
      this.#finish();
      return;
    }
    if (
      challenged &&
      this.#challenges < MAX_CHALLENGES &&
      this.#digest.challenged(message, this.#challenges === 0, this.#challenges === 1)
    ) {
      this.#challenges++;
      this.#invite();
    } else if (message.status === 422 && this.#intervalRetries < MAX_INTERVAL_RETRIES) {
      this.#intervalRetries++;
      this.#minSeconds = Math.max(readMinSe(message), this.#minSeconds);
      this.#invite();
    } else {
      const { cause, text } = readReason(headerValues(message, 'reason'));
      const reason = text ?? reasonOf(message);
      this.#fail({ status: message.status, cause: 'refused', reason, q850Cause: cause, response: message });
    }
  }

  #lost(sent: SentInvite, cause: FailureCause, detail: string): void {
    if (this.#phase !== 'inviting' || this.#sent !== sent) return;
    if (this.#cancelled) this.#finish();
    else if (cause === 'transport' && sent.destination !== this.#destination) {
      // The peer has no TCP for a large request: fall back to UDP, fragmented.
      const via = this.#core.layer.newVia(this.#destination);
      this.#sent = { ...sent, destination: this.#destination, via };
      this.#phase = 'preparing';
      this.#send();
    } else {
      this.#fail({ status: cause === 'timeout' ? 408 : null, cause, reason: detail });
    }
  }

  #fail(failure: Pick<AttemptFailure, 'cause' | 'reason'> & Partial<AttemptFailure>): void {
    this.#phase = 'over';
    const base = { status: null, q850Cause: null, response: null };
    this.#user.failed({ ...base, provisional: this.#provisional, lastCSeq: this.#dialog.localCSeq, ...failure });
  }

  #finish(): void {
    this.#phase = 'over';
    this.#user.gone();
  }

  /** Gives up; `gone` follows. No CANCEL may be sent before a provisional response (RFC 3261 9.1). */
  cancel(headers: Header[]): void {
    if (this.#cancelled || this.#phase === 'answered' || this.#phase === 'over') return;
    this.#cancelled = headers;
    if (this.#phase === 'inviting' && this.#provisional && this.#sent) this.#sendCancel(this.#sent);
  }

  #sendCancel(sent: SentInvite): void {
    const keep = new Set(['max-forwards', 'from', 'to', 'call-id', 'route']);
    const number = this.#dialog.localCSeq;
    const headers: Header[] = [
      ...sent.request.headers.filter(({ name }) => keep.has(name)),
      { name: 'cseq', value: `${number} CANCEL` },
      ...(this.#cancelled ?? []),
    ];
    const request: SipRequest = { ...sent.request, method: 'CANCEL', headers, body: Buffer.alloc(0) };
    const listener = { response: () => {}, failed: () => {} };
    this.#core.layer.request(request, sent.destination, listener, { via: sent.via });
    this.#transaction?.giveUp();
  }
}
