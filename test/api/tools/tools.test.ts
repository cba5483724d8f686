// Tools: what a tenant may write, what is never shown, who has them, and trying one.
import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { CatalogueJob } from '../../../api/tools/catalogues.ts';
import type { ToolRecord, ToolTested } from '../../../api/tools/schema.ts';
import { startMcpServer } from '../../../bench/rig/fakes/mcp-server.ts';
import { unseal } from '../../../db/shared/secrets/secret-box.ts';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi({ environment: { WEBHOOK_ALLOW_PRIVATE: '1' } });

const SECRET = 'Bearer k-4711-very-secret';
let made = 0;
const bodyOf = (changes: object = {}) => ({
  name: `find_order_${made++}`,
  description: 'Finds an order by its number.',
  url: 'https://shop.example/orders/{{number}}',
  method: 'GET',
  headers: { Authorization: SECRET },
  parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
  ...changes,
});
const add = (changes: object = {}) => api.tenant.ask('POST', '/tools', bodyOf(changes));
const fieldsOf = (answer: { json: { errors?: Array<{ field: string }> } }) =>
  (answer.json.errors ?? []).map(({ field }) => field);

/** A server that answers with what it got. */
async function echo(t: TestContext) {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ url: request?.url, customer: { name: 'Ada' } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return { seen, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('a name, a description and an address are enough, and the rest has its defaults', async () => {
  const { name } = bodyOf();
  const answer = await api.tenant.ask('POST', '/tools', { name, description: 'Asks.', url: 'https://shop.example/' });
  assert.equal(answer.status, 201, answer.text);
  const { id, createdAt: _, ...tool } = answer.json.data;
  assert.match(id, /^tol_/);
  assert.deepEqual(tool, {
    name,
    description: 'Asks.',
    kind: 'http',
    url: 'https://shop.example/',
    method: 'POST',
    headerNames: [],
    parameters: { type: 'object', properties: {} },
    timeoutMs: 5_000,
    sayWhile: null,
    mode: 'wait',
    assign: {},
    when: [],
    onInterruption: 'finish',
    only: null,
    catalogue: null,
    catalogueAt: null,
    catalogueError: null,
    publishedVersion: 1,
    draftVersion: null,
  });
});

test('headers are sealed, and never shown again', async () => {
  const answer = await add();
  assert.equal(answer.status, 201, answer.text);
  const { id } = answer.json.data;
  assert.deepEqual(answer.json.data.headerNames, ['Authorization']);
  const read = await api.tenant.ask('GET', `/tools/${id}`);
  const list = await api.tenant.ask('GET', '/tools');
  const rows = await api.context.db.selectFrom('tools').selectAll().execute();
  for (const text of [answer.text, read.text, list.text, JSON.stringify(rows), api.logs.join()])
    assert.ok(!text.includes(SECRET));

  // A client sends back what it read, and the headers stay.
  const kept = await api.tenant.ask('PATCH', `/tools/${id}`, { ...read.json.data, timeoutMs: 900 });
  assert.equal(kept.status, 200, kept.text);
  assert.deepEqual([kept.json.data.timeoutMs, kept.json.data.headerNames], [900, ['Authorization']]);
  const gone = await api.tenant.ask('PATCH', `/tools/${id}`, { headers: null });
  assert.deepEqual(gone.json.data.headerNames, []);
});

test('another server gets no header of the former one, unless it comes anew', async (t) => {
  const { seen, origin } = await echo(t);
  const made = await add({ url: `${origin}/orders`, headers: { Authorization: SECRET, 'X-Shop': 'one' } });
  const { id } = made.json.data;
  const here = await api.tenant.ask('PATCH', `/tools/${id}`, { url: `${origin}/customers` });
  assert.deepEqual(here.json.data.headerNames, ['Authorization', 'X-Shop']);
  const other = await echo(t);
  const moved = await api.tenant.ask('PATCH', `/tools/${id}`, { url: `${other.origin}/orders` });
  assert.deepEqual(moved.json.data.headerNames, []);
  assert.match(JSON.stringify(moved.json.warnings), /Bring them anew: Authorization, X-Shop/);
  await api.tenant.ask('POST', `/tools/${id}/test`, { arguments: { number: '1' } });
  assert.ok(other.seen.length === 1 && other.seen[0]?.authorization === undefined);
  const back = { url: `${origin}/orders`, setHeaders: { Authorization: 'Bearer new' } };
  const again = await api.tenant.ask('PATCH', `/tools/${id}`, back);
  assert.deepEqual([again.json.data.headerNames, again.json.warnings], [['Authorization'], undefined]);
  await api.tenant.ask('POST', `/tools/${id}/test`, { arguments: { number: '1' } });
  assert.equal(seen[0]?.authorization, 'Bearer new');
});

test('one header is replaced, added or removed, and the others stay; two changes at once are both kept', async () => {
  const { id } = (await add({ headers: { Authorization: SECRET, 'X-Shop': 'one', 'X-Old': 'old' } })).json.data;
  const change = (setHeaders: Record<string, string | null>, more: object = {}) =>
    api.tenant.ask('PATCH', `/tools/${id}`, { setHeaders, ...more });
  const one = await change({ 'x-shop': 'two', 'X-Old': null, 'X-New': 'größe' });
  assert.equal(one.status, 200, one.text);
  assert.deepEqual(one.json.data.headerNames, ['Authorization', 'x-shop', 'X-New']);
  assert.ok(!one.text.includes('two') && !one.text.includes(SECRET));
  assert.equal('setHeaders' in one.json.data, false);
  const many = await Promise.all([1, 2, 3, 4, 5].map((n) => change({ [`X-N${n}`]: String(n) })));
  assert.ok(many.every(({ status }) => status === 200));
  const stored = await api.context.db.selectFrom('tools').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const headers = JSON.parse(unseal(api.context.secretKey, id, stored.headersSealed ?? '')) as Record<string, string>;
  assert.deepEqual(headers, {
    Authorization: SECRET,
    'x-shop': 'two',
    'X-New': 'größe',
    ...Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`X-N${n}`, String(n)])),
  });

  for (const [body, field] of [
    [{ setHeaders: { Host: null } }, 'setHeaders.Host'],
    [{ setHeaders: { 'X-Key': 'a\nb' } }, 'setHeaders.X-Key'],
    [{ setHeaders: { 'X-Key': '你好' } }, 'setHeaders.X-Key'],
    [{ setHeaders: { 'X-Key': 'a', 'x-key': 'b' } }, 'setHeaders.x-key'],
    [{ setHeaders: { 'X-Key': 1 } }, 'setHeaders.X-Key'],
    [{ setHeaders: { 'X-Key': 'a' }, headers: { 'X-Key': 'a' } }, 'setHeaders'],
    [{ setHeaders: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`X-M${i}`, 'x'])) }, 'setHeaders'],
    [{ headers: { 'X-Key': 'a', 'x-key': 'b' } }, 'headers.x-key'],
  ] as const) {
    const answer = await api.tenant.ask('PATCH', `/tools/${id}`, body);
    assert.deepEqual([answer.status, fieldsOf(answer)], [422, [field]], answer.text);
  }
  const none = await change({
    Authorization: null,
    'x-shop': null,
    'X-New': null,
    ...Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`X-N${n}`, null])),
  });
  assert.deepEqual(none.json.data.headerNames, []);
  const emptied = await api.context.db
    .selectFrom('tools')
    .select('headersSealed')
    .where('id', '=', id)
    .executeTakeFirst();
  assert.equal(emptied?.headersSealed, null);
});

