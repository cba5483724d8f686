// The tables of the interface, endpoint by endpoint: success, 401 without a token, 403 for others than ADMINs, 404 for
// a foreign id byte-equal to a missing one, 400 for malformed JSON, 422 on the field, both bases, request id and
// envelope.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_CODES } from '../../../api/frame/error-codes.ts';
import { openapiText } from '../../../api/openapi/openapi.ts';
import type { AnswerJson } from '../../../bench/rig/api/answers.ts';
import type { Answer } from '../../../bench/rig/api/api.ts';
import { mailedToken, registered } from '../../../bench/rig/api/sign-in.ts';
import { fill, makeWorld, type World } from '../../../bench/rig/api/world.ts';
import { type Endpoint, endpoints } from '../../fixtures/endpoints.ts';
import { useApi } from '../../support/api/use-api.ts';

let world: World;
let foreign: World;
const api = useApi({ environment: { WEBHOOK_ALLOW_PRIVATE: '1' } }, async () => {
  world = await makeWorld(api, api.tenant);
  foreign = await makeWorld(api, api.other);
});

const NO_TOKEN = '{"success":false,"error":"No bearer token provided","code":"AUTHENTICATION_REQUIRED"}';
const NO_PERMISSION = '{"success":false,"error":"Insufficient permissions","code":"INSUFFICIENT_PERMISSIONS"}';

const label = ({ method, path }: Endpoint) => `${method} ${path}`;
const asker = ({ access }: Endpoint) => (access === 'admin' ? api.admin : api.tenant);

/** The path with the ids of a world, and the query. */
function pathOf({ path, ids = {}, query }: Endpoint, of: World): string {
  const named = Object.fromEntries(Object.entries(ids).map(([part, name]) => [part, of[name] ?? name]));
  return fill(path, named) + (query ? `?${fill(query, world)}` : '');
}

function inEnvelope(answer: Answer, endpoint: Endpoint): void {
  assert.ok(answer.headers['x-request-id'], label(endpoint));
  assert.ok(answer.headers.ratelimit, label(endpoint));
  assert.equal(answer.json.success, answer.status < 400, label(endpoint));
  assert.equal(typeof answer.json.error, answer.status < 400 ? 'undefined' : 'string', label(endpoint));
  assert.equal('errors' in answer.json, answer.status === 422, label(endpoint));
  const { code } = answer.json;
  assert.equal(code && ERROR_CODES[code].status, answer.status < 400 ? undefined : answer.status, label(endpoint));
}

