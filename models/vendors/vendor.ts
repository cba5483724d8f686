// A remote server of a model: its address, its requests, and the meaning of its refusals. These errors may be logged: a
// vendor's text can repeat a part of the key, so only its type and code are kept.
import { withoutTrailingSlashes } from '../../db/shared/net/base-url.ts';

type Environment = Record<string, string | undefined>;

/** A variable is missing or wrong. */
export class VendorSettingError extends Error {
  readonly variable: string;

  constructor(variable: string, message: string) {
    super(message);
    this.name = 'VendorSettingError';
    this.variable = variable;
  }
}

type VendorFault =
  /** The key is wrong, expired, or not allowed to do this. */
  | 'credentials'
  /** Too many requests, or the quota is used up. */
  | 'busy'
  /** The model, voice or a parameter is not known there. */
  | 'refused'
  | 'broken'
  | 'unreachable'
  | 'late'
  /** The answer does not follow the server's interface. */
  | 'garbled';

export class VendorError extends Error {
  readonly fault: VendorFault;
  readonly status: number | null;
  readonly code: string | null;
  /** The wait that the server asked for, ms; null: none. */
  readonly retryAfterMs: number | null;

  constructor(
    fault: VendorFault,
    message: string,
    {
      status = null,
      code = null,
      retryAfterMs = null,
    }: { status?: number | null; code?: string | null; retryAfterMs?: number | null } = {},
  ) {
    super(message);
    this.name = 'VendorError';
    this.fault = fault;
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

type VendorPrefix = 'STT' | 'TTS' | 'DIALOGUE';

export interface Vendor {
  /** For messages: openai, deepgram, elevenlabs. */
  name: string;
  /** The prefix of the variables that an operator can correct. */
  prefix: VendorPrefix;
  /** No slash at the end. */
  baseUrl: string;
  apiKey: string | null;
  model: string;
}

export interface VendorDefaults {
  name: string;
  prefix: VendorPrefix;
  baseUrl: string;
  model: string;
  /** Variables that hold the key if that of the prefix (`STT_API_KEY`) is not set. */
  keyNames: readonly string[];
  /** The same for the base URL. */
  baseNames?: readonly string[];
  /** The vendor's own server refuses requests without a key; compatible servers may need none. */
  needsKey: (baseUrl: string) => boolean;
}

/** Reads the server's settings from `STT_…`, `TTS_…` or `DIALOGUE_…`. @throws {VendorSettingError} */
export function readVendor(environment: Environment, defaults: VendorDefaults): Vendor {
  const { name, prefix } = defaults;
  const first = (names: readonly string[]): string | null =>
    names.map((variable) => environment[variable]?.trim()).find((value) => value) ?? null;
  const given = first([`${prefix}_BASE_URL`, ...(defaults.baseNames ?? [])]);
  const baseUrl = withoutTrailingSlashes(given ?? defaults.baseUrl);
  if (!/^(https?|wss?):\/\/[^/\s]+/.test(baseUrl)) {
    throw new VendorSettingError(`${prefix}_BASE_URL`, `"${baseUrl}" is not an http or https address`);
  }
  const keyNames = [`${prefix}_API_KEY`, ...defaults.keyNames];
  const apiKey = first(keyNames);
  if (apiKey === null && defaults.needsKey(baseUrl)) {
    throw new VendorSettingError(`${prefix}_API_KEY`, `${prefix}=${name} needs a key: set ${keyNames.join(' or ')}`);
  }
  return { name, prefix, baseUrl, apiKey, model: first([`${prefix}_MODEL`]) ?? defaults.model };
}

/** The address of `path` as http(s). `version` (`/v1`) is put in front if the base is an origin. */
export function httpUrl(vendor: Vendor, path: string, version = ''): URL {
  const base = vendor.baseUrl.replace(/^ws/, 'http');
  return new URL(`${base}${version && !base.endsWith(version) ? version : ''}${path}`);
}

/** As `httpUrl`, for a socket. */
export function socketUrl(vendor: Vendor, path: string, version = ''): URL {
  const url = httpUrl(vendor, path, version);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url;
}

/** Longest wait after a 429 within the same request. */
const SHORT_WAIT_MS = 1_000;

/**
 * Sends the request; repeats it once when the server asks for a short wait, or when the server had closed a kept-alive
 * connection. Resolves with the headers; the body is not read.
 * @throws {VendorError}
 */
export async function ask(vendor: Vendor, url: URL, init: RequestInit & { signal: AbortSignal }): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    let answer: Response;
    try {
      answer = await fetch(url, { ...init, redirect: 'error' });
    } catch (error) {
      if (init.signal.aborted) throw lateOrAborted(vendor, init.signal);
      if (attempt === 0 && isStaleConnection(error)) continue;
      throw unreachableError(vendor, error);
    }
    if (answer.ok) return answer;
    const refusal = await readRefusal(vendor, answer);
    const waitMs = refusal.retryAfterMs;
    if (attempt > 0 || refusal.status !== 429 || waitMs === null || waitMs > SHORT_WAIT_MS) throw refusal;
    await waitUnlessAborted(waitMs, init.signal);
  }
}

