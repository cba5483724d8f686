// Hunting for an answer (docs/trunks.md): the destinations of a trunk in order, then the next trunk, with one
// redirection allowed. It decides where the next INVITE goes and how a failed call ends; the adapter sends the INVITE.
import { messageOf } from '../../../../db/domain/unexpected.ts';
import { type AttemptFailure, type AttemptRoute, type DialRoute, mayTryNext } from '../../dialog/dial-route.ts';
import type { Destination } from '../../stack/network/transport-layer.ts';
import { parseNameAddr } from '../../stack/wire/header.ts';
import { headerValues } from '../../stack/wire/message.ts';
import type { LegEnd } from '../../telephony.ts';

// Each contact may cost a DNS query.
const MAX_CONTACTS = 4;
const REDIRECTIONS = [300, 301, 302];

interface HuntUser {
  /** Send an INVITE there, and report its outcome by `answered` or `failed`. */
  attempt(route: AttemptRoute): void;
  /** Nothing is left to try. */
  exhausted(end: LegEnd): void;
  /** Runs a callback of a name query; an exception in it ends the call and nothing else. */
  guard(callback: () => void): void;
}

/** The state from which another process goes on while an INVITE is out, as JSON. */
export interface HuntState {
  /** The trunks that have not been tried. */
  restTrunkIds: string[];
  /** Of the trunk that is being tried: the destinations that have not been. */
  destinations: Destination[];
  rang: boolean;
  wasRedirected: boolean;
  lastFailure: AttemptFailure | null;
  firstTrunkFailure: AttemptFailure | null;
}

/** A response is read at once, and not needed afterwards. */
const withoutResponse = (failure: AttemptFailure | null): AttemptFailure | null =>
  failure && { ...failure, response: null };

export class RouteHunt {
  readonly #user: HuntUser;
  readonly #routes: DialRoute[];
  #current: DialRoute | null = null;
  #destinations: Destination[] = [];
  /** `routing`: waiting for DNS; `trying`: an INVITE is out. */
  #state: 'routing' | 'trying' | 'over' = 'routing';
  #rang = false;
  #wasRedirected = false;
  #lastFailure: AttemptFailure | null = null;
  /** How the first trunk failed: reported as the call's end if the backup fails too. */
  #firstTrunkFailure: AttemptFailure | null = null;

  /** `from`: another process began the hunt, its INVITE on `current` is out, and `routes` are what is left. */
  constructor(routes: readonly DialRoute[], user: HuntUser, from?: { current: DialRoute; state: HuntState }) {
    this.#routes = [...routes];
    this.#user = user;
    if (from === undefined) return;
    const { current, state } = from;
    this.#current = current;
    this.#state = 'trying';
    this.#destinations = [...state.destinations];
    this.#rang = state.rang;
    this.#wasRedirected = state.wasRedirected;
    this.#lastFailure = state.lastFailure;
    this.#firstTrunkFailure = state.firstTrunkFailure;
  }

  get state(): HuntState {
    return {
      restTrunkIds: this.#routes.flatMap(({ trunkId }) => (trunkId === null ? [] : [trunkId])),
      destinations: this.#destinations,
      rang: this.#rang,
      wasRedirected: this.#wasRedirected,
      lastFailure: withoutResponse(this.#lastFailure),
      firstTrunkFailure: withoutResponse(this.#firstTrunkFailure),
    };
  }

  get rang(): boolean {
    return this.#rang;
  }

  /** The far side rings: no other destination is tried from now on. */
  ringing(): void {
    this.#rang = true;
  }

  answered(): void {
    this.#state = 'over';
    this.#current?.report(null);
  }

  /** The call was given up. */
  stop(): void {
    this.#state = 'over';
  }

  failed(route: AttemptRoute, failure: AttemptFailure): void {
    if (this.#state === 'over') return;
    this.#lastFailure = failure;
    const isRedirection = failure.status !== null && REDIRECTIONS.includes(failure.status);
    if (isRedirection && !this.#wasRedirected && failure.response && this.#current) {
      this.#wasRedirected = true;
      this.#follow(this.#current, route, failure);
    } else this.#refused(failure);
  }

  /** Tries the next destination of this trunk, else the next trunk. */
  next(): void {
    if (this.#state === 'over') return;
    const destination = this.#destinations.shift();
    if (destination && this.#current) return this.#attempt(this.#current.at(destination));
    const route = this.#routes.shift();
    if (!route) return this.#end(this.#lastFailure);
    if (this.#current) this.#firstTrunkFailure ??= this.#lastFailure;
    this.#state = 'routing';
    this.#current = route;
    route.destinations().then(
      (destinations) => this.#user.guard(() => this.#located(route, destinations, 'no address found')),
      (error: unknown) => this.#user.guard(() => this.#located(route, [], messageOf(error))),
    );
  }

  #located(route: DialRoute, destinations: readonly Destination[], problem: string): void {
    if (this.#state !== 'routing') return;
    if (destinations.length === 0) {
      const none = { status: null, q850Cause: null, response: null, provisional: false, lastCSeq: 0 };
      this.#lastFailure = { ...none, cause: 'transport', reason: `${route.name}: ${problem}` };
      route.report(this.#lastFailure);
    }
    this.#destinations = [...destinations];
    this.next();
  }

  #attempt(route: AttemptRoute): void {
    this.#state = 'trying';
    this.#user.attempt(route);
  }

  /** RFC 3261 8.1.3.4: the first Contact that the route allows. Only once, which prevents redirect loops. */
  #follow(current: DialRoute, route: AttemptRoute, failure: AttemptFailure): void {
    this.#state = 'routing';
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
      if (this.#state !== 'routing') return;
      if (next) this.#attempt(next);
      else this.#refused(failure);
    };
    find().then(
      (next) => this.#user.guard(() => go(next)),
      () => this.#user.guard(() => go(null)),
    );
  }

  #refused(failure: AttemptFailure): void {
    this.#current?.report(failure);
    if (mayTryNext(failure, this.#rang)) this.next();
    else this.#end(failure);
  }

  #end(lastFailure: AttemptFailure | null): void {
    this.#state = 'over';
    const failure = this.#firstTrunkFailure ?? lastFailure;
    this.#user.exhausted({
      by: failure?.cause === 'refused' ? 'remote' : 'network',
      sipStatus: failure?.status ?? null,
      q850Cause: failure?.q850Cause ?? null,
      reason: failure?.reason ?? 'no route',
      rang: this.#rang,
    });
  }
}
