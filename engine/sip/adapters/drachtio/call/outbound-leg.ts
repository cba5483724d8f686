// An outbound call: drachtio sends an INVITE to each destination of the hunt, and ringing has a time limit.

import {
  type AttemptFailure,
  type AttemptRoute,
  type DialRoute,
  farSideOf,
  MIN_RING_TIMEOUT_MS,
} from '../../../dialog/dial-route.ts';
import { LegEvents } from '../../../dialog/leg-events.ts';
import { newCallId } from '../../../stack/transaction/transaction-layer.ts';
import type { Header } from '../../../stack/wire/message.ts';
import { reasonHeader } from '../../../stack/wire/responses.ts';
import type {
  DialRequest,
  HangUpReason,
  LegEnd,
  LegEvent,
  NegotiatedAudio,
  OutboundLeg,
  StoredDialog,
} from '../../../telephony.ts';
import { RouteHunt } from '../../shared/route-hunt.ts';
import type { LegMedia } from '../media/leg-media.ts';
import { flowOf, readResponse } from '../signalling/raw-message.ts';
import { EstablishedLeg } from './established-leg.ts';
import { Invite } from './invite.ts';
import type { LegDeps, LinkedLeg } from './leg-deps.ts';
import type { OpenDialog } from './peer-requests.ts';
import { confirmedDialog } from './stored-dialog.ts';

type Phase =
  | { name: 'routing' }
  | { name: 'inviting'; invite: Invite; media: LegMedia }
  | { name: 'established'; leg: EstablishedLeg }
  | { name: 'over' };

export class DrachtioOutboundLeg implements OutboundLeg, LinkedLeg {
  readonly direction = 'outbound';
  readonly sipCallId = newCallId();
  readonly #deps: LegDeps;
  readonly #request: DialRequest;
  readonly #events: LegEvents;
  readonly #hunt: RouteHunt;
  #phase: Phase = { name: 'routing' };
  readonly #stopRinging: () => void;

