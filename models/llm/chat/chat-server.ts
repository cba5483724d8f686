// One OpenAI-compatible server over HTTP. All servers share one pool. It keeps connections open between the turns of a
// call: undici's default of 4 s is shorter than a caller's sentence, and each turn would need a new TLS handshake.
//
// Servers word a refusal in many ways (`error.message`, a bare `message`, FastAPI's `detail`); all are understood.

import { Agent, type Dispatcher, request } from 'undici';
import { bareHost, isNearby } from '../../../db/shared/net/address-rules.ts';
import { withoutTrailingSlashes } from '../../../db/shared/net/base-url.ts';
import { type FailureDetails, LlmError, type LlmErrorCode } from '../llm.ts';
import { loggableWords, messageTexts } from '../loggable-words.ts';

export interface ChatServerOptions {
  apiKey: string | null;
  /** Without `/chat/completions`; null for OpenAI's. */
  baseUrl: string | null;
}

/** A refusal in the server's words. It may repeat the request: loggable-words.ts decides which words are logged. */
export interface Refusal {
  status: number;
  text: string;
}

/** An answer other than 2xx, or an error inside a stream. */
export class ServerError extends LlmError {
  readonly refusal: Refusal;
  /** The value of `Retry-After`; null without one. */
  readonly retryAfterMs: number | null;

