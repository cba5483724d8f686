// An engine that stood still says nothing more: whatever wakes first ends it.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { VirtualClock } from '../../bench/rig/clock.ts';
import { Fence, fencedClock } from '../../engine/fence.ts';
import { fencedNetwork } from '../../engine/sip/stack/network/fenced-network.ts';
import { MemoryNetwork } from '../support/sip/memory-network.ts';

let clock: VirtualClock;
let stoodStill: number[];
let fence: Fence;
let stoppedMs: number;
beforeEach(() => {
  clock = new VirtualClock(1_000);
  stoodStill = [];
  stoppedMs = 0;
  fence = new Fence(
    () => clock.monotonicMs() + stoppedMs,
    (forMs) => {
      stoodStill.push(forMs);
      throw new Error('over');
    },
  );
});

test('who runs every second passes; who did not for eight is over', () => {
  fence.raise();
  for (let second = 0; second < 60; second++) {
    clock.advance(1_000);
    fence.pass();
  }
  clock.advance(7_900);
  fence.pass();
  clock.advance(8_100);
  assert.throws(() => fence.pass());
  assert.deepEqual(stoodStill, [8_100]);
});

test('before it is raised, as while models are loaded, anything passes', () => {
  clock.advance(60_000);
  fence.pass();
  fence.raise();
  fence.pass();
  assert.deepEqual(stoodStill, []);
});

test('a timer that is due after a stand-still does not fire', () => {
  fence.raise();
  let fired = 0;
  fencedClock(clock, fence).after(20, () => fired++);
  // The process is stopped, and its timers with it.
  stoppedMs = 30_000;
  assert.throws(() => clock.advance(20));
  assert.equal(fired, 0);
});

test('a packet that has waited meanwhile is not heard, and none is sent', async () => {
  const memory = new MemoryNetwork(clock);
  const network = fencedNetwork(memory.hostAt('10.0.0.1'), fence);
  const heard: string[] = [];
  const datagrams = await network.bindDatagrams({ address: '10.0.0.1', port: 5060 }, (bytes) => {
    heard.push(bytes.toString());
  });
  const far: string[] = [];
  const peer = memory.bind({ address: '10.0.0.9', port: 5060 }, (bytes) => far.push(bytes.toString()));
  const send = (text: string) => datagrams.send(Buffer.from(text), peer.local, () => undefined);
  fence.raise();
  peer.send(Buffer.from('hello'), datagrams.local, () => undefined);
  send('hi');
  clock.advance(100);
  assert.deepEqual([heard, far], [['hello'], ['hi']]);
  clock.advance(9_000);
  assert.throws(() => send('late'));
  clock.advance(100);
  assert.deepEqual(far, ['hi']);
});
