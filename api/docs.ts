// The reference page at /docs (Scalar). Its 4 MB bundle is loaded when the page is first opened, and is served locally:
// no content delivery network, no remote fonts.
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { App } from './app.ts';

/** The page's own inline script and styles; nothing from elsewhere. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
].join('; ');

export function registerDocs(app: App): void {
  let pages: Promise<FastifyInstance> | null = null;
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    pages ??= loadPages();
    const page = await (await pages).inject({ method: 'GET', url: request.url.split('?', 1)[0] ?? '/docs' });
    if (page.statusCode === 404) return reply.callNotFound();
    return reply
      .code(page.statusCode)
      .header('content-security-policy', CONTENT_SECURITY_POLICY)
      .header('cache-control', 'public, max-age=3600')
      .type(String(page.headers['content-type'] ?? 'text/html; charset=utf-8'))
      .send(page.rawPayload);
  };
  const config = { public: true, bare: true };
  app.get('/docs', { config, schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs/', 301));
  app.get('/docs/', { config, schema: { hide: true } }, serve);
  app.get('/docs/js/scalar.js', { config, schema: { hide: true } }, serve);
}

async function loadPages(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const pages = fastify({ logger: false });
  await pages.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      withDefaultFonts: false,
      hideClientButton: true,
      telemetry: false,
      // "Share" and "Deploy" on its maker's site, shown on localhost by default.
      showDeveloperTools: 'never',
      // "Ask AI" asks its maker's registry as soon as the page is open.
      agent: { disabled: true },
    },
  });
  await pages.ready();
  return pages;
}
