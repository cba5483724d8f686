// Packets on a simulated network, through jitter buffer and call to the recogniser: what is late must still be heard,
// and the call's clock must not notice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../../bench/rig/clock.ts';
import { CallAudio } from '../../../../engine/shard/call-audio.ts';
import { seededRandom } from '../../../../engine/test-runs/caller/seeded-random.ts';
import type { AudioTransport, TransportStats } from '../../../../media/audio-transport.ts';
import { joinSamples } from '../../../../media/frame.ts';
import { SampleRing } from '../../../../media/ring.ts';
import { type FrameKind, JitterBuffer, type LateArrivals } from '../../../../media/rtp/jitter-buffer.ts';

const PACKET = 160;

/** Only the receiving half of RTP: packets go straight into the jitter buffer. */
class PacketTransport implements AudioTransport {
  readonly sampleRateHz = 8000;
  readonly lastLifeMs = 0;
  readonly held = false;
  readonly buffer = new JitterBuffer(8000);
  get delayMs(): number {
    return this.buffer.depthMs;
  }
  get lastAudioAtMs(): number {
    return this.buffer.newestAtMs;
  }
  get missingMs(): number {
    return this.buffer.missingMs;
  }
  start(): void {}
  pull(out: Int16Array): FrameKind {
    return this.buffer.pull(out);
  }
  takeLate(): LateArrivals | null {
    return this.buffer.takeLate();
  }
  send(): void {}
  flush(): void {}
  sendDigits(): boolean {
    return false;
  }
  housekeep(): void {}
  stats(): TransportStats {
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

interface Journey {
  /** Of the packet that is sent at `index` · 20 ms; null for a lost one. */
  delayMs(index: number): number | null;
  packets: number;
  /** When the recogniser's utterance begins, and the onset that it is given. */
  beginMs?: number;
  fromMs?: number;
  /** Comfort noise in place of these packets. */
  pauses?: (index: number) => boolean;
}

/** A caller who speaks all the time (noise, so that each packet is unlike all others). */
function play({ delayMs, packets, beginMs = 100, fromMs = 100, pauses = () => false }: Journey) {
  const random = seededRandom(11);
  const sent = Int16Array.from({ length: packets * PACKET }, () => Math.round((random() - 0.5) * 16_000));
  const transport = new PacketTransport();
  const heard: Int16Array[] = [];
  const events: Array<{ atMs: number; event: 'lost' | number }> = [];
  const audio = new CallAudio(
    transport,
    {
      agentStarted: () => undefined,
      drained: () => undefined,
      utteranceAudio: (_utterance, samples) => heard.push(samples),
      lineLost: () => events.push({ atMs: audio.positionMs, event: 'lost' }),
      lineBack: (missingMs) => events.push({ atMs: audio.positionMs, event: missingMs }),
      mediaLost: () => undefined,
      failed: (error) => {
        throw error;
      },
    },
    new VirtualClock(),
  );
  audio.start(null, 0);
  const ring = new SampleRing(audio.heard.vadMemory);
  const vadFrame = new Int16Array(PACKET);
  let vadSamples = 0;
  const arrivals = Array.from({ length: packets }, (_, index) => ({ index, delay: delayMs(index) }))
    .flatMap(({ index, delay }) => (delay === null ? [] : [{ index, atMs: (index + 1) * 20 + delay }]))
    .sort((a, b) => a.atMs - b.atMs || a.index - b.index);
  for (let nowMs = 20; nowMs <= packets * 20 + 400; nowMs += 20) {
    while (arrivals[0] && arrivals[0].atMs <= nowMs) {
      const { index, atMs } = arrivals.shift() ?? { index: 0, atMs: 0 };
      const timestamp = 5000 + index * PACKET;
      const packet = sent.subarray(index * PACKET, (index + 1) * PACKET);
      if (pauses(index)) transport.buffer.pause(timestamp);
      else transport.buffer.push(packet, PACKET, timestamp, false, atMs);
    }
    audio.send(nowMs, 0);
    audio.hear(nowMs);
    assert.equal(audio.positionMs, nowMs);
    while (ring.read(vadFrame)) vadSamples += vadFrame.length;
    assert.equal(vadSamples, nowMs * 8, 'every frame reaches the VAD once');
    if (nowMs === beginMs) audio.heard.beginUtterance(1, fromMs);
  }
  audio.heard.endUtterance(1);
  // The end of all packets looks like a stall, too.
  const line = events.filter(({ atMs }) => atMs <= packets * 20).map(({ event }) => event);
  return { line, ...found(sent, joinSamples(heard)) };
}

/**
 * Which packets were heard, in order. Where one follows a concealed gap its first 4 ms are blended, so the rest
 * decides.
 */
function found(sent: Int16Array, heard: Int16Array): { missed: number[]; heardMs: number } {
  const places = new Map<number, number[]>();
  heard.forEach((sample, at) => {
    if (sample === 0) return;
    const before = places.get(sample);
    if (before) before.push(at);
    else places.set(sample, [at]);
  });
  const missed: number[] = [];
  let after = 0;
  for (let packet = 0; (packet + 1) * PACKET <= sent.length; packet++) {
    const tail = sent.subarray(packet * PACKET + 40, (packet + 1) * PACKET);
    const at = (places.get(tail[0] ?? 0) ?? []).find(
      (place) => place >= after && tail.every((sample, n) => heard[place + n] === sample),
    );
    if (at === undefined) missed.push(packet);
    else after = at + tail.length;
  }
  return { missed, heardMs: heard.length / 8 };
}

for (const [name, delayMs, missingMs] of [
  ['at once', (index: number) => (index >= 50 && index < 85 ? (85 - index) * 20 : 1), 700],
  ['at three times the speed', (index: number) => (index >= 50 && index < 103 ? ((103 - index) * 40) / 3 : 1), 980],
  ['after 1.6 s', (index: number) => (index >= 50 && index < 130 ? (130 - index) * 20 : 1), 1600],
] as const) {
  test(`what comes ${name} after a stall reaches the recogniser whole and in order`, () => {
    const { missed, line, heardMs } = play({ packets: 200, delayMs });
    assert.deepEqual(missed, []);
    assert.equal(line.length, 2);
    assert.equal(line[0], 'lost');
    assert.ok(Math.abs(Number(line[1]) - missingMs) <= 60, JSON.stringify(line));
    // 4.4 s were played; by what the jitter buffer stretched them, the recogniser hears less.
    assert.ok(heardMs >= 4000 && heardMs < 4300, `${heardMs} ms`);
  });
}

test('of a stall in which packets were lost, the others reach the recogniser', () => {
  const { missed } = play({
    packets: 200,
    delayMs: (index) => (index === 60 || index === 61 ? null : index >= 50 && index < 85 ? (85 - index) * 20 : 1),
  });
  assert.deepEqual(missed, [60, 61]);
});

test('5 % loss and 60 ms of jitter cost the recogniser the lost packets and no others', () => {
  const random = seededRandom(3);
  const lost = new Set<number>();
  const { missed, line } = play({
    packets: 500,
    delayMs: (index) => {
      if (random() > 0.05) return random() * 60;
      lost.add(index);
      return null;
    },
  });
  assert.ok(lost.size > 15);
  assert.deepEqual(missed, [...lost]);
  assert.deepEqual(line, []);
});

test('an utterance that began in the stall has its beginning', () => {
  const { missed } = play({
    packets: 150,
    delayMs: (index) => (index >= 50 && index < 85 ? (85 - index) * 20 : 1),
    beginMs: 1820,
    fromMs: 1760,
  });
  assert.deepEqual(
    missed,
    Array.from({ length: 50 }, (_, index) => index),
  );
});

test('nor does it lose its beginning where the burst after the stall is out of order', () => {
  const { missed } = play({
    packets: 150,
    // Every third packet comes behind the two after it.
    delayMs: (index) => (index >= 50 && index < 85 ? (85 - index) * 20 + (index % 3 === 0 ? 0.5 : 0) : 1),
    beginMs: 1820,
    fromMs: 1760,
  });
  assert.deepEqual(
    missed,
    Array.from({ length: 50 }, (_, index) => index),
  );
});

test('however the burst after a stall is shuffled and spread, every packet of it is heard', () => {
  const failing: string[] = [];
  for (let seed = 1; seed <= 40; seed++) {
    const random = seededRandom(seed);
    const spreadMs = 5 + random() * 40;
    const { missed } = play({
      packets: 150,
      delayMs: (index) => (index >= 50 && index < 85 ? (85 - index) * 20 + random() * spreadMs : 1),
      beginMs: 1840,
      fromMs: 1760,
    });
    const lost = missed.filter((packet) => packet >= 50);
    if (lost.length > 0) failing.push(`seed ${seed}, spread over ${Math.round(spreadMs)} ms: ${lost}`);
  }
  assert.deepEqual(failing, []);
});

test('a pause of the sender is no loss, and a line that stays away is given up after 2 s', () => {
  const noise = play({
    packets: 300,
    delayMs: (index) => (index > 100 && index < 200 ? null : 1),
    pauses: (n) => n === 100,
  });
  assert.deepEqual(noise.line, []);
  const gone = play({ packets: 300, delayMs: (index) => (index < 100 ? 1 : null) });
  assert.deepEqual(gone.line, ['lost', 2000]);
  // The recogniser is not kept waiting for what will not come.
  assert.ok(gone.heardMs > 5500, `${gone.heardMs} ms`);
});
