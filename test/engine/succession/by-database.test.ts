// The calls of a lost machine, between two living engines on one database: each call has one successor or one end.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '../../../bench/rig/eventually.ts';
import { sharedClockMs } from '../../../db/shared/process/shared-clock.ts';
import { BRIDGED_VERSION, CONTINUATION_VERSION } from '../../../engine/call/going-on/continuation.ts';
import { isMovable } from '../../../engine/call/going-on/moved.ts';
import { TURNS_MS } from '../../../engine/silence.ts';
import {
  api,
  call,
  engine,
  eventsOf,
  refused,
  row,
  run,
  SILENT_MS,
  stage,
  successor,
  useMovedStage,
} from './moved-stage.ts';

useMovedStage();

test('both engines look at once, again and again: each call goes on at one of them', async () => {
  const ids = await Promise.all(Array.from({ length: 24 }, () => call()));
  // The calls are spread by chance: either one could have room for all of them.
  const successors = ['eng_a', 'eng_b'].map((id) => successor(id, { room: 30, othersRoom: 30 }));
  for (let nth = 0; nth < 5; nth++) await Promise.all(successors.map(({ look }) => look()));
  await eventually(() => stage.taken.length === ids.length);
  assert.deepEqual(stage.taken.map(({ from }) => from.call.id).sort(), [...ids].sort());
  assert.equal(new Set(stage.taken.map(({ by }) => by)).size, 2, 'they share');
  for (const { from, by } of stage.taken) {
    assert.equal((await row(from.call.id)).engineId, by);
    await eventually(async () => (await eventsOf(from.call.id)).join() === 'call.resumed');
  }
  assert.equal(stage.asked.length, ids.length);
  assert.deepEqual(new Set(stage.hungUp), new Set(['human']), 'who was being called for the caller is let go');
});

test('its times are by this machine’s clocks, its audio is new, and its recording is on this disk', async () => {
  const id = await call();
  await successor('eng_a', { othersRoom: 0 }).look();
  await eventually(() => stage.taken.length === 1);
  const [one] = stage.taken;
  assert.ok(one);
  // Written 20 s ago by a clock that is 3 s behind, when the call was 60 s old.
  assert.deepEqual(stage.asked, ['eng_a 192.0.2.1:30000 after 17 s']);
  assert.ok(Math.abs(one.resumption.atMs - 77_000) < 1_000, `${one.resumption.atMs}`);
  assert.ok(Math.abs(sharedClockMs() - one.from.beganAtMs - 77_000) < 2_000);
  assert.deepEqual([one.resumption.gapMs, one.resumption.cause], [SILENT_MS, 'moved']);
  assert.deepEqual([one.from.port, one.from.leg?.audio.remotePort], [30_000, 7_000]);
  assert.equal(one.from.recordingPath, `/here/${id}.wav`);
});

describe('a call that does not go on is closed once, as a crash', () => {
  const isClosed = async (id: string) => {
    await eventually(async () => (await row(id)).endedAt !== null);
    const { status, endReason, recordingState } = await row(id);
    assert.deepEqual([status, endReason], ['FAILED', 'crash']);
    assert.equal(recordingState, 'engine:there', 'what was recorded is where it was');
    assert.deepEqual(await eventsOf(id), ['call.received', 'call.ended', 'call.failed']);
    assert.deepEqual(stage.taken, []);
    const left = await api.context.db.selectFrom('callContinuations').select('callId').execute();
    assert.deepEqual(left, []);
  };
  const lookTwice = async () => {
    const successors = [successor('eng_a'), successor('eng_b')];
    for (let nth = 0; nth < 3; nth++) await Promise.all(successors.map(({ look }) => look()));
  };

  test('where its peer knows it no more: it is not hung up on twice', async () => {
    stage.peer = refused();
    const id = await call();
    await lookTwice();
    await isClosed(id);
    assert.deepEqual([stage.asked.length, stage.hungUp], [1, ['human']]);
  });

  test('where nothing was written of it', async () => {
    const id = await call(null);
    await lookTwice();
    await isClosed(id);
    assert.deepEqual([stage.asked, stage.hungUp.sort()], [[], ['human', 'peer']]);
  });

  test('where it was written with another key', async () => {
    const id = await call();
    await api.context.db.updateTable('callContinuations').set({ sealed: 'AAAA' }).execute();
    await lookTwice();
    await isClosed(id);
    assert.deepEqual(stage.hungUp.sort(), ['human', 'peer']);
  });

  test('where no engine has had a place for as long as one is waited for', async () => {
    const id = await call();
    const { look } = successor('eng_a', { room: 0, othersRoom: 0 });
    await look();
    assert.equal((await row(id)).endedAt, null, 'it waits');
    api.clock.advance(TURNS_MS + 1);
    await look();
    await isClosed(id);
  });

  test('where a client asked for its end while it had no engine', async () => {
    const id = await call();
    const times = { createdAt: 1, expiresAt: 2, claimedAt: null, claimedBy: null, doneAt: null };
    const request = { id: 'req_1', accountId: api.tenant.accountId, kind: 'end-call' as const, callId: id };
    const row = { ...request, payload: '{}', result: null, ...times };
    await api.context.db.insertInto('engineRequests').values(row).execute();
    await lookTwice();
    await isClosed(id);
    assert.deepEqual(stage.asked, []);
  });

  test('where calls are to end with their engines', async () => {
    const id = await call();
    await successor('eng_a', { isOn: false }).look();
    await isClosed(id);
    assert.deepEqual(stage.asked, []);
  });

  test('where it has gone on twice already: engines may die of it', async () => {
    const resumptions = [1, 2].map((atMs) => ({ atMs, gapMs: 12_000, cause: 'moved' as const }));
    const id = await call({ resumptions });
    await lookTwice();
    await isClosed(id);
  });

  test('where its caller has heard nothing for too long', async () => {
    const id = await call();
    await engine('eng_dead', { state: 'dead', heartbeatAt: api.clock.now - 31_000 });
    await lookTwice();
    await isClosed(id);
    assert.deepEqual(stage.asked, []);
  });
});

