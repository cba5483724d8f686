// The registrar of the operator's softphones (RFC 3261 10). A phone that proves an account's password, from any
// address, may register one contact, place calls as that account, and be called.
//
// An INVITE is challenged only if its From names an account registered from the same address. All other senders get the
// same answers as without softphones, and so cannot learn which accounts exist.

import type { DialRoute } from '../dialog/dial-route.ts';
import type { SipAgent } from '../dialog/sip-agent.ts';
import type { Edge } from '../stack/network/edge.ts';
import type { Destination, Flow } from '../stack/network/transport-layer.ts';
import { DigestServer, type Verdict } from '../stack/transaction/digest-server.ts';
import { type Answerable, checkExtensions, refuse } from '../stack/transaction/request-checks.ts';
import { type IncomingRequest, makeResponse, newTag } from '../stack/transaction/transaction-layer.ts';
import type { NameAddr } from '../stack/wire/header.ts';
import { type Header, header, tokens } from '../stack/wire/message.ts';
import { MAX_NAME_CHARS, plainHeaderText } from '../stack/wire/plain-text.ts';
import { ALLOW_HEADER, phraseOf } from '../stack/wire/responses.ts';
import { unescapeUser } from '../stack/wire/uri.ts';
import type { DialRequest, SipAccountConfig, SipBinding, SoftphoneRegistrar } from '../telephony.ts';
import { TelephonyError } from '../telephony.ts';
import { Bindings, closedFlow, hostOf } from './bindings.ts';
import { Lockout } from './lockout.ts';
import { OfferedHashes } from './offered-hashes.ts';
import { firstHop, pathValues, readPath } from './path.ts';
import { phoneRoute } from './phone-route.ts';
import { MIN_EXPIRES_SECONDS, type RegisterOrder, readRegister } from './register-request.ts';

/** Part of each digest; some phones show it in their settings. */
const REALM = 'voice';
const MAX_USER_AGENT_CHARS = 128;

/** The sender's proof. `nobody`: it is judged by its address alone. */
type Judgement =
  | { type: 'account'; account: SipAccountConfig; hash: 'MD5' | 'SHA-256' }
  | { type: 'challenge'; headers: Header[] }
  | { type: 'locked' }
  | { type: 'nobody' };

interface RegistrarDeps {
  agent: SipAgent;
  keepAlive(destination: Destination): void;
  /** Where requests to the sender go; null once its connection is closed. */
  wayBack(flow: Flow): Destination | null;
  /** Proxies of our own: phones may register through them. */
  edge: Edge;
  /** Seals the nonces of all engines behind the edge; null where there is none. */
  nonceKey: Buffer | null;
}

/** The user name of `sip:USERNAME`, in lower case; null for a URI with a host, and for a number. */
export function softphoneIn(target: string): string | null {
  return /^sip:([a-z0-9][a-z0-9_-]*)$/i.exec(target)?.[1]?.toLowerCase() ?? null;
}

export class Registrar implements SoftphoneRegistrar {
  readonly #deps: RegistrarDeps;
  readonly #digest: DigestServer;
  readonly #lockout: Lockout;
  readonly #hashes: OfferedHashes;
  readonly #bindings: Bindings;
  /** By username. */
  #accounts = new Map<string, SipAccountConfig>();
  #listener: Parameters<SoftphoneRegistrar['onBinding']>[0] | null = null;
  /** Cached, because a nonce count can be checked only once. */
  readonly #judgements = new WeakMap<IncomingRequest, Judgement>();

