// Sends requests over fetch: the token, time-outs, and another try where that cannot do anything twice. A request that
// changes something is sent again only with an Idempotency-Key, by which the service does it once.
import { ApiError, errorOf } from './api-error.ts';

export interface ClientOptions {
  /** Of the service: `https://phone.example.com`. A path below which a proxy serves it belongs to it. */
  url: string;
  /** A personal access token (`vcs_…`) or a session's; a function is asked for each request. */
  token?: string | (() => string | Promise<string>) | undefined;
  /** For one try of a request, until its answer has come; of a file or a stream, until it begins. Default 30,000. */
  timeoutMs?: number | undefined;
  /** How often a request is sent again that may be. Default 3. */
  retries?: number | undefined;
  /** In place of the global one. */
  fetch?: typeof fetch | undefined;
  /** Told of warnings in answers, for example of a field that has no effect. */
  onWarning?: ((text: string) => void) | undefined;
  /** Waits before another try. */
  pause?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
}

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  retries?: number | undefined;
  /** A UUID: the same key gets the same answer for a day. Default: a new one, where the operation takes one. */
  idempotencyKey?: string | undefined;
}

export interface Outgoing {
  method: string;
  /** Below `/api/v1`, with its query. */
  path: string;
  body?: RequestInit['body'];
  headers?: Record<string, string>;
  isKeyed?: boolean;
}

const TIMEOUT_MS = 30_000;
const RETRIES = 3;
const BACKOFF_MS = { first: 500, most: 8_000 };
/** A longer wait is a state that somebody must change: no trunk, a paused campaign. */
const RETRY_AFTER_MAX_MS = 10_000;
/** The limit of requests counts by the minute. */
const RATE_LIMIT_MAX_MS = 60_000;
const AGAIN: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export class Transport {
  readonly #base: string;
  readonly #options: ClientOptions;
  readonly pause: (ms: number, signal?: AbortSignal | undefined) => Promise<void>;

  /** @throws {TypeError} of an address or a token that cannot be one */
  constructor(options: ClientOptions) {
    this.#base = `${addressOf(options.url)}/api/v1`;
    this.#options = options;
    this.pause = options.pause ?? sleep;
    if (typeof options.token === 'string') checkToken(options.token);
  }

  /** `read` takes the answer, within the time of the try. @throws {ApiError} */
  async send<T>(outgoing: Outgoing, options: RequestOptions, read: (response: Response) => Promise<T>): Promise<T> {
    const { signal, retries = this.#options.retries ?? RETRIES } = options;
    const key = outgoing.isKeyed ? (options.idempotencyKey ?? newKey()) : options.idempotencyKey;
    const isRepeatable = outgoing.method === 'GET' || key !== undefined;
    for (let tries = 1; ; tries++) {
      try {
        return await this.#try(outgoing, options, key, read);
      } catch (fault) {
        if (!(fault instanceof ApiError) || !isRepeatable || tries > retries) throw fault;
        const waitMs = waitBefore(fault, tries);
        if (waitMs === null) throw fault;
        await this.pause(waitMs, signal);
      }
    }
  }

  async #try<T>(
    { method, path, body, headers: more }: Outgoing,
    { signal, timeoutMs = this.#options.timeoutMs ?? TIMEOUT_MS }: RequestOptions,
    key: string | undefined,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const headers = new Headers(more);
    const { token } = this.#options;
    const bearer = typeof token === 'function' ? checkToken(await token()) : token;
    if (bearer !== undefined) headers.set('authorization', `Bearer ${bearer}`);
    if (key !== undefined) headers.set('idempotency-key', key);
    if (typeof body === 'string' && !headers.has('content-type')) headers.set('content-type', 'application/json');
    const ask = this.#options.fetch ?? fetch;
    const late = new AbortController();
    const limit = setTimeout(() => late.abort(), timeoutMs);
    try {
      const response = await ask(`${this.#base}${path}`, {
        method,
        headers,
        redirect: 'manual',
        signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
        ...(body === undefined ? {} : { body }),
      });
      if (isRedirect(response)) throw redirected(response);
      if (!response.ok) throw await errorOf(response, Date.now());
      return await read(response);
    } catch (fault) {
      if (fault instanceof ApiError) throw fault;
      signal?.throwIfAborted();
      throw late.signal.aborted ? tooLate(timeoutMs) : unreachable(this.#base, fault);
    } finally {
      clearTimeout(limit);
    }
  }

  warn(texts: readonly string[]): void {
    for (const text of texts) this.#options.onWarning?.(text);
  }
}

/** Before the next try; null: there is no use in one. */
function waitBefore({ status, code, retryAfterMs }: ApiError, tries: number): number | null {
  // A first try whose connection broke may still be at work.
  const isAtWork = code === 'IDEMPOTENCY_KEY_BUSY';
  const isBroken = status === 0 && code !== 'REDIRECTED';
  if (!isBroken && !isAtWork && !AGAIN.has(status)) return null;
  if (retryAfterMs !== null) {
    const mostMs = code === 'RATE_LIMITED' ? RATE_LIMIT_MAX_MS : RETRY_AFTER_MAX_MS;
    return retryAfterMs > mostMs ? null : retryAfterMs;
  }
  const mostMs = Math.min(BACKOFF_MS.most, BACKOFF_MS.first * 2 ** (tries - 1));
  return mostMs * (0.5 + Math.random() / 2);
}

function addressOf(url: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new TypeError(`${JSON.stringify(url)} is no address: it begins with https:// or http://`);
  const { origin, pathname } = new URL(url);
  const path = pathname.replace(/\/$/, '').replace(/\/api(?:\/v1)?$/, '');
  return `${origin}${path}`;
}

/** A header with anything else in it is never sent, and fetch would say so in words of its own. */
function checkToken(token: string): string {
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError('the token is empty, or has a space or line end in it');
  return token;
}

const isRedirect = ({ type, status }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);

const redirected = (response: Response): ApiError =>
  new ApiError({
    status: response.status,
    code: 'REDIRECTED',
    message: `The service is at another address (${response.headers.get('location') ?? 'unknown'}): use that one`,
  });

const tooLate = (timeoutMs: number): ApiError =>
  new ApiError({ status: 0, code: 'TIMEOUT', message: `The service did not answer within ${timeoutMs / 1_000} s` });

function unreachable(address: string, cause: unknown): ApiError {
  const { code, message } = ((cause as Error).cause ?? cause) as { code?: string; message?: string };
  const why = code ?? message;
  return new ApiError({
    status: 0,
    code: 'UNREACHABLE',
    message: `${new URL(address).origin} cannot be reached${why === undefined ? '' : ` (${why})`}`,
    cause,
  });
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

/** A UUID of version 4. A page that came over http has no `crypto.randomUUID`. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte, i) => {
    const value = i === 6 ? (byte & 0x0f) | 0x40 : i === 8 ? (byte & 0x3f) | 0x80 : byte;
    return value.toString(16).padStart(2, '0');
  });
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