test('a tool is its account’s alone', async () => {
  const { id } = (await add()).json.data;
  for (const [method, path, body] of [
    ['GET', `/tools/${id}`],
    ['PATCH', `/tools/${id}`, { timeoutMs: 900 }],
    ['DELETE', `/tools/${id}`],
    ['POST', `/tools/${id}/test`, { arguments: { number: '1' } }],
  ] as const) {
    const answer = await api.other.ask(method, path, body);
    assert.equal(answer.status, 404, `${method} ${path}: ${answer.text}`);
  }
  const list = await api.other.ask('GET', '/tools');
  assert.ok(!list.text.includes(id));
  const agent = await api.other.ask('POST', '/agents', { name: 'Eve', voiceId: 'flite-slt', toolIds: [id] });
  assert.deepEqual([agent.status, fieldsOf(agent)], [422, ['toolIds[0]']]);
});

test('fields at fault are named', async () => {
  for (const [changes, field] of [
    [{ name: 'with blank' }, 'name'],
    [{ name: 'end_call' }, 'name'],
    [{ url: 'ftp://shop.example/' }, 'url'],
    [{ url: 'https://{{host}}.example/' }, 'url'],
    [{ url: 'https://user:word@shop.example/' }, 'url'],
    [{ url: 'https://shop.example/#top' }, 'url'],
    [{ url: 'http://shop.example/' }, 'url'],
    [{ headers: { Host: 'other.example' } }, 'headers.Host'],
    [{ headers: { 'Idempotency-Key': '1' } }, 'headers.Idempotency-Key'],
    [{ headers: { 'X Y': '1' } }, 'headers.X Y'],
    [{ headers: { 'X-Y': 'a\r\nb' } }, 'headers.X-Y'],
    [{ parameters: { type: 'array' } }, 'parameters'],
    [{ parameters: { type: 'object', properties: { a: { type: 'wrong' } } } }, 'parameters'],
    [{ assign: { 'a b': 'c' } }, 'assign.a b'],
    [{ timeoutMs: 10 }, 'timeoutMs'],
    [{ kind: 'soap' }, 'kind'],
  ] as const) {
    const answer = await add(changes);
    assert.deepEqual([answer.status, fieldsOf(answer)], [422, [field]], JSON.stringify(changes));
  }
});

