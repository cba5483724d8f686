// One trunk: its addresses, its registration and keep-alive, its health by OPTIONS, and the state that the operator
// sees. Everything runs on the injected clock, and no exception escapes into a timer.

import { isDown } from '../../../db/domain/trunk-state.ts';
import { messageOf } from '../../../db/domain/unexpected.ts';
import { withTag } from '../dialog/dialog.ts';
import type { SipAgent } from '../dialog/sip-agent.ts';
import { type AddressRange, inRange, parseRange } from '../stack/network/addressing.ts';
import { MAX_DESTINATIONS } from '../stack/network/locator.ts';
import type { Names } from '../stack/network/network.ts';
import type { Destination } from '../stack/network/transport-layer.ts';
import { type FailureCause, newCallId, newTag } from '../stack/transaction/transaction-layer.ts';
import { DigestClient } from '../stack/wire/digest.ts';
import { param, parseNameAddr, writeNameAddr } from '../stack/wire/header.ts';
import { type Header, header, headerValues, type SipRequest, type SipResponse } from '../stack/wire/message.ts';
import { ALLOW_HEADER, reasonOf } from '../stack/wire/responses.ts';
import { escapeUser } from '../stack/wire/uri.ts';
import type { TrunkConfig, TrunkState } from '../telephony.ts';
import { type RegistrationEvent, type RegistrationState, stepRegistration } from './registration.ts';
import { trunkAccount, trunkDestinations, trunkHosts, trunkPeer, trunkRoutes, trunkUri } from './trunk-route.ts';

/** RFC 5626 4.4.1: NAT bindings of UDP last at least 30 s. */
const KEEP_ALIVE_MS = 25_000;
const CHECK_EVERY_MS = 30_000;
// Short after a failure, so that a recovered trunk is used again within seconds.
const RECHECK_MS = 5_000;
const RESOLVE_EVERY_MS = 300_000;
const FAILURES_UNTIL_DOWN = 2;
const MAX_CHALLENGES = 2;

type OutOfDialogOutcome =
  | { type: 'response'; message: SipResponse }
  | { type: 'failed'; cause: FailureCause; detail: string };

export interface TrunkDeps {
  agent: SipAgent;
  names: Names;
  /** Id of the flow that was kept alive; null if there is none. */
  keepAlive(destination: Destination): number | null;
  changed(state: TrunkState): void;
  /** The trunk's addresses were resolved, and may have changed. */
  resolved(): void;
  /** Why nothing may be sent to such a trunk; null if it may. Its own calls are taken all the same. */
  bar(config: TrunkConfig): string | null;
}

export class Trunk {
  readonly config: TrunkConfig;
  readonly #deps: TrunkDeps;
  readonly #callId = newCallId();
  readonly #tag = newTag();
  readonly #digest: DigestClient;
  readonly #allow: AddressRange[];
  #cseq = 0;
  #destinations: Destination[] = [];
  #addresses = new Set<string>();
  #registration: RegistrationState = { phase: 'off' };
  #registrar: Destination | null = null;
  /** The connection that we registered over. */
  #flowId: number | null = null;
  #health: TrunkState['health'] = { state: 'unknown', checkedAtMs: null };
  #healthFailures = 0;
  #lastError: string | null = null;
  #lastErrorAtMs: number | null = null;
  /** The last DNS lookup of the host's name failed. */
  #isNameless = false;
  #timers = new Map<string, () => void>();
  #stopped = false;
  #leaving = false;

  constructor(config: TrunkConfig, deps: TrunkDeps) {
    this.config = config;
    this.#deps = deps;
    this.#digest = new DigestClient(trunkPeer(config).credentials);
    this.#allow = config.inboundAllow.map(parseRange).filter((range) => range !== null);
  }

  get state(): TrunkState {
    const registered = this.#registration;
    return {
      trunkId: this.config.id,
      registration: {
        state: this.config.register ? registered.phase : 'off',
        expiresAtMs: registered.phase === 'registered' ? registered.expiresAtMs : null,
      },
      health: this.#health,
      lastError: this.#lastError,
      lastErrorAtMs: this.#lastErrorAtMs,
    };
  }