const raw = (endpoint: Endpoint, payload: string, headers: Record<string, string> = {}) =>
  api.inject({
    method: endpoint.method,
    url: `/api/v1${pathOf(endpoint, world)}`,
    payload,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${asker(endpoint).token}`, ...headers },
  });

test('the table names every route there is, and nothing else', () => {
  const document = api.app.swagger() as { paths: Record<string, Record<string, unknown>> };
  const served = Object.entries(document.paths)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .filter((route) => route.includes(' /api/v1/'))
    .map((route) => route.replace('/api/v1', ''));
  const table = endpoints.map(label);
  assert.deepEqual(
    table.filter((route) => !served.includes(route)),
    [],
    'documented, not served',
  );
  assert.deepEqual(
    served.filter((route) => !table.includes(route)),
    [],
    'served, not in the table',
  );
});

test('without a token every endpoint but the public ones is 401, under both bases', async () => {
  for (const endpoint of endpoints.filter(({ access }) => access !== 'public')) {
    for (const base of ['/api/v1', '/api']) {
      const url = base + pathOf(endpoint, world);
      const answer = await api.inject({ method: endpoint.method, url });
      assert.equal(answer.status, 401, label(endpoint));
      assert.equal(answer.text, NO_TOKEN, label(endpoint));
      inEnvelope(answer, endpoint);
    }
  }
});

test('administration is 403 to others than ADMINs', async () => {
  for (const endpoint of endpoints.filter(({ access }) => access === 'admin')) {
    const answer = await api.tenant.ask(endpoint.method, pathOf(endpoint, world), fill(endpoint.body, world));
    assert.equal(answer.status, 403, label(endpoint));
    assert.equal(answer.text, NO_PERMISSION, label(endpoint));
  }
});

test('malformed JSON is 400 wherever a body is taken', async () => {
  for (const endpoint of endpoints.filter(({ body }) => body !== undefined)) {
    const answer = await raw(endpoint, '{"name": ');
    assert.equal(answer.status, 400, `${label(endpoint)} ${answer.text}`);
    assert.equal(answer.json.error, 'Malformed JSON');
    inEnvelope(answer, endpoint);
  }
});

test('a required field that is missing is 422 on that field', async () => {
  for (const endpoint of endpoints) {
    for (const field of endpoint.required ?? []) {
      const { [field]: _left, ...body } = fill(endpoint.body ?? {}, world);
      const answer = await raw(endpoint, JSON.stringify(body));
      assert.equal(answer.status, 422, `${label(endpoint)} without ${field}: ${answer.text}`);
      assert.deepEqual(
        answer.json.errors?.map((error) => error.field),
        [field],
        label(endpoint),
      );
      inEnvelope(answer, endpoint);
    }
  }
});

test('an unknown field is 422 and named', async () => {
  for (const endpoint of endpoints.filter(({ body }) => body !== undefined)) {
    const answer = await raw(endpoint, JSON.stringify({ ...fill(endpoint.body ?? {}, world), nonsense: 1 }));
    assert.equal(answer.status, 422, `${label(endpoint)} ${answer.text}`);
    assert.deepEqual(
      answer.json.errors?.map(({ field }) => field),
      ['nonsense'],
      label(endpoint),
    );
  }
});

test('another tenant’s id reads like a missing one, to the byte', async () => {
  for (const endpoint of endpoints) {
    if (endpoint.missing === undefined) continue;
    const [first = ''] = Object.keys(endpoint.ids ?? {});
    const own = Object.fromEntries(Object.entries(endpoint.ids ?? {}).map(([part, name]) => [part, world[name] ?? '']));
    const last = Object.keys(own).at(-1) ?? first;
    const at = (value: string) => fill(endpoint.path, { ...own, [last]: value });
    const body = fill(endpoint.body, world);
    const theirs = await api.tenant.ask(endpoint.method, at(foreign[endpoint.ids?.[last] ?? ''] ?? ''), body);
    assert.equal(theirs.status, 404, `${label(endpoint)} ${theirs.text}`);
    assert.equal(theirs.json.error, endpoint.missing, label(endpoint));
    for (const none of [
      'nothing',
      'x'.repeat(500),
      '..%2f..%2fetc%2fpasswd',
      '%27%20or%201=1--',
      '%00',
      '%F0%9F%98%80',
    ]) {
      const missing = await api.tenant.ask(endpoint.method, at(none), body);
      assert.deepEqual([missing.status, missing.text], [theirs.status, theirs.text], `${label(endpoint)} ${none}`);
    }
    inEnvelope(theirs, endpoint);
  }
});

test('page and limit: 422 where they are no positive integers, an empty list past the end', async () => {
  for (const endpoint of endpoints.filter(({ data }) => data === 'page')) {
    const path = pathOf({ ...endpoint, query: '' } as Endpoint, world);
    for (const [query, field] of [
      ['page=0', 'page'],
      ['page=-1', 'page'],
      ['page=1.5', 'page'],
      ['page=x', 'page'],
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['limit=', 'limit'],
    ] as const) {
      const answer = await asker(endpoint).ask('GET', `${path}?${query}`);
      assert.equal(answer.status, 422, `${label(endpoint)} ${query}: ${answer.text}`);
      assert.equal(answer.json.errors?.[0]?.field, field);
    }
    const beyond = await asker(endpoint).ask('GET', `${path}?page=1000000&limit=100`);
    assert.deepEqual([beyond.status, beyond.json.data], [200, []], label(endpoint));
    const { pagination } = beyond.json as AnswerJson<'GET', '/agents'>;
    assert.deepEqual([pagination.page, pagination.hasNext], [1_000_000, false]);
  }
});

test('each endpoint does what it documents', async (t) => {
  const user = await registered(api);
  world = { ...world, verifyToken: mailedToken(api, user.email) };
  await api.tenant.ask('GET', '/phone-numbers/search');
  // Deletions come last: the other endpoints need what they delete.
  const order = [...endpoints].sort((a, b) => rank(a) - rank(b));
  for (const endpoint of order) {
    await t.test(label(endpoint), () => succeeds(endpoint));
  }
});

/** Operations that end something for others come later; signing out last of all. */
function rank({ method, path, status, data }: Endpoint): number {
  if (path === '/auth/logout') return 9;
  if (path === '/admin/port-orders/{id}') return 2;
  if (method === 'DELETE') return path.includes('deliveries') ? 2 : 3;
  if (path.endsWith('/restore')) return 4;
  return data === 'stream' && status === 200 ? 1 : 0;
}

/** Of HTTP itself, and of browsers' security policies: nothing that a client of the interface reads. */
const OF_EVERY_SERVER =
  /^(date|connection|keep-alive|transfer-encoding|content-(type|length|security-policy)|strict-transport-security|origin-agent-cluster|referrer-policy|cross-origin-.*|x-(content-type|dns|download|frame|permitted|xss|powered|accel).*)$/;

interface Declared {
  $ref?: string;
  headers?: Record<string, unknown>;
}

interface OpenapiDocument {
  paths: Record<string, Record<string, { responses: Record<string, Declared> }>>;
  components: { responses: Record<string, Declared> };
}

let document: OpenapiDocument | null = null;

/** The headers that were sent are those that the document declares for the answer, no more and no fewer. */
function declaresHeaders({ method, path }: Endpoint, { status, headers }: Answer): void {
  document ??= JSON.parse(openapiText(api.app)) as OpenapiDocument;
  const { paths, components } = document;
  const responses = paths[`/api/v1${path}`]?.[method.toLowerCase()]?.responses ?? {};
  for (const always of ['500', 'default']) assert.ok(responses[always], `${method} ${path} ${always}`);
  const found = responses[status] ?? responses.default;
  const response = found?.$ref === undefined ? found : components.responses[found.$ref.split('/').at(-1) ?? ''];
  const declared = Object.keys(response?.headers ?? {}).map((name) => name.toLowerCase());
  const sent = Object.keys(headers).filter((name) => !OF_EVERY_SERVER.test(name));
  // A replayed answer has a test of its own.
  const expected = declared.filter((name) => name !== 'idempotent-replayed');
  assert.deepEqual(sent.sort(), expected.sort(), `${method} ${path} ${status}`);
}

async function succeeds(endpoint: Endpoint): Promise<void> {
  const { method, status, data, instead } = endpoint;
  const answer = await asker(endpoint).ask(method, pathOf(endpoint, world), fill(endpoint.body, world));
  if (instead) {
    assert.equal(answer.status, instead.status, answer.text);
    assert.match(answer.json.error ?? '', instead.error);
    if (instead.status === 503) assert.ok(Number(answer.headers['retry-after']) >= 1, 'Retry-After');
    declaresHeaders(endpoint, answer);
    return inEnvelope(answer, endpoint);
  }
  assert.equal(answer.status, status, answer.text);
  declaresHeaders(endpoint, answer);
  if (data === 'stream' || data === 'file') return;
  inEnvelope(answer, endpoint);
  assert.equal('pagination' in answer.json, data === 'page');
  assert.equal(Array.isArray(answer.json.data), data !== 'object');
  if (data === 'page') {
    assert.deepEqual(Object.keys((answer.json as AnswerJson<'GET', '/agents'>).pagination), [
      'page',
      'limit',
      'total',
      'totalPages',
      'hasNext',
      'hasPrev',
    ]);
  }
  assert.equal(/recordingPath|passwordHash|secretDigest|tokenHash/.test(answer.text), false);
  if (method !== 'GET') return;
  const unversioned = await api.inject({
    method,
    url: `/api${pathOf(endpoint, world)}`,
    headers: { authorization: `Bearer ${asker(endpoint).token}` },
  });
  assert.deepEqual(unversioned.json, answer.json, 'the unversioned base resolves to the same handler');
}

test('idempotent endpoints refuse a key that is no UUID on the header', async () => {
  for (const endpoint of endpoints.filter(({ idempotent }) => idempotent)) {
    const answer = await raw(endpoint, JSON.stringify(fill(endpoint.body, world)), {
      'idempotency-key': '7',
      authorization: `Bearer ${(endpoint.access === 'admin' ? api.admin : api.other).token}`,
    });
    assert.equal(answer.status, 422, label(endpoint));
    assert.equal(answer.json.errors?.[0]?.field, 'Idempotency-Key');
  }
});

test('signing out ends the session', async () => {
  const tenant = await api.newTenant();
  assert.equal((await tenant.ask('POST', '/auth/logout')).status, 200);
  assert.equal((await tenant.ask('GET', '/agents')).json.error, 'Token has been revoked');
});
