// An outbound call: its trunks and their destinations in order, one redirection, the limit on ringing. The rules are
// those of the embedded endpoint (docs/trunks.md).

import { messageOf } from '../../../../../db/domain/unexpected.ts';
import {
  type AttemptFailure,
  type AttemptRoute,
  type DialRoute,
  MAX_CONTACTS,
  MIN_RING_TIMEOUT_MS,
  mayTryNext,
} from '../../../dialog/dial-route.ts';
import { LegEvents } from '../../../dialog/leg-events.ts';
import type { Destination } from '../../../stack/network/transport-layer.ts';
import { newCallId } from '../../../stack/transaction/transaction-layer.ts';
import { parseNameAddr } from '../../../stack/wire/header.ts';
import { type Header, headerValues } from '../../../stack/wire/message.ts';
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
import type { LegMedia } from '../media/leg-media.ts';
import type { DrachtioDialog } from '../signalling/drachtio.ts';
import { flowOf, readResponse } from '../signalling/raw-message.ts';
import { EstablishedLeg } from './established-leg.ts';
import { Invite } from './invite.ts';
import type { LegDeps, LinkedLeg } from './leg-deps.ts';
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
  readonly #routes: DialRoute[];
  #current: DialRoute | null = null;
  #destinations: Destination[] = [];
  #phase: Phase = { name: 'routing' };
  #rang = false;
  #wasRedirected = false;
  #lastFailure: AttemptFailure | null = null;
  /** How the first trunk failed: what the call ends with, should the backup fail too. */
  #firstTrunkFailure: AttemptFailure | null = null;
  readonly #stopRinging: () => void;

  constructor(deps: LegDeps, request: DialRequest, routes: readonly DialRoute[]) {
    this.#deps = deps;
    this.#request = request;
    this.#routes = [...routes];
    this.#events = new LegEvents((error) => {
      deps.log.error({ err: error, sipCallId: this.sipCallId }, 'leg listener failed');
      this.abandon();
    });
    const ringMs = Math.max(request.ringTimeoutMs, MIN_RING_TIMEOUT_MS);
    this.#stopRinging = deps.clock.after(ringMs, () => this.#giveUp(408, 'not answered in time'));
    deps.add(this);
    this.#next();
  }

  onEvent(listener: (event: LegEvent) => void): void {
    this.#events.listen(listener);
  }

  /** Tries the next destination of this trunk, else the next trunk. */
  #next(): void {
    if (this.#phase.name === 'over' || this.#phase.name === 'established') return;
    const destination = this.#destinations.shift();
    if (destination && this.#current) return this.#attempt(this.#current.at(destination));
    const route = this.#routes.shift();
    if (!route) return this.#finish(this.#endOf(this.#lastFailure));
    if (this.#current) this.#firstTrunkFailure ??= this.#lastFailure;
    this.#phase = { name: 'routing' };
    this.#current = route;
    route.destinations().then(
      (destinations) => this.#located(route, destinations, 'no address found'),
      (error: unknown) => this.#located(route, [], messageOf(error)),
    );
  }

  #located(route: DialRoute, destinations: readonly Destination[], problem: string): void {
    if (this.#phase.name !== 'routing') return;
    if (destinations.length === 0) {
      const none = { status: null, q850Cause: null, response: null, provisional: false, lastCSeq: 0 };
      this.#lastFailure = { ...none, cause: 'transport', reason: `${route.name}: ${problem}` };
      route.report(this.#lastFailure);
    }
    this.#destinations = [...destinations];
    this.#next();
  }

  #attempt(route: AttemptRoute): void {
    const { media: path } = this.#deps;
    const terms = {
      codecs: route.codecs,
      demandSrtp: route.srtp,
      prefersWideband: false,
      secure: route.destination.protocol === 'tls',
      peerAddress: route.destination.remote.address,
    };
    const media = path.open(this.#request.audio, terms, {
      lost: (reason, by) => this.#mediaLost(reason, by),
      digit: (digit, durationMs) => this.#events.emit({ type: 'digit', digit, durationMs }),
    });
    const invite = new Invite(this.#deps, route, this.sipCallId, media, {
      durable: async (dialog) => this.#request.beforeInvite?.(dialog),
      stored: (dialog) => this.#events.emit({ type: 'dialog-stored', dialog }),
      ringing: (status, early) => this.#ringing(status, early),
      answered: (dialog, audio) => this.#answered(route, media, dialog, audio),
      failed: (failure) => this.#failed(route, media, failure),
    });
    this.#phase = { name: 'inviting', invite, media };
    invite.start();
  }

  #ringing(status: number, earlyAudio: NegotiatedAudio | null): void {
    if (status > 183 || this.#phase.name !== 'inviting') return;
    this.#rang = true;
    this.#events.emit({ type: 'ringing', status: status as 180 | 181 | 182 | 183, earlyAudio });
  }

  #answered(route: AttemptRoute, media: LegMedia, dialog: DrachtioDialog, audio: NegotiatedAudio): void {
    if (this.#phase.name !== 'inviting') {
      media.close();
      dialog.destroy().catch(() => {});
      return;
    }
    this.#stopRinging();
    this.#current?.report(null);
    const { peer } = route;
    const stored = confirmedDialog(dialog, 'uac', readResponse(dialog.res), flowOf(dialog.res), peer.trunkId);
    const over = () => this.#release();
    const leg = new EstablishedLeg(this.#deps, { dialog, media, events: this.#events, stored, audio, over });
    this.#phase = { name: 'established', leg };
    this.#events.emit({ type: 'dialog-stored', dialog: stored });
    this.#events.emit({ type: 'answered', audio });
  }

  #failed(route: AttemptRoute, media: LegMedia, failure: AttemptFailure): void {
    media.close();
    if (this.#phase.name !== 'inviting') return;
    this.#lastFailure = failure;
    const isRedirection = failure.status !== null && [300, 301, 302].includes(failure.status);
    if (isRedirection && !this.#wasRedirected && failure.response && this.#current) {
      this.#wasRedirected = true;
      this.#follow(this.#current, route, failure);
    } else this.#refused(failure);
  }

  #refused(failure: AttemptFailure): void {
    this.#current?.report(failure);
    if (mayTryNext(failure, this.#rang)) this.#next();
    else this.#finish(this.#endOf(failure));
  }

  /** RFC 3261 8.1.3.4: the first Contact that the route allows. Only once, which prevents redirect loops. */
  #follow(current: DialRoute, route: AttemptRoute, failure: AttemptFailure): void {
    this.#phase = { name: 'routing' };
    const find = async (): Promise<AttemptRoute | null> => {
      for (const value of headerValues(failure.response ?? { headers: [] }, 'contact').slice(0, MAX_CONTACTS)) {
        const uri = parseNameAddr(value)?.uri;
        if (uri?.scheme !== 'sip' && uri?.scheme !== 'sips') continue;
        const next = await current.redirect(uri, route);
        if (next) return next;
      }
      return null;
    };
    const go = (next: AttemptRoute | null): void => {
      if (this.#phase.name !== 'routing') return;
      if (next) this.#attempt(next);
      else this.#refused(failure);
    };
    find().then(go, () => go(null));
  }

  #endOf(lastFailure: AttemptFailure | null): LegEnd {
    const failure = this.#firstTrunkFailure ?? lastFailure;
    return {
      by: failure?.cause === 'refused' ? 'remote' : 'network',
      sipStatus: failure?.status ?? null,
      q850Cause: failure?.q850Cause ?? null,
      reason: failure?.reason ?? 'no route',
      rang: this.#rang,
    };
  }

  /** Ends an unanswered call: reported at once, while the CANCEL may take longer. */
  #giveUp(sipStatus: number, reason: string, by: LegEnd['by'] = 'local', headers: readonly Header[] = []): void {
    const phase = this.#phase;
    if (phase.name === 'over' || phase.name === 'established') return;
    if (phase.name === 'inviting') {
      phase.invite.cancel(headers);
      phase.media.close();
    }
    this.#finish({ by, sipStatus, q850Cause: null, reason, rang: this.#rang });
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
    this.#giveUp(503, 'connection to drachtio lost', 'server');
    return null;
  }

  abandon(): void {
    if (this.#phase.name === 'established') this.#phase.leg.fail('internal error');
    else this.#giveUp(500, 'internal error', 'network');
  }
}
