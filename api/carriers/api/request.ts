// One request to a carrier's API: over TLS, without redirects, within a deadline and a size, and with refusals told
// from an answer that never came. The key goes to the carrier's own host only; no text of it is in an error.

import { RefusedAddress } from '../../../db/shared/net/address-rules.ts';
import { FetchFailed, safeFetch } from '../../../db/shared/net/safe-fetch.ts';
import { CarrierError } from '../carrier.ts';

/** Beside `CARRIER_TIMEOUT_MS` of a purchase's whole call. */
const REQUEST_TIMEOUT_MS = 3_500;
/** A page of 50 numbers has some 60 KiB. */
const ANSWER_BYTES_MAX = 2 * 1024 * 1024;
const WORDS_MAX = 200;

interface CarrierRequest {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Of the carrier's own host. */
  url: string;
  query?: Readonly<Record<string, string>>;
  form?: Readonly<Record<string, string>>;
  json?: object;
  timeoutMs?: number;
}

interface CarrierAnswer {
  status: number;
  /** Null where the body is not JSON, or empty. */
  json: unknown;
}

/** The carrier's answer; statuses of 400 to 499 but 401, 403, 408 and 429 are answers. @throws {CarrierError} */
export type AskCarrier = (request: CarrierRequest) => Promise<CarrierAnswer>;

/** `base`: an origin that stands for every carrier; null: they are asked themselves. */
export function carrierRequests(authorization: string, base: string | null): AskCarrier {
  return async ({ method = 'GET', url, query, form, json, timeoutMs = REQUEST_TIMEOUT_MS }) => {
    const target = new URL(base === null ? url : url.replace('https://', `${base}/`));
    for (const [name, value] of Object.entries(query ?? {})) target.searchParams.append(name, value);
    const body = form === undefined ? json && JSON.stringify(json) : new URLSearchParams(form).toString();
    const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
    const answer = await safeFetch(target.href, {
      method,
      headers: { authorization, accept: 'application/json', ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body }),
      ...(base === null ? { schemes: ['https:'] } : { allowPrivate: true }),
      maxBytes: ANSWER_BYTES_MAX,
      timeoutMs,
    }).catch((error: unknown) => {
      if (!(error instanceof FetchFailed) && !(error instanceof RefusedAddress)) throw error;
      throw new CarrierError('CARRIER_UNAVAILABLE', `${new URL(url).hostname} ${error.message}`);
    });
    const { status } = answer;
    const read = readJson(answer.truncated ? Buffer.alloc(0) : answer.body);
    if (status === 401) throw new CarrierError('CARRIER_KEY_REFUSED', `the key was refused: ${words(read, status)}`);
    if (status === 403)
      throw new CarrierError('CARRIER_KEY_REFUSED', `the key may not do this: ${words(read, status)}`);
    if (
      status >= 500 ||
      status === 408 ||
      status === 429 ||
      answer.truncated ||
      status < 200 ||
      (status >= 300 && status < 400)
    )
      throw new CarrierError('CARRIER_UNAVAILABLE', `${new URL(url).hostname} answered ${status}`, {
        mayBeDone: status !== 429,
      });
    return { status, json: read };
  };
}

/** The body of a 2xx answer. @throws {CarrierError} `CARRIER_REFUSED` with the carrier's words */
export function done({ status, json }: CarrierAnswer): unknown {
  if (status >= 400) throw new CarrierError('CARRIER_REFUSED', words(json, status));
  return json;
}

/** As `done`; a 404 is null. */
export function found(answer: CarrierAnswer): unknown {
  return answer.status === 404 ? null : done(answer);
}

function readJson(body: Buffer): unknown {
  try {
    return body.length === 0 ? null : JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

/** The carrier's own words for a refusal: `message`, `error`, or the first of `errors`. */
function words(json: unknown, status: number): string {
  const { message, error, errors } = (json ?? {}) as { message?: unknown; error?: unknown; errors?: unknown };
  const first = (Array.isArray(errors) ? errors[0] : null) as { title?: unknown; detail?: unknown } | null;
  const said = [message, error, first?.detail, first?.title].find((text) => typeof text === 'string' && text !== '');
  return said === undefined
    ? `status ${status}`
    : String(said)
        .replace(/\p{Cc}+/gu, ' ')
        .slice(0, WORDS_MAX);
}

/** A list in an answer; empty where there is none. */
export function listIn<T>(json: unknown, name: string): T[] {
  const list = (json as Record<string, unknown> | null)?.[name];
  return Array.isArray(list) ? (list as T[]) : [];
}

/** An id in an answer. @throws {CarrierError} where there is none: the answer is not the carrier's */
export function idIn(json: unknown, name: string): string {
  const id = (json as Record<string, unknown> | null)?.[name];
  if (typeof id !== 'string' || id === '') throw new CarrierError('CARRIER_UNAVAILABLE', `the answer has no ${name}`);
  return id;
}

/** An amount that the carrier writes as text; null where it is none. */
export function amount(text: unknown): number | null {
  const value = typeof text === 'number' ? text : typeof text === 'string' && text.trim() !== '' ? Number(text) : NaN;
  return Number.isFinite(value) && value >= 0 ? value : null;
}
