// Sessions with MCP servers on their thread: questions, and one that is given up. A thread that does not come back is
// in test/long.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { eventually } from '../../../bench/rig/eventually.ts';
import { startMcpServer } from '../../../bench/rig/fakes/mcp-server.ts';
import { McpServers, type McpServersOptions } from '../../../models/tools/mcp-servers.ts';

const tools = [{ name: 'order', description: 'About orders.', inputSchema: { type: 'object', properties: {} } }];
const limits = { timeoutMs: 5_000, key: 'key-1' };

async function serve(t: TestContext, answer: Parameters<typeof startMcpServer>[0]['answer']) {
  const server = await startMcpServer({ tools, answer });
  t.after(() => server.close());
  return server;
}

function serversWith(t: TestContext, options: McpServersOptions = {}): McpServers {
  const servers = new McpServers({ allowPrivate: true, ...options });
  t.after(() => servers.close());
  return servers;
}

test('a catalogue and a call come from the thread, by names that the process resolves', async (t) => {
  const server = await serve(t, () => ({ content: [{ type: 'text', text: 'shipped' }] }));
  const servers = serversWith(t, { resolve: async () => ['127.0.0.1'] });
  const url = server.url.replace('127.0.0.1', 'shop.test');
  const refused = await servers.session({ url, headers: {} }).call('order', {}, limits);
  assert.ok(!refused.ok && refused.error === 'refused', 'plain HTTP goes to loopback only');
  const session = servers.session({ url: server.url, headers: { Authorization: 'Bearer s3cret' } });
  session.open();
  assert.deepEqual(
    (await session.catalogue()).map(({ name }) => name),
    ['order'],
  );
  assert.deepEqual(await session.call('order', { q: 1 }, limits), { ok: true, status: 200, data: 'shipped' });
  assert.equal(server.calls[0]?.headers.authorization, 'Bearer s3cret');
  await session.close();
  assert.deepEqual(server.ended, ['s1'], 'the session is ended at the server');
});

test('a call that is given up is given up at the server, and a fault is told as a sentence', async (t) => {
  const server = await serve(t, () => null);
  const servers = serversWith(t);
  const abort = new AbortController();
  const session = servers.session({ url: server.url, headers: {} });
  await session.catalogue();
  const running = session.call('order', {}, { ...limits, signal: abort.signal });
  await eventually(() => server.calls.length === 1);
  abort.abort();
  const given = await running;
  assert.ok(!given.ok && given.error === 'cancelled', JSON.stringify(given));
  await eventually(() => server.cancelled.length === 1);
  const gone = servers.session({ url: 'http://127.0.0.1:1/mcp', headers: {} });
  await assert.rejects(gone.catalogue(), /did not answer as an MCP server/);
});
