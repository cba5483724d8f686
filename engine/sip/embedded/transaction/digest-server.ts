// Digest authentication as a server (RFC 3261 22.4, RFC 7616, RFC 8760): nonces carry their own time and HMAC, so
// none is stored before it is used; each nonce count is accepted once.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type DigestAlgorithm, digestResponse } from '../wire/digest.ts';
import { parseAuth } from '../wire/header.ts';
import { type Header, headerValues, type SipRequest } from '../wire/message.ts';

/** Validity of a nonce; after that the client gets `stale` and tries again without asking its user. */
const NONCE_LIFE_MS = 120_000;
// Nonces with remembered counts; the oldest is dropped first, which costs its client one more challenge.
const MAX_NONCES = 4_096;
/** RFC 8760 2.3: strongest first. */
const OFFERED_ALGORITHMS: readonly DigestAlgorithm[] = ['SHA-256', 'MD5'];

export type PasswordOf = (username: string) => string | null;
export type Verdict = { type: 'authenticated'; username: string } | { type: 'challenge'; headers: Header[] };

export class DigestServer {
  readonly #realm: string;
  readonly #passwordOf: PasswordOf;
  readonly #key = randomBytes(32);
  /** Highest nonce count seen, by nonce. */
  readonly #counts = new Map<string, number>();

  constructor(realm: string, passwordOf: PasswordOf) {
    this.#realm = realm;
    this.#passwordOf = passwordOf;
  }

  /** Checks the Authorization of a request. */
  check(request: SipRequest, nowMs: number): Verdict {
    let stale = false;
    for (const text of headerValues(request, 'authorization')) {
      const auth = parseAuth(text);
      if (auth?.scheme.toLowerCase() !== 'digest' || auth.params.get('realm') !== this.#realm) continue;
      const username = auth.params.get('username') ?? '';
      if (!this.#matches(request, auth.params, username)) continue;
      const nonce = auth.params.get('nonce') ?? '';
      if (this.#fresh(nonce, auth.params, nowMs)) return { type: 'authenticated', username };
      stale = true;
    }
    return { type: 'challenge', headers: this.#challenges(nowMs, stale) };
  }

  #challenges(nowMs: number, stale: boolean): Header[] {
    const nonce = this.#nonceAt(nowMs, randomBytes(6).toString('hex'));
    return OFFERED_ALGORITHMS.map((algorithm) => ({
      name: 'www-authenticate',
      value:
        `Digest realm="${this.#realm}", nonce="${nonce}", algorithm=${algorithm}, qop="auth,auth-int"` +
        (stale ? ', stale=true' : ''),
    }));
  }

  #nonceAt(timeMs: number, salt: string): string {
    const stem = `${timeMs.toString(36)}.${salt}`;
    return `${stem}.${createHmac('sha256', this.#key).update(stem).digest('hex').slice(0, 32)}`;
  }

  #fresh(nonce: string, params: Map<string, string>, nowMs: number): boolean {
    const [time, salt] = nonce.split('.');
    const madeMs = Number.parseInt(time ?? '', 36);
    if (!salt || this.#nonceAt(madeMs, salt) !== nonce || nowMs - madeMs > NONCE_LIFE_MS) return false;
    const count = params.has('qop') ? Number.parseInt(params.get('nc') ?? '', 16) : 1;
    const last = this.#counts.get(nonce) ?? 0;
    if (!(count > last)) return false;
    this.#counts.delete(nonce);
    this.#counts.set(nonce, count);
    for (const oldest of this.#counts.keys()) {
      if (this.#counts.size <= MAX_NONCES) break;
      this.#counts.delete(oldest);
    }
    return true;
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