  constructor(deps: LegDeps, request: DialRequest, routes: readonly DialRoute[]) {
    this.#deps = deps;
    this.#request = request;
    this.#events = new LegEvents((error) => {
      deps.log.error({ err: error, sipCallId: this.sipCallId }, 'leg listener failed');
      this.abandon();
    });
    this.#hunt = new RouteHunt(routes, {
      attempt: (route) => this.#attempt(route),
      exhausted: (end) => this.#finish(end),
      guard: (callback) => this.#guard(callback),
    });
    const ringMs = Math.max(request.ringTimeoutMs, MIN_RING_TIMEOUT_MS);
    this.#stopRinging = deps.clock.after(ringMs, () => this.#giveUp(408, 'not answered in time'));
    deps.add(this);
    this.#hunt.next();
  }

  #guard(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#deps.log.error({ err: error, sipCallId: this.sipCallId }, 'call failed');
      this.abandon();
    }
  }

  onEvent(listener: (event: LegEvent) => void): void {
    this.#events.listen(listener);
  }

  #attempt(route: AttemptRoute): void {
    const { media: path } = this.#deps;
    const { address, isSecure } = farSideOf(route);
    const terms = {
      codecs: route.codecs,
      demandSrtp: route.srtp,
      prefersWideband: false,
      secure: isSecure,
      peerAddress: address,
      sources: [address, ...route.peer.mediaFrom],
    };
    const media = path.open(this.#request.audio, terms, {
      lost: (reason, by) => this.#mediaLost(reason, by),
      digit: (digit, durationMs) => this.#events.emit({ type: 'digit', digit, durationMs }),
    });
    const invite = new Invite(this.#deps, route, this.sipCallId, media, {
      durable: async (dialog) => this.#request.beforeInvite?.(dialog),
      stored: (dialog) => this.#events.emit({ type: 'dialog-stored', dialog }),
      ringing: (status, early) => this.#ringing(status, early),
      answered: (open, audio) => this.#answered(route, media, open, audio),
      failed: (failure) => this.#failed(route, media, failure),
      mediaFailed: (reason) => this.#mediaLost(reason, 'server'),
    });
    this.#phase = { name: 'inviting', invite, media };
    invite.start();
  }

  #ringing(status: number, earlyAudio: NegotiatedAudio | null): void {
    if (status > 183 || this.#phase.name !== 'inviting') return;
    this.#hunt.ringing();
    this.#events.emit({ type: 'ringing', status: status as 180 | 181 | 182 | 183, earlyAudio });
  }

  #answered(route: AttemptRoute, media: LegMedia, { dialog, requests }: OpenDialog, audio: NegotiatedAudio): void {
    if (this.#phase.name !== 'inviting') {
      media.close();
      dialog.destroy().catch(() => {});
      return;
    }
    this.#stopRinging();
    this.#hunt.answered();
    const { peer } = route;
    const stored = confirmedDialog(dialog, 'uac', readResponse(dialog.res), flowOf(dialog.res), peer.trunkId);
    const over = () => this.#release();
    const leg = new EstablishedLeg(this.#deps, { dialog, requests, media, events: this.#events, stored, audio, over });
    this.#phase = { name: 'established', leg };
    this.#events.emit({ type: 'dialog-stored', dialog: stored });
    this.#events.emit({ type: 'answered', audio });
  }

  #failed(route: AttemptRoute, media: LegMedia, failure: AttemptFailure): void {
    media.close();
    if (this.#phase.name !== 'inviting') return;
    this.#phase = { name: 'routing' };
    this.#hunt.failed(route, failure);
  }

  /** Ends an unanswered call: reported at once, while the CANCEL may take longer. */
  #giveUp(sipStatus: number, reason: string, by: LegEnd['by'] = 'local', headers: readonly Header[] = []): void {
    const phase = this.#phase;
    if (phase.name === 'over' || phase.name === 'established') return;
    this.#hunt.stop();
    if (phase.name === 'inviting') {
      phase.invite.cancel(headers);
      phase.media.close();
    }
    this.#finish({ by, sipStatus, q850Cause: null, reason, rang: this.#hunt.rang });
  }

  #finish(end: LegEnd): void {
    this.#stopRinging();
    this.#release();
    this.#events.end(end);
  }

  #release(): void {
    this.#phase = { name: 'over' };
    this.#deps.remove(this);
  }

  #mediaLost(reason: string, by: LegEnd['by']): void {
    if (this.#phase.name === 'established') this.#phase.leg.fail(reason, by);
    else this.#giveUp(503, reason, by);
  }

  hangUp(reason: HangUpReason = {}): void {
    if (this.#phase.name === 'established') return this.#phase.leg.hangUp(reason);
    const headers = reason.q850Cause === undefined ? [] : [reasonHeader(reason.q850Cause, reason.text)];
    this.#giveUp(487, reason.text ?? 'hung up', 'local', headers);
  }

  refer(target: string): void {
    if (this.#phase.name === 'established') this.#phase.leg.refer(target);
    else this.#events.emit({ type: 'refer-progress', status: 481, reason: 'not answered' });
  }

  sendInfoDigits(digits: string): void {
    if (this.#phase.name === 'established') this.#phase.leg.sendInfoDigits(digits);
  }

  linkLost(): StoredDialog | null {
    if (this.#phase.name === 'established') {
      const { leg } = this.#phase;
      leg.linkLost();
      return leg.stored;
    }
    const pending = this.#phase.name === 'inviting' ? this.#phase.invite.pending : null;
    this.#giveUp(503, 'connection to drachtio lost', 'server');
    return pending;
  }

  abandon(): void {
    if (this.#phase.name === 'established') this.#phase.leg.fail('internal error');
    else this.#giveUp(500, 'internal error', 'network');
  }
}
