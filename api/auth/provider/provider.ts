// The identity provider as this process knows it: its description, asked for when somebody first wants to sign in and
// kept for an hour, the address that a browser is sent to, and the claims that come back for a code. Signature, issuer,
// audience, nonce and times of the ID token are checked by openid-client.
import type { ClientAuth, Configuration, CustomFetch, ServerMetadata } from 'openid-client';
import { HOUR_MS } from '../../../db/domain/hours/durations.ts';
import { FetchFailed, safeFetch } from '../../../db/shared/net/safe-fetch.ts';
import type { SignInProviderSettings } from './settings.ts';

type Client = typeof import('openid-client');

/** Why somebody was not signed in: told to them, counted, and in the audit log. */
const SIGN_IN_RESULTS = ['success', 'refused', 'invalid', 'down'] as const;
type SignInResult = (typeof SIGN_IN_RESULTS)[number];

/** The words of the provider about a person. */
export type Claims = Readonly<Record<string, unknown>> & { sub: string };

interface Answer {
  claims: Claims;
  /** Where the person's session at the provider ends; null: nowhere, or the operator does not want it. */
  signOutUrl: string | null;
}

/** A code's proof: made when the sign-in began, and kept by the browser that began it. */
export interface Proof {
  state: string;
  nonce: string;
  verifier: string;
}

/** The provider does not answer, or not as one. The message is for the log. */
export class ProviderDown extends Error {}
/** The provider, or the check of its answer, says no. The message is for the log. */
export class ProviderRefuses extends Error {
  /** Of OAuth's error codes, e.g. `access_denied`; null: the answer itself did not hold. */
  readonly reason: string | null;
  constructor(message: string, reason: string | null = null) {
    super(message);
    this.reason = reason;
  }
}

/** Somebody looks at a busy button. */
const WITHIN_MS = 8_000;
const ANSWER_BYTES_MAX = 512 * 1024;
/** Of an ID token in an address: servers take lines of 8 KB. */
const HINT_LENGTH_MAX = 4_096;
const KEPT_FOR_MS = HOUR_MS;
/** Clocks of two machines. */
const TOLERANCE_S = 30;

export class SignInProvider {
  readonly #settings: SignInProviderSettings;
  readonly #monotonicMs: () => number;
  readonly #withinMs: number;
  #described: { metadata: ServerMetadata; atMs: number } | null = null;
  #asked: Promise<ServerMetadata> | null = null;
  #client: Promise<Client> | null = null;
  /** Since the start. */
  readonly totals = Object.fromEntries(SIGN_IN_RESULTS.map((result) => [result, 0])) as Record<SignInResult, number>;

  constructor(settings: SignInProviderSettings, { monotonicMs = () => performance.now(), withinMs = WITHIN_MS } = {}) {
    this.#settings = settings;
    this.#monotonicMs = monotonicMs;
    this.#withinMs = withinMs;
  }

  /** Where the browser goes. @throws {ProviderDown} */
  async addressFor(redirectUri: string, { state, nonce, verifier }: Proof): Promise<string> {
    const client = await this.#load();
    const config = await this.#configuration(client);
    const [domain, ...more] = this.#settings.domains;
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: this.#settings.scopes,
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      // Google shows the accounts of this domain alone; others pass over it.
      ...(domain !== undefined && more.length === 0 ? { hd: domain } : {}),
    });
    return url.href;
  }

  /**
   * The claims of the person who came back with `answer`, the query of the address; also those of the userinfo
   * endpoint, where the ID token lacks the address or the groups. `leaveTo`: where a sign-out there leads.
   * @throws {ProviderDown | ProviderRefuses}
   */
  async answerFor(redirectUri: string, answer: URLSearchParams, proof: Proof, leaveTo: string): Promise<Answer> {
    const client = await this.#load();
    const config = await this.#configuration(client);
    const url = new URL(redirectUri);
    url.search = answer.toString();
    const checks = {
      expectedState: proof.state,
      expectedNonce: proof.nonce,
      pkceCodeVerifier: proof.verifier,
      idTokenExpected: true,
    };
    try {
      const tokens = await client.authorizationCodeGrant(config, url, checks);
      const claims = tokens.claims();
      if (claims === undefined) throw new ProviderRefuses('the answer has no ID token');
      const signOutUrl = this.#signOutUrl(client, config, tokens.id_token ?? '', leaveTo);
      const isWhole = claims.email !== undefined && claims[this.#settings.groupsClaim] !== undefined;
      if (isWhole || config.serverMetadata().userinfo_endpoint === undefined) return { claims, signOutUrl };
      const more = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
      // The signed word wins; an address and whether it is verified come from one place.
      const { email_verified } = claims.email === undefined ? more : claims;
      return { claims: { ...more, ...claims, email_verified }, signOutUrl };
    } catch (error) {
      throw failureOf(error);
    }
  }

  /** OpenID Connect RP-Initiated Logout 1.0. Some providers take no sign-out without the ID token of the sign-in. */
  #signOutUrl(client: Client, config: Configuration, idToken: string, leaveTo: string): string | null {
    if (!this.#settings.signsOut || config.serverMetadata().end_session_endpoint === undefined) return null;
    const hint = idToken.length <= HINT_LENGTH_MAX ? { id_token_hint: idToken } : {};
    return client.buildEndSessionUrl(config, { post_logout_redirect_uri: leaveTo, ...hint }).href;
  }

  /** A new one each time: it asks for the provider's keys anew, which may have been replaced a moment ago. */
  async #configuration(client: Client): Promise<Configuration> {
    const metadata = await this.#metadata(client);
    const { clientId, clientSecret, issuer } = this.#settings;
    const isPost = !(metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']).includes(
      'client_secret_basic',
    );
    const proof =
      clientSecret === null ? client.None() : isPost ? client.ClientSecretPost(clientSecret) : basicProof(clientSecret);
    const config = new client.Configuration(metadata, clientId, { [client.clockTolerance]: TOLERANCE_S }, proof);
    config[client.customFetch] = fetchBounded;
    config.timeout = this.#withinMs / 1_000;
    client.enableNonRepudiationChecks(config);
    if (issuer.startsWith('http:')) client.allowInsecureRequests(config);
    return config;
  }

  /** One question at a time; what was answered stays good while the provider does not answer. */
  async #metadata(client: Client): Promise<ServerMetadata> {
    const known = this.#described;
    if (known !== null && this.#monotonicMs() - known.atMs < KEPT_FOR_MS) return known.metadata;
    this.#asked ??= this.#describe(client).finally(() => {
      this.#asked = null;
    });
    try {
      return await this.#asked;
    } catch (error) {
      if (known !== null) return known.metadata;
      // Also an answer that is none, or another's: without a description nobody can sign in.
      throw new ProviderDown(failureOf(error).message);
    }
  }

  async #describe(client: Client): Promise<ServerMetadata> {
    const { issuer, clientId } = this.#settings;
    const ask = () =>
      client.discovery(new URL(issuer), clientId, undefined, undefined, {
        [client.customFetch]: fetchBounded,
        timeout: this.#withinMs / 1_000,
        ...(issuer.startsWith('http:') ? { execute: [client.allowInsecureRequests] } : {}),
      });
    // Once more where a connection was lost; somebody waits, so not after a silence.
    const config = await ask().catch((error: unknown) => {
      if (isSilence(error)) throw error;
      return ask();
    });
    const metadata = config.serverMetadata();
    this.#described = { metadata, atMs: this.#monotonicMs() };
    return metadata;
  }

  /** Few installations have a provider: the package is loaded when somebody first signs in by it. */
  #load(): Promise<Client> {
    this.#client ??= import('openid-client');
    return this.#client;
  }
}