  /** Known to be down: OPTIONS unanswered, or the registration failed. */
  get down(): boolean {
    if (this.#deps.bar(this.config) !== null) return true;
    if (this.config.isPassive) return false;
    return isDown(this.config.register ? this.#registration.phase : 'off', this.#health.state);
  }

  /** True while an un-REGISTER is unanswered. */
  get leaving(): boolean {
    return this.#leaving;
  }

  /** True if packets from that address belong to this trunk. */
  owns(address: string): boolean {
    return this.#addresses.has(address) || this.#allow.some((range) => inRange(address, range));
  }

  async start(): Promise<void> {
    await this.#resolve();
    if (this.#stopped) return;
    const bar = this.#deps.bar(this.config);
    if (bar !== null) return this.#setHealth('down', bar);
    if (this.config.isPassive) return;
    if (this.config.register) this.#register({ type: 'started' });
    this.#check();
  }

  /**
   * Stops all timers. `unregister` is false if the same account continues with other settings: a late un-REGISTER would
   * remove the new registration.
   */
  stop(unregister: boolean): void {
    if (this.#stopped) return;
    if (unregister && !this.config.isPassive && this.#deps.bar(this.config) === null)
      this.#register({ type: 'stopped' });
    this.#stopped = true;
    for (const stop of this.#timers.values()) stop();
    this.#timers.clear();
  }

  /** Destinations for the next call, resolved now if the last attempt failed. */
  async destinations(): Promise<Destination[]> {
    if (this.#destinations.length === 0) {
      const resolved = await trunkDestinations(this.#deps.names, this.config);
      this.#destinations = resolved.slice(0, MAX_DESTINATIONS);
    }
    return this.#destinations;
  }

  /** The outcome of a call counts as much as that of OPTIONS. */
  noteCall(problem: string | null): void {
    if (problem === null) this.#setHealth('up', null);
    else {
      this.#noteError(problem);
      this.#arm('check', 0, () => this.#check());
    }
  }

  #arm(name: string, delayMs: number, fire: () => void): void {
    this.#timers.get(name)?.();
    if (this.#stopped) return;
    const guarded = () => {
      this.#timers.delete(name);
      try {
        fire();
      } catch (error) {
        this.#deps.agent.log.error({ err: error, trunkId: this.config.id }, 'trunk timer failed');
      }
    };
    this.#timers.set(name, this.#deps.agent.clock.after(delayMs, guarded));
  }

  #disarm(name: string): void {
    this.#timers.get(name)?.();
    this.#timers.delete(name);
  }

  #noteError(text: string): void {
    this.#lastError = text;
    this.#lastErrorAtMs = this.#deps.agent.clock.nowMs();
    this.#changed();
  }

  /** An unresolved name remains an error until it resolves. */
  #clearError(): void {
    if (this.#isNameless || this.#deps.bar(this.config) !== null) return;
    this.#lastError = null;
    this.#lastErrorAtMs = null;
  }

  #changed(): void {
    if (!this.#stopped) this.#deps.changed(this.state);
  }

  async #resolve(): Promise<void> {
    try {
      const resolved = await trunkDestinations(this.#deps.names, this.config);
      if (resolved.length === 0) this.#unresolved('no such host');
      else await this.#useAddresses(resolved);
    } catch (error) {
      this.#unresolved(messageOf(error));
    }
    this.#arm('resolve', this.#isNameless ? RECHECK_MS * 3 : RESOLVE_EVERY_MS, () => {
      this.#resolve().catch(() => {});
    });
  }

  async #useAddresses(resolved: readonly Destination[]): Promise<void> {
    const addresses = new Set(resolved.map(({ remote }) => remote.address));
    for (const host of trunkHosts(this.config)) {
      for (const address of await this.#addressesOf(host)) addresses.add(address);
    }
    this.#destinations = resolved.slice(0, MAX_DESTINATIONS);
    this.#addresses = addresses;
    this.#deps.resolved();
    if (!this.#isNameless) return;
    this.#isNameless = false;
    this.#clearError();
    this.#changed();
  }

  async #addressesOf(host: string): Promise<string[]> {
    const literal = parseRange(host.replace(/^\[|\]$/g, ''));
    return literal ? [host.replace(/^\[|\]$/g, '')] : this.#deps.names.addresses(host);
  }

  /** Keeps the last known addresses: a temporary DNS failure does not affect calls over hosts that still answer. */
  #unresolved(reason: string): void {
    this.#isNameless = true;
    const problem = `${this.config.host} cannot be resolved: ${reason}`;
    if (this.#destinations.length === 0) this.#setHealth('down', problem);
    else this.#noteError(`${problem}; its last addresses are used`);
  }

  #setHealth(state: 'up' | 'down', problem: string | null): void {
    this.#health = { state, checkedAtMs: this.#deps.agent.clock.nowMs() };
    if (state === 'up') {
      this.#healthFailures = 0;
      if (this.#registration.phase !== 'failed') this.#clearError();
    }
    if (problem === null) this.#changed();
    else this.#noteError(problem);
  }

  /** OPTIONS: any answer but 408, 502, 503 and 504 means up. */
  #check(): void {
    if (!this.config.optionsPing || this.config.isPassive) return;
    const destination = this.#destinations[0];
    if (!destination) {
      this.#arm('check', RECHECK_MS, () => this.#check());
      return;
    }
    this.#request('OPTIONS', trunkUri(this.config), [], destination, new DigestClient(null), (answer) => {
      const problem = this.#problemOf(answer);
      if (problem === null) this.#setHealth('up', null);
      else if (++this.#healthFailures >= FAILURES_UNTIL_DOWN) {
        this.#setHealth('down', problem);
        // Another address of the host may work.
        this.#destinations = [...this.#destinations.slice(1), ...this.#destinations.slice(0, 1)];
      } else this.#noteError(problem);
      const delayMs = problem === null ? CHECK_EVERY_MS : RECHECK_MS;
      this.#arm('check', delayMs, () => this.#check());
    });
  }

