// The page at the root, with links for a browser.
import type { App } from './app.ts';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Voice Agent Calling Service</title>
<style>
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; color: #1b1b1b; }
code { background: #f2f2f2; padding: .1rem .3rem; border-radius: .2rem; }
a { color: #0a58ca; }
</style>
</head>
<body>
<h1>Voice Agent Calling Service</h1>
<p>The service is running. Everything it does is done through its API, under <code>/api/v1</code>.</p>
<ul>
<li><a href="/docs/">API reference</a></li>
<li><a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/readyz">Readiness</a></li>
</ul>
</body>
</html>
`;

export function registerLanding(app: App): void {
  app.get('/', { config: { public: true, bare: true }, schema: { hide: true } }, async (_request, reply) => {
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(PAGE);
  });
}
