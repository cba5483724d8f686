// The shape of every answer: {success, data} or {success, error, code, errors?}, with X-Request-Id. This includes
// answers to unknown routes, to unreadable bodies, and to any thrown error.
import { randomUUID } from 'node:crypto';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isPassingFault } from '../../db/faults/faults.ts';
import type { App } from '../frame/app.ts';
import { ApiError, invalid, refused, retryLater } from '../frame/errors.ts';
import { NAME_LENGTH_MAX } from '../frame/fault-words.ts';
import { faultOfShape } from '../frame/json-shape.ts';
import { convertQuery, unknownParameters } from '../frame/query-values.ts';
import { fieldErrors, jsonPath } from '../frame/validation.ts';

const READ_ONLY_FIELDS = ['id', 'createdAt', 'deletedAt', '_count', 'publishedVersion', 'draftVersion'] as const;

/** A client's own id is used if it is safe in log lines and headers. */
export function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID();
}

export function registerEnvelope(app: App): void {
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (!isStopping) return;
    reply.header('connection', 'close');
    throw retryLater('API_STOPPING', 'This API is shutting down: ask again', 1);
  });
  app.decorateRequest('fixedFields', null);
  registerJsonParser(app);
  app.addHook('preValidation', async (request) => {
    prepareInput(request);
  });
  app.addHook('preSerialization', async (request, _reply, payload) => {
    if (request.routeOptions.config.bare || payload === null || typeof payload !== 'object') return payload;
    return 'success' in payload ? payload : { success: true, ...payload };
  });
  // Nothing of the line is to be redacted: looking for what is would cost as much as the line.
  const log = app.log.child({}, { redact: [] });
  app.addHook('onResponse', (request, reply, done) => {
    const { id: requestId, method, routeOptions } = request;
    const line = {
      requestId,
      method,
      // The pattern, not the path: paths may contain phone numbers.
      route: routeOptions.url ?? null,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      ...whoAsked(request, reply.statusCode),
    };
    if (routeOptions.config?.bare) log.debug(line, 'request answered');
    else log.info(line, 'request answered');
    done();
  });
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply));
  app.setNotFoundHandler(async (request, reply) => {
    // fastify answers an unknown route before reading its body.
    await sendError(refused('ROUTE_NOT_FOUND', `Route ${request.method} ${pathOf(request)} not found`), request, reply);
  });
}

const pathOf = (request: FastifyRequest): string => (request.originalUrl.split('?', 1)[0] ?? '').slice(0, 200);

function registerJsonParser(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('text/plain');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Clients set the content type on every POST, even without a body.
    if (body.length === 0) return done(null, undefined);
    const fault = faultOfShape(body);
    if (fault === 'deep') return done(refused('MALFORMED_JSON', 'Malformed JSON: nested too deeply'));
    if (fault === 'wide') return done(invalid([{ field: 'body', message: 'has too many fields' }]));
    parse(request, body, (error, value) => {
      if (error) return done(refused('MALFORMED_JSON', 'Malformed JSON'));
      const zero = body.includes('\\u0000') ? pathOfText(value, (text) => text.includes('\0')) : null;
      if (zero !== null) return done(invalid([{ field: jsonPath(zero) || 'body', message: ZERO }]));
      const half = ESCAPED_SURROGATE.test(body) ? pathOfText(value, (text) => HALF.test(text)) : null;
      if (half !== null) return done(invalid([{ field: jsonPath(half) || 'body', message: HALF_CHARACTER }]));
      done(null, value);
    });
  });
}

/** SQLSTATE. Beside JSON and the query string a path or a table may have the character. */
const CHARACTER_NOT_IN_REPERTOIRE = '22021';

/** PostgreSQL stores no text with this character, and no text needs it. */
const ZERO = 'must not contain the character U+0000';

/** Half of a character of two, which would be stored as U+FFFD; it can come only as an escape of JSON. */
const HALF_CHARACTER = 'must not contain half of a character (a lone surrogate)';
const ESCAPED_SURROGATE = /\\ud[89a-f]/i;
const HALF = /\p{Surrogate}/u;

/** JSON pointer of the first text or name at fault. */
function pathOfText(value: unknown, isFault: (text: string) => boolean, path = ''): string | null {
  if (typeof value === 'string') return isFault(value) ? path : null;
  if (value === null || typeof value !== 'object') return null;
  for (const [name, member] of Object.entries(value)) {
    const found = isFault(name) ? path : pathOfText(member, isFault, `${path}/${name}`);
    if (found !== null) return found;
  }
  return null;
}

/**
 * Before validation: converts numbers in query strings, drops read-only fields that were sent back, adds a missing
 * body.
 */
