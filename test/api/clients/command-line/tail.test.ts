// Calls as they come: each new one once, with its words, and none that ended before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json } from '../typescript/answering.ts';
import { useConsole } from './console.ts';

const { run } = useConsole();
const call = (id: string, status: string, startedAt: string) => ({
  ...{ id, status, startedAt, direction: 'inbound', fromNumber: `+1${id.slice(-4)}`, toNumber: '+2', outcome: null },
});

test('a new call is followed to its end beside others, one that is over is not shown, one that cannot be read is told', async () => {
  const later = new Date(Date.now() + 60_000).toISOString();
  const calls = [
    call('call_0004', 'RINGING', later),
    call('call_0003', 'IN_PROGRESS', '2026-01-02'),
    call('call_0002', 'SCHEDULED', later),
    call('call_0001', 'COMPLETED', '2026-01-01'),
  ];
  let looks = 0;
  const fetch = async (url: string) => {
    const [, id] = /calls\/(call_\d+)\/stream/.exec(url) ?? [];
    if (id === undefined && ++looks === 3)
      return json(503, { success: false, error: 'It is away', code: 'API_STOPPING' }, { 'retry-after': '60' });
    if (id === undefined) return json(200, { success: true, data: calls, pagination: { hasNext: false } });
    if (id === 'call_0004') return json(404, { success: false, error: 'Call not found', code: 'NOT_FOUND' });
    const words = { speaker: 'caller', text: `words of ${id}`, timestamp: 1_000 };
    const ended = { status: 'COMPLETED', outcome: 'completed', durationSeconds: 61 };
    return new Response(
      `event: transcript\ndata: ${JSON.stringify(words)}\n\nevent: ended\ndata: ${JSON.stringify(ended)}\n\n`,
    );
  };
  const env = { VOICECTL_URL: 'https://phone.example', VOICECTL_TOKEN: 'vcs_x' };
  // It never ends by itself: the console stops it after some waiting.
  const { out, err } = await run(['calls', 'tail'], { fetch: fetch as typeof globalThis.fetch, env });
  assert.deepEqual(out.trim().split('\n'), [
    ...['0003  ← +10003  IN_PROGRESS', '0004  ← +10004  RINGING'],
    ...['0003  0:01  caller  words of call_0003', '0003  COMPLETED (completed) after 1:01'],
  ]);
  assert.match(err, /call_0004: Call not found/);
  assert.match(err, /It is away; waiting for it/);
  assert.ok(looks > 3);
});
