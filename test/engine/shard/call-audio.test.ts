import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { CallAudio, type CallAudioListener } from '../../../engine/shard/call-audio.ts';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import type { AudioTransport } from '../../../media/audio-transport.ts';
import { joinSamples } from '../../../media/frame.ts';
import { SampleRing } from '../../../media/ring.ts';
import type { LateArrivals } from '../../../media/rtp/jitter-buffer.ts';

/** A far side that counts: each caller sample is its own position in the call. */
class CountingTransport implements AudioTransport {
  readonly sampleRateHz = 8000;
  delayMs = 0;
  missingMs = 0;
  lastAudioAtMs = 0;
  late: LateArrivals | null = null;
  lastLifeMs = 0;
  held = false;
  sent: Int16Array[] = [];
  skipped = 0;
  housekeptAtMs = 0;
  #count = 0;
  start(): void {}
  pull(out: Int16Array): 'audio' {
    for (let i = 0; i < out.length; i++) out[i] = this.#count++ % 30_000;
    return 'audio';
  }
  send(samples: Int16Array, skippedFrames: number): void {
    this.sent.push(samples.slice());
    this.skipped += skippedFrames;
  }
  takeLate(): LateArrivals | null {
    const { late } = this;
    this.late = null;
    return late;
  }
  flush(): void {}
  sendDigits(): boolean {
    return false;
  }
  housekeep(_nowMs: number, wallMs: number): void {
    this.housekeptAtMs = wallMs;
  }
  stats() {
    return {
      packetsReceived: 0,
      packetsSent: 0,
      packetsLost: 0,
      packetsConcealed: 0,
      foreignPackets: 0,
      jitterMs: 0,
    };
  }
  close(): void {}
}

/** A loudspeaker beside the phone: what was sent comes back 100 ms later and 20 dB quieter. */
class LoudspeakerTransport extends CountingTransport {
  override pull(out: Int16Array): 'audio' {
    // The frame of this tick was sent before.
    const sent = this.sent.at(-6);
    for (let i = 0; i < out.length; i++) out[i] = Math.round((sent?.[i] ?? 0) / 10);
    return 'audio';
  }
}

class Told implements CallAudioListener {
  lost = 0;
  started: Array<[number, number]> = [];
  drains: number[] = [];
  line: Array<'lost' | number> = [];
  utterances = new Map<number, Int16Array[]>();
  agentStarted(epoch: number, atMs: number): void {
    this.started.push([epoch, atMs]);
  }
  drained(epoch: number): void {
    this.drains.push(epoch);
  }
  utteranceAudio(utterance: number, samples: Int16Array): void {
    this.utterances.set(utterance, [...(this.utterances.get(utterance) ?? []), samples]);
  }
  lineLost(): void {
    this.line.push('lost');
  }
  lineBack(missingMs: number): void {
    this.line.push(missingMs);
  }
  mediaLost(): void {
    this.lost++;
  }
  failed(error: unknown): void {
    throw error;
  }
}

function setUp(transport = new CountingTransport(), positionMs = 0) {
  const told = new Told();
  const clock = new VirtualClock();
  const audio = new CallAudio(transport, told, clock);
  audio.start(null, positionMs);
  let nowMs = 0;
  const run = (frames: number, missed = 0) => {
    for (let i = 0; i < frames; i++) {
      nowMs += 20 * (1 + missed);
      audio.send(nowMs, missed);
      audio.hear(nowMs);
    }
  };
  return { transport, told, audio, clock, run, now: () => nowMs };
}

test('20 s without a sign of life are reported once; not on hold, and not while the peer lives', () => {
  const { transport, told, run, now } = setUp();
  run(900);
  transport.lastLifeMs = now();
  run(900);
  assert.equal(told.lost, 0);
  transport.held = true;
  run(3000);
  assert.equal(told.lost, 0);
  transport.held = false;
  transport.lastLifeMs = now();
  run(950);
  assert.equal(told.lost, 0);
  run(100);
  assert.equal(told.lost, 1);
  run(3000);
  assert.equal(told.lost, 1);
});