  constructor(refusal: Refusal, details: FailureDetails, retryAfterMs: number | null) {
    super(codeOf(refusal.status), `the model server answered ${refusal.status}`, { details });
    this.name = 'ServerError';
    this.refusal = refusal;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The version of Azure's interface for deployments, where the base URL names none. */
const AZURE_VERSION = '2024-10-21';
const VENDOR_URL = 'https://api.openai.com/v1';
/** Below the 60 s after which common load balancers drop an idle connection. */
const IDLE_CONNECTION_MS = 55_000;
const CONNECT_TIMEOUT_MS = 3_000;
const MAX_ERROR_CHARS = 16_000;
const MAX_ANSWER_CHARS = 4_000_000;

const pool = new Agent({
  keepAliveTimeout: IDLE_CONNECTION_MS,
  connect: { timeout: CONNECT_TIMEOUT_MS },
  // Every request has its own deadline.
  headersTimeout: 0,
  bodyTimeout: 0,
});

export class ChatServer {
  readonly #url: URL;
  readonly #apiKey: string | null;

  /** @throws TypeError for an invalid base URL */
  constructor({ apiKey, baseUrl }: ChatServerOptions) {
    this.#url = new URL(baseUrl ?? VENDOR_URL);
    // People copy the whole address of a deployment; without a version Azure answers 404.
    this.#url.pathname = this.#url.pathname.replace(/\/chat\/completions\/?$/, '');
    const isDeployment = /\.azure\.com$/.test(this.#url.hostname) && /\/deployments\//.test(this.#url.pathname);
    if (isDeployment && !this.#url.searchParams.has('api-version'))
      this.#url.searchParams.set('api-version', AZURE_VERSION);
    this.#apiKey = apiKey;
  }

  /** Host and path of the base URL: they identify the server and may be logged. */
  get place(): string {
    return `${this.#url.host}${this.#path('')}`;
  }

  get hasKey(): boolean {
    return this.#apiKey !== null;
  }

  get isVendor(): boolean {
    return this.#url.host === new URL(VENDOR_URL).host;
  }

  /** On this machine or in the operator's own network, by the base URL alone. */
  get isNear(): boolean {
    return isNearby(bareHost(this.#url));
  }

  /** Where chat completions are posted. */
  get requestUrl(): string {
    return `${this.#url.origin}${this.#path('/chat/completions')}${this.#url.search}`;
  }

  /** Azure takes a key in a header of its own; as a bearer token it would be a sign-in of Entra's. */
  get authorization(): Record<string, string> {
    if (this.#apiKey === null) return {};
    const isAzure = /\.azure\.com$/.test(this.#url.hostname) || this.#url.searchParams.has('api-version');
    const isToken = /^eyJ[\w-]{10,}\./.test(this.#apiKey);
    return isAzure && !isToken ? { 'api-key': this.#apiKey } : { authorization: `Bearer ${this.#apiKey}` };
  }

  /** Connections that wait for a request. */
  get idleConnections(): number {
    const stats = pool.stats[this.#url.origin];
    return stats && 'free' in stats ? stats.free : 0;
  }

  /** Posts a chat completion; the caller reads the body. @throws {LlmError} unless the answer is 2xx */
  async complete(body: unknown, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const response = await this.#send('POST', '/chat/completions', JSON.stringify(body), signal);
    if (response.statusCode >= 200 && response.statusCode < 300) return response;
    const text = await readText(response.body, MAX_ERROR_CHARS);
    const retryAfterMs = retryAfterOf(response.headers['retry-after'] ?? null);
    throw this.refused(response.statusCode, parsed(text) ?? text, retryAfterMs, messageTexts(body));
  }

  /** `GET models`, below the base URL or below its `path`. @throws {LlmError} without an answer */
  async models(signal: AbortSignal, path = ''): Promise<{ status: number; body: unknown }> {
    const response = await this.#send('GET', `${path}/models`, null, signal);
    const text = await readText(response.body, MAX_ANSWER_CHARS);
    return { status: response.statusCode, body: parsed(text) };
  }

  /**
   * The error for an answer or an error chunk. The log must not repeat the texts of `sent`; without `sent` no words are
   * logged.
   */
  refused(
    status: number,
    body: unknown,
    retryAfterMs: number | null = null,
    sent: readonly string[] | null = null,
  ): ServerError {
    const { text, type, code, param } = wordsOf(body);
    const vendorMessage = sent === null ? null : loggableWords(text, sent, this.#apiKey);
    const details = {
      url: `${this.#url.host}${this.#path('/chat/completions')}`,
      status,
      ...(type ? { vendorType: type } : {}),
      ...(code ? { vendorCode: code } : {}),
      ...(param ? { param } : {}),
      ...(vendorMessage === null ? {} : { vendorMessage }),
      ...(status === 404 && !this.place.endsWith('/v1') ? { hint: 'most base URLs end in /v1' } : {}),
    };
    return new ServerError({ status, text: `${param} ${code} ${text}` }, details, retryAfterMs);
  }

  async #send(
    method: 'GET' | 'POST',
    path: string,
    body: string | null,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const sent = request(`${this.#url.origin}${this.#path(path)}${this.#url.search}`, {
      dispatcher: pool,
      method,
      headers: {
        accept: body === null ? 'application/json' : 'text/event-stream, application/json',
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...this.authorization,
      },
      body,
      signal,
    });
    try {
      return await unlessAborted(sent, signal);
    } catch (error) {
      if (signal.aborted) throw new LlmError('LLM_UNAVAILABLE', 'the request was cancelled', { cause: error });
      throw this.#unreachable(error);
    }
  }

  #unreachable(error: unknown): LlmError {
    const { code } = (error instanceof AggregateError ? error.errors[0] : error) as { code?: unknown };
    const details = {
      url: `${this.#url.host}${this.#path('')}`,
      ...(typeof code === 'string' ? { vendorCode: code } : {}),
    };
    const isLate = typeof code === 'string' && /TIMEOUT|TIMEDOUT/.test(code);
    const message = isLate ? 'the model server did not answer in time' : 'the model server cannot be reached';
    return new LlmError(isLate ? 'LLM_TIMEOUT' : 'LLM_UNAVAILABLE', message, { cause: error, details });
  }

  #path(path: string): string {
    return `${withoutTrailingSlashes(this.#url.pathname)}${path}`;
  }
}

/** 4xx is a fault of our request or key, so a retry does not help; a redirect means a wrong URL. */
function codeOf(status: number): LlmErrorCode {
  const isTransient = status >= 500 || [408, 409, 425, 429].includes(status);
  return isTransient ? 'LLM_UNAVAILABLE' : 'LLM_REFUSED';
}

/** Whether the connection broke, for example because the server had closed it while it was idle. */
export function isBrokenConnection({ details }: LlmError): boolean {
  return /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(String(details.vendorCode));
}

/** The first `maxChars` of a body as text. */
export async function readText(body: AsyncIterable<Uint8Array>, maxChars: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length >= maxChars) break;
  }
  return text.slice(0, maxChars);
}

/** JSON, or null. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The words of a refusal, from whichever field the server uses. */
function wordsOf(body: unknown): { text: string; type: string; code: string; param: string } {
  if (typeof body === 'string') return { text: body, type: '', code: '', param: '' };
  const outer = fieldsOf(body);
  const error = typeof outer.error === 'string' ? { message: outer.error } : fieldsOf(outer.error ?? body);
  // FastAPI: [{loc: ["body", "stream_options"], msg: "Extra inputs are not permitted", input: the sent value}].
  const details = Array.isArray(outer.detail) ? outer.detail.map(fieldsOf) : [];
  const texts = [
    error.message,
    outer.message,
    typeof outer.detail === 'string' ? outer.detail : null,
    ...details.flatMap(({ loc, msg }) => [Array.isArray(loc) ? loc.join(' ') : null, msg]),
  ];
  return {
    text: texts.filter((part) => typeof part === 'string').join(' '),
    type: name(error.type),
    code: name(error.code),
    param: name(error.param),
  };
}

/** A short identifier; anything else is left out, because it may repeat the request. */
function name(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^[\w.[\]-]{1,64}$/.test(text) ? text : '';
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' ? Object.fromEntries(Object.entries(value)) : {};
}

/** `Retry-After` in seconds or as a date. */
function retryAfterOf(header: string | string[] | null): number | null {
  if (typeof header !== 'string') return null;
  const ms = /^\d+(\.\d+)?$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/** undici obeys the signal only after it is connected; a silent name server must not outlast the deadline. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  promise.catch(() => {});
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
