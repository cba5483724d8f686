// The figures of a benchmark: error bars over calls, and captures that others can read.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { bootstrap } from '../../../bench/caller/benchmark-report.ts';
import { writePcap } from '../../../bench/caller/pcap.ts';

test('a planted delay of 100 ms lies outside of the error bars, and equal calls have none', () => {
  const calls = Array.from({ length: 20 }, (_, n) => [900 + n, 905 + n, 910 + n]);
  const before = bootstrap(calls, 0.5);
  const delayed = bootstrap(
    calls.map((gaps) => gaps.map((gap) => gap + 100)),
    0.5,
  );
  assert.ok(before && delayed);
  assert.equal(delayed.value - before.value, 100);
  assert.ok(before.low <= before.value && before.value <= before.high && before.high < delayed.low);
  assert.deepEqual(bootstrap([[500], [500]], 0.95), { value: 500, low: 500, high: 500 });
  assert.equal(bootstrap([[], []], 0.5), null);
});

test('turns of one call count together: few calls of many turns have wide error bars', () => {
  const slow = Array.from({ length: 50 }, () => 2_000);
  const quick = Array.from({ length: 50 }, () => 500);
  const figure = bootstrap([slow, quick, quick], 0.5);
  assert.deepEqual(figure, { value: 500, low: 500, high: 2_000 });
});

test('a capture has a packet’s time, addresses, ports and bytes, with a valid sum of its header', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pcap-'));
  try {
    const path = join(folder, 'rtp.pcap');
    const from = { address: '10.0.0.1', port: 4_000 };
    const to = { address: '192.0.2.7', port: 5_004 };
    writePcap(path, [{ atMs: 1_700_000_000_123.5, from, to, payload: Uint8Array.of(0x80, 0, 1, 2) }]);
    const file = readFileSync(path);
    assert.equal(file.readUInt32LE(20), 101);
    assert.deepEqual([file.readUInt32LE(24), file.readUInt32LE(28)], [1_700_000_000, 123_500]);
    const ip = file.subarray(40);
    assert.equal(ip.length, 32);
    assert.deepEqual([...ip.subarray(12, 20)], [10, 0, 0, 1, 192, 0, 2, 7]);
    assert.deepEqual([ip.readUInt16BE(20), ip.readUInt16BE(22), ip.readUInt16BE(24)], [4_000, 5_004, 12]);
    let sum = 0;
    for (let at = 0; at < 20; at += 2) sum += ip.readUInt16BE(at);
    assert.equal((sum & 0xffff) + (sum >> 16), 0xffff);
    assert.deepEqual([...ip.subarray(28)], [0x80, 0, 1, 2]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
