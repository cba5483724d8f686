// All trunks, kept in step with the operator's settings. It finds the routes for dialling, and the trunk that owns an
// address.

import type { AttemptFailure, DialRoute } from '../dialog/dial-route.ts';
import type { InviteSource } from '../dialog/invite-sender.ts';
import { writeUri } from '../stack/wire/uri.ts';
import type { DialRequest, TrunkConfig, TrunkState } from '../telephony.ts';
import { NARROWBAND_CODECS, TelephonyError } from '../telephony.ts';
import { Trunk, type TrunkDeps } from './trunk.ts';
import { redirectedAttempt, trunkAttempt, trunkPeer } from './trunk-route.ts';

// Each trunk costs a registration, and an OPTIONS every 30 s.
const MAX_TRUNKS = 500;

export class TrunkBoard {
  readonly #deps: TrunkDeps;
  readonly #trunks = new Map<string, Trunk>();
  #listener: ((state: TrunkState) => void) | null = null;
  #started = false;

  constructor(deps: Omit<TrunkDeps, 'changed'>) {
    this.#deps = { ...deps, changed: (state) => this.#listener?.(state) };
  }

  onState(listener: (state: TrunkState) => void): void {
    this.#listener = listener;
    for (const trunk of this.#trunks.values()) listener(trunk.state);
  }

  /** The sockets are bound: starts the trunks that were set earlier. */
  start(): void {
    this.#started = true;
    for (const trunk of this.#trunks.values()) this.#begin(trunk);
  }

  stop(): void {
    for (const trunk of this.#trunks.values()) trunk.stop(true);
    this.#started = false;
  }

  /** True while a trunk is still unregistering. */
  get leaving(): boolean {
    return [...this.#trunks.values()].some((trunk) => trunk.leaving);
  }

  /** Replaces the whole set: changed trunks are stopped (unregistered) and restarted, the others stay untouched. */
  set(configs: readonly TrunkConfig[]): void {
    const wanted = new Map(configs.slice(0, MAX_TRUNKS).map((config) => [config.id, config]));
    for (const [id, trunk] of this.#trunks) {
      const config = wanted.get(id);
      if (config && JSON.stringify(config) === JSON.stringify(trunk.config)) continue;
      const sameAccount = config?.host === trunk.config.host && config.username === trunk.config.username;
      trunk.stop(!(sameAccount && config.register));
      this.#trunks.delete(id);
    }
    for (const [id, config] of wanted) {
      if (this.#trunks.has(id)) continue;
      const trunk = new Trunk(config, this.#deps);
      this.#trunks.set(id, trunk);
      if (this.#started) this.#begin(trunk);
    }
  }

  #begin(trunk: Trunk): void {
    trunk.start().catch((error: unknown) => {
      this.#deps.agent.log.error({ err: error, trunkId: trunk.config.id }, 'trunk could not be started');
    });
  }

  owns(address: string): boolean {
    return [...this.#trunks.values()].some((trunk) => trunk.owns(address));
  }

  /** The trunk that owns that address. */
  owner(address: string): InviteSource | null {
    for (const trunk of this.#trunks.values()) {
      if (!trunk.owns(address)) continue;
      const { codecs, country, inboundFormat, register, srtp, username } = trunk.config;
      return {
        peer: trunkPeer(trunk.config),
        codecs: codecs.length > 0 ? codecs : NARROWBAND_CODECS,
        srtp,
        country,
        inboundFormat,
        contactUser: register ? username : null,
        account: null,
      };
    }
    return null;
  }

  /** The routes of a call in order, without trunks known to be down. Throws a TelephonyError if none is left. */
  routesFor(request: DialRequest): DialRoute[] {
    if (request.trunkIds.length === 0) throw new TelephonyError('NO_TRUNK', 'no trunk is configured');
    if (!/^\+?[0-9*#]{1,32}$/.test(request.to)) {
      throw new TelephonyError('BAD_TARGET', `"${request.to}" is neither a number nor a SIP URI`);
    }
    const known = request.trunkIds.map((id) => this.#trunks.get(id)).filter((trunk) => trunk !== undefined);
    if (known.length === 0) throw new TelephonyError('TRUNK_UNKNOWN', `no trunk ${request.trunkIds.join(', ')}`);
    const up = known.filter((trunk) => !trunk.down);
    if (up.length === 0) {
      const reasons = known.map((trunk) => `${trunk.config.name}: ${trunk.state.lastError ?? 'down'}`);
      throw new TelephonyError('TRUNK_DOWN', reasons.join('; '));
    }
    return up.map((trunk) => ({
      trunkId: trunk.config.id,
      name: trunk.config.name,
      destinations: () => trunk.destinations(),
      at: (destination) => trunkAttempt(trunk.config, request, destination),
      redirect: async (target, from) => {
        const located = await this.#deps.agent.locate(writeUri(target), null);
        return redirectedAttempt(from, target, await trunk.destinations(), located, {
          number: request.to,
          country: trunk.config.country,
        });
      },
      report: (failure) => trunk.noteCall(problemOf(failure)),
    }));
  }
}

/** The trunk's problem that a failed call shows: none if the callee is busy, one for a timeout or 503. */
function problemOf(failure: AttemptFailure | null): string | null {
  if (failure === null || failure.cause === 'not-stored') return null;
  if (failure.cause === 'timeout' && !failure.provisional) return 'INVITE was not answered';
  if (failure.cause === 'transport') return failure.reason;
  if (failure.status === 401 || failure.status === 407) return 'wrong user name or password';
  return failure.status !== null && failure.status >= 502 && failure.status <= 504
    ? `INVITE was answered ${failure.status} ${failure.reason}`
    : null;
}
