// An outbound call: tries its routes (the destinations of a trunk, then the next trunk) by the failover rule, follows
// one redirection, and bounds the ringing. The first answer turns it into an EstablishedCall.

import {
  type AttemptFailure,
  type AttemptRoute,
  type DialRoute,
  MAX_CONTACTS,
  MIN_RING_TIMEOUT_MS,
  mayTryNext,
} from '../../dialog/dial-route.ts';
import { LegEvents } from '../../dialog/leg-events.ts';
import { decideAsClient } from '../../dialog/session-timer.ts';
import type { Destination } from '../../stack/network/transport-layer.ts';
import { refuse } from '../../stack/transaction/request-checks.ts';
import {
  type IncomingRequest,
  type IncomingResponse,
  newCallId,
  newTag,
  type ServerTransaction,
} from '../../stack/transaction/transaction-layer.ts';
import { parseNameAddr } from '../../stack/wire/header.ts';
import { type Header, headerValues, tokens } from '../../stack/wire/message.ts';
import { reasonHeader } from '../../stack/wire/responses.ts';
import type { DialRequest, HangUpReason, LegEnd, LegEvent, OutboundLeg, StoredDialog } from '../../telephony.ts';
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
  #routes: DialRoute[];
  #current: DialRoute | null = null;
  #destinations: Destination[] = [];
  #phase: Phase = { name: 'routing' };
  #rang = false;
  #redirected = false;
  #nextCSeq = 1;
  #lastFailure: AttemptFailure | null = null;
  /** How the first trunk failed: what the call ends with, should the backup fail too. */
  #firstTrunkFailure: AttemptFailure | null = null;
  #stopRinging: () => void = () => {};

  constructor(core: UserAgentCore, request: DialRequest, routes: readonly DialRoute[]) {
    this.#core = core;
    this.#request = request;
    this.#routes = [...routes];
    this.#events = new LegEvents((error) => {
      core.log.error({ err: error, sipCallId: this.sipCallId }, 'leg listener failed');
      this.abandon();
    });
    core.register(this.sipCallId, this.#localTag, this);
    const ringMs = Math.max(request.ringTimeoutMs, MIN_RING_TIMEOUT_MS);
    this.#stopRinging = core.clock.after(ringMs, () => core.guard(this, () => this.#ringTimeout()));
    this.#next();
  }

  onEvent(listener: (event: LegEvent) => void): void {
    this.#events.listen(listener);
  }

  /** Tries the next destination of this trunk, else the next trunk. */
  #next(): void {
    if (this.#phase.name === 'over' || this.#phase.name === 'established') return;
    const destination = this.#destinations.shift();
    if (destination && this.#current) {
      this.#attempt(this.#current.at(destination));
      return;
    }
    const route = this.#routes.shift();
    if (!route) {
      this.#finish(this.#endOf(this.#lastFailure));
      return;
    }
    if (this.#current) this.#firstTrunkFailure ??= this.#lastFailure;
    this.#phase = { name: 'routing' };
    this.#current = route;
    route.destinations().then(
      (destinations) => this.#core.guard(this, () => this.#located(route, destinations, 'no address found')),
      (error: unknown) =>
        this.#core.guard(this, () =>
          this.#located(route, [], error instanceof Error ? error.message : 'name service failed'),
        ),
    );
  }

  #located(route: DialRoute, destinations: Destination[], problem: string): void {
    if (this.#phase.name !== 'routing') return;
    if (destinations.length === 0) {
      const none = { status: null, q850Cause: null, response: null, provisional: false, lastCSeq: this.#nextCSeq - 1 };
      this.#lastFailure = { ...none, cause: 'transport', reason: `${route.name}: ${problem}` };
      route.report(this.#lastFailure);
    }
    this.#destinations = [...destinations];
    this.#next();
  }

  #attempt(route: AttemptRoute): void {
    const identity = { callId: this.sipCallId, localTag: this.#localTag, firstCSeq: this.#nextCSeq };
    const attempt: InviteAttempt = new InviteAttempt(this.#core, this, route, identity, this.#request.audio, {
      stored: (dialog: StoredDialog) => this.#events.emit({ type: 'dialog-stored', dialog }),
      durable: async (dialog) => this.#request.beforeInvite?.(dialog),
      ringing: (status, early) => {
        if (status < 180 || status > 183) return;
        this.#rang = true;
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
    this.#current?.report(null);
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
    this.#lastFailure = failure;
    const redirectable = failure.status === 301 || failure.status === 302 || failure.status === 300;
    if (redirectable && !this.#redirected && failure.response && this.#current) {
      this.#redirected = true;
      this.#follow(this.#current, route, failure);
      return;
    }
    this.#refused(failure);
  }

  #refused(failure: AttemptFailure): void {
    this.#current?.report(failure);
    if (mayTryNext(failure, this.#rang)) this.#next();
    else this.#finish(this.#endOf(failure));
  }

  /** RFC 3261 8.1.3.4: the first Contact that the route allows. Only once, which prevents redirect loops. */
  #follow(current: DialRoute, route: AttemptRoute, failure: AttemptFailure): void {
    this.#phase = { name: 'routing' };
    const find = async () => {
      for (const value of headerValues(failure.response ?? { headers: [] }, 'contact').slice(0, MAX_CONTACTS)) {
        const uri = parseNameAddr(value)?.uri;
        if (uri?.scheme !== 'sip' && uri?.scheme !== 'sips') continue;
        const next = await current.redirect(uri, route);
        if (next) return next;
      }
      return null;
    };
    const go = (next: AttemptRoute | null) => {
      if (this.#phase.name !== 'routing') return;
      if (next) this.#attempt(next);
      else this.#refused(failure);
    };
    find().then(
      (next) => this.#core.guard(this, () => go(next)),
      () => this.#core.guard(this, () => go(null)),
    );
  }

  #endOf(lastFailure: AttemptFailure | null): LegEnd {
    const failure = this.#firstTrunkFailure ?? lastFailure;
    const refused = failure?.cause === 'refused';
    return {
      by: refused ? 'remote' : 'network',
      sipStatus: failure?.status ?? null,
      q850Cause: failure?.q850Cause ?? null,
      reason: failure?.reason ?? 'no route',
      rang: this.#rang,
    };
  }

  #ringTimeout(): void {
    this.#giveUp(
      { by: 'local', sipStatus: 408, q850Cause: null, reason: 'not answered in time', rang: this.#rang },
      [],
    );
  }

  /** Ends an unanswered call: reported at once, while the CANCEL may take longer. */
  #giveUp(end: LegEnd, headers: Header[]): void {
    const phase = this.#phase;
    if (phase.name === 'over' || phase.name === 'established') return;
    this.#phase = { name: 'over' };
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
    this.#giveUp({ by: 'local', sipStatus: 487, q850Cause: null, reason: text, rang: this.#rang }, headers);
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
      this.#giveUp({ by: 'network', sipStatus: 500, q850Cause: null, reason: 'internal error', rang: this.#rang }, []);
    }
  }
}
