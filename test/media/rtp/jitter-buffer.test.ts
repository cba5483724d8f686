import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import { joinSamples, rms } from '../../../media/frame.ts';
import { type FrameKind, JitterBuffer } from '../../../media/rtp/jitter-buffer.ts';
import { shareAt, signalToErrorDb, tone } from '../signals.ts';

/** A network on a virtual clock: packets arrive as scheduled, the buffer is pulled every 20 ms. */
class Line {
  readonly buffer = new JitterBuffer(8000);
  readonly heard: Int16Array[] = [];
  readonly kinds: FrameKind[] = [];
  readonly #arrivals: Array<{ atMs: number; order: number; deliver: (nowMs: number) => void }> = [];
  #order = 0;

  /** `samples` sent as packets of `ptimeMs` from `startMs` on; `delayMs` of each, null for a lost one. */
  stream(samples: Int16Array, options: StreamOptions = {}): void {
    const { startMs = 0, ptimeMs = 20, firstTimestamp = 7000, delayMs = () => 1, marker = () => false } = options;
    const size = ptimeMs * 8;
    for (let index = 0; index * size < samples.length; index++) {
      const sentMs = startMs + (index + 1) * ptimeMs;
      const late = delayMs(index);
      if (late === null) continue;
      const packet = samples.slice(index * size, index * size + size);
      const timestamp = (firstTimestamp + index * size) >>> 0;
      this.at(sentMs + late, (nowMs) => this.buffer.push(packet, packet.length, timestamp, marker(index), nowMs));
    }
  }

  at(atMs: number, deliver: (nowMs: number) => void): void {
    this.#arrivals.push({ atMs, order: this.#order++, deliver });
  }