function prepareInput(request: FastifyRequest): void {
  const { schema, config } = request.routeOptions;
  if (schema?.querystring) {
    const query = request.query as Record<string, unknown>;
    const unknown = unknownParameters(query, schema.querystring);
    if (unknown.length > 0) throw invalid(unknown);
    const zero = Object.keys(query).find((name) => String(query[name]).includes('\0'));
    if (zero !== undefined) throw invalid([{ field: zero, message: ZERO }]);
    request.query = convertQuery(query, schema.querystring);
  }
  if (!schema?.body) return refuseFields(request);
  if (request.body === undefined) request.body = {};
  const { body } = request;
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return;
  const known = (schema.body as { properties?: Record<string, unknown> }).properties ?? {};
  for (const name of config.readOnlyFields ?? READ_ONLY_FIELDS) {
    if (Object.hasOwn(body, name) && !Object.hasOwn(known, name)) delete (body as Record<string, unknown>)[name];
  }
  if (config.fixedFields) request.fixedFields = takeFields(body as Record<string, unknown>, config.fixedFields);
}

/** Of a body that its route does not look at: a client that sends something means something. */
function refuseFields({ body, url, routeOptions: { config } }: FastifyRequest): void {
  if (config.bare || !url.startsWith('/api/')) return;
  if (body === null || typeof body !== 'object' || Array.isArray(body) || Buffer.isBuffer(body)) return;
  const [name] = Object.keys(body);
  if (name !== undefined) throw invalid([{ field: name.slice(0, NAME_LENGTH_MAX), message: 'is not a known field' }]);
}

function takeFields(body: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const taken: Record<string, unknown> = {};
  for (const name of names) {
    if (!Object.hasOwn(body, name)) continue;
    taken[name] = body[name];
    delete body[name];
  }
  return taken;
}

/**
 * For the log: of requests without a right token, of too many, and of guesses at an address that is its own secret, so
 * that an operator can tell one stranger's from a client that is set up wrongly.
 */
function whoAsked({ ip, identity, routeOptions }: FastifyRequest, status: number): object | null {
  const isGuess = status === 401 || (status === 404 && routeOptions.config?.public === true);
  if (!isGuess && status !== 429) return null;
  if (identity == null || identity instanceof Error) return { sourceAddress: ip };
  const { accountId, userId, kind, tokenId } = identity;
  return { sourceAddress: ip, accountId, userId, ...(kind === 'token' ? { tokenId } : null) };
}

/** Answers with any error. */
export async function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const answer = asApiError(error);
  if (answer === null) {
    request.log.error({ err: error }, 'request failed');
  } else if (answer.status === 503) {
    request.log.warn({ reason: answer.message }, 'request refused: the service cannot serve it now');
  }
  const { status, code, message, fields, retryAfterSeconds } =
    answer ?? refused('INTERNAL_ERROR', 'Internal server error');
  reply.header('x-request-id', request.id);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(retryAfterSeconds)));
  // RFC 9110, 15.5.2.
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  reply.removeHeader('content-type');
  reply.removeHeader('content-length');
  // Already a string: a route's response schema must not change an error.
  await reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer((payload: unknown) => JSON.stringify(payload))
    .send({ success: false, error: message, code, ...(fields ? { errors: fields } : {}) });
}

/** Errors of the framework, by their status. The message of 406 names the part. */
function refusedByFramework(status: number, message: string): ApiError {
  switch (status) {
    case 404:
      return refused('ROUTE_NOT_FOUND', message);
    case 406:
      return refused('NOT_ACCEPTABLE', message);
    case 408:
      return refused('REQUEST_TIMEOUT', 'The request took too long');
    case 413:
      return refused('BODY_TOO_LARGE', 'Request body is too large');
    case 414:
      return refused('URI_TOO_LONG', 'URI is too long');
    case 415:
      return refused('UNSUPPORTED_MEDIA_TYPE', 'Unsupported media type');
    case 431:
      return refused('HEADERS_TOO_LARGE', 'Request header fields are too large');
    default:
      return refused('BAD_REQUEST', 'Bad request');
  }
}

/** The public form of an error; null for an internal fault. */
function asApiError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  if (!(error instanceof Error)) return null;
  const { validation, validationContext, statusCode } = error as FastifyError;
  if (validation) return invalid(fieldErrors(validation, validationContext ?? 'body'));
  if ((error as { code?: unknown }).code === CHARACTER_NOT_IN_REPERTOIRE) {
    return invalid([{ field: 'request', message: ZERO }]);
  }
  if (isPassingFault(error)) {
    const isFile = String((error as { code?: unknown }).code).startsWith('SQLITE');
    const what = isFile ? 'The database cannot write at the moment' : 'The database does not answer';
    return retryLater('DATABASE_BUSY', what, 2);
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return refusedByFramework(statusCode, error.message);
  }
  return null;
}