test('an utterance begins a quarter second before its onset and holds every sample once', () => {
  const { told, audio, run } = setUp();
  run(50);
  audio.heard.beginUtterance(1, 700);
  run(10);
  audio.heard.endUtterance(1);
  const heard = joinSamples(told.utterances.get(1) ?? []);
  assert.deepEqual(
    heard,
    Int16Array.from({ length: (1200 - 450) * 8 }, (_, i) => 450 * 8 + i),
  );
  // The next one is so close that its lead would overlap: nothing is heard twice.
  run(5);
  audio.heard.beginUtterance(2, 1250);
  run(10);
  audio.heard.endUtterance(2);
  assert.deepEqual(
    joinSamples(told.utterances.get(2) ?? []),
    Int16Array.from({ length: (1500 - 1200) * 8 }, (_, i) => 1200 * 8 + i),
  );
  // A little later a word between both may have been too soft to be noticed: it comes along.
  run(50);
  audio.heard.beginUtterance(4, 2_350);
  run(5);
  audio.heard.endUtterance(4);
  assert.equal(joinSamples(told.utterances.get(4) ?? [])[0], 1_500 * 8);
  // Older than what is kept: starts at the oldest. A cancelled utterance gets nothing more.
  run(120);
  audio.heard.beginUtterance(3, 0);
  audio.heard.cancelUtterance(3);
  run(10);
  assert.equal(joinSamples(told.utterances.get(3) ?? []).length, 16_000);
});

test('the onset of a next word goes to the next utterance whole, though the silence before it was sent already', () => {
  const { told, audio, run } = setUp();
  run(50);
  audio.heard.beginUtterance(1, 700);
  run(10);
  audio.heard.endUtterance(1, 900);
  run(5);
  audio.heard.beginUtterance(2, 1_250);
  run(5);
  audio.heard.endUtterance(2);
  assert.equal(joinSamples(told.utterances.get(1) ?? []).at(-1), 1_200 * 8 - 1);
  assert.equal(
    joinSamples(told.utterances.get(2) ?? [])[0],
    960 * 8,
    'the voice of the first and what may end its word',
  );
});

test('missed turns are caught up for the models and the clock, and never sent', () => {
  const { transport, audio, run } = setUp();
  const ring = new SampleRing(audio.heard.vadMemory);
  run(10);
  run(1, 4);
  assert.equal(audio.positionMs, 15 * 20);
  assert.equal(transport.sent.length, 11);
  assert.equal(transport.skipped, 4);
  const out = new Int16Array(15 * 160);
  assert.ok(ring.read(out));
  assert.equal(out[14 * 160], 14 * 160);
  // A stall of many seconds does not produce a flood of frames: the clock moves on.
  run(1, 3000);
  assert.equal(audio.positionMs, (15 + 3001) * 20);
});

test('samples that a slow VAD misses shift its positions, not the call’s', () => {
  const { audio, run } = setUp();
  const ring = new SampleRing(audio.heard.vadMemory);
  const out = new Int16Array(8000);
  run(60);
  assert.ok(ring.read(out));
  const missed = (60 * 160 - 51 * 160) / 8;
  assert.equal(audio.heard.vadPositionMs(8000), 1000 + missed);
  // A new worker counts from zero again.
  audio.heard.renewVad();
  assert.equal(audio.heard.vadPositionMs(256), 60 * 20 + 32);
});

test('a judgement of the VAD is late from the tick in which its window became full', () => {
  const clock = new VirtualClock();
  const audio = new CallAudio(new CountingTransport(), new Told(), clock);
  audio.start(null, 0);
  for (let n = 0; n < 5; n++) {
    clock.advance(20);
    audio.send(clock.monotonicMs(), 0);
    audio.hear(clock.monotonicMs());
  }
  clock.advance(3);
  // 800 samples were written, so window 3 became full in the last tick and window 2 a tick earlier.
  assert.equal(audio.vadLatenessMs(768), 3);
  assert.equal(audio.vadLatenessMs(512), 23);
  assert.equal(audio.vadLatenessMs(256), 63);
});

