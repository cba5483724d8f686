// The four codecs on real sockets: two transports talk to each other, frame by frame, without a clock.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VoiceCodecName } from '../../../db/domain/trunk-defaults.ts';
import { renderSpeech, resampleWhole } from '../../../engine/test-runs/caller/speech.ts';
import { joinSamples } from '../../../media/frame.ts';
import { OpusCodec } from '../../../media/opus.ts';
import { emptyRtpHeader, parseRtp } from '../../../media/rtp/packet.ts';
import type { RtpAudio } from '../../../media/rtp/rtp-transport.ts';
import type { RtpStream } from '../../../media/rtp/stream.ts';
import { negotiatedAudio } from '../../support/sip/negotiated-audio.ts';
import { shareAt, tone } from '../signals.ts';
import { until, useRtp } from './sockets.ts';

const { openTransport, openPeer } = useRtp();

const PAYLOAD_TYPES: Record<VoiceCodecName, number> = { PCMU: 0, PCMA: 8, G722: 9, OPUS: 111 };

const audio = (remotePort: number, codec: VoiceCodecName): RtpAudio =>
  negotiatedAudio({
    remotePort,
    remoteRtcpPort: 0,
    codec,
    payloadType: PAYLOAD_TYPES[codec],
    ...(codec === 'OPUS' ? { telephoneEventClockHz: 48_000 } : {}),
  });

/** Resolves when libopus is loaded, and what waited for it is done. */
async function opened(): Promise<void> {
  (await OpusCodec.open()).close();
  await new Promise((resolve) => setImmediate(resolve));
}

async function pair(codec: VoiceCodecName) {
  const [caller, agent] = [await openTransport(), await openTransport()];
  caller.transport.connect(audio(agent.port, codec));
  agent.transport.connect(audio(caller.port, codec));
  await opened();
  caller.transport.start();
  agent.transport.start();
  return { caller, agent };
}

type Side = Awaited<ReturnType<typeof openTransport>>;

/** Sends `signal` from one to the other. @returns what was heard */
async function talk(from: Side, to: Side, signal: Int16Array): Promise<Int16Array> {
  const [sent, heard] = [from.transport.sampleRateHz / 50, to.transport.sampleRateHz / 50];
  const frames: Int16Array[] = [];
  for (let at = 0; at + sent <= signal.length; at += sent) {
    const before = to.transport.stats().packetsReceived;
    from.transport.send(signal.subarray(at, at + sent), 0);
    await until(() => to.transport.stats().packetsReceived > before);
    const frame = new Int16Array(heard);
    to.transport.pull(frame);
    frames.push(frame);
  }
  return joinSamples(frames);
}

