// Messages to mod_audio_fork: it would keep short ones back, take -1 for a mark, and drop what follows an order too
// soon.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesToSamples, joinSamples, samplesToBytes } from '../../../media/frame.ts';
import type { AudioSocket } from '../../../media/socket/audio-socket.ts';
import { ForkSocket } from '../../../media/socket/fork-socket.ts';

class Wire implements AudioSocket {
  readonly bufferedBytes = 0;
  readonly binary: Uint8Array[] = [];
  readonly texts: string[] = [];
  sendBinary(bytes: Uint8Array): void {
    this.binary.push(bytes);
  }
  sendText(text: string): void {
    this.texts.push(text);
  }
  close(): void {}
}

function fork() {
  const wire = new Wire();
  const time = { ms: 0 };
  const socket = new ForkSocket(wire, () => time.ms);
  /** Sends frames of 20 ms at 8 kHz, as the pacer does. */
  const say = (value: number, frames: number): void => {
    for (let i = 0; i < frames; i++) {
      socket.sendBinary(samplesToBytes(new Int16Array(160).fill(value)));
      time.ms += 20;
    }
  };
  const sent = (): Int16Array => joinSamples(wire.binary.map((bytes) => bytesToSamples(bytes)));
  return { wire, time, socket, say, sent };
}

test('the first buffer is filled with silence, and every message after it is a whole block', () => {
  const { wire, socket, say } = fork();
  socket.prime();
  say(700, 9);
  assert.deepEqual(
    wire.binary.map(({ length }) => length),
    [2560, 1280, 1280],
  );
  assert.ok(wire.binary[0]?.every((byte) => byte === 0));
});

test('speech ends with the silence that fills its block; silence itself is not sent', () => {
  const { wire, say, sent } = fork();
  say(0, 10);
  assert.equal(wire.binary.length, 0);
  say(700, 5);
  say(0, 50);
  assert.equal(wire.binary.length, 2);
  assert.deepEqual(sent(), joinSamples([new Int16Array(800).fill(700), new Int16Array(480)]));
});

test('a sample that would be a mark becomes silence', () => {
  const { wire, say, sent } = fork();
  say(-1, 4);
  assert.equal(wire.binary.length, 1);
  assert.ok(sent().every((sample) => sample === 0));
});

test('a flush drops the open block and holds audio back until its mark is cleared', () => {
  const { wire, time, socket, say, sent } = fork();
  say(700, 3);
  socket.flush();
  assert.deepEqual(
    wire.texts.map((text) => JSON.parse(text)),
    [{ type: 'mark', data: { name: 'flush-1' } }, { type: 'killAudio' }],
  );
  for (let i = 0; i < 4; i++) socket.sendBinary(samplesToBytes(new Int16Array(160).fill(900)));
  assert.equal(wire.binary.length, 0);
  time.ms += 5;
  socket.receiveText('{"type":"mark","data":{"name":"flush-0","event":"cleared"}}');
  socket.receiveText('not JSON');
  assert.equal(wire.binary.length, 0);
  socket.receiveText('{"type":"mark","data":{"name":"flush-1","event":"cleared"}}');
  assert.deepEqual(sent(), new Int16Array(640).fill(900));
});

test('without the mark audio goes on after 25 ms', () => {
  const { wire, socket, say } = fork();
  socket.flush();
  say(900, 1);
  say(900, 1);
  assert.equal(wire.binary.length, 0);
  say(900, 2);
  assert.equal(wire.binary.length, 1);
});

test('texts for browsers stay here', () => {
  const { wire, socket } = fork();
  socket.sendText();
  assert.deepEqual(wire.texts, []);
});
