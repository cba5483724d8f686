import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { SocketDoor } from '../../../engine/shard/socket-door.ts';
import { SocketTransport } from '../../../media/socket/socket-transport.ts';
import { VirtualClock } from '../../support/clock.ts';

test('a token opens the door for 60 s, once', () => {
  const clock = new VirtualClock(5_000);
  const door = new SocketDoor(clock);
  const listeners = { joined: () => undefined, left: () => undefined };
  for (const callId of ['in-time', 'late']) {
    const hash = createHash('sha256').update(callId).digest('hex');
    door.expect(callId, hash, new SocketTransport(16_000, () => clock.monotonicMs()), listeners);
  }
  clock.advance(60_000);
  assert.ok(door.authorize('in-time', 'in-time'));
  assert.equal(door.authorize('in-time', 'in-time'), null);
  clock.advance(1);
  assert.equal(door.authorize('late', 'late'), null);
});
