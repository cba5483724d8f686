// A thread of MCP sessions that does not come back. The bound is real time: a busy machine loads a thread in seconds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { McpServers } from '../../models/tools/mcp-servers.ts';

const limits = { timeoutMs: 5_000, key: 'key-1' };

test('a thread that does not come back is ended; the session that held it up is asked no more', async (t) => {
  const thread = new URL('../support/stuck-mcp-thread.ts', import.meta.url);
  const servers = new McpServers({ allowPrivate: true, thread, stuckAfterMs: 2_000 });
  t.after(() => servers.close());
  const [evil, honest] = [0, 1].map((n) => servers.session({ url: `http://127.0.0.1:${n + 1}/mcp`, headers: {} }));
  assert.ok(evil && honest);
  assert.equal((await honest.call('order', {}, limits)).ok, true);
  const stuck = await evil.call('stick', {}, limits);
  assert.ok(!stuck.ok && stuck.error === 'unreachable', JSON.stringify(stuck));
  assert.equal((await honest.call('order', {}, limits)).ok, true, 'others go on, on another thread');
  assert.equal((await evil.call('order', {}, limits)).ok, false);
});