  constructor(deps: RegistrarDeps) {
    this.#deps = deps;
    const passwordOf = (username: string) => this.#accounts.get(username.toLowerCase())?.password ?? null;
    this.#digest = new DigestServer(REALM, passwordOf, deps.nonceKey);
    this.#lockout = new Lockout(deps.agent.clock);
    this.#hashes = new OfferedHashes(deps.agent.clock);
    this.#bindings = new Bindings({
      clock: deps.agent.clock,
      changed: (sipAccountId, binding, ended) => this.#listener?.(sipAccountId, binding, ended),
      keepAlive: deps.keepAlive,
    });
  }

  /** Without any account there is no registrar: REGISTER gets 405. */
  get isOpen(): boolean {
    return this.#accounts.size > 0;
  }

  onBinding(listener: Parameters<SoftphoneRegistrar['onBinding']>[0]): void {
    this.#listener = listener;
  }

  /** Replaces the whole set. Removed or renamed accounts, and those with a new password, must register again. */
  setSipAccounts(accounts: readonly SipAccountConfig[]): void {
    const before = this.#accounts;
    this.#accounts = new Map(accounts.map((account) => [account.username, account]));
    for (const { id, username, password } of before.values()) {
      const now = this.#accounts.get(username);
      if (now?.id !== id || now.password !== password) this.#bindings.drop(id);
    }
  }

  /** Restores the registrations from before a restart; their TCP and TLS connections are gone. */
  restoreBindings(bindings: readonly SipBinding[]): void {
    for (const binding of this.#ofAccounts(bindings)) this.#bindings.put(binding, closedFlow(binding), false);
  }

  followBindings(bindings: readonly SipBinding[], except: ReadonlySet<string>): void {
    this.#bindings.follow(this.#ofAccounts(bindings), except);
  }

  #ofAccounts(bindings: readonly SipBinding[]): SipBinding[] {
    const known = new Set([...this.#accounts.values()].map(({ id }) => id));
    return bindings.filter(({ sipAccountId }) => known.has(sipAccountId));
  }

  stop(): void {
    this.#bindings.stop();
  }

  /** True if a phone is registered from that address. */
  knowsAddress(address: string): boolean {
    return this.#bindings.knowsAddress(address);
  }

  knowsPort(address: string, port: number): boolean {
    return this.#bindings.knowsPort(address, port);
  }

  usesConnection(id: number): boolean {
    return this.#bindings.usesConnection(id);
  }

  /** The routes of a call to a phone of that tenant. Throws a TelephonyError if it is not registered. */
  routesFor(username: string, request: DialRequest): DialRoute[] {
    const account = this.#accounts.get(username);
    if (account === undefined || account.accountId !== request.accountId) {
      throw new TelephonyError('BAD_TARGET', `no softphone ${username}`);
    }
    const bound = this.#bindings.get(account.id);
    if (bound === null) throw new TelephonyError('NOT_REGISTERED', `the softphone ${username} is not registered`);
    const { binding, flow } = bound;
    const { contact, address, transport, path } = binding;
    const destinations = () => this.#destinations(binding, flow);
    const of = { accountId: account.accountId, username, contact, address, transport };
    const phone = { ...of, routes: pathValues(path), destinations };
    return [phoneRoute(this.#deps.agent, phone, request)];
  }

  #destinations({ contact, path }: SipBinding, flow: Flow): Destination[] | Promise<Destination[]> {
    const proxy = firstHop(path);
    if (proxy !== null) return this.#deps.agent.locate(proxy, null);
    const back = this.#deps.wayBack(flow);
    if (back !== null) return [back];
    // The phone does not listen on the port that it connected from; without a NAT it listens at its Contact.
    if (hostOf(contact) !== flow.remote.address) return [];
    const located = this.#deps.agent.locate(contact, null);
    return located instanceof Promise ? [] : located;
  }

  /** Identifies the sender of this INVITE or REGISTER. */
  judge(request: IncomingRequest): Judgement {
    const known = this.#judgements.get(request);
    if (known) return known;
    const judgement = this.isOpen ? this.#judge(request) : ({ type: 'nobody' } as const);
    this.#judgements.set(request, judgement);
    return judgement;
  }

  #judge(request: IncomingRequest): Judgement {
    const { address } = request.source;
    const bound = this.#boundThere(request.parts.from, address);
    const isInvited = request.message.method === 'REGISTER' || bound !== null;
    const claim = this.#digest.claimIn(request.message);
    if (claim !== null && this.#lockout.isLocked(address, claim.username.toLowerCase())) {
      return isInvited ? { type: 'locked' } : { type: 'nobody' };
    }
    if (claim === null && !isInvited) return { type: 'nobody' };
    const name = claim?.username ?? userOf(request.parts.from) ?? '';
    const offered = this.#hashes.next(address, name.toLowerCase(), claim?.hash ?? bound?.hash ?? null);
    const verdict = this.#digest.check(request.message, this.#deps.agent.clock.nowMs(), address, offered);
    if (verdict.type === 'authenticated') {
      const account = this.#accounts.get(verdict.username.toLowerCase());
      if (account === undefined) return { type: 'nobody' };
      this.#lockout.succeed(address, account.username);
      return { type: 'account', account, hash: claim?.hash ?? 'MD5' };
    }
    this.#noteFailure(verdict, address);
    const isAnswered = isInvited || verdict.reason === 'stale';
    return isAnswered ? { type: 'challenge', headers: verdict.headers } : { type: 'nobody' };
  }

  /** The registration of the From's account, if it is from that address. */
  #boundThere(from: NameAddr, address: string): SipBinding | null {
    const account = this.#accounts.get(userOf(from) ?? '');
    const binding = account === undefined ? undefined : this.#bindings.get(account.id)?.binding;
    return binding?.address === address ? binding : null;
  }

  #noteFailure(verdict: Extract<Verdict, { type: 'challenge' }>, address: string): void {
    if (verdict.reason !== 'wrong') return;
    const username = verdict.username.toLowerCase();
    if (!this.#lockout.fail(address, username)) return;
    const shown = plainHeaderText(username, MAX_NAME_CHARS);
    this.#deps.agent.log.warn({ sourceAddress: address, username: shown }, 'softphone locked out');
  }

  /** RFC 3261 10.3. */
  register(transaction: Answerable): void {
    const { request } = transaction;
    const judgement = this.judge(request);
    if (judgement.type === 'nobody') return refuse(transaction, 405, [ALLOW_HEADER]);
    if (!checkExtensions(transaction)) return;
    if (judgement.type === 'locked') return refuse(transaction, 403);
    if (judgement.type === 'challenge') return refuse(transaction, 401, judgement.headers);
    const { account, hash } = judgement;
    // An account may register only itself.
    if (userOf(request.parts.to) !== account.username) return refuse(transaction, 403);
    const order = readRegister(request);
    if (order.type === 'bad') return refuse(transaction, 400);
    if (order.type === 'too-brief') {
      return refuse(transaction, 423, [{ name: 'min-expires', value: String(MIN_EXPIRES_SECONDS) }]);
    }
    const way = readPath(request, this.#deps.edge);
    if (way.type === 'bad') {
      this.#deps.agent.log.warn({ username: account.username, reason: way.reason }, 'Path of a softphone refused');
      return refuse(transaction, 400);
    }
    const before = this.#bindings.get(account.id)?.binding;
    const { callId, cseq } = request.parts;
    const isOld = before?.sipCallId === callId && cseq.number <= before.cseq;
    if (isOld && order.type !== 'query') return refuse(transaction, 500);
    this.#perform(order, { account, hash, path: way.path }, request, before);
    this.#accept(transaction, account, way.path);
  }

  #perform(
    order: RegisterOrder,
    { account, hash, path }: { account: SipAccountConfig; hash: SipBinding['hash']; path: string | null },
    { message, parts, flow, source }: IncomingRequest,
    before: SipBinding | undefined,
  ): void {
    const isRemoved = order.type === 'remove' && before !== undefined && order.removed.includes(before.contact);
    if (order.type === 'remove-all' || isRemoved) this.#bindings.drop(account.id);
    if (order.type !== 'bind') return;
    const nowMs = this.#deps.agent.clock.nowMs();
    const userAgent = plainHeaderText(header(message, 'user-agent') ?? '', MAX_USER_AGENT_CHARS);
    const binding: SipBinding = {
      sipAccountId: account.id,
      contact: order.contact,
      transport: source.protocol,
      address: source.address,
      port: source.port,
      userAgent: userAgent === '' ? null : userAgent,
      sipCallId: parts.callId,
      cseq: parts.cseq.number,
      hash,
      path,
      registeredAtMs: before?.contact === order.contact ? before.registeredAtMs : nowMs,
      expiresAtMs: nowMs + order.expiresSeconds * 1_000,
    };
    // A proxy of ours that gives no Path: the phone is called where it is.
    const isDirect = source.address === flow.remote.address && source.port === flow.remote.port;
    this.#bindings.put(binding, isDirect ? flow : closedFlow(binding), true);
  }

  #accept(transaction: Answerable, account: SipAccountConfig, path: string | null): void {
    const base = makeResponse(transaction.request, 200, phraseOf(200), newTag());
    const binding = this.#bindings.get(account.id)?.binding;
    const headers: Header[] = [];
    if (binding !== undefined) {
      const seconds = Math.ceil((binding.expiresAtMs - this.#deps.agent.clock.nowMs()) / 1_000);
      headers.push({ name: 'contact', value: `<${binding.contact}>;expires=${seconds}` });
    }
    // RFC 3327 5.3.
    if (path !== null && tokens(transaction.request.message, 'supported').includes('path')) {
      headers.push({ name: 'path', value: path });
    }
    transaction.respond({ ...base, headers: [...base.headers, ...headers, ALLOW_HEADER] });
  }
}

/** The user part, in lower case. */
function userOf({ uri }: NameAddr): string | null {
  const user = uri.scheme === 'sip' || uri.scheme === 'sips' ? uri.user : null;
  return user === null ? null : unescapeUser(user).toLowerCase();
}
