// Serves the script that pages of others include (`/widget.js`), the script of its audio thread, and a page of our own
// on which a public key is tried: as strict as the strictest page that a site may have.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../frame/app.ts';
import { type Asset, sendAsset } from '../frame/assets.ts';
import type { Bundle } from './bundle.ts';

const CONFIG = { config: { public: true, bare: true }, schema: { hide: true } };
/** An upgrade reaches every page within so long. */
const KEPT = 'public, max-age=600';
const FOREVER = 'public, max-age=31536000, immutable';
const KEY = /^pk_[\w-]{32}$/;

interface Parts {
  bundle: () => Promise<Bundle | null>;
  /** Origins of the sockets of calls, for a page of this request. */
  sockets: (request: FastifyRequest) => Promise<readonly string[]>;
}

export function registerWidgetScript(app: App, { bundle, sockets }: Parts): void {
  app.get('/widget.js', CONFIG, async (request, reply) => {
    const script = (await bundle())?.widget;
    return script === undefined ? reply.callNotFound() : sendToAll(script, request, reply, KEPT);
  });
  app.get<{ Params: { file: string } }>('/widget/:file', CONFIG, async (request, reply) => {
    const files = await bundle();
    const { file } = request.params;
    const asset = file === files?.worklet ? files.assets.get(file) : undefined;
    return asset === undefined ? reply.callNotFound() : sendToAll(asset, request, reply, FOREVER);
  });
  app.get<{ Querystring: { key?: string; lang?: string } }>('/widget-trial', CONFIG, async (request, reply) => {
    const { key = '' } = request.query;
    if (!KEY.test(key)) return reply.callNotFound();
    return reply
      .header('content-security-policy', trialPolicy(await sockets(request)))
      .header('permissions-policy', 'microphone=(self), camera=(), geolocation=()')
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(trialPage(key));
  });
}

/** Any page may load it; one of another origin asks for the audio thread's script by CORS. */
const sendToAll = (asset: Asset, request: FastifyRequest, reply: FastifyReply, kept: string) =>
  sendAsset(
    asset,
    request,
    reply
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('content-security-policy', "default-src 'none'"),
    kept,
  );

/** The lines that docs/widget.md asks of a page, with this host for the service's. */
const trialPolicy = (sockets: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "img-src 'self'",
    `connect-src ${["'self'", ...new Set(sockets)].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

const trialPage = (key: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Your widget</title>
<link rel="icon" href="dashboard/icon.svg" type="image/svg+xml">
<script src="widget.js" data-key="${key}" defer></script>
</head>
<body>
<h1>Your widget</h1>
<p>This is how a page of yours would have it. What is done here counts as done by a visitor.</p>
</body>
</html>
`;
