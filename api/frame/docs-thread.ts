// Loads and compresses the reference page on a thread of its own: half a second of work that would stop the API's.
import { parentPort } from 'node:worker_threads';
import fastify from 'fastify';
import { makeAsset } from './assets.ts';
import { DOCS_PATHS } from './docs.ts';

const { default: scalar } = await import('@scalar/fastify-api-reference');
const pages = fastify({ logger: false });
await pages.register(scalar, {
  routePrefix: '/docs',
  configuration: {
    url: '/openapi.json',
    withDefaultFonts: false,
    hideClientButton: true,
    // A sandboxed page may not ask the API.
    hideTestRequestButton: true,
    telemetry: false,
    // "Share" and "Deploy" on its maker's site, shown on localhost by default.
    showDeveloperTools: 'never',
    // "Ask AI" asks its maker's registry as soon as the page is open.
    agent: { disabled: true },
  },
});
await pages.ready();
for (const url of DOCS_PATHS) {
  const { statusCode, headers, rawPayload } = await pages.inject({ method: 'GET', url });
  if (statusCode !== 200) continue;
  const asset = await makeAsset(String(headers['content-type'] ?? 'text/html; charset=utf-8'), rawPayload);
  parentPort?.postMessage({ url, asset });
}
await pages.close();
