// The one error that requests of this package throw: an answer that is no success, or no answer at all.
import type { ErrorCode, FieldError } from './types.ts';

/** Of an answer that never came, or that is none of this service. */
export type ClientErrorCode = 'UNREACHABLE' | 'TIMEOUT' | 'REDIRECTED' | 'UNKNOWN';

interface ErrorFacts {
  status: number;
  code: string;
  message: string;
  fields?: readonly FieldError[];
  requestId?: string | null;
  retryAfterMs?: number | null;
  cause?: unknown;
}

/** Its message is a sentence for people; programs look at `code`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Of HTTP; 0: there was no answer. */
  readonly status: number;
  /** New ones may come with a newer service: give a `switch` over it a default. */
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  /** Of a 422: the fields at fault by their JSON path. */
  readonly fields: readonly FieldError[];
  /** The request in the log of the service. */
  readonly requestId: string | null;
  /** When the service wants to be asked again. */
  readonly retryAfterMs: number | null;

  constructor({ status, code, message, fields = [], requestId = null, retryAfterMs = null, cause }: ErrorFacts) {
    const named = fields.map(({ field, message: fault }) => `${field} ${fault}`).join('; ');
    super(named === '' ? message : `${message}: ${named}`, cause === undefined ? {} : { cause });
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The error of an answer that is no success; its body is read. */
export async function errorOf(response: Response, nowMs: number): Promise<ApiError> {
  const { status, headers } = response;
  const text = await response.text().catch(() => '');
  const body = envelopeOf(text);
  return new ApiError({
    status,
    code: body.code ?? 'UNKNOWN',
    message: body.error ?? `The service answered ${status}, and not as this program expects it: is the address right?`,
    fields: body.errors ?? [],
    requestId: headers.get('x-request-id'),
    retryAfterMs: waitOf(headers.get('retry-after'), nowMs),
  });
}

interface Envelope {
  code?: string;
  error?: string;
  errors?: FieldError[];
}

/** Nothing, where it is the page of a proxy. */
function envelopeOf(text: string): Envelope {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && 'success' in value ? (value as Envelope) : {};
  } catch {
    return {};
  }
}

/** RFC 9110 10.2.3: seconds, or a date. */
function waitOf(retryAfter: string | null, nowMs: number): number | null {
  if (retryAfter === null) return null;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  const atMs = Date.parse(retryAfter);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
