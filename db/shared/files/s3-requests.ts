// Signed requests to an object store, each with time-outs, and what its refusals mean. aws4fetch signs; undici carries,
// because a request needs its own time-outs, and a file must leave with its length and without a copy in memory.
import { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, type Dispatcher, request } from 'undici';
import { messageOf } from '../../domain/unexpected.ts';
import { withoutTrailingSlashes } from '../net/base-url.ts';
import type { StoreSettings } from '../settings/environment.ts';
import { FilesError } from './files.ts';
import { elementOf } from './s3-listing.ts';

/** How long the store is waited for. */
export interface Patience {
  connectMs: number;
  headersMs: number;
  /** Without a byte. A client that reads slowly does not count: its stream is paused, and the timer with it. */
  silentMs: number;
  /** An upload that the store takes nothing of for so long, or does not confirm. */
  stalledMs: number;
}

const PATIENCE: Patience = { connectMs: 3_000, headersMs: 10_000, silentMs: 20_000, stalledMs: 30_000 };
/** Below the time after which common stores and balancers close an idle connection. */
const IDLE_MS = 10_000;
const CONNECTIONS_MAX = 64;
const RETRY_AFTER_MS = 250;
const ERROR_BYTES_MAX = 64 * 1024;
/** Of an empty body. */
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

interface StoreRequest {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Without the prefix of the settings; null: the bucket itself. */
  key: string | null;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  upload?: { body: AsyncIterable<Buffer>; bytes: number; sha256: string };
}

export type StoreAnswer = Dispatcher.ResponseData;

export class StoreRequests {
  readonly #settings: StoreSettings;
  readonly #agent: Agent;
  readonly #stalledMs: number;

  constructor(settings: StoreSettings, { connectMs, headersMs, silentMs, stalledMs } = PATIENCE) {
    this.#settings = settings;
    this.#stalledMs = stalledMs;
    this.#agent = new Agent({
      connections: CONNECTIONS_MAX,
      connect: { timeout: connectMs },
      keepAliveTimeout: IDLE_MS,
      headersTimeout: headersMs,
      bodyTimeout: silentMs,
    });
  }

  /** The answer if its status is 2xx. The caller reads its body to the end, or destroys it. @throws {FilesError} */
  async send(asked: StoreRequest): Promise<StoreAnswer> {
    // A lost connection or a short overload is none of the caller's business; a file is not sent twice in vain.
    const answer = asked.method === 'PUT' ? await this.#once(asked) : await this.#twice(asked);
    if (answer.statusCode >= 200 && answer.statusCode < 300) return answer;
    throw await this.#refusal(asked, answer);
  }

  /** As `send`, for answers of which only the status counts. */
  async sendAndDrop(asked: StoreRequest): Promise<void> {
    await (await this.send(asked)).body.dump();
  }

  async sendForText(asked: StoreRequest): Promise<string> {
    return (await this.send(asked)).body.text().catch((error: unknown) => {
      throw this.#failure(asked, error);
    });
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /** With the prefix, as the store knows it. */
  keyOf(key: string): string {
    return this.#settings.prefix + key;
  }

  async #twice(asked: StoreRequest): Promise<StoreAnswer> {
    try {
      const answer = await this.#once(asked);
      if (!isOverload(answer.statusCode)) return answer;
      await answer.body.dump();
    } catch (error) {
      if (!(error instanceof FilesError) || asked.signal?.aborted || !error.message.includes(SOCKET_LOST)) throw error;
      return this.#once(asked);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
    return this.#once(asked);
  }

  async #once(asked: StoreRequest): Promise<StoreAnswer> {
    const { method, upload } = asked;
    const { url, headers } = await this.#signed(asked);
    const stalled = upload ? new StallGuard(this.#stalledMs, asked.signal) : null;
    try {
      return await request(url, {
        dispatcher: this.#agent,
        method,
        headers,
        ...(upload && stalled
          ? // Our guard counts instead: undici's timer runs while a slow line takes the body.
            {
              body: Readable.from(stalled.watch(upload.body), { objectMode: false }),
              headersTimeout: 0,
              signal: stalled.signal,
            }
          : { signal: asked.signal ?? null }),
      });
    } catch (error) {
      throw this.#failure(asked, stalled?.hasFired ? new Error('it took no more of the file') : error);
    } finally {
      stalled?.stop();
    }
  }

  async #signed({ method, key, query = {}, headers = {}, upload }: StoreRequest) {
    const { accessKeyId, secretAccessKey, region } = this.#settings;
    const url = this.#urlOf(key);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': upload?.sha256 ?? EMPTY_SHA256 },
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
    });
    const signed = await signer.sign();
    return {
      url: signed.url.href,
      headers: {
        ...Object.fromEntries(signed.headers),
        ...(upload ? { 'content-length': String(upload.bytes) } : {}),
      },
    };
  }

  #urlOf(key: string | null): URL {
    const { endpoint, bucket, isPathStyle } = this.#settings;
    const url = new URL(endpoint);
    const base = withoutTrailingSlashes(url.pathname);
    if (!isPathStyle) url.host = `${bucket}.${url.host}`;
    url.pathname = `${base}${isPathStyle ? `/${bucket}` : ''}/${key === null ? '' : this.keyOf(key)}`;
    return url;
  }

  async #refusal(asked: StoreRequest, { statusCode, body }: StoreAnswer): Promise<FilesError> {
    let text = '';
    try {
      for await (const chunk of body) {
        text += String(chunk);
        if (text.length > ERROR_BYTES_MAX) break;
      }
    } catch {
      // The status says enough.
    }
    const code = elementOf(text, 'Code') ?? '';
    const told = `${what(asked)} ${statusCode}${code === '' ? '' : ` ${code}`}${HINTS[code] ?? ''}`;
    if (statusCode === 404 && code !== 'NoSuchBucket') return new FilesError('missing', told);
    return new FilesError(isOverload(statusCode) ? 'unreachable' : 'refused', told);
  }

  #failure(asked: StoreRequest, error: unknown): FilesError {
    const { code } = error as { code?: unknown };
    const lost = code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE' ? ` (${SOCKET_LOST})` : '';
    const { host } = new URL(this.#settings.endpoint);
    return new FilesError('unreachable', `${what(asked)} no answer from ${host}: ${messageOf(error)}${lost}`);
  }
}

