import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { seededRandom } from '../../engine/test-runs/caller/seeded-random.ts';
import { Doorbell } from '../../media/doorbell.ts';
import { SampleRing } from '../../media/ring.ts';

test('samples come out as they went in, in blocks of any size, around the end of the memory', () => {
  const random = seededRandom(7);
  const writer = SampleRing.create(1000);
  const reader = new SampleRing(writer.shared);
  let written = 0;
  let read = 0;
  for (let round = 0; round < 5000; round++) {
    const block = Int16Array.from({ length: 1 + Math.floor(random() * 300) }, (_, i) => (written + i) & 0x7fff);
    if (writer.write(block)) written += block.length;
    const out = new Int16Array(1 + Math.floor(random() * 300));
    if (reader.read(out)) {
      for (const sample of out) assert.equal(sample, read++ & 0x7fff);
    }
  }
  assert.ok(written > 100_000);
  assert.equal(reader.available, written - read);
});

test('a block that does not fit is refused whole, and what lies there stays', () => {
  const ring = SampleRing.create(256);
  assert.ok(ring.write(new Int16Array(200).fill(1)));
  assert.equal(ring.write(new Int16Array(57).fill(2)), false);
  assert.ok(ring.write(new Int16Array(56).fill(3)));
  const out = new Int16Array(256);
  assert.equal(ring.available, 256);
  assert.ok(ring.read(out));
  assert.equal(out[199], 1);
  assert.equal(out[200], 3);
  assert.equal(ring.read(new Int16Array(1)), false);
});

test('another thread reads what this one writes', async () => {
  const ring = SampleRing.create(512);
  const bell = new Doorbell();
  const worker = new Worker(new URL('./ring-reader.ts', import.meta.url), {
    workerData: { samples: ring.shared, rung: bell.shared },
  });
  const sum = new Promise<number>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  let expected = 0;
  for (let at = 0; at < 256 * 40; at += 160) {
    const block = Int16Array.from({ length: 160 }, (_, i) => (at + i) % 100);
    for (const sample of block) expected += sample;
    for (let tries = 0; !ring.write(block); tries++) {
      assert.ok(tries < 1_000_000, 'the reader has stopped');
      await new Promise((resolve) => setImmediate(resolve));
    }
    bell.ring();
  }
  assert.equal(await sum, expected);
});

test('memory that is not a ring is refused', () => {
  assert.throws(() => new SampleRing(new SharedArrayBuffer(16 + 300)), RangeError);
  assert.throws(() => new SampleRing(new SharedArrayBuffer(16)), RangeError);
});