describe('a call', () => {
  const RATES = { PCMU: 8_000, PCMA: 8_000, G722: 16_000, OPUS: 16_000 } as const;
  for (const codec of ['PCMU', 'PCMA', 'G722', 'OPUS'] as const) {
    test(`by ${codec} has ${RATES[codec]} samples a second, and what is said is heard`, async () => {
      const { caller, agent } = await pair(codec);
      assert.equal(caller.transport.sampleRateHz, RATES[codec]);
      const frequencyHz = RATES[codec] === 16_000 ? 5_000 : 1_000;
      const heard = await talk(caller, agent, tone(frequencyHz, RATES[codec], 400));
      assert.ok(shareAt(heard.subarray(heard.length / 2), frequencyHz, RATES[codec]) > 0.9);
      assert.equal(agent.transport.stats().packetsConcealed, 0);
    });

    test(`by ${codec} carries digits`, async () => {
      const { caller, agent } = await pair(codec);
      assert.ok(caller.transport.sendDigits('4#'));
      await talk(caller, agent, new Int16Array((RATES[codec] * 600) / 1_000));
      assert.deepEqual(agent.digits, ['4', '#']);
      assert.ok(agent.transport.stats().packetsConcealed === 0, 'a digit is no loss');
    });
  }

  test('goes on elsewhere in the middle of a key: it is heard once, and so is the next one', async () => {
    const { caller, agent } = await pair('PCMU');
    caller.transport.sendDigits('4');
    await talk(caller, agent, new Int16Array(3 * 160));
    assert.deepEqual(agent.digits, ['4']);
    const stream = JSON.parse(JSON.stringify(agent.transport.stream)) as RtpStream;
    const next = await openTransport({ resume: stream, isSettled: true });
    next.transport.connect(audio(caller.port, 'PCMU'));
    next.transport.start();
    caller.transport.connect(audio(next.port, 'PCMU'));
    await talk(caller, next, new Int16Array(12 * 160));
    assert.deepEqual(next.digits, []);
    caller.transport.sendDigits('4');
    await talk(caller, next, new Int16Array(12 * 160));
    assert.deepEqual(next.digits, ['4']);
    assert.notDeepEqual(next.transport.stream.lastKey, stream.lastKey);
  });

  test('changes from G.722 to PCMU to Opus at the rate that it began with', async () => {
    const { caller, agent } = await pair('G722');
    const said = tone(1_000, 16_000, 400);
    for (const codec of ['PCMU', 'OPUS', 'G722'] as const) {
      caller.transport.connect(audio(agent.port, codec));
      agent.transport.connect(audio(caller.port, codec));
      await opened();
      const heard = await talk(caller, agent, said);
      assert.equal(agent.transport.sampleRateHz, 16_000);
      assert.ok(shareAt(heard.subarray(heard.length / 2), 1_000, 16_000) > 0.9, codec);
    }
  });

  test('hears the earlier codec until the peer has changed', async () => {
    const { caller, agent } = await pair('G722');
    agent.transport.connect(audio(caller.port, 'PCMU'));
    const heard = await talk(caller, agent, tone(1_000, 16_000, 400));
    assert.ok(shareAt(heard.subarray(heard.length / 2), 1_000, 16_000) > 0.9);
  });

  test('that rang by one codec and is answered with another has the rate of the second', async () => {
    const [caller, agent] = [await openTransport(), await openTransport()];
    for (const codec of ['PCMU', 'G722'] as const) {
      caller.transport.connect(audio(agent.port, codec));
      agent.transport.connect(audio(caller.port, codec));
      await talk(caller, agent, tone(700, caller.transport.sampleRateHz, 100));
    }
    caller.transport.start();
    agent.transport.start();
    assert.equal(agent.transport.sampleRateHz, 16_000);
    const heard = await talk(caller, agent, tone(5_000, 16_000, 400));
    assert.ok(shareAt(heard.subarray(heard.length / 2), 5_000, 16_000) > 0.9);
  });

  test('that another shard has begun keeps its rate', async () => {
    const [caller, agent] = [await openTransport({ sampleRateHz: 16_000, isSettled: true }), await openTransport()];
    caller.transport.connect(audio(agent.port, 'PCMU'));
    agent.transport.connect(audio(caller.port, 'PCMU'));
    assert.equal(caller.transport.sampleRateHz, 16_000);
    const heard = await talk(caller, agent, tone(1_000, 16_000, 400));
    assert.ok(shareAt(heard.subarray(heard.length / 2), 1_000, 8_000) > 0.9);
  });
});

test('a packet that comes twice, or is overtaken, does not disturb what follows', async () => {
  for (const codec of ['G722', 'OPUS'] as const) {
    const { caller } = await pair(codec);
    const peer = await openPeer();
    caller.transport.connect(audio(peer.port, codec));
    const said = tone(1_000, 16_000, 400);
    for (let at = 0; at < said.length; at += 320) {
      caller.transport.send(said.subarray(at, at + 320), 0);
      await until(() => peer.got.length === at / 320 + 1);
    }
    const heardOf = async (order: readonly number[]): Promise<Int16Array> => {
      const { transport, port } = await openTransport();
      transport.connect(audio(peer.port, codec));
      await opened();
      transport.start();
      for (const [count, index] of order.entries()) {
        peer.send(peer.got[index] ?? assert.fail(), port, '127.0.0.1');
        await until(() => transport.stats().packetsReceived === count + 1);
      }
      const frames = Array.from({ length: 10 }, () => new Int16Array(320));
      for (const frame of frames) transport.pull(frame);
      return joinSamples(frames);
    };
    const inOrder = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    assert.deepEqual(await heardOf(inOrder.flatMap((n) => [n, n])), await heardOf(inOrder), `${codec}, twice`);
    const swapped = await heardOf([0, 1, 2, 4, 3, 5, 6, 7, 8, 9]);
    assert.ok(shareAt(swapped.subarray(6 * 320), 1_000, 16_000) > 0.9, `${codec}, overtaken`);
  }
});

