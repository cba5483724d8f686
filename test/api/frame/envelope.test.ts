// The shape of every answer, whatever went wrong, in words that the interface gives.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { Type } from 'typebox';
import type { App } from '../../../api/frame/app.ts';
import { ERROR_CODES, type ErrorCode } from '../../../api/frame/error-codes.ts';
import { type Answer, startApi, type TestApi } from '../../../bench/rig/api/api.ts';

let api: TestApi;
before(async () => {
  api = await startApi({
    environment: { RATE_LIMIT_PER_MINUTE: '200' },
    routes: (app: App) => {
      const item = Type.Object({ phoneNumber: Type.String(), name: Type.Optional(Type.String()) }, strict);
      app.post('/try', { schema: { body: Type.Object({ items: Type.Array(item) }, strict) } }, async (request) => ({
        data: request.body,
      }));
      app.get('/throw', async () => {
        throw new Error('secret detail of the database');
      });
      app.get('/throw-text', async () => {
        throw 'text';
      });
      app.get('/fails', { schema: { querystring: Type.Object({ code: Type.String() }) } }, async (request) => {
        throw Object.assign(new Error('the database failed'), { code: request.query.code });
      });
      app.get(
        '/numbers',
        { schema: { querystring: Type.Object({ page: Type.Optional(Type.Integer()) }) } },
        async (r) => ({
          data: r.query,
        }),
      );
    },
  });
});
after(() => api.close());

const strict = { additionalProperties: false };

function refused(answer: Answer, code: ErrorCode, error: string): void {
  const { status } = ERROR_CODES[code];
  assert.equal(answer.status, status, answer.text);
  const { errors: _fields, ...json } = answer.json;
  assert.deepEqual(json, { success: false, error, code });
  assert.match(String(answer.headers['content-type']), /^application\/json/);
  assert.ok(answer.headers['x-request-id']);
  assert.ok(answer.headers.ratelimit);
  assert.ok(answer.headers['ratelimit-policy']);
  assert.equal('errors' in answer.json, status === 422);
}