  #problemOf(answer: OutOfDialogOutcome): string | null {
    const { host } = this.config;
    if (answer.type === 'failed') {
      return answer.cause === 'timeout' ? `${host} does not answer` : `${host} cannot be reached: ${answer.detail}`;
    }
    const { status } = answer.message;
    return status === 408 || (status >= 502 && status <= 504)
      ? `${host} answers ${status} ${reasonOf(answer.message)}`
      : null;
  }

  #register(event: RegistrationEvent): void {
    if (this.#stopped) return;
    const before = this.#registration;
    const [state, effects] = stepRegistration(before, event);
    this.#registration = state;
    for (const effect of effects) {
      if (effect.type === 'arm') this.#arm('register', effect.delayMs, () => this.#register({ type: 'timer-fired' }));
      else if (effect.type === 'disarm') this.#disarm('register');
      else this.#sendRegister(effect.expiresSeconds);
    }
    if (state.phase === 'failed') this.#noteError(`registration: ${state.reason}`);
    else if (state.phase === 'registered') {
      this.#clearError();
      this.#flowId = this.#registrar && this.#deps.keepAlive(this.#registrar);
      this.#arm('keep-alive', KEEP_ALIVE_MS, () => this.#keepAlive());
      this.#changed();
    } else if (state !== before) this.#changed();
    if (state.phase !== 'registered') this.#disarm('keep-alive');
  }

  #keepAlive(): void {
    const flowId = this.#registrar && this.#deps.keepAlive(this.#registrar);
    // The registrar would send calls over the closed connection, so register again over the new one.
    if (flowId === null || (this.#flowId !== null && flowId !== this.#flowId)) this.#register({ type: 'timer-fired' });
    this.#flowId = flowId;
    this.#arm('keep-alive', KEEP_ALIVE_MS, () => this.#keepAlive());
  }

  #sendRegister(expiresSeconds: number): void {
    const destination = this.#destinations[0];
    if (!destination) {
      this.#register({ ...this.#refusal('no address'), permanent: false });
      return;
    }
    this.#registrar = destination;
    this.#leaving = expiresSeconds === 0;
    const contact = this.#contact(destination);
    const headers: Header[] = [
      { name: 'contact', value: contact },
      { name: 'expires', value: String(expiresSeconds) },
    ];
    this.#request('REGISTER', trunkUri(this.config), headers, destination, this.#digest, (answer) => {
      if (expiresSeconds > 0) this.#registered(answer);
      else this.#leaving = false;
    });
  }

  #contact(destination: Destination): string {
    const user = this.config.username;
    const { contactAt } = this.config;
    const own = this.#deps.agent.contact(destination);
    const contact = contactAt === undefined ? own : own.replace(/<sip:[^;>]+/, `<sip:${contactAt}`);
    return user === null ? contact : contact.replace('<sip:', `<sip:${escapeUser(user)}@`);
  }

  #refusal(reason: string): Extract<RegistrationEvent, { type: 'refused' }> {
    return { type: 'refused', reason, permanent: false, retryAfterSeconds: null, chance: Math.random() };
  }

  #registered(answer: OutOfDialogOutcome): void {
    if (answer.type === 'failed') {
      this.#register(this.#refusal(this.#problemOf(answer) ?? answer.detail));
      return;
    }
    const { message } = answer;
    const { status } = message;
    if (status < 300) {
      const nowMs = this.#deps.agent.clock.nowMs();
      this.#register({ type: 'accepted', grantedSeconds: this.#granted(message), nowMs });
    } else if (status === 423) {
      this.#register({ type: 'too-brief', minSeconds: Number(header(message, 'min-expires') ?? 0) || 0 });
    } else {
      const wrong = status === 401 || status === 407 ? 'wrong user name or password' : `${status} ${reasonOf(message)}`;
      const permanent = status < 500 && status !== 408 && status !== 480;
      const retryAfter = Number(/^\d{1,5}/.exec(header(message, 'retry-after') ?? '')?.[0] ?? 0);
      this.#register({ ...this.#refusal(wrong), permanent, retryAfterSeconds: retryAfter || null });
    }
  }

  /** Granted seconds: from our own Contact, else from the Expires header (RFC 3261 10.2.4). */
  #granted(message: SipResponse): number {
    const destination = this.#registrar;
    const own = destination ? parseNameAddr(this.#contact(destination)) : null;
    for (const value of headerValues(message, 'contact')) {
      const contact = parseNameAddr(value);
      const expires = contact && param(contact.params, 'expires');
      const same = own && contact && JSON.stringify(contact.uri) === JSON.stringify(own.uri);
      if (same && expires && /^\d{1,10}$/.test(expires)) return Math.max(Number(expires), 1);
    }
    const general = header(message, 'expires');
    return general !== undefined && /^\d{1,10}$/.test(general) ? Math.max(Number(general), 1) : 300;
  }

  /** A request outside a dialog, with digest. */
  #request(
    method: string,
    uri: string,
    headers: readonly Header[],
    destination: Destination,
    digest: DigestClient,
    done: (answer: OutOfDialogOutcome) => void,
    challenges = 0,
  ): void {
    const account = trunkAccount(this.config);
    const bare: SipRequest = {
      kind: 'request',
      method,
      uri,
      headers: [
        ...trunkRoutes(this.config).map((value) => ({ name: 'route', value })),
        { name: 'max-forwards', value: '70' },
        { name: 'from', value: writeNameAddr(withTag(account, method === 'REGISTER' ? this.#tag : newTag())) },
        { name: 'to', value: method === 'REGISTER' ? writeNameAddr(account) : `<${uri}>` },
        { name: 'call-id', value: method === 'REGISTER' ? this.#callId : newCallId() },
        { name: 'cseq', value: `${++this.#cseq} ${method}` },
        ...headers,
        ALLOW_HEADER,
      ],
      body: Buffer.alloc(0),
    };
    const request = { ...bare, headers: [...bare.headers, ...digest.authorize(bare)] };
    this.#deps.agent.layer.request(request, destination, {
      response: ({ message }) => {
        if (message.status < 200) return;
        const challenged = message.status === 401 || message.status === 407;
        if (challenged && challenges < MAX_CHALLENGES && digest.challenged(message, challenges === 0)) {
          this.#request(method, uri, headers, destination, digest, done, challenges + 1);
        } else done({ type: 'response', message });
      },
      failed: (cause, detail) => done({ type: 'failed', cause, detail }),
    });
  }
}
