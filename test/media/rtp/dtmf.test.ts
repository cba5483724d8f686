import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import { DtmfReceiver, DtmfSender } from '../../../media/rtp/dtmf.ts';

function event(code: number, end = false, duration = 160): Buffer {
  const payload = Buffer.alloc(4);
  payload[0] = code;
  payload[1] = (end ? 0x80 : 0) | 10;
  payload.writeUInt16BE(duration, 2);
  return payload;
}

test('one press is one digit, however many packets it has and in whatever order they come', () => {
  const receiver = new DtmfReceiver();
  const digits: Array<string | null> = [];
  for (const [code, timestamp] of [
    [1, 1000],
    [1, 1000],
    [1, 1000],
    [2, 3000],
    [1, 1000],
    [2, 3000],
    [11, 5000],
    [15, 7000],
  ] as const) {
    digits.push(receiver.receive(event(code), 0, 4, timestamp, timestamp / 8));
  }
  assert.deepEqual(digits.filter(Boolean), ['1', '2', '#', 'D']);
});

test('the same digit twice is two digits; a press over 65,535 units long is one', () => {
  const receiver = new DtmfReceiver();
  assert.equal(receiver.receive(event(5), 0, 4, 100, 0), '5');
  assert.equal(receiver.receive(event(5), 0, 4, 2000, 300), '5');
  assert.equal(receiver.receive(event(5, false, 0xffff), 0, 4, 2000, 8000), null);
  assert.equal(receiver.receive(event(5), 0, 4, 2000 + 0xffff, 8500), null);
  assert.equal(receiver.receive(event(5), 0, 4, 2000 + 0xffff + 0xffff, 16700), null);
  // The next segment was lost as a whole.
  assert.equal(receiver.receive(event(5), 0, 4, 2000 + 4 * 0xffff, 33000), null);
});

test('time stamps wrap at 2^32, and restart with a new source', () => {
  const receiver = new DtmfReceiver();
  assert.equal(receiver.receive(event(1), 0, 4, 0xffffff00, 0), '1');
  assert.equal(receiver.receive(event(2), 0, 4, 900, 200), '2');
  receiver.reset();
  assert.equal(receiver.receive(event(3), 0, 4, 100, 400), '3');
});

test('a flood yields digits at a human pace, counted and bounded; non-digits yield none', () => {
  const random = seededRandom(5);
  const receiver = new DtmfReceiver();
  let digits = 0;
  for (let i = 0; i < 50_000; i++) {
    const code = Math.floor(random() * 256);
    // 10 s of wall time.
    if (receiver.receive(event(code), 0, 4, (i * 7919) >>> 0, i / 5) !== null) digits++;
  }
  assert.ok(digits > 50 && digits <= 12 + 12 * 10, `${digits} digits`);
  assert.ok(receiver.dropped > 1000);
  assert.equal(new DtmfReceiver().receive(event(16), 0, 4, 1, 0), null);
  assert.equal(new DtmfReceiver().receive(event(1), 0, 3, 1, 0), null);
  assert.equal(new DtmfReceiver().receive(event(1), 2, 4, 1, 0), null);
});

test('what is sent is what is received: 100 ms a digit, three end packets, pauses in between', () => {
  const sender = new DtmfSender();
  const receiver = new DtmfReceiver();
  assert.equal(sender.enqueue('12x#,9'), 5);
  let heard = '';
  let ends = 0;
  let markers = 0;
  const durations: number[] = [];
  for (let frame = 0; frame < 100; frame++) {
    const next = sender.next(frame * 160);
    if (next === null || next === 'pause') continue;
    if (next.marker) markers++;
    if ((next.payload[1] as number) & 0x80) ends++;
    durations.push(next.payload.readUInt16BE(2));
    heard += receiver.receive(next.payload, 0, 4, next.timestamp, frame * 20) ?? '';
  }
  assert.equal(heard, '12#9');
  assert.equal(markers, 4);
  assert.equal(ends, 12);
  assert.deepEqual(durations.slice(0, 7), [160, 320, 480, 640, 800, 800, 800]);
  assert.equal(sender.busy, false);
  assert.equal(sender.next(0), null);
});

test('the queue of digits to send is bounded', () => {
  const sender = new DtmfSender();
  assert.equal(sender.enqueue('1'.repeat(1000)), 64);
  assert.equal(sender.enqueue('2'), 0);
});