test('a name in use is 409, and a deleted tool gives its name back', async () => {
  const { id, name } = (await add()).json.data;
  const taken = await add({ name });
  assert.deepEqual([taken.status, taken.json.code], [409, 'TOOL_NAME_TAKEN']);
  assert.equal((await api.tenant.ask('DELETE', `/tools/${id}`)).status, 200);
  assert.equal((await api.tenant.ask('GET', `/tools/${id}`)).status, 404);
  assert.equal((await add({ name })).status, 201);
});

test('agents, businesses and campaigns have tools, which cannot be deleted meanwhile', async () => {
  const { agent, business, campaign } = await setUpCampaign(api, api.tenant);
  const { id } = (await add()).json.data;
  for (const [path, user] of [
    [`/agents/${agent.id}`, 'agent "Sally"'],
    [`/businesses/${business.id}`, 'business "Bright Dental"'],
    [`/campaigns/${campaign.id}`, 'campaign "Recalls"'],
  ] as const) {
    const changed = await api.tenant.ask('PATCH', path, { toolIds: [id] });
    assert.deepEqual([changed.status, changed.json.data.toolIds], [200, [id]], changed.text);
    const refused = await api.tenant.ask('DELETE', `/tools/${id}`);
    assert.deepEqual([refused.status, refused.json.code], [409, 'TOOL_IN_USE']);
    assert.ok(refused.json.error?.includes(user), refused.text);
    const unknown = await api.tenant.ask('PATCH', path, { toolIds: [id, 'tol_none'] });
    assert.deepEqual([unknown.status, fieldsOf(unknown)], [422, ['toolIds[1]']]);
    assert.deepEqual((await api.tenant.ask('GET', path)).json.data.toolIds, [id]);
    await api.tenant.ask('PATCH', path, { toolIds: [] });
  }
  assert.equal((await api.tenant.ask('DELETE', `/tools/${id}`)).status, 200);
});

