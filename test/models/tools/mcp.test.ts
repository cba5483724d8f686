// A session with an MCP server: catalogue, calls, faults, and what is never asked.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { comesToRest, eventually } from '../../../bench/rig/eventually.ts';
import { startMcpServer } from '../../../bench/rig/fakes/mcp-server.ts';
import { ToolConnections } from '../../../models/tools/http-tool.ts';
import { McpSession } from '../../../models/tools/mcp.ts';

const TOOLS = ['search', 'order', 'ticket', 'stock', 'hours'].map((name) => ({
  name,
  description: `About ${name}.`,
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
}));
const text = (value: string, isError = false) => ({ content: [{ type: 'text', text: value }], isError });
const limits = { timeoutMs: 2_000, key: 'key-1' };

async function serve(t: TestContext, options: Partial<Parameters<typeof startMcpServer>[0]> = {}) {
  const server = await startMcpServer({ tools: TOOLS, answer: () => text('{"state": "shipped"}'), ...options });
  t.after(() => server.close());
  return server;
}

function sessionWith(t: TestContext, url: string, { allowPrivate = true, headers = {} } = {}): McpSession {
  const connections = new ToolConnections({ allowPrivate });
  const session = new McpSession({ url, headers }, connections);
  t.after(async () => {
    await session.close();
    await connections.close();
  });
  return session;
}

for (const streams of [false, true]) {
  test(`the catalogue is read page by page, and a call gives its answer as data (${streams ? 'a stream' : 'JSON'})`, async (t) => {
    const server = await serve(t, { streams });
    const session = sessionWith(t, server.url, { headers: { Authorization: 'Bearer s3cret' } });
    const catalogue = await session.catalogue();
    assert.deepEqual(
      catalogue.map(({ name }) => name),
      ['search', 'order', 'ticket', 'stock', 'hours'],
    );
    assert.equal(catalogue[0]?.description, 'About search.');
    const result = await session.call('order', { q: '4711' }, limits);
    assert.deepEqual(result, { ok: true, status: 200, data: { state: 'shipped' } });
    const [call] = server.calls;
    assert.deepEqual([call?.name, call?.arguments, call?.meta.idempotencyKey], ['order', { q: '4711' }, 'key-1']);
    assert.equal(call?.headers.authorization, 'Bearer s3cret');
    await session.close();
    assert.deepEqual([server.opened, server.ended], [['s1'], ['s1']], 'one session, which is ended at the server');
  });
}

test('an error that a tool reports, a hanging one, and one that is given up', async (t) => {
  const server = await serve(t, { answer: ({ name }) => (name === 'order' ? text('no such order', true) : null) });
  const session = sessionWith(t, server.url);
  const reported = await session.call('order', {}, limits);
  assert.ok(!reported.ok && reported.error === 'failed' && reported.data === 'no such order');
  const hung = await session.call('search', {}, { ...limits, timeoutMs: 200 });
  assert.ok(!hung.ok && hung.error === 'timeout', JSON.stringify(hung));
  const abort = new AbortController();
  const running = session.call('search', {}, { ...limits, signal: abort.signal });
  while (server.calls.length < 3) await new Promise((resolve) => setImmediate(resolve));
  abort.abort();
  const given = await running;
  assert.ok(!given.ok && given.error === 'cancelled');
  while (server.cancelled.length < 2) await new Promise((resolve) => setImmediate(resolve));
});

test('a server that is gone costs the tool, and is asked again at the next question', async (t) => {
  const gone = await sessionWith(t, 'http://127.0.0.1:1/mcp').call('order', {}, limits);
  assert.ok(!gone.ok && gone.error === 'unreachable', JSON.stringify(gone));
  const server = await serve(t);
  const session = sessionWith(t, server.url);
  session.open();
  assert.equal((await session.call('order', {}, limits)).ok, true);
});

test('a private address is refused, a redirect is not followed, and an endless answer is cut off', async (t) => {
  const server = await serve(t);
  const refused = await sessionWith(t, server.url, { allowPrivate: false }).call('order', {}, limits);
  assert.ok(!refused.ok && refused.error === 'refused', JSON.stringify(refused));
  assert.deepEqual(server.opened, []);
  let asked = 0;
  const hostile = createServer((request, response) => {
    asked++;
    if (request.url === '/redirects') response.writeHead(307, { location: server.url }).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(5_000_000)}"`);
  });
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    hostile.closeAllConnections();
    hostile.close();
  });
  const origin = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
  for (const path of ['/redirects', '/endless']) {
    const result = await sessionWith(t, `${origin}${path}`).call('order', {}, limits);
    assert.ok(!result.ok && result.error === 'unreachable', `${path}: ${JSON.stringify(result)}`);
    await assert.rejects(sessionWith(t, `${origin}${path}`).catalogue(), /did not answer as an MCP server/);
  }
  assert.ok(asked >= 4);
  assert.deepEqual(server.opened, []);
});

