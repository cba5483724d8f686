// Response schemas in the envelope. Their static type is the handler's result ({data, …}); the envelope plugin adds
// `success`, so only the JSON schema contains it.
import { type Static, type TSchema, Type } from 'typebox';
import { ERROR_CODES, type ErrorCode } from './error-codes.ts';

export const Pagination = Type.Object(
  {
    page: Type.Integer(),
    limit: Type.Integer(),
    total: Type.Integer(),
    totalPages: Type.Integer(),
    hasNext: Type.Boolean(),
    hasPrev: Type.Boolean(),
  },
  { title: 'Pagination' },
);
export type Pagination = Static<typeof Pagination>;

const Success = Type.Boolean({ const: true });

/** `{success, data, warnings?}`. */
export function ok<T extends TSchema>(data: T) {
  return Type.Unsafe<{ data: Static<T>; warnings?: string[] }>(
    Type.Object({ success: Success, data, warnings: Type.Optional(Type.Array(Type.String())) }),
  );
}

/** `{success, data: [item], pagination}`. */
export function okList<T extends TSchema>(item: T) {
  return Type.Unsafe<{ data: Static<T>[]; pagination: Pagination }>(
    Type.Object({ success: Success, data: Type.Array(item), pagination: Pagination }),
  );
}

/** A value or null, as `type: [x, 'null']`: serialised without trying the branches of a union. */
export function nullable<T extends TSchema>(schema: T) {
  const { type, enum: values, ...rest } = schema as T & { type?: string; enum?: unknown[] };
  if (typeof type !== 'string') return Type.Unsafe<Static<T> | null>(Type.Union([schema, Type.Null()]));
  return Type.Unsafe<Static<T> | null>({
    ...rest,
    type: [type, 'null'],
    ...(values ? { enum: [...values, null] } : {}),
  });
}

/** One of a few words, as `enum` (a union of literals costs a validator when serialised). */
export function oneOf<const V extends readonly string[]>(values: V, options: Record<string, unknown> = {}) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options });
}

/** A file: an answer that is not JSON. */
export const Binary = Type.Unsafe<unknown>({ type: 'string', format: 'binary' });

/** ISO-8601 UTC with milliseconds. */
export const Timestamp = Type.String({ format: 'date-time' });

const errorCodes = Object.keys(ERROR_CODES) as ErrorCode[];

export const ErrorEnvelope = Type.Object(
  {
    success: Type.Boolean({ const: false }),
    error: Type.String({ description: 'Human-readable message' }),
    code: oneOf(errorCodes, { description: 'What went wrong, for programs; docs/errors.md says what each means' }),
    errors: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), message: Type.String() }, { title: 'FieldError' }), {
        description: 'Only with 422: the fields at fault by their JSON path',
      }),
    ),
  },
  { $id: 'Error', title: 'Error' },
);

const MEANING: Record<number, string> = {
  400: 'Bad request',
  401: 'Unauthenticated',
  403: 'Insufficient permissions',
  404: 'Missing, or of another tenant',
  409: 'Conflicting state',
  410: 'Gone',
  413: 'Too large',
  415: 'Unsupported media type',
  416: 'Range not satisfiable',
  422: 'Field validation failed; see errors[]',
  423: 'Locked',
  429: 'Too many requests; honour Retry-After',
  503: 'A service this depends on is down; honour Retry-After',
};

/** Entries of `response` for the error statuses a route documents. Typed as empty: handlers never return errors. */
export function errorResponses(...statuses: number[]): Record<never, never> {
  const responses: Record<number, unknown> = {};
  for (const status of statuses) {
    responses[status] = { description: MEANING[status] ?? 'Error', $ref: 'Error#' };
  }
  return responses;
}