test('while it is not listened to, nothing is written for the VAD, and its positions stay right', () => {
  const { audio, run } = setUp();
  const ring = new SampleRing(audio.heard.vadMemory);
  const out = new Int16Array(1_600);
  run(10);
  assert.ok(ring.read(out));
  audio.heard.listen(false);
  run(50);
  assert.equal(ring.available, 0);
  audio.heard.listen(true);
  run(10);
  assert.ok(ring.read(out));
  assert.equal(out[0], 60 * 160);
  assert.equal(audio.heard.vadPositionMs(3_200), 70 * 20);
});

test('our own voice on its way back is told from a voice, also in a call that another shard began', () => {
  const { audio, run } = setUp(new LoudspeakerTransport(), 60_000);
  const ring = new SampleRing(audio.heard.vadMemory);
  const window = new Int16Array(256);
  const random = seededRandom(1);
  const speech = Int16Array.from({ length: 24_000 }, (_, n) => (random() - 0.5) * 20_000 * Math.sin(n / 2_000) ** 2);
  audio.playout.queueClause({ epoch: 1, index: 0 }, 'a long answer');
  audio.playout.appendAudio({ epoch: 1, index: 0 }, speech, true);
  run(50);
  audio.playout.open(1);
  let endSample = 0;
  const judged: boolean[] = [];
  for (let frame = 0; frame < 150; frame++) {
    run(1);
    while (ring.read(window)) {
      endSample += window.length;
      if ((audio.heard.windowPower(endSample) ?? 0) > 1e-6) judged.push(audio.isEcho(endSample));
    }
  }
  assert.ok(judged.length > 60 && judged.slice(25).every((isEcho) => isEcho), JSON.stringify(judged));
  assert.ok(Math.abs((audio.lineEcho?.delayMs ?? 0) - 100) <= 1);
});

test("a reply's first sample and its end are reported with their positions", () => {
  const { told, audio, run } = setUp();
  run(5);
  audio.playout.queueClause({ epoch: 3, index: 0 }, 'hi');
  audio.watchDrain(3);
  audio.playout.open(3);
  run(2);
  assert.deepEqual(told.started, []);
  audio.playout.appendAudio({ epoch: 3, index: 0 }, new Int16Array(400).fill(1), true);
  run(2);
  assert.deepEqual(told.started, [[3, 140]]);
  assert.deepEqual(told.drains, []);
  run(3);
  assert.deepEqual(told.drains, [3]);
});

test('reports to the far side carry the wall clock’s time, not the pacer’s', () => {
  const { transport, clock, run } = setUp();
  clock.stepWall(1_700_000_000_000);
  run(25);
  assert.equal(transport.housekeptAtMs, 1_700_000_000_000);
});

test('a caller who waits hears music, but not over the agent’s words, and none once they are joined with somebody', () => {
  const { transport, audio, told, run } = setUp();
  const loudest = (frames: Int16Array[]): number =>
    Math.max(...frames.map((frame) => Math.max(...frame.map(Math.abs))));
  run(50);
  assert.equal(loudest(transport.sent), 0);
  audio.holdMusic(true);
  run(150);
  assert.ok(loudest(transport.sent.slice(50)) > 500);
  assert.deepEqual(told.started, [], 'music is no reply');
  const words = new Int16Array(8_000).fill(4_000);
  audio.playout.open(1);
  audio.playout.queueClause({ epoch: 1, index: 0 }, 'One moment.');
  audio.playout.appendAudio({ epoch: 1, index: 0 }, words, true);
  run(50);
  const spoken = transport.sent.slice(-50);
  assert.ok(
    spoken.slice(5, 45).every((frame) => frame.every((sample) => sample === 4_000)),
    'words alone',
  );
  run(20);
  assert.equal(loudest(transport.sent.slice(-15)), 0, 'a pause of the agent is no end');
  run(150);
  assert.ok(loudest(transport.sent.slice(-100)) > 500, 'and then it goes on');
  audio.bridge(setUp().audio);
  run(50);
  assert.equal(loudest(transport.sent.slice(-50)), 0);
  audio.unbridge();
  audio.holdMusic(false);
  run(100);
  assert.equal(loudest(transport.sent.slice(-100)), 0);
});
