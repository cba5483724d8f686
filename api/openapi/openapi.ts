// The OpenAPI 3.1 document, generated from the schemas of the routes' validation and serialisation, so it matches their
// behaviour; names, examples and texts for people and generators are added. Only /api/v1 is documented; /api resolves
// to the same handlers.
import swagger from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import { openapiWebhooks } from '../delivery/catalogue.ts';
import type { App } from '../frame/app.ts';
import { type Asset, makeAsset, sendAsset } from '../frame/assets.ts';
import { describeAnswers } from './answers.ts';
import { describeBodies } from './bodies.ts';
import { type Document, nameSchemas } from './components.ts';
import { addExamples } from './examples.ts';
import { describeTables } from './tables.ts';

const API_VERSION = '1.0.0';

const DESCRIPTION = `An AI phone service: agents, businesses, campaigns, calls, phone numbers and webhooks.

Every answer is an envelope: \`{success: true, data}\` or \`{success: false, error, code, errors?}\`, and carries \`X-Request-Id\`.
Authenticate with \`Authorization: Bearer <token>\`: a session token of \`POST /auth/login\`, or a personal access token.
Ids of another tenant are answered like missing ones. \`/api/...\` resolves to the same handlers as \`/api/v1/...\`.`;

/** Must be registered before the routes that it documents. */
export async function registerOpenapi(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Voice Agent Calling Service', version: API_VERSION, description: DESCRIPTION },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          session: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'Session token of POST /auth/login; 15 minutes, renewed by POST /auth/refresh',
          },
          accessToken: {
            type: 'http',
            scheme: 'bearer',
            description:
              'Personal access token of POST /auth/tokens: `vcs_…`, until it is revoked or its expiresAt; bounded by its scopes',
          },
        },
      },
      security: [{ session: [] }, { accessToken: [] }],
    },
    convertConstToEnum: false,
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema${index}`) },
    transform: ({ schema, url, route }) => ({
      schema: documented(schema as FastifySchema | undefined, route.config),
      url,
    }),
  });
}

const IDEMPOTENCY_KEY = {
  type: 'object',
  properties: {
    'Idempotency-Key': {
      type: 'string',
      format: 'uuid',
      description: 'The same key and body within 24 hours get the first answer again',
    },
  },
};

function documented(
  schema: FastifySchema | undefined,
  config: { idempotent?: boolean | 'stream'; admin?: boolean; session?: boolean } | undefined,
) {
  const shown = { ...(schema ?? { hide: true }) } as FastifySchema;
  if (config?.idempotent) shown.headers = IDEMPOTENCY_KEY;
  if (config?.session) shown.security = [{ session: [] }];
  if (config?.admin) shown.description = `For role ADMIN. ${shown.description ?? ''}`.trim();
  return shown;
}

let cached: { app: App; text: string } | null = null;

/** The served document, generated once. */
export function openapiText(app: App): string {
  if (cached?.app !== app) cached = { app, text: `${JSON.stringify(finished(app), null, 2)}\n` };
  return cached.text;
}

function finished(app: App): Document {
  const { security, ...before } = app.swagger() as unknown as Document;
  const document = JSON.parse(JSON.stringify({ ...before, webhooks: openapiWebhooks(), security })) as Document;
  describeTables(document);
  describeBodies(document);
  nameSchemas(document);
  describeAnswers(document);
  addExamples(document);
  return document;
}

export function registerOpenapiRoute(app: App): void {
  let asset: Promise<Asset> | null = null;
  app.get('/openapi.json', { config: { public: true, bare: true }, schema: { hide: true } }, async (request, reply) => {
    asset ??= makeAsset('application/json; charset=utf-8', Buffer.from(openapiText(app)));
    // The document is public, and the sandboxed reference page requests it from its own origin.
    reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin');
    return sendAsset(await asset, request, reply, 'no-cache');
  });
}