const raw = (payload: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  api.inject({
    method: 'POST',
    url: '/api/v1/try',
    payload,
    headers: { authorization: `Bearer ${api.tenant.token}`, ...headers },
  });

test('an unknown route is 404, also without a token, under both bases and beside them', async () => {
  for (const url of ['/api/v1/nonsense', '/api/nonsense', '/api/v2/agents', '/api', '/nonsense']) {
    refused(await api.inject({ method: 'GET', url }), 'ROUTE_NOT_FOUND', `Route GET ${url} not found`);
  }
});

test('a method that a path does not have is 405, with those that it has', async () => {
  for (const [method, url, allow] of [
    ['PUT', '/api/v1/agents', 'GET, HEAD, POST'],
    ['QUERY', '/api/v1/agents/agent_x', 'DELETE, GET, HEAD, PATCH'],
    ['TRACE', '/api/agents?limit=1', 'GET, HEAD, POST'],
    ['DELETE', '/healthz', 'GET, HEAD'],
    ['OPTIONS', '/api/v1/businesses/biz_x/documents/search', 'POST'],
  ] as const) {
    const answer = await api.inject({ method: method as 'PUT', url });
    assert.deepEqual([answer.status, answer.json.code, answer.headers.allow], [405, 'METHOD_NOT_ALLOWED', allow], url);
    assert.equal(answer.json.success, false);
    if (url.startsWith('/api')) assert.ok(answer.headers.ratelimit, 'it counts as any other request');
  }
});

test('a request id of the client is kept only if it is harmless', async () => {
  for (const [given, kept] of [
    ['abc.DEF_1-2', true],
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
    ['a b', false],
    ['a\u00e4', false],
    ['', false],
  ] as const) {
    const answer = await api.inject({ method: 'GET', url: '/api/v1/nonsense', headers: { 'x-request-id': given } });
    assert.equal(answer.headers['x-request-id'] === given, kept, given);
  }
});

test('malformed, deeply nested and poisoned JSON is 400', async () => {
  for (const body of ['{', 'nonsense', '{"items":[]}}', '{"a":1,}', "{'a':1}", '\u0000']) {
    refused(await raw(body), 'MALFORMED_JSON', 'Malformed JSON');
  }
  refused(await raw('{"__proto__":{"admin":true},"items":[]}'), 'MALFORMED_JSON', 'Malformed JSON');
  refused(await raw('['.repeat(100_000)), 'MALFORMED_JSON', 'Malformed JSON: nested too deeply');
});

test('U+0000, which PostgreSQL cannot store, is 422 by the name of its field, wherever it stands', async () => {
  const word = 'must not contain the character U+0000';
  const deep = await api.tenant.ask('POST', '/businesses', {
    name: 'Bakery',
    industry: 'bakery',
    timezone: 'UTC',
    faqs: [{ question: 'Bread?', answer: 'a\0b' }],
  });
  assert.deepEqual([deep.status, deep.json.errors], [422, [{ field: 'faqs[0].answer', message: word }]]);
  const query = await api.tenant.ask('GET', '/calls?status=a%00b');
  assert.deepEqual([query.status, query.json.errors], [422, [{ field: 'status', message: word }]]);
  const escaped = await api.tenant.ask('POST', '/businesses', {
    name: 'A \\u0000 is text',
    industry: 'x',
    timezone: 'UTC',
  });
  assert.equal(escaped.status, 201, escaped.text);
});

test('half of a character is 422 by the name of its field, and a whole one is text', async () => {
  const business = (name: string) => `{"name":"Bakery","industry":"x","timezone":"UTC","description":"${name}"}`;
  const made = (body: string) =>
    api.inject({
      method: 'POST',
      url: '/api/v1/businesses',
      payload: body,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${api.tenant.token}` },
    });
  for (const half of ['\\ud83d', '\\uDE00 b', 'a\\ud83d\\ud83d']) {
    const answer = await made(business(half));
    const message = 'must not contain half of a character (a lone surrogate)';
    assert.deepEqual([answer.status, answer.json.errors], [422, [{ field: 'description', message }]], half);
  }
  const whole = await made(business('\\ud83d\\ude00'));
  assert.equal(whole.status, 201, whole.text);
});

test('a body over 1 MiB is 413, another content type 415', async () => {
  refused(
    await raw(JSON.stringify({ items: ['x'.repeat(1024 * 1024)] })),
    'BODY_TOO_LARGE',
    'Request body is too large',
  );
  refused(await raw('<a/>', { 'content-type': 'application/xml' }), 'UNSUPPORTED_MEDIA_TYPE', 'Unsupported media type');
  refused(
    await raw('items=1', { 'content-type': 'application/x-www-form-urlencoded' }),
    'UNSUPPORTED_MEDIA_TYPE',
    'Unsupported media type',
  );
  refused(await raw('{}', { 'content-type': 'text/plain' }), 'UNSUPPORTED_MEDIA_TYPE', 'Unsupported media type');
});

test('fields at fault are named by their JSON path, unknown ones with the nearest known', async () => {
  const answer = await raw(
    JSON.stringify({ items: [{ phoneNumber: '1' }, { phonNumber: '2', name: 3 }], nonsense: true }),
  );
  refused(answer, 'VALIDATION_FAILED', 'Validation failed');
  const errors = new Map(answer.json.errors?.map(({ field, message }) => [field, message]));
  assert.equal(errors.get('items[1].phoneNumber'), 'is required');
  assert.equal(errors.get('items[1].phonNumber'), 'is not a known field; did you mean "phoneNumber"?');
  assert.equal(errors.get('items[1].name'), 'must be a string');
  assert.equal(errors.get('nonsense'), 'is not a known field');
});

test('a missing body is a body without fields; null and lists are none', async () => {
  for (const body of ['', '{}']) assert.deepEqual((await raw(body)).json.errors?.[0]?.field, 'items');
  for (const body of ['null', '[]', '"x"', '1']) refused(await raw(body), 'VALIDATION_FAILED', 'Validation failed');
});

test('read-only fields of a record may be sent back', async () => {
  const answer = await raw(JSON.stringify({ id: 'x', createdAt: 'x', deletedAt: null, _count: {}, items: [] }));
  assert.deepEqual([answer.status, answer.json], [200, { success: true, data: { items: [] } }]);
});

test('a fault of ours is 500 without a word of what it was; the log knows, by the request id', async () => {
  for (const path of ['/throw', '/throw-text']) {
    refused(await api.tenant.ask('GET', path), 'INTERNAL_ERROR', 'Internal server error');
  }
  const answer = await api.tenant.ask('GET', '/throw', undefined, { 'x-request-id': 'find-me' });
  assert.equal(answer.text.includes('secret'), false);
  assert.ok(api.logs.some((line) => line.includes('"requestId":"find-me"') && line.includes('secret detail')));
});

test('a database that cannot write is 503 with Retry-After, by extended codes too', async () => {
  const codes = [
    ...['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_BUSY_RECOVERY', 'SQLITE_FULL', 'SQLITE_LOCKED_SHAREDCACHE'],
    ...['SQLITE_IOERR', 'SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_WRITE', 'SQLITE_READONLY_DBMOVED', 'SQLITE_CANTOPEN_ISDIR'],
  ];
  for (const code of codes) {
    const answer = await api.tenant.ask('GET', `/fails?code=${code}`);
    refused(answer, 'DATABASE_BUSY', 'The database cannot write at the moment');
    assert.equal(answer.headers['retry-after'], '2');
  }
  for (const code of ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CORRUPT', 'SQLITE_ERROR', 'SQLITE_BUSYBODY']) {
    assert.equal((await api.tenant.ask('GET', `/fails?code=${code}`)).status, 500, code);
  }
});

test('query values are read exactly', async () => {
  assert.deepEqual((await api.tenant.ask('GET', '/numbers?page=7')).json.data, { page: 7 });
  for (const page of ['1e1', '0x1', ' 1', '1.0', '', 'true', '1&page=2']) {
    const answer = await api.tenant.ask('GET', `/numbers?page=${page}`);
    refused(answer, 'VALIDATION_FAILED', 'Validation failed');
    assert.equal(answer.json.errors?.[0]?.field, 'page');
  }
});

test('a malformed URL is 400 in the envelope', async () => {
  const answer = await api.inject({ method: 'GET', url: '/api/v1/agents/%zz' });
  assert.deepEqual([answer.status, answer.json.success, answer.json.code], [400, false, 'BAD_REQUEST']);
  assert.ok(answer.headers['x-request-id']);
});

test('past the limit is 429 with Retry-After, for that token alone', async () => {
  const tenant = await api.newTenant();
  const first = await tenant.ask('GET', '/auth/me');
  assert.equal(first.headers['ratelimit-policy'], '"default";q=200;w=60');
  assert.equal(first.headers.ratelimit, '"default";r=199;t=60');
  for (let i = 0; i < 199; i++) await tenant.ask('GET', '/auth/me');
  const over = await tenant.ask('GET', '/auth/me');
  refused(over, 'RATE_LIMITED', 'Too many requests');
  assert.ok(Number(over.headers['retry-after']) >= 1 && Number(over.headers['retry-after']) <= 60);
  assert.equal((await api.newTenant()).token === tenant.token, false);
  assert.equal((await (await api.newTenant()).ask('GET', '/auth/me')).status, 200);
});

test('the line of a refused request says who asked; that of an answered one does not', async () => {
  const { accountId, ask } = await api.newTenant();
  for (let i = 0; i < 201; i++) await ask('GET', '/auth/me');
  const headers = { authorization: 'Bearer vcs_guess' };
  await api.inject({ method: 'GET', url: '/api/v1/auth/me', headers, remoteAddress: '198.51.100.78' });
  await ask('GET', '/auth/me');
  const lines = api.logs.filter((line) => line.includes('request answered')).map((line) => JSON.parse(line));
  const guess = lines.find(({ sourceAddress }) => sourceAddress === '198.51.100.78');
  assert.deepEqual([guess?.status, guess?.route, guess?.accountId], [401, '/api/v1/auth/me', undefined]);
  const hasty = lines.find((line) => line.status === 429 && line.accountId === accountId);
  assert.ok(hasty?.sourceAddress && hasty.userId);
  assert.ok(lines.every(({ status, sourceAddress }) => status !== 200 || sourceAddress === undefined));
  assert.doesNotMatch(api.logs.join(''), /vcs_guess/);
});

test('tokens that are none share the limit of their address', async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 201; i++) {
    const answer = await api.inject({
      method: 'GET',
      url: '/api/v1/auth/me',
      headers: { authorization: `Bearer vcs_guess${i}` },
      remoteAddress: '198.51.100.77',
    });
    statuses.push(answer.status);
  }
  assert.deepEqual([statuses[0], statuses[199], statuses[200]], [401, 401, 429]);
});

test('what is no HTTP is answered in the envelope too', async () => {
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const address = api.app.server.address();
  assert.ok(address && typeof address === 'object');
  for (const [request, code] of [
    ['NONSENSE\r\n\r\n', 'BAD_REQUEST'],
    [`GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(40_000)}\r\n\r\n`, 'HEADERS_TOO_LARGE'],
  ] as const) {
    const text = await new Promise<string>((resolve, reject) => {
      let received = '';
      const socket = connect(address.port, '127.0.0.1', () => socket.write(request));
      socket.on('data', (chunk) => {
        received += String(chunk);
      });
      socket.on('close', () => resolve(received));
      socket.on('error', (error) => (received === '' ? reject(error) : resolve(received)));
    });
    assert.match(text, new RegExp(`^HTTP/1.1 ${ERROR_CODES[code].status} `));
    assert.match(text, /\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
    assert.match(text, new RegExp(`\r\n\r\n{"success":false,"error":"[^"]+","code":"${code}"}$`));
  }
});
