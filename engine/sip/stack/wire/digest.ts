// Digest authentication as a client (RFC 3261 22, RFC 7616, RFC 8760): MD5, SHA-256 and their -sess forms, qop auth and
// auth-int. A DigestClient per dialog or registration remembers the challenge, so later requests carry credentials at
// once.
import { createHash, randomBytes } from 'node:crypto';
import { parseAuth } from './header.ts';
import { type Header, headerValues, type SipRequest, type SipResponse } from './message.ts';

export interface Credentials {
  username: string;
  password: string;
}

export type DigestAlgorithm = 'MD5' | 'MD5-sess' | 'SHA-256' | 'SHA-256-sess';

interface Challenge {
  header: 'authorization' | 'proxy-authorization';
  realm: string;
  nonce: string;
  opaque: string | null;
  algorithm: DigestAlgorithm;
  /** The challenge named the algorithm; the answer names it only then (RFC 2069 servers). */
  algorithmGiven: boolean;
  qop: 'auth' | 'auth-int' | null;
  stale: boolean;
}

const ALGORITHMS = new Map<string, DigestAlgorithm>([
  ['md5', 'MD5'],
  ['md5-sess', 'MD5-sess'],
  ['sha-256', 'SHA-256'],
  ['sha-256-sess', 'SHA-256-sess'],
]);

function hashHex(algorithm: DigestAlgorithm, text: string | Buffer): string {
  return createHash(algorithm.startsWith('MD5') ? 'md5' : 'sha256')
    .update(typeof text === 'string' ? Buffer.from(text, 'latin1') : text)
    .digest('hex');
}

/** Reads one challenge; null for an unknown scheme, algorithm or qop. */
function readChallenge(text: string, proxy: boolean): Challenge | null {
  const auth = parseAuth(text);
  if (auth === null || auth.scheme.toLowerCase() !== 'digest') return null;
  const realm = auth.params.get('realm');
  const nonce = auth.params.get('nonce');
  const algorithm = ALGORITHMS.get((auth.params.get('algorithm') ?? 'MD5').toLowerCase());
  if (realm === undefined || nonce === undefined || algorithm === undefined) return null;
  const offered = auth.params
    .get('qop')
    ?.split(',')
    .map((option) => option.trim().toLowerCase());
  const qop = offered === undefined ? null : (['auth', 'auth-int'] as const).find((known) => offered.includes(known));
  if (qop === undefined) return null;
  return {
    header: proxy ? 'proxy-authorization' : 'authorization',
    realm,
    nonce,
    opaque: auth.params.get('opaque') ?? null,
    algorithm,
    algorithmGiven: auth.params.has('algorithm'),
    qop,
    stale: auth.params.get('stale')?.toLowerCase() === 'true',
  };
}

export interface DigestInput {
  algorithm: DigestAlgorithm;
  username: string;
  realm: string;
  password: string;
  nonce: string;
  cnonce: string;
  /** Eight hex digits. */
  nc: string;
  qop: 'auth' | 'auth-int' | null;
  method: string;
  uri: string;
  body: Buffer;
}

/** The `response` value of RFC 7616 3.4.1. */
export function digestResponse(input: DigestInput): string {
  const { algorithm } = input;
  const hash = (text: string) => hashHex(algorithm, text);
  const secret = hash(`${input.username}:${input.realm}:${input.password}`);
  const a1 = algorithm.endsWith('-sess') ? hash(`${secret}:${input.nonce}:${input.cnonce}`) : secret;
  const integrity = input.qop === 'auth-int' ? `:${hashHex(algorithm, input.body)}` : '';
  const a2 = hash(`${input.method}:${input.uri}${integrity}`);
  if (input.qop === null) return hash(`${a1}:${input.nonce}:${a2}`);
  return hash(`${a1}:${input.nonce}:${input.nc}:${input.cnonce}:${input.qop}:${a2}`);
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, (char) => `\\${char}`)}"`;
}

/** The value of Authorization for a request. */
function writeCredentials(
  challenge: Challenge,
  { username, password }: Credentials,
  request: { method: string; uri: string; body: Buffer },
  useCount: number,
  cnonce: string,
): string {
  const nc = useCount.toString(16).padStart(8, '0');
  const { algorithm, nonce, realm, qop } = challenge;
  const user = Buffer.from(username, 'utf8').toString('latin1');
  const secret = Buffer.from(password, 'utf8').toString('latin1');
  const response = digestResponse({
    algorithm,
    username: user,
    realm,
    password: secret,
    nonce,
    cnonce,
    nc,
    qop,
    ...request,
  });
  const parts = [
    `username=${quoted(user)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(request.uri)}`,
    `response="${response}"`,
  ];
  if (challenge.algorithmGiven) parts.push(`algorithm=${algorithm}`);
  if (challenge.opaque !== null) parts.push(`opaque=${quoted(challenge.opaque)}`);
  if (qop !== null) parts.push(`qop=${qop}`, `nc=${nc}`);
  if (qop !== null || algorithm.endsWith('-sess')) parts.push(`cnonce="${cnonce}"`);
  return `Digest ${parts.join(', ')}`;
}

interface Known {
  challenge: Challenge;
  uses: number;
  cnonce: string;
}

/** The challenges that were answered, by header and realm. */
export type DigestState = Array<[key: string, known: Known]>;

// No trunk has a proxy chain with more realms.
const MAX_REALMS = 4;

export class DigestClient {
  readonly #credentials: Credentials | null;
  readonly #known: Map<string, Known>;

  /** `known`: as another process left them. */
  constructor(credentials: Credentials | null, known: DigestState = []) {
    this.#credentials = credentials;
    this.#known = new Map(known);
  }

  get state(): DigestState {
    return [...this.#known];
  }

  /**
   * Takes the challenges of a 401 or 407; true if the request should be sent again. On the first challenge of a request
   * (`first`), any known nonce may have expired. After that only a stale nonce or a new realm is answered, so refused
   * credentials are not sent twice; with `isSecond` another nonce is, too: some proxies never say that one was stale.
   */
  challenged(response: SipResponse, first: boolean, isSecond = false): boolean {
    if (this.#credentials === null) return false;
    let worthwhile = false;
    for (const proxy of [false, true]) {
      const answered = new Set<string>();
      for (const value of headerValues(response, proxy ? 'proxy-authenticate' : 'www-authenticate')) {
        const challenge = readChallenge(value, proxy);
        // Of several challenges for one realm, the first supported one counts (RFC 8760 2.4).
        if (challenge === null || answered.has(challenge.realm)) continue;
        answered.add(challenge.realm);
        const key = `${challenge.header}|${challenge.realm}`;
        const known = this.#known.get(key);
        const isRefused = !first && !challenge.stale && !(isSecond && known?.challenge.nonce !== challenge.nonce);
        if (known === undefined ? this.#known.size >= MAX_REALMS : isRefused) continue;
        this.#known.set(key, { challenge, uses: 0, cnonce: randomBytes(8).toString('hex') });
        worthwhile = true;
      }
    }
    return worthwhile;
  }

  /** Credentials for a request, one header per realm; counts the uses of each nonce. */
  authorize(request: SipRequest): Header[] {
    const headers: Header[] = [];
    if (this.#credentials === null) return headers;
    for (const known of this.#known.values()) {
      known.uses++;
      headers.push({
        name: known.challenge.header,
        value: writeCredentials(known.challenge, this.#credentials, request, known.uses, known.cnonce),
      });
    }
    return headers;
  }
}
