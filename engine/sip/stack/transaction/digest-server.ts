// Digest authentication as a server (RFC 3261 22.4, RFC 7616, RFC 8760). A nonce carries its own time and HMAC, so it
// is stored only once it is used. Each nonce count is accepted once, and only from the network that was challenged.
//
// Several engines behind one proxy share the key of the HMAC, but not the counts. The answer to a challenge may reach
// another engine than the challenge came from: that one takes the first answer to a nonce that is seconds old, since a
// telephone that is challenged by each engine in turn would never get through. Anything else of another engine's nonce
// is `stale`, and so is each REGISTER: whoever repeats a recorded one elsewhere must not take over a telephone.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { sourceNetwork } from '../../../../db/shared/source-network.ts';
import { type DigestAlgorithm, digestResponse } from '../wire/digest.ts';
import { parseAuth } from '../wire/header.ts';
import { type Header, headerValues, type SipRequest } from '../wire/message.ts';

/** Validity of a nonce; after that the client gets `stale` and tries again without asking its user. */
const NONCE_LIFE_MS = 120_000;
/** Validity of another engine's nonce: a phone answers a challenge at once. */
const OTHERS_NONCE_LIFE_MS = 10_000;
// Nonces with remembered counts; the oldest is dropped first, which costs its client one more challenge.
const MAX_NONCES = 4_096;
/** RFC 8760 2.3: strongest first. */
export const OFFERED_ALGORITHMS: readonly DigestAlgorithm[] = ['SHA-256', 'MD5'];

type PasswordOf = (username: string) => string | null;
export type Verdict =
  | { type: 'authenticated'; username: string }
  /** `stale`: the nonce is expired or was never issued to this sender; the password was not checked. */
  | { type: 'challenge'; reason: 'none' | 'stale'; headers: Header[] }
  | { type: 'challenge'; reason: 'wrong'; username: string; headers: Header[] };

export class DigestServer {
  readonly #realm: string;
  readonly #passwordOf: PasswordOf;
  readonly #key: Buffer;
  /** Begins the salt of this server's own nonces. */
  readonly #mark = randomBytes(4).toString('hex');
  /** Highest nonce count seen, by nonce. */
  readonly #counts = new Map<string, number>();

  /** `sharedKey`: the same for all engines whose nonces are to be known; null: nobody else's are. */
  constructor(realm: string, passwordOf: PasswordOf, sharedKey: Buffer | null = null) {
    this.#realm = realm;
    this.#passwordOf = passwordOf;
    this.#key = sharedKey ?? randomBytes(32);
  }

  /** User name and hash of the request's credentials, not yet verified; null without credentials. */
  claimIn(request: SipRequest): { username: string; hash: 'MD5' | 'SHA-256' } | null {
    const [params] = this.#credentials(request);
    if (params === undefined) return null;
    const hash = (params.get('algorithm') ?? 'MD5').toUpperCase().startsWith('SHA-256') ? 'SHA-256' : 'MD5';
    return { username: params.get('username') ?? '', hash };
  }

  /** Checks the Authorization of a request from `address`; `offered`: the algorithms that a challenge names. */
  check(
    request: SipRequest,
    nowMs: number,
    address: string,
    offered: readonly DigestAlgorithm[] = OFFERED_ALGORITHMS,
  ): Verdict {
    const network = sourceNetwork(address);
    let wrong: string | null = null;
    let isStale = false;
    for (const params of this.#credentials(request)) {
      const username = params.get('username') ?? '';
      const nonce = params.get('nonce') ?? '';
      // Checked first: an answer to a nonce that we never issued must not reveal whether its password is right.
      if (!this.#isFresh(request.method, params, nowMs, network)) isStale = true;
      else if (this.#matches(request, params, username)) {
        this.#use(nonce, params);
        return { type: 'authenticated', username };
      } else wrong ??= username;
    }
    const nonce = this.#nonceAt(nowMs, this.#mark + randomBytes(6).toString('hex'), network);
    const headers = this.#challenges(nonce, offered, isStale && wrong === null);
    if (wrong !== null) return { type: 'challenge', reason: 'wrong', username: wrong, headers };
    return { type: 'challenge', reason: isStale ? 'stale' : 'none', headers };
  }

  #credentials(request: SipRequest): Array<Map<string, string>> {
    return headerValues(request, 'authorization')
      .map((text) => parseAuth(text))
      .filter((auth) => auth?.scheme.toLowerCase() === 'digest')
      .flatMap((auth) => (auth?.params.get('realm') === this.#realm ? [auth.params] : []));
  }

  #challenges(nonce: string, offered: readonly DigestAlgorithm[], isStale: boolean): Header[] {
    return offered.map((algorithm) => ({
      name: 'www-authenticate',
      value:
        `Digest realm="${this.#realm}", nonce="${nonce}", algorithm=${algorithm}, qop="auth,auth-int"` +
        (isStale ? ', stale=true' : ''),
    }));
  }

  #nonceAt(timeMs: number, salt: string, network: string): string {
    const stem = `${timeMs.toString(36)}.${salt}`;
    const seal = createHmac('sha256', this.#key).update(`${stem}|${network}`).digest('hex').slice(0, 32);
    return `${stem}.${seal}`;
  }

  #isFresh(method: string, params: Map<string, string>, nowMs: number, network: string): boolean {
    const nonce = params.get('nonce') ?? '';
    const [time, salt] = nonce.split('.');
    const madeMs = Number.parseInt(time ?? '', 36);
    if (!salt || this.#nonceAt(madeMs, salt, network) !== nonce || nowMs - madeMs > NONCE_LIFE_MS) return false;
    const count = countOf(params);
    const isOwn = salt.startsWith(this.#mark);
    if (!isOwn && (method === 'REGISTER' || count !== 1 || nowMs - madeMs > OTHERS_NONCE_LIFE_MS)) return false;
    return count > (this.#counts.get(nonce) ?? 0);
  }

  #use(nonce: string, params: Map<string, string>): void {
    this.#counts.delete(nonce);
    this.#counts.set(nonce, countOf(params));
    for (const oldest of this.#counts.keys()) {
      if (this.#counts.size <= MAX_NONCES) break;
      this.#counts.delete(oldest);
    }
  }

  #matches(request: SipRequest, params: Map<string, string>, username: string): boolean {
    const password = this.#passwordOf(username);
    const algorithm = (params.get('algorithm') ?? 'MD5').toUpperCase().replace('-SESS', '-sess');
    const known =
      algorithm === 'MD5' || algorithm === 'MD5-sess' || algorithm === 'SHA-256' || algorithm === 'SHA-256-sess';
    const qop = params.get('qop') ?? null;
    // RFC 3261 22.4: the URI in the credentials must be the Request-URI, else they were made for another request.
    if (password === null || !known || params.get('uri') !== request.uri) return false;
    if (qop !== null && qop !== 'auth' && qop !== 'auth-int') return false;
    const expected = digestResponse({
      algorithm,
      username,
      realm: this.#realm,
      password,
      nonce: params.get('nonce') ?? '',
      cnonce: params.get('cnonce') ?? '',
      nc: params.get('nc') ?? '',
      qop,
      method: request.method,
      uri: request.uri,
      body: request.body,
    });
    const given = Buffer.from(params.get('response') ?? '');
    const wanted = Buffer.from(expected);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }
}

/** NaN if unreadable: it is greater than no count, so the nonce counts as stale. */
const countOf = (params: Map<string, string>): number =>
  params.has('qop') ? Number.parseInt(params.get('nc') ?? '', 16) : 1;