interface Rpc {
  id?: number;
  method?: string;
}

/**
 * A server that answers `tools/list` and `tools/call` by hand; `asked` has each request that is no question of ours.
 */
async function serveByHand(
  t: TestContext,
  answer: (message: Rpc, response: ServerResponse, request: IncomingMessage) => void,
) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method !== 'POST') {
        asked.push(request.method ?? '');
        if (request.method === 'GET') return answer({}, response, request);
        return response.writeHead(200).end();
      }
      const message = JSON.parse(Buffer.concat(chunks).toString()) as Rpc;
      if (message.method === undefined) asked.push('reply');
      if (message.id === undefined || message.method === undefined) return response.writeHead(202).end();
      if (message.method !== 'initialize') return answer(message, response, request);
      const result = {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'by hand', version: '1' },
      };
      return response
        .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's1' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` };
}

const event = (message: object): string => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
const stream = { 'content-type': 'text/event-stream' };

test('of the requests of a server one ping at a time is answered, all others are not', async (t) => {
  const { asked, url } = await serveByHand(t, ({ id }, response) => {
    const pings = Array.from({ length: 100 }, (_, n) => event({ id: `p${n}`, method: 'ping' }));
    const others = [event({ id: 'r', method: 'roots/list' }), event({ method: 'notifications/message', params: {} })];
    response.writeHead(200, stream).end([...pings, ...others, event({ id, result: text('done') })].join(''));
  });
  const result = await sessionWith(t, url).call('order', {}, limits);
  assert.deepEqual(result, { ok: true, status: 200, data: 'done' });
  const repliesNow = () => asked.filter((each) => each === 'reply').length;
  await eventually(() => repliesNow() >= 1);
  await comesToRest();
  const replies = repliesNow();
  assert.ok(replies >= 1 && replies <= 10, `${replies} replies`);
  assert.ok(!asked.includes('GET'), 'its own stream was opened');
});

test('a flood of messages is cut off, in a stream and as a list', async (t) => {
  const flood = await serveByHand(t, ({ id }, response) => {
    const pings = Array.from({ length: 20_000 }, (_, n) => event({ id: n, method: 'ping' }));
    response.writeHead(200, stream).end([...pings, event({ id, result: text('done') })].join(''));
  });
  const flooded = await sessionWith(t, flood.url).call('order', {}, { ...limits, timeoutMs: 500 });
  assert.ok(!flooded.ok, JSON.stringify(flooded));
  assert.ok(flood.asked.filter((each) => each === 'reply').length <= 10);
  const list = await serveByHand(t, ({ id }, response) => {
    const messages = [{ jsonrpc: '2.0', id, result: text('done') }];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(messages));
  });
  assert.ok(!(await sessionWith(t, list.url).call('order', {}, limits)).ok);
});

test('a catalogue without an end is read up to twenty pages, and up to a hundred tools', async (t) => {
  let pages = 0;
  const [tool] = TOOLS;
  const perPage = async (count: number): Promise<number> => {
    const { url } = await serveByHand(t, ({ id }, response) => {
      const tools = Array.from({ length: count }, (_, n) => ({ ...tool, name: `t${n}` }));
      const result = { tools, nextCursor: String(++pages) };
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
    pages = 0;
    return (await sessionWith(t, url).catalogue()).length;
  };
  assert.deepEqual([await perPage(1), pages], [20, 20]);
  assert.deepEqual([await perPage(60), pages], [100, 2]);
});

test('an answer whose stream breaks off is resumed, and not at once without an end', async (t) => {
  let gets = 0;
  const { url } = await serveByHand(t, ({ id }, response) => {
    if (id === undefined) gets++;
    response.writeHead(200, stream).end(`retry: 0\nid: e1\ndata:\n\n`);
  });
  const result = await sessionWith(t, url).call('order', {}, { ...limits, timeoutMs: 1_500 });
  assert.ok(!result.ok, JSON.stringify(result));
  assert.ok(gets <= 1, `${gets} times`);
});
