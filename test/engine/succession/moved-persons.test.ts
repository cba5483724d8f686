// Calls of a lost machine that a person has, or is to have: with whom they go on, and whom nobody leaves on a line.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '../../../bench/rig/eventually.ts';
import { sharedClockMs } from '../../../db/shared/process/shared-clock.ts';
import {
  call,
  callWithPerson,
  eventsOf,
  openLegs,
  refused,
  row,
  stage,
  successor,
  useMovedStage,
  withPerson,
} from './moved-stage.ts';

useMovedStage();

describe('a call that a person has, or is to have', () => {
  test('goes on with both: each is asked for its audio, and nobody is hung up on', async () => {
    const id = await callWithPerson('bridged');
    await successor('eng_a', { othersRoom: 0 }).look();
    await eventually(() => stage.taken.length === 1);
    const { transfer, from } = stage.taken[0] ?? assert.fail();
    assert.deepEqual(stage.asked.sort(), ['eng_a 192.0.2.1:30000 after 17 s', 'eng_a 192.0.2.1:30002 after 17 s']);
    assert.deepEqual([from.port, transfer?.from.person?.port, transfer?.leg?.sipCallId], [30_000, 30_002, 's']);
    assert.equal(transfer?.from.person?.leg?.audio.remotePort, 7_000);
    const talkedMs = sharedClockMs() - (transfer?.from.person?.beganAtMs ?? 0);
    assert.ok(Math.abs(talkedMs - 57_000) < 2_000, `${talkedMs}`);
    await eventually(async () => (await eventsOf(id)).join() === 'call.resumed');
    assert.deepEqual([stage.hungUp, await openLegs(id)], [[], 1]);
  });

  test('a person who cannot be had: the caller’s call goes on without them', async () => {
    stage.person = refused();
    const id = await callWithPerson('bridged');
    await successor('eng_a', { othersRoom: 0 }).look();
    await eventually(() => stage.taken.length === 1);
    assert.equal(stage.taken[0]?.transfer, null);
    await eventually(async () => (await openLegs(id)) === 0);
    assert.deepEqual(stage.hungUp, [], 'who refused needs no BYE');
  });

  test('no port for the person: they are let go', async () => {
    stage.personPort = null;
    const id = await callWithPerson('bridged');
    await successor('eng_a', { othersRoom: 0 }).look();
    await eventually(async () => stage.taken.length === 1 && (await openLegs(id)) === 0);
    assert.deepEqual([stage.taken[0]?.transfer, stage.hungUp], [null, ['human']]);
  });

  test('a caller who cannot be had: the person is let go, once, and the call is closed', async () => {
    stage.peer = refused();
    const id = await callWithPerson('bridged');
    await successor('eng_a', { othersRoom: 0 }).look();
    await eventually(async () => (await row(id)).endedAt !== null);
    assert.deepEqual([stage.taken, stage.hungUp], [[], ['asked person']]);
  });

  test('a person who was only told who is waiting is let go, and the agent has the caller', async () => {
    const id = await callWithPerson('announcing');
    await successor('eng_a', { othersRoom: 0 }).look();
    await eventually(async () => stage.taken.length === 1 && (await openLegs(id)) === 0);
    assert.deepEqual([stage.taken[0]?.transfer, stage.hungUp, stage.asked.length], [null, ['human'], 1]);
  });

  test('a REFER that is out goes on: its result comes to this engine', async () => {
    await call(withPerson('referring'));
    await successor('eng_a', { othersRoom: 0 }).look();
    await eventually(() => stage.taken.length === 1);
    assert.deepEqual([stage.taken[0]?.transfer?.from.referLeftMs, stage.asked.length], [9_000, 1]);
  });
});

test('a browser that talks to a person: only the person is asked, and is had again', async () => {
  const id = await callWithPerson('bridged', { leg: null, port: 0, medium: { kind: 'web', token: 'ab' } });
  await successor('eng_a', { othersRoom: 0 }).look();
  await eventually(async () => stage.taken.length === 1 && (await eventsOf(id)).join() === 'call.resumed');
  assert.deepEqual(stage.asked, ['eng_a 192.0.2.1:30002 after 17 s']);
  assert.deepEqual([stage.taken[0]?.leg, stage.taken[0]?.transfer?.leg?.sipCallId], [null, 's']);
  assert.deepEqual([stage.hungUp, await openLegs(id)], [[], 1]);
});
