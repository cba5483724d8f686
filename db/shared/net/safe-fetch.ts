// HTTP to customer-supplied hosts (webhooks, web pages), safe against requests into the operator's own network. The
// connection's own lookup resolves names and checks every address, so a name cannot change its address between check
// and connect; the Host header and the TLS server name stay those of the URL.
import { lookup as systemLookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import {
  bareHost,
  checkUrl,
  isLocalName,
  isLoopback,
  isPublicAddress,
  RefusedAddress,
  refusedAddress,
  type UrlRules,
} from './address-rules.ts';

type FetchFailureCode =
  | 'NAME_NOT_RESOLVED'
  | 'CONNECTION_FAILED'
  | 'TLS_FAILED'
  | 'TIMEOUT'
  | 'ABORTED'
  | 'TOO_MANY_REDIRECTS'
  | 'BAD_ANSWER';

/** A request that got no answer. The message may be shown to the client that named the URL. */
export class FetchFailed extends Error {
  readonly code: FetchFailureCode;
  constructor(code: FetchFailureCode, message: string) {
    super(message);
    this.name = 'FetchFailed';
    this.code = code;
  }
}

/** All addresses of a name; empty when it has none. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** Time for two name servers within a probe's 10 s. */
const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;
const CONNECT_TIMEOUT_MS = 10_000;

const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });

/** Queries DNS directly (c-ares), without the hosts file and without the thread pool that password hashing uses. */
const resolveByDns: Resolve = async (hostname) => {
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
};

/** The machine's resolver, including hosts file and container names: for setups that allow private hosts. */
const resolveBySystem: Resolve = async (hostname) => {
  try {
    const found = await promisify(systemLookup)(hostname, { all: true });
    return found.map(({ address }) => address);
  } catch {
    return [];
  }
};

export interface AddressOptions {
  allowPrivate?: boolean;
  /** A connection without TLS is made only to this machine itself. */
  plainToLoopback?: boolean;
  /** Default: DNS, or the system's resolver if private hosts are allowed. */
  resolve?: Resolve;
}

/**
 * The allowed addresses of `hostname`. One private address among several refuses them all, because we do not choose the
 * address of a connection.
 * @throws {RefusedAddress | FetchFailed}
 */
export async function resolveChecked(hostname: string, options: AddressOptions = {}): Promise<string[]> {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const allowPrivate = options.allowPrivate ?? false;
  let addresses: string[];
  if (isIP(host) !== 0) addresses = [host];
  else if (isLocalName(host)) addresses = ['127.0.0.1', '::1'];
  else addresses = await (options.resolve ?? (allowPrivate ? resolveBySystem : resolveByDns))(host);
  if (addresses.length === 0) throw new FetchFailed('NAME_NOT_RESOLVED', `the name ${host} does not resolve`);
  if (!allowPrivate && !addresses.every(isPublicAddress)) throw refusedAddress();
  return addresses;
}

/**
 * Checks a URL and the current addresses of its host. For an early answer only: the connection checks again.
 * @throws {RefusedAddress | FetchFailed}
 */
export async function checkAddress(text: string, options: AddressOptions & UrlRules = {}): Promise<URL> {
  const url = checkUrl(text, options);
  await resolveChecked(bareHost(url), options);
  return url;
}

/** A connector for undici that connects only to allowed addresses. Server names stay those of the URL. */
export function guardedConnector(options: AddressOptions = {}): buildConnector.connector {
  const allowPrivate = options.allowPrivate ?? false;
  const secure = connectorTo((address) => allowPrivate || isPublicAddress(address), options);
  if (options.plainToLoopback !== true) return secure;
  const plain = connectorTo((address) => allowPrivate && isLoopback(address), options);
  return (target, callback) => (target.protocol === 'http:' ? plain : secure)(target, callback);
}

/** Of a literal address, of those of a name, and of the connection itself each must be allowed. */
function connectorTo(isAllowed: (address: string) => boolean, options: AddressOptions): buildConnector.connector {
  const lookup: LookupFunction = (hostname, lookupOptions, callback) => {
    resolveChecked(hostname, options).then(
      (addresses) => {
        if (!addresses.every(isAllowed)) return callback(refusedAddress(), '', 0);
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = found;
        if (lookupOptions.all) callback(null, found);
        else callback(null, first?.address ?? '', first?.family ?? 0);
      },
      (error) => callback(error as NodeJS.ErrnoException, '', 0),
    );
  };
  const connect = buildConnector({ lookup, timeout: CONNECT_TIMEOUT_MS });
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '');
    // A literal address never reaches the lookup.
    if (isIP(host) !== 0 && !isAllowed(host)) return callback(refusedAddress(), null);
    return connect(target, (...result) => {
      const [error, socket] = result;
      if (error) return callback(error, null);
      if (!isAllowed(socket?.remoteAddress ?? '')) {
        socket?.destroy();
        return callback(refusedAddress(), null);
      }
      return callback(null, socket);
    });
  };
}

