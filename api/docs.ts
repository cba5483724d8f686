// The reference page at /docs (Scalar). Its 4 MB bundle is loaded when the page is first opened, and is served locally:
// no content delivery network, no remote fonts.
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { App } from './app.ts';
import { type Asset, makeAsset, sendAsset } from './assets.ts';

/**
 * Allows only the page's own inline script and styles. The bundle is third-party code and evaluates code, so the page
 * is sandboxed: it has its own origin and sees neither the dashboard's session nor its storage.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox allow-scripts allow-popups allow-downloads',
].join('; ');

const PATHS = ['/docs/', '/docs/js/scalar.js'] as const;

export function registerDocs(app: App): void {
  let assets: Promise<Map<string, Asset>> | null = null;
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    assets ??= loadAssets();
    const asset = (await assets).get(request.routeOptions.url ?? '');
    if (asset === undefined) return reply.callNotFound();
    reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
    return sendAsset(asset, request, reply, 'public, max-age=3600');
  };
  const route = { config: { public: true, bare: true }, schema: { hide: true } };
  app.get('/docs', route, async (_request, reply) => reply.redirect('/docs/', 301));
  for (const path of PATHS) app.get(path, route, serve);
}

async function loadAssets(): Promise<Map<string, Asset>> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const pages = fastify({ logger: false });
  await pages.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      withDefaultFonts: false,
      hideClientButton: true,
      // A sandboxed page may not call the API.
      hideTestRequestButton: true,
      telemetry: false,
      // Hides "Share" and "Deploy" on the vendor's site, which are shown on localhost by default.
      showDeveloperTools: 'never',
      // "Ask AI" would contact the vendor's registry as soon as the page opens.
      agent: { disabled: true },
    },
  });
  await pages.ready();
  const assets = new Map<string, Asset>();
  for (const url of PATHS) {
    const { statusCode, headers, rawPayload } = await pages.inject({ method: 'GET', url });
    if (statusCode !== 200) continue;
    assets.set(url, await makeAsset(String(headers['content-type'] ?? 'text/html; charset=utf-8'), rawPayload));
  }
  await pages.close();
  return assets;
}