test('trying a tool shows the request with its secrets masked, the answer, and what the model would be told', async (t) => {
  const { seen, origin } = await echo(t);
  const { id } = (await add({ url: `${origin}/orders/{{number}}`, assign: { name: 'customer.name' } })).json.data;
  const answer = await api.tenant.ask('POST', `/tools/${id}/test`, { arguments: { number: '47 11' } });
  assert.equal(answer.status, 200, answer.text);
  const { request, result, assigned, answer: got } = answer.json.data as ToolTested;
  assert.equal(request?.url, `${origin}/orders/47%2011`);
  assert.equal(request?.headers.Authorization, '********');
  assert.equal(seen[0]?.authorization, SECRET);
  assert.match(String(seen[0]?.['idempotency-key']), /^test-/);
  assert.deepEqual(result, { ok: true, status: 200, data: { url: '/orders/47%2011', customer: { name: 'Ada' } } });
  assert.equal(got?.status, 200);
  assert.deepEqual(assigned, { name: 'Ada' });
  assert.ok(!answer.text.includes(SECRET));

  const wrong = await api.tenant.ask('POST', `/tools/${id}/test`, { arguments: {} });
  assert.equal(wrong.status, 200);
  assert.deepEqual(
    [wrong.json.data.request, (wrong.json.data.result as { error: string }).error],
    [null, 'bad_arguments'],
  );
  assert.equal(seen.length, 1);
});

const SEARCH = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
const SERVER_TOOLS = ['search', 'order', 'ticket'].map((name) => ({ name, description: name, inputSchema: SEARCH }));

test('a server’s catalogue is read when it is saved, when somebody asks, and again after an hour', async (t) => {
  const tools = [...SERVER_TOOLS, { name: 'odd', description: '', inputSchema: { type: 'object', $ref: '#/broken' } }];
  const server = await startMcpServer({ tools, answer: () => ({ content: [{ type: 'text', text: 'yes' }] }) });
  t.after(() => server.close());
  const body = {
    name: `crm_${made++}`,
    description: 'The CRM.',
    kind: 'mcp',
    url: server.url,
    headers: { 'X-Key': SECRET },
  };
  const answer = await api.tenant.ask('POST', '/tools', body);
  assert.equal(answer.status, 201, answer.text);
  const { id } = answer.json.data;
  const names = (data: ToolRecord) => data.catalogue?.map(({ name }) => name);
  assert.deepEqual(names(answer.json.data), ['search', 'order', 'ticket', 'odd']);
  assert.equal(answer.json.data.catalogueError, null);

  tools.splice(1, 2);
  const later = api.context.now() + 3_700_000;
  const job = new CatalogueJob({ ...api.context, now: () => later });
  assert.ok((await job.run()) >= 1);
  await job.settled();
  assert.deepEqual(names((await api.tenant.ask('GET', `/tools/${id}`)).json.data), ['search', 'odd']);

  const tried = await api.tenant.ask('POST', `/tools/${id}/test`, { tool: 'search', arguments: { q: 'Ada' } });
  const { request, result } = tried.json.data as ToolTested;
  assert.deepEqual(result, { ok: true, status: 200, data: 'yes' });
  assert.equal(request?.headers['X-Key'], '********');
  const unknown = await api.tenant.ask('POST', `/tools/${id}/test`, { tool: 'order', arguments: {} });
  assert.deepEqual([unknown.status, fieldsOf(unknown)], [422, ['tool']]);

  await server.close();
  const gone = await api.tenant.ask('POST', `/tools/${id}/refresh`);
  assert.equal(gone.status, 200);
  assert.match(gone.json.warnings?.[0] ?? '', /did not answer as an MCP server/);
  assert.deepEqual(names(gone.json.data), ['search', 'odd'], 'what was known stays');
  assert.match(gone.json.data.catalogueError ?? '', /did not answer/);
  assert.equal(
    gone.json.data.catalogueAt,
    new Date(later).toISOString(),
    'when it was read, not when it was asked for',
  );

  const never = await api.tenant.ask('POST', '/tools', { ...body, name: `crm_${made++}` });
  assert.equal(never.status, 201, never.text);
  assert.deepEqual([never.json.data.catalogue, never.json.data.catalogueAt], [null, null]);
  assert.match(never.json.data.catalogueError ?? '', /did not answer/);
  // It is asked again after an hour, and not at each run of the job.
  assert.equal(await new CatalogueJob({ ...api.context, now: () => api.context.now() + 60_000 }).run(), 0);
});

