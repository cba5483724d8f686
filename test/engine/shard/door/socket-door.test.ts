import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { VirtualClock } from '../../../../bench/rig/clock.ts';
import { SocketDoor } from '../../../../engine/shard/door/socket-door.ts';
import { SocketTransport } from '../../../../media/socket/socket-transport.ts';

const NOTHING = { joined: () => undefined, left: () => undefined, said: () => undefined };
const SOCKET = { sendBinary: () => undefined, sendText: () => undefined, bufferedBytes: 0, close: () => undefined };

test('a token opens the door for 60 s, once', () => {
  const clock = new VirtualClock(5_000);
  const door = new SocketDoor(clock);
  const listeners = { ...NOTHING, missed: () => undefined };
  for (const callId of ['in-time', 'late']) {
    const hash = createHash('sha256').update(callId).digest('hex');
    const transport = new SocketTransport(16_000, () => clock.monotonicMs());
    door.expect(callId, { client: 'browser', tokenHash: hash, transport }, listeners);
  }
  clock.advance(60_000);
  assert.equal(door.authorize('in-time', 'in-time', 'fork'), null);
  assert.ok(door.authorize('in-time', 'in-time', 'browser'));
  assert.equal(door.authorize('in-time', 'in-time', 'browser'), null);
  clock.advance(1);
  assert.equal(door.authorize('late', 'late', 'browser'), null);
});

test('a browser that was here before may come back once, within 15 s, and is missed after that', () => {
  const clock = new VirtualClock(5_000);
  const door = new SocketDoor(clock);
  const missed: string[] = [];
  for (const callId of ['back', 'late']) {
    const tokenHash = createHash('sha256').update(callId).digest('hex');
    const transport = new SocketTransport(16_000, () => clock.monotonicMs(), true);
    const listeners = { ...NOTHING, missed: () => missed.push(callId) };
    door.expect(callId, { client: 'browser', tokenHash, transport }, listeners);
  }
  clock.advance(14_900);
  assert.equal(door.authorize('back', 'late', 'browser'), null);
  const handler = door.authorize('back', 'back', 'browser');
  assert.equal(handler?.opened(SOCKET), true);
  assert.equal(door.authorize('back', 'back', 'browser'), null);
  clock.advance(101);
  assert.equal(door.authorize('late', 'late', 'browser'), null);
  assert.deepEqual(missed, ['late']);
});