const SOCKET_LOST = 'connection lost';

const what = ({ method, key }: StoreRequest): string => `object store: ${method} ${key ?? 'bucket'}:`;

const isOverload = (status: number): boolean => (status >= 500 && status !== 501) || status === 429 || status === 408;

/** Advice for an operator, by the codes that all stores share. */
const HINTS: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: ': S3_ACCESS_KEY_ID is not known there',
  SignatureDoesNotMatch: ': S3_SECRET_ACCESS_KEY is wrong',
  AuthorizationHeaderMalformed: ': S3_REGION is wrong',
  NoSuchBucket: ': S3_BUCKET does not exist',
  PermanentRedirect: ': S3_ENDPOINT or S3_REGION is not that of the bucket',
  AccessDenied: ': the key lacks a right (docs/files.md lists them)',
  RequestTimeTooSkewed: ": this machine's clock is wrong",
};

/** Aborts an upload that makes no progress. */
class StallGuard {
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout;
  readonly #outer: AbortSignal | undefined;
  readonly #stalledMs: number;
  readonly #onOuter = (): void => this.#abort.abort();
  hasFired = false;
  #isStopped = false;

  constructor(stalledMs: number, outer: AbortSignal | undefined) {
    this.#stalledMs = stalledMs;
    this.#timer = this.#arm();
    this.#outer = outer;
    if (outer?.aborted) this.#abort.abort();
    outer?.addEventListener('abort', this.#onOuter, { once: true });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  async *watch(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      this.#rearm();
      yield chunk;
    }
    this.#rearm();
  }

  /** The store may answer before the last of the body has been taken from here. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener('abort', this.#onOuter);
  }

  #rearm(): void {
    clearTimeout(this.#timer);
    if (!this.#isStopped) this.#timer = this.#arm();
  }

  #arm(): NodeJS.Timeout {
    return setTimeout(() => {
      this.hasFired = true;
      this.#abort.abort();
    }, this.#stalledMs);
  }
}