interface SafeFetchOptions extends AddressOptions, UrlRules {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'PROPFIND' | 'REPORT';
  headers?: Record<string, string>;
  body?: string;
  /** Most bytes of the answer; then the connection is closed. */
  maxBytes: number;
  /** For the look-up, the connection, all redirects and the whole answer. */
  timeoutMs: number;
  /** Default 0: a redirect is an answer like any other. Each hop is checked again; only GET follows redirects. */
  maxRedirects?: number;
  signal?: AbortSignal;
  /** Connections to keep, of a `guardedConnector`; absent: one of its own. */
  dispatcher?: Dispatcher;
}

export interface FetchAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /** The answer was longer than `maxBytes`. */
  truncated: boolean;
  /** After redirects. */
  url: URL;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * One request, over a connection of its own unless there is a dispatcher.
 * @throws {RefusedAddress | FetchFailed}
 */
export async function safeFetch(text: string, options: SafeFetchOptions): Promise<FetchAnswer> {
  // One controller of our own: a signal composed by AbortSignal.any with a time-out may be collected before it fires.
  const ended = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    ended.abort();
  }, options.timeoutMs);
  const abort = (): void => ended.abort();
  if (options.signal?.aborted) abort();
  options.signal?.addEventListener('abort', abort, { once: true });
  const { signal } = ended;
  const dispatcher =
    options.dispatcher ?? new Agent({ connect: guardedConnector(options), connections: 1, pipelining: 0 });
  try {
    let url = checkUrl(text, options);
    for (let hop = 0; ; hop++) {
      const answer = await fetchOnce(dispatcher, url, options, signal);
      const location = answer.headers.location;
      const mayFollow = (options.maxRedirects ?? 0) > 0 && (options.method ?? 'GET') === 'GET';
      if (!mayFollow || !REDIRECTS.has(answer.status) || typeof location !== 'string') return answer;
      if (hop >= (options.maxRedirects ?? 0)) throw new FetchFailed('TOO_MANY_REDIRECTS', 'redirects too often');
      if (!URL.canParse(location, url.href))
        throw new FetchFailed('BAD_ANSWER', 'redirects to something that is no URL');
      url = checkUrl(URL.canParse(location) ? location : new URL(location, url.href).href, options);
    }
  } catch (error) {
    throw readableFailure(error, isLate);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', abort);
    if (dispatcher !== options.dispatcher) await dispatcher.destroy().catch(() => {});
  }
}

async function fetchOnce(
  dispatcher: Dispatcher,
  url: URL,
  options: SafeFetchOptions,
  signal: AbortSignal,
): Promise<FetchAnswer> {
  const { statusCode, headers, body } = await raceAbort(
    request(url, {
      dispatcher,
      method: options.method ?? 'GET',
      headers: { 'accept-encoding': 'identity', ...options.headers },
      body: options.body ?? null,
      signal,
    }),
    signal,
  );
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > options.maxBytes) break;
  }
  const whole = Buffer.concat(chunks);
  const truncated = bytes > options.maxBytes;
  const kept = whole.subarray(0, options.maxBytes);
  const decoded = truncated ? kept : await decode(kept, headers['content-encoding'], options.maxBytes);
  return { status: statusCode, headers, body: decoded, truncated, url };
}

/** undici obeys the signal only after it is connected; a silent name server must not outlast the deadline. */
async function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    promise.catch(() => {});
    if (onAbort) signal.removeEventListener('abort', onAbort);
  }
}

const DECODERS: Record<string, (data: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip) as never,
  'x-gzip': promisify(gunzip) as never,
  deflate: promisify(inflate) as never,
  br: promisify(brotliDecompress) as never,
};

/** Some servers compress without being asked; the limit also applies to the decompressed bytes. */
async function decode(body: Buffer, encoding: string | string[] | undefined, maxBytes: number): Promise<Buffer> {
  const decoder = typeof encoding === 'string' ? DECODERS[encoding.trim().toLowerCase()] : undefined;
  if (!decoder || body.length === 0) return body;
  try {
    return await decoder(body, { maxOutputLength: maxBytes });
  } catch {
    throw new FetchFailed('BAD_ANSWER', 'answered with a body that is too long or cannot be decoded');
  }
}

const TLS_CODE = /CERT|SIGNED|TLS|SSL|ALTNAME|ISSUER/;

/** Converts errors of undici, net and tls into ours, with a sentence that a client can act on. */
export function readableFailure(error: unknown, timedOut = false): RefusedAddress | FetchFailed {
  if (error instanceof RefusedAddress || error instanceof FetchFailed) return error;
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const { name = '', code = '', message = String(error) } = cause as { name?: string; code?: string; message?: string };
  if (timedOut || name === 'TimeoutError' || /TIMEOUT|TIMEDOUT/.test(code)) {
    return new FetchFailed('TIMEOUT', 'did not answer in time');
  }
  if (name === 'AbortError') return new FetchFailed('ABORTED', 'was given up');
  if (TLS_CODE.test(code)) return new FetchFailed('TLS_FAILED', `the TLS connection failed: ${message}`);
  if (code === 'ECONNREFUSED') return new FetchFailed('CONNECTION_FAILED', 'the connection was refused');
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE') {
    return new FetchFailed('CONNECTION_FAILED', 'the connection was closed before the answer was complete');
  }
  if (code.startsWith('HPE_')) return new FetchFailed('BAD_ANSWER', 'answered with something that is not HTTP');
  return new FetchFailed('CONNECTION_FAILED', `the connection failed: ${code || message}`);
}
