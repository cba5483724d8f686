// Listeners to this engine's calls: who may, how many, and for how long.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import type { Credential } from '../../../db/rules/live-credential.ts';
import { NoticeTone } from '../../../engine/shard/door/notice-tone.ts';
import type { CallCommand, DoorCommand } from '../../../engine/shard/protocol.ts';
import { type ListenedCall, Listeners } from '../../../engine/switchboard/listeners.ts';

const credential = (accountId: string, userId = 'user_ada'): Credential => ({
  ...{ accountId, userId, kind: 'session', tokenId: `token of ${userId}`, familyId: 'f', generation: 1 },
});

function setUp() {
  const clock = new VirtualClock(5_000);
  const door: DoorCommand[] = [];
  const shards: CallCommand[] = [];
  const writes: object[] = [];
  const revoked = new Set<string>();
  let noticed = 0;
  let gone = 0;
  const call = (accountId: string): ListenedCall => ({
    ...{ accountId, businessId: 'biz_1', isAnswered: true },
    soFar: () => [{ type: 'state', state: 'listening' }],
    switchTo: async (_id, mode) => (mode === 'whisper' ? { refused: 'CALL_TAKEN_OVER' } : { state: 'done' }),
    listenerGone: () => gone++,
    firstListens: () => noticed++,
  });
  const calls = new Map([...Array(9).keys()].map((n) => [`call_${n}`, call('acc_1')]));
  calls.set('call_other', call('acc_2'));
  const listeners = new Listeners({
    atDoor: (command) => door.push(command),
    shards: { send: (command) => shards.push(command) > 0 },
    writer: {
      run: (async (_name: string, args: object) => void writes.push(args)) as never,
    },
    isLive: async ({ tokenId }) => !revoked.has(tokenId),
    call: (callId) => calls.get(callId) ?? null,
    clock,
    log: pino({ level: 'silent' }),
  });
  let count = 0;
  const admit = (callId: string, of = credential('acc_1')) => {
    const listenerId = `lis_${++count}`;
    return { listenerId, refused: listeners.admit({ callId, listenerId, tokenHash: 'ab', credential: of }) };
  };
  return { clock, door, shards, writes, revoked, calls, listeners, admit, told: () => ({ noticed, gone }) };
}

test('one call is written into one ring, however many listen, and no longer than that', () => {
  const { admit, shards, listeners, door } = setUp();
  const ids = [admit('call_1').listenerId, admit('call_1').listenerId];
  assert.equal(shards.filter(({ type }) => type === 'tap').length, 1);
  for (const listenerId of ids) listeners.onEvent({ type: 'listener-gone', listenerId });
  assert.deepEqual(shards.at(-1), { type: 'tap', callId: 'call_1', memory: null });
  const rings = door.flatMap((command) => (command.type === 'expect-listener' ? [command.memory] : []));
  assert.equal(new Set(rings).size, 1);
});

test('another account’s call, one that is over, and one that rings are not listened to', () => {
  const { admit, calls } = setUp();
  assert.equal(admit('call_other').refused, 'CALL_ENDED');
  assert.equal(admit('call_none').refused, 'CALL_ENDED');
  calls.set('call_1', { ...(calls.get('call_1') as ListenedCall), isAnswered: false });
  assert.equal(admit('call_1').refused, 'CALL_NOT_ANSWERED');
});

test('a call, and an account, has so many listeners, and others still have their places', () => {
  const { admit } = setUp();
  for (let n = 0; n < 32; n++) assert.equal(admit('call_1').refused, null);
  assert.equal(admit('call_1').refused, 'LISTENERS_FULL');
  for (let n = 0; n < 32; n++) assert.equal(admit('call_2').refused, null);
  assert.equal(admit('call_3').refused, 'LISTENERS_FULL');
  assert.equal(admit('call_other', credential('acc_2')).refused, null);
});

test('who signs out has to go, at once where that is told, and soon where it is not', async () => {
  const { admit, revoked, listeners, door, clock } = setUp();
  const ada = admit('call_1').listenerId;
  const bob = admit('call_1', credential('acc_1', 'user_bob')).listenerId;
  const ended = () => door.flatMap((command) => (command.type === 'end-listener' ? [command.listenerId] : []));
  revoked.add('token of user_ada');
  await listeners.check();
  assert.deepEqual(ended(), [ada]);
  listeners.onEvent({ type: 'listener-gone', listenerId: ada });
  revoked.add('token of user_bob');
  clock.advance(10_000);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(ended(), [ada, bob]);
});

test('the first who comes is noticed once, is told how the call stands, and what they do is in the audit log', async () => {
  const { admit, listeners, door, writes, told } = setUp();
  for (const { listenerId } of [admit('call_1'), admit('call_1')]) {
    listeners.onEvent({ type: 'listener-joined', listenerId });
  }
  assert.equal(told().noticed, 1);
  const texts = () => door.flatMap((command) => (command.type === 'tell-listeners' ? [command.text] : []));
  assert.match(texts()[0] ?? '', /"state":"listening"/);
  listeners.onEvent({ type: 'listener-asks', listenerId: 'lis_1', mode: 'take-over' });
  listeners.onEvent({ type: 'listener-asks', listenerId: 'lis_2', mode: 'whisper' });
  await new Promise((resolve) => setImmediate(resolve));
  assert.match(texts().at(-2) ?? '', /"mode":"take-over"/);
  assert.match(texts().at(-1) ?? '', /CALL_TAKEN_OVER/);
  assert.equal(writes.length, 1, 'what was refused was not done');
  assert.equal(listeners.has('call_1', 'lis_1', 'user_ada'), true);
  assert.equal(listeners.has('call_1', 'lis_1', 'user_bob'), false);
  listeners.onEvent({ type: 'listeners-lost' });
  assert.equal(told().gone, 2, 'the calls know that nobody listens');
});

test('the tone of a notice is two soft beeps over what the caller hears', () => {
  const tone = new NoticeTone(8_000);
  const loudest: number[] = [];
  for (let isOver = false; !isOver; ) {
    const frame = new Int16Array(160).fill(32_000);
    isOver = tone.mixInto(frame);
    loudest.push(Math.max(...frame) - 32_000);
  }
  assert.equal(loudest.length, 24, '480 ms');
  assert.ok(Math.max(...loudest) <= 767, 'within the range of PCM16');
  assert.ok(
    loudest.slice(10, 14).every((level) => level === 0),
    'silence between the two',
  );
});