test('time stamps: G.722 counts 160 a packet, Opus 960, the events beside it as well', async () => {
  for (const [codec, units] of [
    ['G722', 160],
    ['OPUS', 960],
  ] as const) {
    const { transport } = await openTransport();
    const peer = await openPeer();
    transport.connect(audio(peer.port, codec));
    await opened();
    transport.start();
    const frame = tone(400, 16_000, 20);
    for (let n = 0; n < 3; n++) transport.send(frame, 0);
    transport.sendDigits('5');
    for (let n = 0; n < 3; n++) transport.send(frame, 0);
    await until(() => peer.got.length === 6).catch(() => assert.fail(`${codec}: ${peer.got.length} packets`));
    const header = emptyRtpHeader();
    const stamps = peer.got.map((datagram) => {
      assert.ok(parseRtp(datagram, header));
      return { type: header.payloadType, at: header.timestamp, duration: datagram.readUInt16BE(14) };
    });
    const [first = 0] = stamps.map(({ at }) => at);
    assert.deepEqual(
      stamps.map(({ type, at }) => [type, (at - first) / units]),
      [0, 1, 2].map((n) => [PAYLOAD_TYPES[codec], n]).concat([3, 3, 3].map((n) => [101, n])),
    );
    assert.deepEqual(
      stamps.slice(3).map(({ duration }) => duration / units),
      [1, 2, 3],
    );
  }
});

const PACKETS = 150;
test('Opus: what one lost packet said is in the next', async () => {
  const { caller, agent } = await pair('OPUS');
  const peer = await openPeer();
  caller.transport.connect(audio(peer.port, 'OPUS'));
  // libopus keeps a second copy of speech only.
  const words = await renderSpeech(
    'I would like to know when you are open on Saturday, and what a haircut costs.',
    'flite-slt',
  );
  const said = resampleWhole(words, 8_000, 16_000).subarray(0, 320 * PACKETS);
  for (let at = 0; at < said.length; at += 320) {
    caller.transport.send(said.subarray(at, at + 320), 0);
    await until(() => peer.got.length === at / 320 + 1);
  }
  agent.transport.connect(audio(peer.port, 'OPUS'));
  const frame = new Int16Array(320);
  let played = 0;
  for (const [n, datagram] of peer.got.entries()) {
    if (n % 10 === 9) continue;
    const before = agent.transport.stats().packetsReceived;
    peer.send(datagram, agent.port, '127.0.0.1');
    await until(() => agent.transport.stats().packetsReceived > before);
    // One packet stays ahead, as on a line that has shown jitter.
    while (played < n - 1) {
      agent.transport.pull(frame);
      played++;
    }
  }
  const { packetsConcealed, packetsLost } = agent.transport.stats();
  assert.equal(packetsLost, 14);
  assert.ok(packetsConcealed <= 4, `${packetsConcealed} of 14 concealed`);
});

test('bytes that are no Opus cost a packet, not the call', async () => {
  const opus = await OpusCodec.open();
  const out = new Int16Array(1_920);
  for (const bytes of [
    [],
    [3],
    [0xff, 0xff, 0xff],
    [0x4b, 0xff, 0xff],
    Array.from({ length: 1_400 }, (_, n) => n & 0xff),
  ]) {
    assert.ok(opus.decode(Uint8Array.from(bytes), out) >= 0);
    assert.ok(opus.recover(Uint8Array.from(bytes), 320, out) >= 0);
  }
  const packet = Buffer.alloc(1_500);
  assert.ok(opus.encode(tone(400, 16_000, 20), packet, 0) > 0);
  opus.close();
});
