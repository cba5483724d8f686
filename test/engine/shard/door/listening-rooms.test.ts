// Listeners at the door: tokens, both sides, slow sockets, and the use of a microphone.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { VirtualClock } from '../../../../bench/rig/clock.ts';
import { createListenRing, ListenTap } from '../../../../engine/shard/door/listen-tap.ts';
import { ListeningRooms } from '../../../../engine/shard/door/listening-rooms.ts';
import type { ListenerEvent } from '../../../../engine/shard/protocol.ts';
import { SampleRing } from '../../../../media/ring.ts';
import type { AudioSocketHandler } from '../../../../media/socket/audio-socket.ts';
import { createMicrophoneRing, RingTransport } from '../../../../media/socket/ring-transport.ts';

class FakeSocket {
  readonly frames: Uint8Array[] = [];
  readonly texts: string[] = [];
  bufferedBytes = 0;
  closed: number | null = null;
  sendBinary(bytes: Uint8Array): void {
    this.frames.push(bytes);
  }
  sendText(text: string): void {
    this.texts.push(text);
  }
  close(code: number): void {
    this.closed = code;
  }
}

function setUp() {
  const clock = new VirtualClock(5_000);
  const events: ListenerEvent[] = [];
  const rooms = new ListeningRooms(clock, (event) => events.push(event));
  const memory = createListenRing();
  const expect = (listenerId: string): void => {
    const tokenHash = createHash('sha256').update(listenerId).digest('hex');
    rooms.receive({ type: 'expect-listener', of: 'call_1', listenerId, tokenHash, memory });
  };
  const join = (listenerId: string): { socket: FakeSocket; handler: AudioSocketHandler } => {
    expect(listenerId);
    const handler = rooms.authorize('call_1', listenerId);
    assert.ok(handler);
    const socket = new FakeSocket();
    assert.ok(handler.opened(socket));
    return { socket, handler };
  };
  return { clock, events, rooms, memory, expect, join };
}

const frame = (value: number, samples = 160): Int16Array => new Int16Array(samples).fill(value);
const samplesOf = (bytes: Uint8Array): Int16Array => new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);

test('a token opens once, within 60 s, and for its own call only', () => {
  const { clock, rooms, expect, join, events } = setUp();
  join('ada');
  assert.equal(rooms.authorize('call_1', 'ada'), null);
  expect('late');
  assert.equal(rooms.authorize('call_2', 'late'), null);
  clock.advance(60_001);
  assert.equal(rooms.authorize('call_1', 'late'), null);
  assert.deepEqual(events.at(-1), { type: 'listener-gone', listenerId: 'late' });
});

test('who listens gets 100 ms at a time, caller left and agent right; one who is behind misses them', () => {
  const { clock, memory, join } = setUp();
  const [ada, bob] = [join('ada').socket, join('bob').socket];
  const tap = new ListenTap(memory, 8_000);
  bob.bufferedBytes = 1_000_000;
  for (let n = 0; n < 10; n++) {
    tap.write(frame(1_000), frame(-2_000));
    clock.advance(20);
  }
  assert.ok(ada.frames.length >= 1 && ada.frames.length <= 2, `${ada.frames.length} messages`);
  assert.equal(bob.frames.length, 0);
  const last = samplesOf(ada.frames.at(-1) as Uint8Array);
  assert.equal(last.length, 5 * 640);
  assert.ok(Math.abs((last[300] as number) - 1_000) < 20, `left ${last[300]}`);
  assert.ok(Math.abs((last[301] as number) + 2_000) < 40, `right ${last[301]}`);
});

test('a call that nobody empties the ring of loses frames, and writes on', () => {
  const tap = new ListenTap(createListenRing(), 16_000);
  for (let n = 0; n < 500; n++) tap.write(frame(1, 320), null);
});

test('a microphone goes nowhere until it is wanted, then into the call, also where samples are cut in two', () => {
  const { rooms, join } = setUp();
  const { handler } = join('ada');
  const memory = createMicrophoneRing();
  handler.audio(new Uint8Array(640));
  rooms.receive({ type: 'take-microphone', listenerId: 'ada', memory, hearsSelf: false });
  assert.equal(new SampleRing(memory).available, 0);
  const spoken = new Uint8Array(frame(500, 3_200).buffer);
  for (let at = 0; at < spoken.length; at += 641) handler.audio(spoken.subarray(at, at + 641));
  const transport = new RingTransport(memory, () => 0);
  const out = new Int16Array(320);
  transport.start();
  assert.equal(transport.pull(out), 'audio');
  assert.ok(out.every((sample) => sample === 500));
});

test('who talks in the agent’s place does not hear themselves', () => {
  const { clock, memory, rooms, join } = setUp();
  const [ada, bob] = [join('ada').socket, join('bob').socket];
  rooms.receive({ type: 'take-microphone', listenerId: 'ada', memory: createMicrophoneRing(), hearsSelf: false });
  const tap = new ListenTap(memory, 16_000);
  for (let n = 0; n < 5; n++) tap.write(frame(7, 320), frame(9, 320));
  clock.advance(20);
  assert.deepEqual([ada.frames.length, bob.frames.length], [5, 1], 'who talks does not wait for the next four');
  assert.deepEqual([...samplesOf(ada.frames[0] as Uint8Array).subarray(0, 4)], [7, 0, 7, 0]);
  assert.deepEqual([...samplesOf(bob.frames[0] as Uint8Array).subarray(0, 4)], [7, 9, 7, 9]);
});

test('too many texts end a listener, and the end of the call ends all', () => {
  const { join, events, rooms } = setUp();
  const flood = join('flood');
  for (let n = 0; n < 11; n++) flood.handler.text('{"type": "mode", "mode": "shout"}');
  assert.equal(flood.socket.closed, 1008);
  assert.match(flood.socket.texts[0] ?? '', /BAD_MESSAGE/);
  const ada = join('ada');
  ada.handler.text('{"type": "mode", "mode": "take-over"}');
  assert.deepEqual(events.at(-1), { type: 'listener-asks', listenerId: 'ada', mode: 'take-over' });
  rooms.receive({ type: 'end-listening', of: 'call_1' });
  assert.equal(ada.socket.closed, 1000);
});
