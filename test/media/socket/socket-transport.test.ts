import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import { joinSamples, rms, samplesToBytes } from '../../../media/frame.ts';
import type { AudioSocket } from '../../../media/socket/audio-socket.ts';
import { SocketTransport } from '../../../media/socket/socket-transport.ts';
import { tone } from '../signals.ts';

const FRAME = 320;

function pull(transport: SocketTransport, frames: number): Int16Array {
  const parts: Int16Array[] = [];
  for (let i = 0; i < frames; i++) {
    const out = new Int16Array(FRAME).fill(-1);
    transport.pull(out);
    parts.push(out);
  }
  return joinSamples(parts);
}

class FakeSocket implements AudioSocket {
  bufferedBytes = 0;
  readonly sent: Uint8Array[] = [];
  readonly codes: number[] = [];
  sendBinary(bytes: Uint8Array): void {
    this.sent.push(bytes);
  }
  sendText(): void {}
  close(code: number): void {
    this.codes.push(code);
  }
}

test('pieces of any length, odd ones too, are one stream', () => {
  const random = seededRandom(6);
  const transport = new SocketTransport(16_000, () => 0);
  const sent = tone(440, 16_000, 600);
  const bytes = samplesToBytes(sent);
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + Math.floor(random() * 999);
    transport.receive(bytes.slice(at, at + size));
    at += size;
  }
  const heard = pull(transport, 30);
  assert.deepEqual(heard.subarray(0, sent.length), sent);
});

test('nothing plays before two frames are buffered; after a stall it takes three, and stays bounded', () => {
  const transport = new SocketTransport(16_000, () => 0);
  const frame = samplesToBytes(new Int16Array(FRAME).fill(7));
  transport.receive(frame);
  assert.equal(pull(transport, 1)[0], 0);
  transport.receive(frame);
  assert.equal(pull(transport, 1)[0], 7);
  for (let stall = 0; stall < 20; stall++) {
    pull(transport, 6);
    for (let i = 0; i < 8; i++) transport.receive(frame);
    assert.equal(pull(transport, 1)[0], 7);
    pull(transport, 8);
  }
});

test('a phone that sends too slowly loses no whole frame: what is missing is concealed, and playing goes on', () => {
  const transport = new SocketTransport(16_000, () => 0);
  const sound = tone(400, 16_000, 20_000);
  const loudness = rms(sound);
  let sent = 0;
  const kinds: string[] = [];
  const heard = Array.from({ length: 1_000 }, (_, tick) => {
    // 2 % too slow.
    if (tick % 50 !== 49) transport.receive(samplesToBytes(sound.subarray(sent++ * FRAME, sent * FRAME)));
    const out = new Int16Array(FRAME);
    kinds.push(transport.pull(out));
    return out;
  }).slice(2);
  const whole = heard.filter((frame) => rms(frame) > loudness * 0.9).length / heard.length;
  assert.ok(whole > 0.97, `${whole} of the frames`);
  assert.ok(heard.every((frame) => rms(frame) > loudness * 0.5));
  assert.equal(kinds.slice(2).filter((kind) => kind === 'idle').length, 0);
});

test('after 60 ms without audio there is silence', () => {
  const transport = new SocketTransport(16_000, () => 0);
  transport.receive(samplesToBytes(tone(400, 16_000, 200)));
  pull(transport, 10);
  const [after, later] = [pull(transport, 3), pull(transport, 20)];
  assert.ok(rms(after) > 0);
  assert.equal(rms(later), 0);
  assert.ok(transport.missingMs >= 400);
});

test('at most the newest second is kept; surplus audio is dropped', () => {
  const transport = new SocketTransport(16_000, () => 0);
  for (let i = 1; i <= 100; i++) transport.receive(samplesToBytes(new Int16Array(FRAME).fill(i)));
  assert.equal(transport.delayMs, 1000);
  assert.equal(pull(transport, 1)[0], 51);
  for (let i = 0; i < 400; i++) {
    transport.receive(samplesToBytes(new Int16Array(FRAME).fill(1)));
    pull(transport, 1);
  }
  assert.ok(transport.delayMs <= 60, `${transport.delayMs} ms`);
});

test('a browser that does not read is not flooded; a call has one socket', () => {
  const transport = new SocketTransport(16_000, () => 0);
  const socket = new FakeSocket();
  const frame = new Int16Array(FRAME).fill(3);
  transport.send(frame, 0);
  assert.ok(transport.attach(socket));
  assert.equal(transport.attach(new FakeSocket()), false);
  transport.send(frame, 0);
  frame.fill(9);
  assert.equal(socket.sent[0]?.[0], 3);
  socket.bufferedBytes = 32_000;
  transport.send(frame, 0);
  assert.equal(socket.sent.length, 1);
  assert.equal(transport.stats().packetsLost, 1);
  transport.close(0);
  assert.deepEqual(socket.codes, [1000]);
});

test('a client that comes back is awaited until it joins; one that must join elsewhere is told so', () => {
  const transport = new SocketTransport(16_000, () => 0, true);
  const socket = new FakeSocket();
  assert.ok(transport.held);
  assert.ok(transport.attach(socket));
  assert.equal(transport.held, false);
  transport.leave();
  assert.deepEqual(socket.codes, [1012]);
  transport.close(0);
  assert.deepEqual(socket.codes, [1012]);
});