test('odd letters: names, addresses, arguments and variables that are no plain English', async (t) => {
  const system = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () =>
      response
        .setHeader('content-type', 'application/json')
        .end(
          JSON.stringify({ url: request.url, body: Buffer.concat(chunks).toString(), key: request.headers['x-key'] }),
        ),
    );
  });
  await new Promise<void>((resolve) => system.listen(0, '127.0.0.1', resolve));
  t.after(() => system.close());
  const origin = `http://127.0.0.1:${(system.address() as AddressInfo).port}`;
  const parameters = {
    type: 'object',
    properties: { größe: { type: 'string' }, '🙂': { type: 'string' }, number: { type: 'string' } },
  };
  const made = await add({
    url: `${origin}/orders/{{number}}`,
    method: 'POST',
    parameters,
    headers: { 'X-Key': '{{plan}}' },
    when: ['où est ma commande ?', '我的订单在哪里', '🙂🙂'],
  });
  assert.equal(made.status, 201, made.text);
  const { id } = made.json.data;
  const tryWith = async (given: object, variables: object = {}) => {
    const answer = await api.tenant.ask('POST', `/tools/${id}/test`, { arguments: given, variables });
    assert.equal(answer.status, 200, answer.text);
    return answer.json.data.result as {
      ok: boolean;
      error?: string;
      data?: { url: string; body: string; key: string };
    };
  };
  const plain = await tryWith({ größe: '38½', '🙂': '你好\u202e', number: '4/7 1?x=#é' }, { plan: 'gold' });
  assert.equal(plain.data?.url, '/orders/4%2F7%201%3Fx%3D%23%C3%A9');
  assert.deepEqual(JSON.parse(plain.data?.body ?? ''), {
    größe: '38½',
    '🙂': '你好\u202e',
  });
  // Half of a character is none.
  const given = { arguments: { number: 'a\ud800b' }, variables: { plan: 'gold' } };
  const half = await api.tenant.ask('POST', `/tools/${id}/test`, given);
  assert.deepEqual([half.status, half.json.errors?.[0]?.field], [422, 'arguments.number']);
  const header = await tryWith({ number: '1' }, { plan: '你好' });
  assert.ok(!header.ok || header.data !== undefined, JSON.stringify(header));

  for (const url of [`${origin}/{{größe}}`, `${origin}/{{ a b }}`, `${origin}/{{}}`, `${origin}/{{number`]) {
    const answer = await add({ url });
    assert.deepEqual([answer.status, fieldsOf(answer)], [422, ['url']], `${url}: ${answer.text}`);
  }
});

test('an account has so many tools and no more, also where many are made at once', async () => {
  const tenant = await api.newTenant();
  const make = (n: number) => tenant.ask('POST', '/tools', bodyOf({ name: `many_${n}` }));
  for (let n = 0; n < 195; n += 15) await Promise.all(Array.from({ length: 15 }, (_, i) => make(n + i)));
  const last = await Promise.all(Array.from({ length: 12 }, (_, i) => make(200 + i)));
  assert.deepEqual(last.map(({ status }) => status).sort(), [...Array(5).fill(201), ...Array(7).fill(409)]);
  assert.ok(last.some(({ text }) => text.includes('QUOTA_EXCEEDED')));
  const list = await tenant.ask('GET', '/tools?limit=100&page=2');
  assert.deepEqual([list.json.pagination.total, list.json.data.length], [200, 100]);
  const same = await Promise.all(
    [1, 2, 3].map(() =>
      tenant.ask('PATCH', `/tools/${last[0]?.json.data?.id ?? list.json.data[0]?.id}`, { name: 'one_name' }),
    ),
  );
  assert.ok(same.every(({ status }) => status === 200));
});
