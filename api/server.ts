// Builds the server: hooks in order, the resources under /api/v1, the routes at the root.
import { createServer, STATUS_CODES } from 'node:http';
import fastifyJwt from '@fastify/jwt';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import ajvFormats from 'ajv-formats';
import fastify, { type FastifyBaseLogger, type FastifyServerOptions, LogController } from 'fastify';
import { EMAIL } from '../db/domain/email-address.ts';
import { installationSecret } from '../db/shared/secrets/secret-box.ts';
import { registerAudit } from './audit/note.ts';
import { registerInvitePage } from './auth/invite-page.ts';
import { registerProviderReturn } from './auth/provider/routes.ts';
import { sessionTokens, signingKey } from './auth/session-tokens.ts';
import { registerVerifyPage } from './auth/verify-page.ts';
import { registerReturnPage } from './calendars/accounts/return-page.ts';
import type { ApiContext } from './context.ts';
import { registerDashboard } from './dashboard/serve.ts';
import type { App } from './frame/app.ts';
import { registerDocs } from './frame/docs.ts';
import { ErrorEnvelope } from './frame/envelope-schema.ts';
import { refused } from './frame/errors.ts';
import { lazyCompilers } from './frame/lazy-compilers.ts';
import { registerHealth } from './health.ts';
import { registerMcp } from './mcp/routes.ts';
import { registerOpenapi, registerOpenapiRoute } from './openapi/openapi.ts';
import { registerAnswerBytes } from './plugins/answer-bytes.ts';
import { registerAdmission, registerIdentity } from './plugins/auth.ts';
import { boundConnections, inTurn } from './plugins/connections.ts';
import { registerEnvelope, requestId, sendError } from './plugins/envelope.ts';
import { beginFairly } from './plugins/fair-turns.ts';
import { registerIdempotency } from './plugins/idempotency.ts';
import { registerMethods } from './plugins/methods.ts';
import { refuseUnknownQueries } from './plugins/no-query.ts';
import { registerRateLimit } from './plugins/rate-limit.ts';
import { registerSecurityHeaders } from './plugins/security-headers.ts';
import { resources } from './resources.ts';
import { noteErasures } from './upkeep/erased-bytes.ts';

const BODY_BYTES_MAX = 1024 * 1024;
/** Limit for public requests: their bodies have an address, a password, a token. */
const PUBLIC_BODY_BYTES_MAX = 32 * 1024;
/** Up to this length, wrong ids get the resource's 404, not the route's. */
const PARAM_LENGTH_MAX = 4_096;
const REQUEST_TIMEOUT_MS = 60_000;
/** Longer than the 60 s after which common proxies close idle connections: they do it first, and lose no request. */
const KEEP_ALIVE_MS = 72_000;

function addEmailFormat<A extends { addFormat(name: string, format: RegExp): unknown }>(ajv: A): A {
  ajv.addFormat('email', EMAIL);
  return ajv;
}

type CompilersFactory = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;

/** No coercion; unknown fields are rejected. validation.ts converts query strings, lazy-compilers.ts limits the search
 * for faults. */
const AJV = {
  customOptions: { coerceTypes: false, removeAdditional: false, verbose: true, strict: false },
  plugins: [ajvFormats.default, addEmailFormat],
} as NonNullable<FastifyServerOptions['ajv']>;

/** A server ready for inject or listen; tests add their own routes. */
export async function buildServer(context: ApiContext, more: typeof resources = []): Promise<App> {
  const app = createApp(context);
  app.addHook('onRoute', (route) => {
    if (route.config?.public) route.bodyLimit ??= PUBLIC_BODY_BYTES_MAX;
  });
  boundConnections(app, context.config.trustProxy);
  beginFairly(app);
  refuseUnknownQueries(app);
  registerEnvelope(app);
  noteErasures(app, context);
  app.addSchema(ErrorEnvelope);
  await registerSecurityHeaders(app, context);
  await app.register(fastifyJwt, {
    secret: signingKey(
      context.config.jwtSecret ?? installationSecret(context.config.dataDir, 'jwt.secret'),
      context.config.appEnv,
    ),
    sign: { algorithm: 'HS256' },
    // Expiry is checked after the signature and against our clock.
    verify: { algorithms: ['HS256'], ignoreExpiration: true },
  });
  const tokens = sessionTokens(app.jwt, context.config.appEnv);
  app.decorate('sessionTokens', tokens);
  registerIdentity(app, context, tokens);
  await registerRateLimit(app, context);
  registerMethods(app);
  registerAnswerBytes(app, context);
  registerAdmission(app);
  registerIdempotency(app, context);
  registerAudit(app, context);
  await registerOpenapi(app);
  registerMcp(app, context);
  registerHealth(app, context);
  registerOpenapiRoute(app);
  registerDocs(app);
  registerDashboard(app, context);
  registerVerifyPage(app);
  registerReturnPage(app);
  registerProviderReturn(app);
  registerInvitePage(app);
  await app.register(
    async (scope) => {
      for (const register of [...resources, ...more]) register(scope as App, context);
    },
    { prefix: '/api/v1' },
  );
  await app.ready();
  return app;
}

declare module 'fastify' {
  interface FastifyInstance {
    sessionTokens: ReturnType<typeof sessionTokens>;
  }
}

function createApp(context: ApiContext): App {
  const { trustProxy } = context.config;
  return fastify({
    loggerInstance: context.log as FastifyBaseLogger,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    requestIdHeader: false,
    // One line per request, written after the answer (plugins/envelope.ts).
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    serverFactory: (handle) =>
      createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: REQUEST_TIMEOUT_MS }, inTurn(handle)),
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    // plugins/envelope.ts answers in the form of all errors.
    return503OnClosing: false,
    rewriteUrl: (request) => versioned(request.url ?? '/'),
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    ajv: AJV,
    schemaController: { compilersFactory: lazyCompilers as CompilersFactory },
    frameworkErrors: (error, request, reply) => {
      void sendError(error, request, reply);
    },
    clientErrorHandler: (error, socket) => {
      if (socket.destroyed || !socket.writable) return;
      socket.end(badHttp(error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400));
    },
  }).withTypeProvider<TypeBoxTypeProvider>() as unknown as App;
}

/** The unversioned base resolves to the same handlers. */
function versioned(url: string): string {
  return /^\/api(?!\/v1(?:[/?]|$))(?=[/?]|$)/.test(url) ? `/api/v1${url.slice(4)}` : url;
}

/** Unparsable HTTP is also answered in the envelope. */
function badHttp(status: 400 | 431): string {
  const { message: error, code } =
    status === 431
      ? refused('HEADERS_TOO_LARGE', 'Request header fields are too large')
      : refused('BAD_REQUEST', 'Malformed HTTP request');
  const body = JSON.stringify({ success: false, error, code });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `X-Request-Id: ${requestId(undefined)}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
