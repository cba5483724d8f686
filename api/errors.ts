// The errors that services throw and clients read. The envelope plugin turns them into answers; whatever else is thrown
// is a fault of ours and answered 500 without a word of what it was.

export interface FieldError {
  /** JSON path, e.g. `contacts[3].phoneNumber`. */
  field: string;
  message: string;
}

/** An answer with a status of 4xx or 503. */
export class ApiError extends Error {
  readonly status: number;
  readonly fields: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    message: string,
    extra: { fields?: readonly FieldError[]; retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.fields = extra.fields;
    this.retryAfterSeconds = extra.retryAfterSeconds;
  }
}

export const badRequest = (message: string): ApiError => new ApiError(400, message);

export const unauthenticated = (message: string): ApiError => new ApiError(401, message);

export const forbidden = (message = 'Insufficient permissions'): ApiError => new ApiError(403, message);

/** One message a kind of resource, so that a foreign one cannot be told from a missing one. */
export const notFound = (what = 'Resource'): ApiError => new ApiError(404, `${what} not found`);

export const conflict = (message: string): ApiError => new ApiError(409, message);

/** 422 with the fields at fault. */
export const invalid = (fields: readonly FieldError[]): ApiError => new ApiError(422, 'Validation failed', { fields });

export const locked = (message: string): ApiError => new ApiError(423, message);

export const tooMany = (message: string, retryAfterSeconds: number): ApiError =>
  new ApiError(429, message, { retryAfterSeconds });

/** A documented 503: the message says what is down. */
export const unavailable = (message: string, retryAfterSeconds: number): ApiError =>
  new ApiError(503, message, { retryAfterSeconds });
