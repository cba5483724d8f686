import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import { buildRtcp, parseRtcp, ReceptionStats } from '../../../media/rtp/rtcp.ts';

const sender = { wallMs: 1_700_000_000_500, rtpTimestamp: 4000, packets: 25, payloadBytes: 4000 };

test('a report matches RFC 3550 byte by byte', () => {
  const stats = new ReceptionStats(8000);
  for (const sequence of [65534, 65535, 0, 2]) stats.receive(sequence, sequence * 160, sequence * 20);
  const reception = { ssrc: 0xabcd, stats, lastSenderReport: 0x11223344, delaySinceMs: 1500 };
  const packet = buildRtcp({ ssrc: 0x01020304, cname: 'call-7', sender, reception, bye: true });
  assert.deepEqual([packet[0], packet[1], packet.readUInt16BE(2)], [0x81, 200, 12]);
  assert.equal(packet.readUInt32BE(4), 0x01020304);
  assert.equal(packet.readUInt32BE(8) - 2_208_988_800, 1_700_000_000);
  assert.equal(packet.readUInt32BE(12), 2 ** 31);
  assert.deepEqual([packet.readUInt32BE(16), packet.readUInt32BE(20), packet.readUInt32BE(24)], [4000, 25, 4000]);
  assert.equal(packet.readUInt32BE(28), 0xabcd);
  // 4 of 5 arrived: 1/5 of 256, one lost, sequence 2 after one cycle.
  assert.equal(packet[32], 51);
  assert.equal(packet.readIntBE(33, 3), 1);
  assert.equal(packet.readUInt32BE(36), 65536 + 2);
  assert.equal(packet.readUInt32BE(44), 0x11223344);
  assert.equal(packet.readUInt32BE(48), 1.5 * 65536);
  assert.deepEqual([packet[52], packet[53]], [0x81, 202]);
  assert.equal(packet.toString('utf8', 62, 68), 'call-7');
  assert.equal(packet.length % 4, 0);
  assert.deepEqual([packet.at(-8), packet.at(-7)], [0x81, 203]);
  const summary = parseRtcp(packet, 0xabcd);
  assert.deepEqual(summary, {
    ssrc: 0x01020304,
    senderReport: ((1_700_000_000 + 2_208_988_800) % 65536) * 65536 + 0x8000,
    ours: { fractionLost: 51, cumulativeLost: 1, jitter: packet.readUInt32BE(40) },
    bye: true,
  });
});

test('a participant that has not sent makes a receiver report; without a source it has no block', () => {
  const packet = buildRtcp({ ssrc: 9, cname: 'x', sender: null, reception: null, bye: false });
  assert.deepEqual([packet[0], packet[1]], [0x80, 201]);
  assert.deepEqual(parseRtcp(packet, 1), { ssrc: 9, senderReport: null, ours: null, bye: false });
});

test('loss and jitter are those of the stream, also across duplicates, reordering and restarts', () => {
  const stats = new ReceptionStats(8000);
  let nowMs = 0;
  for (let sequence = 0; sequence < 1000; sequence++) {
    nowMs += 20;
    if (sequence % 10 === 3) continue;
    // Alternately 0 and 8 ms late: the mean deviation between neighbours is 8 ms.
    stats.receive(sequence, sequence * 160, nowMs + (sequence % 2) * 8);
    if (sequence % 50 === 0) stats.receive(sequence, sequence * 160, nowMs);
  }
  assert.equal(stats.expected, 1000);
  assert.equal(stats.received, 900 + 20);
  assert.equal(stats.lost, 80);
  assert.ok(stats.jitterMs > 5 && stats.jitterMs < 9, `${stats.jitterMs} ms`);
  // One packet of another stream is ignored; two in sequence are a restart.
  stats.receive(40_000, 5, nowMs);
  assert.equal(stats.received, 920);
  stats.receive(40_001, 165, nowMs);
  stats.receive(40_002, 325, nowMs + 20);
  assert.equal(stats.received, 922);
  assert.equal(stats.expected, 1002);
});

test('on any input: no throw, and only well-formed reports are used', () => {
  const random = seededRandom(8);
  const valid = buildRtcp({ ssrc: 7, cname: 'peer', sender, reception: null, bye: true });
  assert.equal(parseRtcp(Buffer.alloc(0), 1), null);
  assert.equal(parseRtcp(valid.subarray(0, 20), 1), null);
  for (let i = 0; i < 50_000; i++) {
    const bytes = random() < 0.5 ? Buffer.from(valid) : Buffer.alloc(Math.floor(random() * 200));
    if (bytes.length === 0) continue;
    for (let flips = 0; flips < 6; flips++) {
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    }
    parseRtcp(bytes.subarray(0, Math.floor(random() * (bytes.length + 1))), 7);
  }
});