test('where no engine has a place at first, the one that gets one goes on', async () => {
  const id = await call();
  let room = 0;
  const { look } = successor('eng_a', { room: () => room, othersRoom: 0 });
  await look();
  assert.deepEqual(stage.taken, []);
  room = 1;
  await look();
  await eventually(() => stage.taken.length === 1);
  assert.equal((await row(id)).engineId, 'eng_a');
});

test('while the machine’s next engine starts, its calls are left to it', async () => {
  const id = await call();
  const nothing = await call(null);
  await engine('eng_next', { home: 'home of eng_dead', state: 'starting' });
  await Promise.all([successor('eng_a').look(), successor('eng_b').look()]);
  assert.deepEqual([stage.asked, stage.taken], [[], []]);
  for (const each of [id, nothing]) assert.equal((await row(each)).endedAt, null);
});

test('an engine that has stopped has said the ends of its calls, and nobody asks their peers', async () => {
  await call();
  await engine('eng_dead', { state: 'stopped' });
  await successor('eng_a').calls.look();
  assert.deepEqual([stage.asked, stage.taken], [[], []]);
});

test('the end that the dead engine still says does not end the call of another one', async () => {
  const id = await call();
  await successor('eng_a', { othersRoom: 0 }).look();
  await eventually(async () => (await eventsOf(id)).length === 1);
  const end = {
    ...{ callId: id, status: 'COMPLETED', outcome: 'completed', endReason: 'media_timeout', endedAtMs: api.clock.now },
    ...{ sentiment: null, summary: null, tags: [], transcript: [], latency: null, contact: null },
  } as const;
  assert.equal(await run('endCall', { ...end, engineId: 'eng_dead' } as never), false);
  assert.equal((await row(id)).endedAt, null);
  assert.equal(await run('endCall', { ...end, engineId: 'eng_a' } as never), true);
});

test('what is written goes with the call, and is written for a call of one’s own only', async () => {
  const id = await call();
  const write = (engineId: string) =>
    run('writeContinuation', { callId: id, engineId, sealed: engineId, writtenAt: 1 });
  const written = async () =>
    (await api.context.db.selectFrom('callContinuations').select('sealed').execute()).map(({ sealed }) => sealed);
  await write('eng_a');
  await write('eng_dead');
  assert.deepEqual(await written(), ['eng_dead']);
  await run('deleteContinuation', { callId: id });
  assert.deepEqual(await written(), []);
  await write('eng_dead');
  await run('endUndialledCall', { callId: id, endReason: 'crash', nowMs: api.clock.now });
  await write('eng_dead');
  assert.deepEqual(await written(), []);
});

test('a browser is not asked: it joins again', async () => {
  const id = await call({ leg: null, port: 0, medium: { kind: 'web', token: 'ab' } });
  await successor('eng_a', { othersRoom: 0 }).look();
  await eventually(async () => stage.taken.length === 1 && (await eventsOf(id)).join() === 'call.resumed');
  assert.deepEqual([stage.asked, stage.taken[0]?.leg, stage.taken[0]?.from.leg], [[], null, null]);
});

test('what stays with its machine: a call without a peer, and a person’s leg of which nothing is known', () => {
  const answered = (state: string) => ({ phase: 'answered', answered: { transfer: { state } } });
  const described = { version: CONTINUATION_VERSION, leg: {}, state: answered('pending'), writtenAtSharedMs: 1 };
  assert.equal(isMovable(described), true);
  assert.equal(isMovable({ ...described, leg: null }), false);
  const web = { leg: null, medium: { kind: 'web', token: '' } };
  assert.equal(isMovable({ ...described, ...web }), true);
  const bridged = { ...described, version: BRIDGED_VERSION, state: answered('bridged') };
  assert.equal(isMovable({ ...bridged, transfer: { person: { leg: {} } } }), true);
  assert.equal(isMovable({ ...bridged, transfer: { person: null } }), false);
  assert.equal(isMovable({ ...bridged, ...web, transfer: { person: { leg: {} } } }), true);
  assert.equal(isMovable({ ...bridged, leg: null, transfer: { person: { leg: {} } } }), false);
});
