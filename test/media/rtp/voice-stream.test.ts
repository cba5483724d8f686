import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VoiceCodecName } from '../../../db/domain/trunk-defaults.ts';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import { JitterBuffer } from '../../../media/rtp/jitter-buffer.ts';
import { emptyRtpHeader } from '../../../media/rtp/packet.ts';
import { CODEC_RATES, type VoiceCodec } from '../../../media/rtp/voice-codec.ts';
import { VoiceReceiver } from '../../../media/rtp/voice-stream.ts';

/** Each packet holds 20 ms of the number in its first byte. */
function numbered(name: VoiceCodecName): VoiceCodec {
  const samples = CODEC_RATES[name].sampleRateHz / 50;
  return {
    name,
    order: 'ascending',
    encode: () => 0,
    decode(datagram, offset, _bytes, out) {
      out.fill(datagram[offset] as number, 0, samples);
      return samples;
    },
    recover: null,
    close() {},
  };
}

test('time stamps of any beginning and clock, over their wrap too, are samples without gap or overlap', () => {
  const random = seededRandom(5);
  for (const name of ['PCMU', 'G722', 'OPUS'] as const) {
    const { sampleRateHz, clockRateHz } = CODEC_RATES[name];
    for (let run = 0; run < 200; run++) {
      const nearWrap = run % 2 === 0 ? 2 ** 32 - Math.floor(random() * 20_000) : Math.floor(random() * 2 ** 32);
      const receiver = new VoiceReceiver(numbered(name), 96, sampleRateHz);
      const jitter = new JitterBuffer(sampleRateHz);
      const frame = new Int16Array(sampleRateHz / 50);
      for (let n = 0; n < 30; n++) {
        const timestamp = (nearWrap + (n * clockRateHz) / 50) >>> 0;
        const header = { ...emptyRtpHeader(), sequence: n, timestamp, payloadBytes: 1 };
        receiver.receive(Buffer.from([n + 1]), header, jitter, n * 20);
        assert.equal(jitter.pull(frame), 'audio');
        assert.ok(
          frame.every((sample) => sample === n + 1),
          `${name} from ${nearWrap}, packet ${n}`,
        );
      }
      assert.deepEqual(jitter.stats, { concealedFrames: 0, latePackets: 0, duplicatePackets: 0 });
    }
  }
});

test('a sender without packets in its pauses, and without marks, is silent from the first on; lost packets are not', () => {
  // After a pause of so many ms, the missing time in the next one.
  const missingAfter = (pauseMs: number, lost: number): number => {
    const receiver = new VoiceReceiver(numbered('PCMU'), 0, 8_000);
    const jitter = new JitterBuffer(8_000);
    const frame = new Int16Array(160);
    let sequence = 65_530;
    let nowMs = 0;
    const speak = (frames: number): void => {
      for (let n = 0; n < frames; n++, nowMs += 20) {
        const header = { ...emptyRtpHeader(), sequence: sequence++ & 0xffff, timestamp: nowMs * 8, payloadBytes: 1 };
        receiver.receive(Buffer.from([1]), header, jitter, nowMs);
        jitter.pull(frame);
      }
    };
    const wait = (forMs: number): void => {
      for (const untilMs = nowMs + forMs; nowMs < untilMs; nowMs += 20) jitter.pull(frame);
    };
    speak(25);
    wait(pauseMs);
    sequence += lost;
    speak(25);
    wait(600);
    return jitter.missingMs;
  };
  assert.equal(missingAfter(800, 0), 0);
  assert.ok(missingAfter(800, 40) > 200, 'the network has lost them');
  assert.ok(missingAfter(30_000, 0) > 200, 'the end of a hold');
});
