// An outbound call: an INVITE to each destination of the hunt, with a time limit on ringing. The first answer turns it
// into an EstablishedCall.

import {
  type AttemptFailure,
  type AttemptRoute,
  type DialRoute,
  MIN_RING_TIMEOUT_MS,
} from '../../dialog/dial-route.ts';
import { LegEvents } from '../../dialog/leg-events.ts';
import { decideAsClient } from '../../dialog/session-timer.ts';
import { refuse } from '../../stack/transaction/request-checks.ts';
import {
  type IncomingRequest,
  type IncomingResponse,
  newCallId,
  newTag,
  type ServerTransaction,
} from '../../stack/transaction/transaction-layer.ts';
import { type Header, tokens } from '../../stack/wire/message.ts';
import { reasonHeader } from '../../stack/wire/responses.ts';
import type {
  DialRequest,
  HangUpReason,
  LegEnd,
  LegEvent,
  LegState,
  NegotiatedAudio,
  OutboundLeg,
  RingingState,
  StoredDialog,
} from '../../telephony.ts';
import { RouteHunt } from '../shared/route-hunt.ts';
import { type AttemptStart, newAttempt, resumedAttempt } from './attempt-state.ts';
import { EstablishedCall } from './established-call.ts';
import { type AttemptAnswer, InviteAttempt } from './invite-attempt.ts';
import { currentRoute, type FindRoutes, laterRoute, type OutboundState } from './ringing-call.ts';
import type { DialogOwner, UserAgentCore } from './user-agent-core.ts';

type Phase =
  | { name: 'routing' }
  | { name: 'inviting'; attempt: InviteAttempt }
  | { name: 'established'; call: EstablishedCall }
  | { name: 'over' };

/** Another process has dialled, and described the call `elapsedMs` ago. */
interface DialledElsewhere {
  sipCallId: string;
  state: OutboundState;
  earlyAudio: NegotiatedAudio | null;
  elapsedMs: number;
  find: FindRoutes;
}

export class OutboundCall implements OutboundLeg, DialogOwner {
  readonly direction = 'outbound';
  readonly sipCallId: string;
  readonly #core: UserAgentCore;
  readonly #request: DialRequest;
  readonly #localTag: string;
  readonly #events: LegEvents;
  readonly #hunt: RouteHunt;
  #phase: Phase = { name: 'routing' };
  #nextCSeq = 1;
  readonly #ringDueAtMs: number;
  #stopRinging: () => void = () => {};
  #earlyAudio: NegotiatedAudio | null;

