// The document that describes the interface: what is served is what was committed, complete, and free of anything private.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { EVENT_TYPES } from '../../db/outbox.ts';
import { endpoints } from '../fixtures/endpoints.ts';
import { startApi, type TestApi } from '../support/api.ts';

interface Operation {
  summary?: string;
  security?: unknown[];
  responses: Record<string, { description: string; content?: Record<string, { schema: unknown }> }>;
  requestBody?: unknown;
}

let api: TestApi;
let text: string;
let document: {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, unknown>;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
};
before(async () => {
  api = await startApi();
  const answer = await api.inject({ method: 'GET', url: '/openapi.json' });
  text = answer.text;
  document = JSON.parse(text);
});
after(() => api.close());

test('the served document is the committed one: a change of the interface is seen', () => {
  const committed = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
  assert.ok(
    text === committed,
    'the interface has changed: if that is meant, run "node supervise.mjs run api/openapi-write.ts" and commit docs/openapi.json',
  );
});

test('every endpoint is described with its success, its errors and who may ask', () => {
  assert.equal(document.openapi, '3.1.0');
  for (const { method, path, status, access, body, instead } of endpoints) {
    const operation = document.paths[`/api/v1${path}`]?.[method.toLowerCase()];
    assert.ok(operation, `${method} ${path}`);
    assert.ok(operation.summary, `${method} ${path} has no summary`);
    const statuses = Object.keys(operation.responses).map(Number);
    assert.ok(statuses.includes(status), `${method} ${path} ${status}: ${statuses}`);
    if (instead) assert.ok(statuses.includes(instead.status), `${method} ${path} ${instead.status}`);
    assert.equal(statuses.includes(401) || access === 'public', true, `${method} ${path} 401`);
    assert.equal(statuses.includes(403), access === 'admin' || statuses.includes(403), `${method} ${path} 403`);
    assert.equal(operation.security?.length === 0, access === 'public', `${method} ${path} security`);
    assert.equal(
      operation.requestBody !== undefined,
      body !== undefined || path.endsWith('/documents'),
      `${method} ${path} body`,
    );
  }
});

test('every reference leads somewhere, and every webhook event is described', () => {
  for (const [, name = ''] of text.matchAll(/"\$ref": "#\/components\/schemas\/([^"]+)"/g)) {
    assert.ok(document.components.schemas[name], name);
  }
  assert.deepEqual(Object.keys(document.webhooks).sort(), [...EVENT_TYPES].sort());
});

test('the reference page needs nothing from elsewhere', async () => {
  const redirect = await api.inject({ method: 'GET', url: '/docs' });
  assert.deepEqual([redirect.status, redirect.headers.location], [301, '/docs/']);
  const page = await api.inject({ method: 'GET', url: '/docs/' });
  assert.equal(page.status, 200);
  assert.doesNotMatch(page.text, /(?:src|href)=["']?(?:https?:)?\/\//);
  assert.match(page.text, /\/openapi\.json/);
  assert.match(page.text, /"agent":\s*\{\s*"disabled": true/);
  assert.match(String(page.headers['content-security-policy']), /default-src 'self'/);
  const [, script = ''] = /src="([^"]+scalar\.js[^"]*)"/.exec(page.text) ?? [];
  const code = await api.inject({ method: 'GET', url: new URL(script, 'http://localhost/docs/').pathname });
  assert.equal(code.status, 200);
  assert.match(String(code.headers['content-type']), /javascript/);
});
