// Puts the server together: hooks in their order, the resources under /api/v1, what lies at the root.
import { STATUS_CODES } from 'node:http';
import helmet from '@fastify/helmet';
import fastifyJwt from '@fastify/jwt';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import ajvFormats from 'ajv-formats';
import fastify, { type FastifyBaseLogger, type FastifyServerOptions } from 'fastify';
import { installationSecret } from '../db/secret-box.ts';
import type { App } from './app.ts';
import { sessionTokens, signingKey } from './auth/session-tokens.ts';
import type { ApiContext } from './context.ts';
import { ErrorEnvelope } from './envelope-schema.ts';
import { registerAdmission, registerIdentity } from './plugins/auth.ts';
import { registerEnvelope, requestId, sendError } from './plugins/envelope.ts';
import { registerRateLimit } from './plugins/rate-limit.ts';
import { resources } from './resources.ts';

const BODY_BYTES_MAX = 1024 * 1024;
/** Longer ids name nothing either, and are looked up like others: a 404 of the resource, not of the route. */
const PARAM_LENGTH_MAX = 4_096;
const REQUEST_TIMEOUT_MS = 60_000;

/** Nothing is bent or dropped: query strings are converted by validation.ts, unknown fields are told. */
const AJV = {
  customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true, verbose: true, strict: false },
  plugins: [ajvFormats.default],
} as NonNullable<FastifyServerOptions['ajv']>;

/** A server that is ready to inject into or to listen. */
export async function buildServer(context: ApiContext): Promise<App> {
  const app = createApp(context);
  registerEnvelope(app);
  app.addSchema(ErrorEnvelope);
  await app.register(helmet, { global: true, contentSecurityPolicy: { useDefaults: true }, hsts: false });
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
  await registerRateLimit(app, context.config.rateLimitPerMinute);
  registerAdmission(app);
  await app.register(
    async (scope) => {
      for (const register of resources) register(scope as App, context);
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
    requestTimeout: REQUEST_TIMEOUT_MS,
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    rewriteUrl: (request) => versioned(request.url ?? '/'),
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    ajv: AJV,
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
export function versioned(url: string): string {
  return /^\/api(?!\/v1(?:[/?]|$))(?=[/?]|$)/.test(url) ? `/api/v1${url.slice(4)}` : url;
}

/** What could not be parsed as HTTP gets the envelope too. */
function badHttp(status: 400 | 431): string {
  const body = JSON.stringify({
    success: false,
    error: status === 431 ? 'Request header fields are too large' : 'Malformed HTTP request',
  });
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