  /** `routes`: those that have not been tried. */
  constructor(core: UserAgentCore, request: DialRequest, routes: readonly DialRoute[], from?: DialledElsewhere) {
    this.#core = core;
    this.#request = request;
    this.sipCallId = from?.sipCallId ?? newCallId();
    this.#localTag = from?.state.attempt.dialog.localTag ?? newTag();
    this.#earlyAudio = from?.earlyAudio ?? null;
    this.#events = new LegEvents((error) => {
      core.log.error({ err: error, sipCallId: this.sipCallId }, 'leg listener failed');
      this.abandon();
    });
    const user = {
      attempt: (route: AttemptRoute) => this.#attempt(route),
      exhausted: (end: LegEnd) => this.#finish(end),
      guard: (callback: () => void) => core.guard(this, callback),
    };
    const current = from && { current: currentRoute(from.state, from.find), state: from.state.hunt };
    this.#hunt = new RouteHunt(routes, user, current);
    core.register(this.sipCallId, this.#localTag, this);
    const ringMs = from
      ? Math.max(0, from.state.ringLeftMs - from.elapsedMs)
      : Math.max(request.ringTimeoutMs, MIN_RING_TIMEOUT_MS);
    this.#ringDueAtMs = core.clock.monotonicMs() + ringMs;
    this.#stopRinging = core.clock.after(ringMs, () => core.guard(this, () => this.#ringTimeout()));
    if (from) this.#resume(from);
    else this.#hunt.next();
  }

  /** Goes on with an INVITE of another process. */
  static resumed(core: UserAgentCore, from: DialledElsewhere, beforeInvite: DialRequest['beforeInvite']): OutboundCall {
    const { request, hunt } = from.state;
    const rest = hunt.restTrunkIds.map((trunkId) => laterRoute(trunkId, from.find));
    return new OutboundCall(core, { ...request, ...(beforeInvite && { beforeInvite }) }, rest, from);
  }

  get state(): LegState | null {
    return this.#phase.name === 'established' ? this.#phase.call.state : null;
  }

  get ringing(): RingingState | null {
    if (this.#phase.name !== 'inviting') return null;
    const { state: attempt, stored: dialog } = this.#phase.attempt;
    if (attempt === null || dialog === null) return null;
    const { beforeInvite: _, ...request } = this.#request;
    const ringLeftMs = Math.max(0, this.#ringDueAtMs - this.#core.clock.monotonicMs());
    const rest: OutboundState = { request, ringLeftMs, hunt: this.#hunt.state, attempt };
    return { sipCallId: this.sipCallId, dialog, earlyAudio: this.#earlyAudio, rest };
  }

  onEvent(listener: (event: LegEvent) => void): void {
    this.#events.listen(listener);
  }

  #attempt(route: AttemptRoute): void {
    const identity = { callId: this.sipCallId, localTag: this.#localTag, firstCSeq: this.#nextCSeq };
    const attempt = this.#invite(route, newAttempt(this.#core, route, identity, this.#request.audio));
    attempt.start();
  }

  #resume({ state: { attempt: state }, elapsedMs }: DialledElsewhere): void {
    this.#invite(state.route, resumedAttempt(state)).resume(state, elapsedMs);
  }

  #invite(route: AttemptRoute, start: AttemptStart): InviteAttempt {
    const attempt: InviteAttempt = new InviteAttempt(this.#core, this, route, start, {
      stored: (dialog: StoredDialog) => this.#events.emit({ type: 'dialog-stored', dialog }),
      durable: async (dialog) => this.#request.beforeInvite?.(dialog),
      ringing: (status, early) => {
        if (status < 180 || status > 183) return;
        this.#hunt.ringing();
        this.#earlyAudio = early ?? this.#earlyAudio;
        this.#events.emit({ type: 'ringing', status: status as 180 | 181 | 182 | 183, earlyAudio: early });
      },
      answered: (answer) => this.#answered(route, answer),
      failed: (failure) => this.#failed(route, failure),
      gone: () => this.#release(),
    });
    this.#phase = { name: 'inviting', attempt };
    return attempt;
  }

  #answered(route: AttemptRoute, answer: AttemptAnswer): void {
    this.#stopRinging();
    this.#hunt.answered();
    const { message, flow } = answer.response;
    const call = new EstablishedCall(this.#core, {
      role: 'uac',
      events: this.#events,
      replaced: (by) => {
        this.#phase = { name: 'established', call: by };
      },
      dialog: answer.dialog,
      destination: answer.destination,
      flow,
      peer: route.peer,
      audio: answer.session,
      plan: decideAsClient(message),
      peerAllows: tokens(message, 'allow', false),
      opening: { type: 'send-ack', invite: answer.invite, digest: answer.digest },
    });
    this.#phase = { name: 'established', call };
    call.begin();
  }

  #failed(route: AttemptRoute, failure: AttemptFailure): void {
    if (this.#phase.name !== 'inviting') {
      this.#release();
      return;
    }
    this.#nextCSeq = failure.lastCSeq + 1;
    this.#earlyAudio = null;
    this.#phase = { name: 'routing' };
    this.#hunt.failed(route, failure);
  }

  #ringTimeout(): void {
    this.#giveUp(
      { by: 'local', sipStatus: 408, q850Cause: null, reason: 'not answered in time', rang: this.#hunt.rang },
      [],
    );
  }

  /** Ends an unanswered call: reported at once, while the CANCEL may take longer. */
  #giveUp(end: LegEnd, headers: Header[]): void {
    const phase = this.#phase;
    if (phase.name === 'over' || phase.name === 'established') return;
    this.#phase = { name: 'over' };
    this.#hunt.stop();
    this.#stopRinging();
    if (phase.name === 'inviting') phase.attempt.cancel(headers);
    else this.#release();
    this.#events.end(end);
  }

  #finish(end: LegEnd): void {
    this.#phase = { name: 'over' };
    this.#stopRinging();
    this.#release();
    this.#events.end(end);
  }

  #release(): void {
    this.#core.unregister(this.sipCallId, this.#localTag);
  }

  hangUp(reason: HangUpReason = {}): void {
    if (this.#phase.name === 'established') {
      this.#phase.call.hangUp(reason);
      return;
    }
    const headers = reason.q850Cause === undefined ? [] : [reasonHeader(reason.q850Cause, reason.text)];
    const text = reason.text ?? 'hung up';
    this.#giveUp({ by: 'local', sipStatus: 487, q850Cause: null, reason: text, rang: this.#hunt.rang }, headers);
  }

  refer(target: string): void {
    if (this.#phase.name === 'established') this.#phase.call.refer(target);
    else this.#events.emit({ type: 'refer-progress', status: 481, reason: 'not answered' });
  }

  sendInfoDigits(digits: string): void {
    if (this.#phase.name === 'established') this.#phase.call.sendInfoDigits(digits);
  }

  /** Requests in an early dialog. */
  receiveRequest(transaction: ServerTransaction): void {
    const { method } = transaction.request.message;
    if (method === 'UPDATE' && this.#phase.name === 'inviting') this.#phase.attempt.receiveUpdate(transaction);
    else refuse(transaction, 481);
  }

  get peerAddresses(): readonly string[] {
    if (this.#phase.name === 'established') return this.#phase.call.peerAddresses;
    return this.#phase.name === 'inviting' ? [this.#phase.attempt.address] : [];
  }

  get connectionId(): number | null {
    return this.#phase.name === 'established' ? this.#phase.call.connectionId : null;
  }

  receiveAck(_request: IncomingRequest): void {}

  receiveStray(response: IncomingResponse): void {
    if (this.#phase.name === 'established') this.#phase.call.receiveStray(response);
  }

  abandon(): void {
    if (this.#phase.name === 'established') this.#phase.call.abandon();
    else {
      this.#giveUp(
        { by: 'network', sipStatus: 500, q850Cause: null, reason: 'internal error', rang: this.#hunt.rang },
        [],
      );
    }
  }
}
