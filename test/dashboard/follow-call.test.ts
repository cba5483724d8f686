// The events of a running call, over a connection that breaks.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';

// The browser's own, before the modules look for them.
Object.assign(globalThis, {
  addEventListener: () => undefined,
  localStorage: { getItem: () => null, setItem: () => undefined, removeItem: () => undefined },
});
const { followCall } = await import('../../api/dashboard/app/live/follow-call.ts');

const before = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = before;
});

/** Answers one after the other; returns what each request said of the last event that it had. */
function answers(...bodies: Array<string | number | Error>): Array<string | null> {
  const lastIds: Array<string | null> = [];
  globalThis.fetch = async (_, init) => {
    lastIds.push(new Headers(init?.headers).get('last-event-id'));
    const body = bodies.shift();
    if (body instanceof Error) throw body;
    if (typeof body === 'number') return new Response('{}', { status: body });
    return new Response(body ?? '', { headers: { 'content-type': 'text/event-stream' } });
  };
  return lastIds;
}

const state = (id: number, name: string): string => `id: ${id}\nevent: state\ndata: {"state":"${name}"}\n\n`;

test('it goes on after the last event that came, until the call has ended', async () => {
  const lastIds = answers(
    `${state(7, 'listening')}${state(9, 'thinking')}id: 10\nevent: sta`,
    new TypeError('network'),
    503,
    `${state(11, 'speaking')}event: ended\ndata: {}\n\n`,
  );
  const seen: string[] = [];
  const waited: number[] = [];
  const connected: boolean[] = [];
  await followCall('call_1', {
    signal: new AbortController().signal,
    onEvent: (event) => seen.push(event.type === 'state' ? event.state : event.type),
    onConnected: (isConnected) => connected.push(isConnected),
    pause: async (ms) => {
      waited.push(ms);
    },
  });
  assert.deepEqual(seen, ['listening', 'thinking', 'speaking']);
  assert.deepEqual(lastIds, [null, '9', '9', '9']);
  assert.deepEqual(waited, [500, 1_000, 2_000]);
  assert.deepEqual(connected, [true, false, false, false, true]);
});

test('a call that does not exist is not asked for again', async () => {
  const lastIds = answers(404);
  const following = followCall('call_1', { signal: new AbortController().signal, onEvent: () => undefined });
  await assert.rejects(following, { status: 404 });
  assert.equal(lastIds.length, 1);
});