  run(untilMs: number): void {
    this.#arrivals.sort((a, b) => a.atMs - b.atMs || a.order - b.order);
    for (let nowMs = this.heard.length * 20 + 20; nowMs <= untilMs; nowMs += 20) {
      while (this.#arrivals[0] && this.#arrivals[0].atMs <= nowMs) this.#arrivals.shift()?.deliver(nowMs);
      const out = new Int16Array(160);
      this.kinds.push(this.buffer.pull(out));
      this.heard.push(out);
    }
  }

  get all(): Int16Array {
    return joinSamples(this.heard);
  }

  /** Frames of `kind` among those pulled before `beforeMs`. */
  count(kind: FrameKind, beforeMs = Number.POSITIVE_INFINITY): number {
    return this.kinds.filter((one, index) => one === kind && index * 20 + 20 <= beforeMs).length;
  }
}

interface StreamOptions {
  startMs?: number;
  ptimeMs?: number;
  firstTimestamp?: number;
  delayMs?: (index: number) => number | null;
  marker?: (index: number) => boolean;
}

/** A sweep in which each sample encodes its position. */
function sweep(durationMs: number): Int16Array {
  return Int16Array.from({ length: durationMs * 8 }, (_, i) =>
    Math.round(12000 * Math.sin((2 * Math.PI * (200 + (i / (durationMs * 8)) * 1400) * i) / 8000)),
  );
}

/** Position of `part` in `whole` (first exact match of 400 samples), or -1. */
function find(whole: Int16Array, part: Int16Array): number {
  outer: for (let at = 0; at + part.length <= whole.length; at++) {
    for (let i = 0; i < part.length; i++) if (whole[at + i] !== part[i]) continue outer;
    return at;
  }
  return -1;
}

for (const ptimeMs of [10, 20, 30, 60]) {
  test(`an undisturbed stream of ${ptimeMs} ms packets passes bit for bit`, () => {
    const line = new Line();
    const sent = sweep(3000);
    line.stream(sent, { ptimeMs, delayMs: () => 3 });
    line.run(3300);
    const at = find(line.all, sent.subarray(0, 400));
    // One packet, plus the wait for the pacer's next turn.
    assert.ok(at >= 0 && at <= (ptimeMs + 20) * 8, `begins at ${at}`);
    assert.ok(signalToErrorDb(sent, line.all.subarray(at, at + sent.length)) > 90);
    assert.equal(line.buffer.stats.latePackets, 0);
  });
}

test('the minimum is one packet: without jitter nothing waits longer than the next turn', () => {
  const line = new Line();
  line.stream(sweep(2000), { delayMs: () => 5 });
  line.run(2000);
  assert.equal(line.kinds[1], 'audio');
  assert.ok(line.buffer.depthMs <= 20);
});

test('reordered and duplicate packets are corrected', () => {
  const random = seededRandom(3);
  const sent = sweep(4000);
  const line = new Line();
  // Every third packet comes 30 ms late: after its successor.
  line.stream(sent, { delayMs: (index) => (index % 3 === 2 ? 31 : 1) });
  line.stream(sent, { delayMs: () => (random() < 0.5 ? 5 : null) });
  line.run(4300);
  const steady = sent.subarray(8000, 8400);
  const at = find(line.all, steady);
  assert.ok(at > 0);
  assert.ok(signalToErrorDb(sent.subarray(8000), line.all.subarray(at, at + sent.length - 8000)) > 90);
  assert.ok(line.buffer.stats.duplicatePackets > 20);
});

test('jitter makes the buffer as deep as needed, then nothing is missing; calm makes it shallow again', () => {
  const random = seededRandom(11);
  const line = new Line();
  const sent = tone(440, 8000, 40_000);
  line.stream(sent, { delayMs: (index) => (index < 500 ? random() * 55 : 2) });
  line.run(10_000);
  const jittery = line.kinds.slice(100, 500).filter((kind) => kind !== 'audio').length;
  assert.ok(jittery <= 8, `${jittery} of 400 frames were not there in time`);
  const deep = line.buffer.depthMs;
  line.run(40_000);
  assert.ok(line.buffer.depthMs < deep && line.buffer.depthMs <= 20, `${deep} ms deep, then ${line.buffer.depthMs}`);
  assert.ok(line.kinds.slice(600, 1990).every((kind) => kind === 'audio'));
});

test('20 % loss: every frame comes in its turn, the tone is preserved', () => {
  const random = seededRandom(20);
  const line = new Line();
  const sent = tone(400, 8000, 20_000);
  let lost = 0;
  line.stream(sent, {
    delayMs: () => {
      if (random() < 0.2) {
        lost++;
        return null;
      }
      return random() * 10;
    },
  });
  line.run(20_000);
  assert.equal(line.heard.length, 1000);
  assert.ok(lost > 150);
  assert.ok(line.count('concealed') >= lost * 0.9 && line.count('concealed') <= lost + 5);
  const steady = line.all.subarray(8000, -8000);
  assert.ok(shareAt(steady, 400, 8000) > 0.9, `share ${shareAt(steady, 400, 8000)}`);
  // No shift: received audio is where it would be without loss.
  const late = sent.subarray(sent.length - 1600);
  assert.ok(rms(late) > 1000);
});

test('a lost packet is concealed, and what follows keeps its position', () => {
  const sent = sweep(3000);
  const line = new Line();
  line.stream(sent, { delayMs: (index) => (index === 50 ? null : 1) });
  line.run(3200);
  const begin = find(line.all, sent.subarray(0, 400));
  const end = find(line.all, sent.subarray(20_000, 20_400));
  assert.equal(end - begin, 20_000);
  const hole = line.all.subarray(begin + 50 * 160, begin + 51 * 160);
  assert.ok(rms(hole) > 0.5 * rms(sent.subarray(49 * 160, 50 * 160)));
  assert.equal(line.count('concealed', 3000), 1);
});

test('a pause before a marker is silence of exactly its length, even if the packets arrive at once', () => {
  for (const gapMs of [40, 100, 200]) {
    const line = new Line();
    const first = sweep(1000);
    const second = sweep(1000);
    line.stream(first, { delayMs: () => 45 });
    line.stream(second, {
      startMs: 1000,
      firstTimestamp: 7000 + 8000 + gapMs * 8,
      marker: (index) => index === 0,
      delayMs: () => 45,
    });
    line.run(2600);
    const all = line.all;
    const begin = find(all, first.subarray(0, 400));
    const resumed = find(all.subarray(begin + 8000), second.subarray(0, 400)) + begin + 8000;
    assert.equal(resumed - begin, 8000 + gapMs * 8);
    assert.ok(all.subarray(begin + 8000, resumed).every((sample) => sample === 0));
    assert.equal(line.count('concealed', 2000 + gapMs), 0);
  }
});

test('a pause that began with comfort noise is silence, never concealed, never a shift', () => {
  const line = new Line();
  const first = sweep(1000);
  const second = sweep(1000);
  line.stream(first);
  line.at(1010, () => line.buffer.pause(7000 + 8000));
  line.stream(second, { startMs: 3000, firstTimestamp: 7000 + 24_000, marker: (index) => index === 0 });
  line.run(4100);
  const all = line.all;
  const begin = find(all, first.subarray(0, 400));
  const resumed = find(all.subarray(begin + 8000), second.subarray(0, 400)) + begin + 8000;
  assert.equal(resumed - begin, 24_000);
  assert.ok(all.subarray(begin + 8000, resumed).every((sample) => sample === 0));
  assert.equal(line.count('concealed', 4000), 0);
});

for (const jump of [1_000_000, -1_000_000, 0x80000000, 9000]) {
  test(`a time stamp that jumps by ${jump} costs at most two packets, and the stream goes on`, () => {
    const line = new Line();
    const first = sweep(1000);
    const second = sweep(2000);
    line.stream(first);
    line.stream(second, { startMs: 1000, firstTimestamp: (7000 + 8000 + jump) >>> 0 });
    line.run(3200);
    const at = find(line.all, second.subarray(800, 1200));
    assert.ok(at >= 0);
    // Its position without the jump, within two packets.
    assert.ok(Math.abs(at - (8000 + 800 + 160)) <= 480, `lies at ${at}`);
    assert.ok(line.kinds.slice(55, 145).every((kind) => kind === 'audio'));
  });
}

test('one stray time stamp moves nothing', () => {
  const line = new Line();
  const sent = sweep(3000);
  line.stream(sent);
  const stray = new Int16Array(160).fill(9999);
  for (const [atMs, timestamp] of [
    [500, 99],
    [900, 0xfffffff0],
    [1300, 7000 + 200_000],
  ] as const) {
    line.at(atMs, (nowMs) => line.buffer.push(stray, 160, timestamp, false, nowMs));
  }
  line.run(3200);
  const begin = find(line.all, sent.subarray(0, 400));
  assert.ok(signalToErrorDb(sent, line.all.subarray(begin, begin + sent.length)) > 90);
});

test('a stall of the network ends without a second of old speech: the delay stays bounded', () => {
  const line = new Line();
  // Packets 50-89 all arrive at the time of number 90.
  line.stream(sweep(6000), { delayMs: (index) => (index >= 50 && index < 90 ? (90 - index) * 20 : 1) });
  line.run(2200);
  assert.ok(line.buffer.depthMs <= 140, `${line.buffer.depthMs} ms`);
  line.run(5900);
  assert.ok(line.buffer.depthMs <= 100, `${line.buffer.depthMs} ms`);
  assert.ok(line.kinds.slice(110, 290).filter((kind) => kind !== 'audio').length <= 3);
});

test('after a stall the delay is given back in pauses of the caller, not within words', () => {
  const line = new Line();
  const random = seededRandom(4);
  // 0.4 s of voice, 0.2 s of quiet, in turn.
  const sent = Int16Array.from({ length: 6000 * 8 }, (_, n) => (random() - 0.5) * (n % 4800 < 3200 ? 16_000 : 100));
  line.stream(sent, { delayMs: (index) => (index >= 50 && index < 56 ? (56 - index) * 20 : 1) });
  line.run(1300);
  assert.ok(line.buffer.depthMs >= 100, `${line.buffer.depthMs} ms`);
  line.run(6200);
  for (let at = 1200 * 8; at + 3200 <= sent.length; at += 4800) {
    assert.ok(find(line.all, sent.subarray(at, at + 3200)) >= 0, `the voice from ${at / 8} ms on is whole`);
  }
  const last = find(line.all, sent.subarray(5400 * 8, 5700 * 8));
  assert.ok(last - 5400 * 8 <= 60 * 8, `${(last - 5400 * 8) / 8} ms late`);
});

test('missing time is what the sender did not announce', () => {
  const line = new Line();
  const missingAt: number[] = [];
  line.stream(sweep(1000), { delayMs: (index) => (index >= 20 && index < 30 ? null : 1) });
  for (const atMs of [390, 500, 590, 700]) line.at(atMs, () => missingAt.push(line.buffer.missingMs));
  line.at(1010, () => line.buffer.pause(7000 + 8000));
  for (const atMs of [1200, 2000]) line.at(atMs, () => missingAt.push(line.buffer.missingMs));
  line.run(2100);
  assert.deepEqual(missingAt, [0, 60, 160, 0, 0, 0]);
});

test('a sender that marks its pauses, without comfort noise, is soon not taken for missing', () => {
  const line = new Line();
  const missingAt: number[] = [];
  for (const spurt of [0, 1, 2, 3]) {
    const startMs = spurt * 1000;
    line.stream(sweep(500), { startMs, firstTimestamp: 7000 + spurt * 8000, marker: (index) => index === 0 });
    line.at(startMs + 800, () => missingAt.push(line.buffer.missingMs));
  }
  line.run(4000);
  assert.ok((missingAt[0] ?? 0) > 200, 'at first nobody can tell');
  assert.deepEqual(missingAt.slice(2), [0, 0]);
});

test('a permanently slower path is followed', () => {
  const line = new Line();
  line.stream(sweep(6000), { delayMs: (index) => (index < 100 ? 1 : 501) });
  line.run(6000);
  assert.ok(line.kinds.slice(140, 295).filter((kind) => kind !== 'audio').length <= 2);
});

test('a sender whose clock is wrong by 0.05 % is followed for ten minutes', () => {
  for (const drift of [1.0005, 0.9995]) {
    const buffer = new JitterBuffer(8000);
    const packet = tone(300, 8000, 20);
    const out = new Int16Array(160);
    let sent = 0;
    let missing = 0;
    for (let turn = 1; turn <= 30_000; turn++) {
      const nowMs = turn * 20;
      for (; (sent + 1) * 20 * drift <= nowMs; sent++) buffer.push(packet, 160, sent * 160, false, nowMs);
      if (buffer.pull(out) !== 'audio') missing++;
      assert.ok(buffer.depthMs <= 120);
    }
    // 600 s · 0.05 % are 15 packets.
    assert.ok(missing <= 35, `${missing} frames without audio at ${drift}`);
  }
});

test('random packets never break it: each pull gives a frame', () => {
  const random = seededRandom(99);
  const buffer = new JitterBuffer(8000);
  const samples = tone(500, 8000, 200);
  const out = new Int16Array(160);
  let base = 0;
  for (let i = 0; i < 200_000; i++) {
    const dice = random();
    if (dice < 0.4) base = (base + 160) >>> 0;
    else if (dice < 0.41) base = Math.floor(random() * 2 ** 32);
    const timestamp = (base + Math.floor((random() - 0.5) * 2 ** (random() * 31))) >>> 0;
    if (dice > 0.98) buffer.pause(timestamp);
    else buffer.push(samples, Math.floor(random() * 1700), timestamp, random() < 0.1, i);
    if (random() < 0.5) buffer.pull(out);
    if (random() < 0.001) buffer.reset();
    assert.ok(buffer.depthMs <= 450);
  }
});

test('before the first packet there is silence, not counted as loss', () => {
  const line = new Line();
  line.run(200);
  assert.equal(line.count('idle'), 10);
  assert.ok(line.all.every((sample) => sample === 0));
  assert.equal(line.buffer.stats.concealedFrames, 0);
});
