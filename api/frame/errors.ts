// The errors that services throw and clients read. The envelope plugin turns them into answers; any other thrown error
// is our own fault and is answered with 500 without details.
import { type CodeOf, ERROR_CODES, type ErrorCode } from './error-codes.ts';

/** A request can have thousands of faults; only the first are reported. */
export const FIELD_ERRORS_MAX = 50;

export interface FieldError {
  /** JSON path, e.g. `contacts[3].phoneNumber`. */
  field: string;
  message: string;
}

/** An error answer: the status follows from the code. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly fields: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    extra: { fields?: readonly FieldError[]; retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = ERROR_CODES[code].status;
    this.fields = extra.fields;
    this.retryAfterSeconds = extra.retryAfterSeconds;
  }
}

/** 429, and the documented 503 whose message names the unavailable part: both have a Retry-After. */
type RetryCode = CodeOf<429 | 503>;

export const refused = (
  code: Exclude<ErrorCode, RetryCode | 'VALIDATION_FAILED' | 'DESTINATION_NOT_ALLOWED'>,
  message: string,
): ApiError => new ApiError(code, message);

export const retryLater = (code: RetryCode, message: string, retryAfterSeconds: number): ApiError =>
  new ApiError(code, message, { retryAfterSeconds });

/** 422 with the fields at fault. */
export const invalid = (fields: readonly FieldError[]): ApiError =>
  new ApiError('VALIDATION_FAILED', 'Validation failed', { fields });

/** One message for each kind of resource, so that a foreign one cannot be told from a missing one. */
export const notFound = (what = 'Resource'): ApiError => refused('NOT_FOUND', `${what} not found`);

export const forbidden = (): ApiError => refused('INSUFFICIENT_PERMISSIONS', 'Insufficient permissions');

/** A supervisor has an engine up again, and a standby has taken over, within that. */
const ENGINE_BACK_SECONDS = 5;

/** 503 where nobody can do what only an engine does; `reason`: for the client. */
export const engineDown = (reason: string): ApiError => retryLater('ENGINE_DOWN', reason, ENGINE_BACK_SECONDS);