/** Makes a code of an unsuccessful answer. Reads its body, up to 64 KiB. */
async function readRefusal(vendor: Vendor, answer: Response): Promise<VendorError> {
  const text = (await answer.text().catch(() => '')).slice(0, 65_536);
  return refusalOf(vendor, answer.status, text, retryAfterMs(answer.headers.get('retry-after')));
}

export function refusalOf(vendor: Vendor, status: number, body: string, retryMs: number | null = null): VendorError {
  const code = codeIn(body);
  const what = `${vendor.name} answered ${status}${code === null ? '' : ` ${code}`}`;
  const details = { status, code, retryAfterMs: retryMs };
  if (code === 'quota_exceeded' || code === 'insufficient_quota')
    return new VendorError('busy', `${what}: the quota of the key is used up`, details);
  if (status === 401 || status === 403)
    return new VendorError('credentials', `${what}: ${vendor.prefix}_API_KEY is not accepted`, details);
  if (status === 429) return new VendorError('busy', `${what}: too many requests`, details);
  if (status === 404) return new VendorError('refused', `${what}: ${notFoundHint(vendor)}`, details);
  if (status >= 500) return new VendorError('broken', what, details);
  return new VendorError('refused', `${what}: is ${vendor.prefix}_MODEL (${vendor.model}) right?`, details);
}

export function unreachableError(vendor: Vendor, error: unknown): VendorError {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
  const host = new URL(vendor.baseUrl).host;
  return new VendorError('unreachable', `${vendor.name} at ${host} cannot be reached${code ? ` (${code})` : ''}`, {
    code,
  });
}

export function lateOrAborted(vendor: Vendor, signal: AbortSignal): VendorError {
  const isLate = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
  return new VendorError('late', isLate ? `${vendor.name} did not answer in time` : 'cancelled');
}

/** `Retry-After` in seconds or as a date. */
export function retryAfterMs(header: string | null, nowMs = Date.now()): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const dateMs = Date.parse(header);
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs);
}

function notFoundHint({ prefix, baseUrl, model }: Vendor): string {
  return /\/v\d+$/.test(baseUrl)
    ? `there is no such path or model: look at ${prefix}_BASE_URL and ${prefix}_MODEL (${model})`
    : `there is no such path or model: does ${prefix}_BASE_URL want /v1 at its end?`;
}

/** The vendor's own code of the fault. OpenAI: error.code or error.type; ElevenLabs: detail.code or detail.status. */
function codeIn(body: string): string | null {
  try {
    const parsed: unknown = JSON.parse(body);
    for (const path of [['error', 'code'], ['error', 'type'], ['detail', 'code'], ['detail', 'status'], ['err_code']]) {
      const value = path.reduce<unknown>(
        (at, key) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined),
        parsed,
      );
      if (typeof value === 'string' && /^[\w.-]{1,64}$/.test(value)) return value;
    }
  } catch {
    // Not JSON: a proxy's page.
  }
  return null;
}

/** A kept-alive connection that the server had closed fails before any answer, so repeating the request is safe. */
function isStaleConnection(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}

function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
