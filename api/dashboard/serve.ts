// Serves the dashboard at `/`: one page, and the files of its bundle below `/dashboard/`. Its code uses only the public
// API; this file knows only the socket address of browser calls.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { sendAsset, tagOf } from '../frame/assets.ts';
import { readEngines } from '../peers/engines.ts';
import type { Bundle } from './bundle.ts';
import { keptBundle } from './bundle-cache.ts';
import { ICON } from './icon.ts';
import { registerWidgetScript } from './widget.ts';

const CONFIG = { config: { public: true, bare: true }, schema: { hide: true } };
const FOREVER = 'public, max-age=31536000, immutable';

class Dashboard {
  #bundle: Promise<Bundle | null> | null = null;
  readonly #context: ApiContext;

  constructor(context: ApiContext) {
    this.#context = context;
  }

  /** Read or made once, at the first request; null if bundling fails here. */
  bundle(): Promise<Bundle | null> {
    this.#bundle ??= keptBundle().catch((error: unknown) => {
      this.#context.log.error({ err: error }, 'the dashboard could not be bundled; the API is not affected');
      return null;
    });
    return this.#bundle;
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    dashboard: Dashboard;
  }
}

export function registerDashboard(app: App, context: ApiContext): void {
  const dashboard = new Dashboard(context);
  app.decorate('dashboard', dashboard);
  app.get('/', CONFIG, async (request, reply) => {
    const bundle = await dashboard.bundle();
    const html = bundle === null ? PLAIN_PAGE : page(bundle);
    const tag = tagOf(html);
    reply
      .header('content-security-policy', contentSecurityPolicy(context, await socketOrigins(context, request)))
      .header('permissions-policy', 'microphone=(self), camera=(), geolocation=()')
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-cache')
      .header('etag', tag);
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    return reply.type('text/html; charset=utf-8').send(html);
  });
  app.get<{ Params: { file: string } }>('/dashboard/:file', CONFIG, async (request, reply) => {
    if (request.params.file === 'icon.svg') return sendIcon(reply);
    const asset = (await dashboard.bundle())?.assets.get(request.params.file);
    return asset === undefined ? reply.callNotFound() : sendAsset(asset, request, reply, FOREVER);
  });
  registerWidgetScript(app, {
    bundle: () => dashboard.bundle(),
    sockets: (request) => socketOrigins(context, request),
  });
  // Browsers request this for a page without an icon: the reference, or a recording in its own tab.
  app.get('/favicon.ico', CONFIG, (_request, reply) => sendIcon(reply));
}

const sendIcon = (reply: FastifyReply): FastifyReply =>
  reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(ICON);

/** Addresses are relative, because a proxy may serve the service below a path. */
const page = ({ script, style, worklet, imports }: Bundle): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="worklet" content="dashboard/${worklet}">
<title>Voice Calls</title>
<link rel="icon" href="dashboard/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="dashboard/${style}">
${imports.map((name) => `<link rel="modulepreload" href="dashboard/${name}">\n`).join('')}<script type="module" src="dashboard/${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript>${LINKS}</noscript>
</body>
</html>
`;

const LINKS = `<p>The dashboard needs JavaScript. Everything that it does can be done through the API:
<a href="docs/">reference</a>, <a href="openapi.json">OpenAPI document</a>.</p>`;

const PLAIN_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Voice Calls</title></head>
<body>
<h1>Voice Calls</h1>
<p>The service is running. The dashboard could not be made on this machine: its log says why.</p>
${LINKS}
</body>
</html>
`;

/**
 * The origins to which a page may open the socket of a browser call: this host with any port, and the engine's own
 * address.
 */
async function socketOrigins(context: ApiContext, request: FastifyRequest): Promise<string[]> {
  const { up, newest } = await readEngines(context, context.read);
  const { hostname } = request;
  const here = /^[\w.-]+$|^\[[\da-fA-F:]+\]$/.test(hostname) ? [`ws://${hostname}:*`, `wss://${hostname}:*`] : [];
  const engines = up.length > 0 ? up : newest === undefined ? [] : [newest];
  return [...here, ...engines.flatMap(({ mediaWsUrl }) => (mediaWsUrl === null ? [] : [new URL(mediaWsUrl).origin]))];
}

const contentSecurityPolicy = ({ config }: ApiContext, sockets: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    `connect-src ${["'self'", ...new Set(sockets)].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // Only with https: over plain http on a LAN, every link would break.
    ...(config.publicUrl?.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
