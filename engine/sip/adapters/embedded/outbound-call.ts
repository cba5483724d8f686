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
  OutboundLeg,
  StoredDialog,
} from '../../telephony.ts';
import { RouteHunt } from '../shared/route-hunt.ts';
import { EstablishedCall } from './established-call.ts';
import { type AttemptAnswer, InviteAttempt } from './invite-attempt.ts';
import type { DialogOwner, UserAgentCore } from './user-agent-core.ts';

type Phase =
  | { name: 'routing' }
  | { name: 'inviting'; attempt: InviteAttempt }
  | { name: 'established'; call: EstablishedCall }
  | { name: 'over' };

export class OutboundCall implements OutboundLeg, DialogOwner {
  readonly direction = 'outbound';
  readonly sipCallId = newCallId();
  readonly #core: UserAgentCore;
  readonly #request: DialRequest;
  readonly #localTag = newTag();
  readonly #events: LegEvents;
  readonly #hunt: RouteHunt;
  #phase: Phase = { name: 'routing' };
  #nextCSeq = 1;
  #stopRinging: () => void = () => {};

  constructor(core: UserAgentCore, request: DialRequest, routes: readonly DialRoute[]) {
    this.#core = core;
    this.#request = request;
    this.#events = new LegEvents((error) => {
      core.log.error({ err: error, sipCallId: this.sipCallId }, 'leg listener failed');
      this.abandon();
    });
    this.#hunt = new RouteHunt(routes, {
      attempt: (route) => this.#attempt(route),
      exhausted: (end) => this.#finish(end),
      guard: (callback) => core.guard(this, callback),
    });
    core.register(this.sipCallId, this.#localTag, this);
    const ringMs = Math.max(request.ringTimeoutMs, MIN_RING_TIMEOUT_MS);
    this.#stopRinging = core.clock.after(ringMs, () => core.guard(this, () => this.#ringTimeout()));
    this.#hunt.next();
  }

  get state(): LegState | null {
    return this.#phase.name === 'established' ? this.#phase.call.state : null;
  }

  onEvent(listener: (event: LegEvent) => void): void {
    this.#events.listen(listener);
  }

  #attempt(route: AttemptRoute): void {
    const identity = { callId: this.sipCallId, localTag: this.#localTag, firstCSeq: this.#nextCSeq };
    const attempt: InviteAttempt = new InviteAttempt(this.#core, this, route, identity, this.#request.audio, {
      stored: (dialog: StoredDialog) => this.#events.emit({ type: 'dialog-stored', dialog }),
      durable: async (dialog) => this.#request.beforeInvite?.(dialog),
      ringing: (status, early) => {
        if (status < 180 || status > 183) return;
        this.#hunt.ringing();
        this.#events.emit({ type: 'ringing', status: status as 180 | 181 | 182 | 183, earlyAudio: early });
      },
      answered: (answer) => this.#answered(route, answer),
      failed: (failure) => this.#failed(route, failure),
      gone: () => this.#release(),
    });
    this.#phase = { name: 'inviting', attempt };
    attempt.start();
  }

  #answered(route: AttemptRoute, answer: AttemptAnswer): void {
    this.#stopRinging();
    this.#hunt.answered();
    const { message, flow } = answer.response;
    const call = new EstablishedCall(this.#core, {
      role: 'uac',
      events: this.#events,
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

  /** Requests in an early dialog: no offers there without reliable provisional responses (RFC 3311 5.1). */
  receiveRequest(transaction: ServerTransaction): void {
    const { method } = transaction.request.message;
    if (method === 'UPDATE') refuse(transaction, 500, [{ name: 'retry-after', value: '3' }]);
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
