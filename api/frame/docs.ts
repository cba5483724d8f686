// The pages for operators at /docs/NAME.md, as text and for browsers as HTML, and the reference page at /docs (Scalar).
// Its 4 MB bundle is loaded when the page is first opened, and is served locally: no content delivery network, no
// remote fonts.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { App } from './app.ts';
import { type Asset, sendAsset } from './assets.ts';
import { pageHtml } from './docs-page.ts';

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

/** The pages for operators have no scripts and load nothing. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/** `docs/` of the project; an installation may lack it. */
const PAGES = fileURLToPath(new URL('../../docs/', import.meta.url));
const PageParams = Type.Object({ page: Type.String({ pattern: '^[a-z][a-z-]*\\.md$', maxLength: 64 }) });

export const DOCS_PATHS = ['/docs/', '/docs/js/scalar.js'] as const;

export function registerDocs(app: App): void {
  let assets: Promise<Map<string, Asset>> | null = null;
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    assets ??= loadAssets().catch((error: unknown) => {
      // The next request tries again.
      assets = null;
      throw error;
    });
    const asset = (await assets).get(request.routeOptions.url ?? '');
    await app.turnOf(request);
    if (asset === undefined) return reply.callNotFound();
    reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
    return sendAsset(asset, request, reply, 'public, max-age=3600');
  };
  const route = { config: { public: true, bare: true }, schema: { hide: true } };
  app.get('/docs', route, async (_request, reply) => reply.redirect('/docs/', 301));
  for (const path of DOCS_PATHS) app.get(path, route, serve);
  app.get(
    '/docs/:page',
    { ...route, schema: { hide: true, params: PageParams } },
    async ({ params, headers }, reply) => {
      const text = await readFile(`${PAGES}${params.page}`, 'utf8').catch(() => null);
      if (text === null) return reply.callNotFound();
      reply.header('cache-control', 'public, max-age=3600').header('vary', 'Accept');
      // Assistants and tools ask for anything, and get the text as it was written.
      if (!/\btext\/html\b/.test(headers.accept ?? '')) return reply.type('text/plain; charset=utf-8').send(text);
      reply.header('content-security-policy', PAGE_POLICY);
      return reply.type('text/html; charset=utf-8').send(pageHtml(text));
    },
  );
}

/** @throws the error of the thread */
function loadAssets(): Promise<Map<string, Asset>> {
  const assets = new Map<string, Asset>();
  const worker = new Worker(new URL('./docs-thread.ts', import.meta.url));
  worker.on('message', ({ url, asset }: { url: string; asset: Asset }) => {
    // Buffers arrive as plain arrays of bytes.
    const { body, encoded, ...rest } = asset;
    const bytes = (sent: Buffer) => Buffer.from(sent.buffer);
    const packed = encoded && { br: bytes(encoded.br), gzip: bytes(encoded.gzip) };
    assets.set(url, { ...rest, body: bytes(body), encoded: packed });
  });
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => resolve(assets));
  });
}