/**
 * RFC 6749, 2.3.1: name and secret are form-encoded. openid-client also encodes `-`, `_`, `.` and `~`, which is the
 * same to providers that decode, and a wrong secret to the others (Glewlwyd).
 */
const basicProof =
  (secret: string): ClientAuth =>
  (_server, { client_id }, _body, headers) => {
    const encoded = [client_id, secret].map((text) => encodeURIComponent(text).replaceAll('%20', '+'));
    headers.set('authorization', `Basic ${btoa(encoded.join(':'))}`);
  };

/** Bounded in bytes and time. The operator names the provider, which may be in their own network. */
const fetchBounded: CustomFetch = async (url, options) => {
  const { status, headers, body, truncated } = await safeFetch(url, {
    method: options.method as 'GET' | 'POST',
    headers: options.headers,
    ...(options.body == null ? {} : { body: String(options.body) }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    allowPrivate: true,
    maxBytes: ANSWER_BYTES_MAX,
    timeoutMs: WITHIN_MS,
  });
  if (truncated) throw new FetchFailed('BAD_ANSWER', 'answered with too much');
  const type = headers['content-type'];
  const challenge = headers['www-authenticate'];
  return new Response(body.length === 0 ? null : new Uint8Array(body), {
    status,
    headers: {
      ...(typeof type === 'string' ? { 'content-type': type } : {}),
      ...(typeof challenge === 'string' ? { 'www-authenticate': challenge } : {}),
    },
  });
};

/** No answer, and answers of a server in trouble, are told from a no. */
function failureOf(error: unknown): Error {
  if (error instanceof ProviderRefuses || error instanceof ProviderDown) return error;
  const { code = '', status, error: reason, message = String(error), cause } = error as Failure;
  const inner = cause instanceof Error ? `: ${cause.message}` : '';
  const text = `${message}${inner}${reason === undefined ? '' : ` (${reason})`}`.slice(0, 300);
  const answered = status ?? (cause as { status?: number } | undefined)?.status;
  const isDown =
    error instanceof FetchFailed ||
    cause instanceof FetchFailed ||
    DOWN.has(code) ||
    DOWN.has(reason ?? '') ||
    (answered !== undefined && answered >= 500);
  if (isDown) return new ProviderDown(text);
  return new ProviderRefuses(text, reason?.replace(/[^a-z_]/g, '').slice(0, 60) ?? null);
}

const isSilence = (error: unknown): boolean => {
  const { code, cause } = error as Failure;
  return SILENCES.has(code ?? '') || SILENCES.has((cause as Failure | undefined)?.code ?? '');
};
const SILENCES = new Set(['TIMEOUT', 'ABORTED', 'OAUTH_TIMEOUT', 'OAUTH_ABORT']);

interface Failure {
  code?: string;
  status?: number;
  /** Of OAuth's error codes. */
  error?: string;
  message?: string;
  cause?: unknown;
}

/** Codes of openid-client, and of OAuth. */
const DOWN = new Set([
  ...['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_PARSE_ERROR'],
  ...['temporarily_unavailable', 'server_error'],
]);
