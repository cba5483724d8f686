// A session with an MCP server: catalogue, calls, faults, and what is never asked.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
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
