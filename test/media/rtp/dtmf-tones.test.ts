// Keys that are heard as tones: of every telephone, over G.711, and nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeG711, encodeG711 } from '../../../media/g711.ts';
import { DtmfTones } from '../../../media/rtp/dtmf-tones.ts';
import { negotiatedAudio } from '../../support/sip/negotiated-audio.ts';
import { tone } from '../signals.ts';
import { until, useRtp } from './sockets.ts';

const LOW_HZ = [697, 770, 852, 941];
const HIGH_HZ = [1_209, 1_336, 1_477, 1_633];
const KEYS = '123A456B789C*0#D';

interface Press {
  rateHz?: number;
  toneMs?: number;
  /** Of each tone, dBm0, and how much stronger the high one is. */
  level?: number;
  twistDb?: number;
  detune?: number;
}

/** A key as a telephone sends it, between pauses. */
function pressed(key: string, press: Press = {}): Int16Array {
  const { rateHz = 8_000, toneMs = 80, level = -12, twistDb = 0, detune = 1 } = press;
  const at = KEYS.indexOf(key);
  const amplitude = (db: number) => (10 ** (db / 20) * 15_770 * Math.SQRT2) / 32_767;
  const low = tone((LOW_HZ[at >> 2] ?? 0) * detune, rateHz, toneMs, amplitude(level - twistDb / 2));
  const high = tone((HIGH_HZ[at % 4] ?? 0) * detune, rateHz, toneMs, amplitude(level + twistDb / 2));
  const pause = (rateHz * 60) / 1_000;
  const samples = new Int16Array(pause + low.length);
  for (let i = 0; i < low.length; i++) samples[pause + i] = (low[i] ?? 0) + (high[i] ?? 0);
  return samples;
}

/** By frames of 20 ms, over A-law. `from`: where the first frame begins. */
function heard(parts: readonly Int16Array[], rateHz = 8_000, from = 0): string {
  const all = Int16Array.from([...parts.flatMap((part) => [...part]), ...new Int16Array(rateHz / 10)]).subarray(from);
  const codes = new Uint8Array(all.length);
  const line = new Int16Array(all.length);
  encodeG711('pcma', all, codes);
  decodeG711('pcma', codes, 0, codes.length, line);
  const tones = new DtmfTones(rateHz);
  const frame = rateHz / 50;
  let keys = '';
  for (let at = 0; at + frame <= line.length; at += frame) keys += tones.hear(line.subarray(at, at + frame)) ?? '';
  return keys;
}

const all = (press: Press) => [...KEYS].map((key) => pressed(key, press));

test('each key is heard once: loud and faint, off pitch, twisted by the line, at 8 and 16 kHz', () => {
  const presses: Press[] = [
    {},
    { rateHz: 16_000 },
    { level: -3 },
    { level: -30 },
    { twistDb: 3 },
    { twistDb: -6 },
    { detune: 1.01 },
    { detune: 0.99 },
    { toneMs: 2_000 },
  ];
  for (const press of presses) assert.equal(heard(all(press), press.rateHz), KEYS, JSON.stringify(press));
  // The fourth column is on no telephone.
  for (const detune of [1.015, 0.985]) {
    assert.equal(heard(all({ detune })).replace(/[A-D]/g, ''), '123456789*0#');
  }
  // Wherever a key of 52 ms falls into the blocks.
  for (let from = 0; from < 160; from += 7) assert.equal(heard(all({ toneMs: 52 }), 8_000, from), KEYS);
});

test('the same key twice is two keys; one that is interrupted for 10 ms is one', () => {
  assert.equal(heard([pressed('7'), pressed('7')]), '77');
  const torn = pressed('7', { toneMs: 200 });
  torn.fill(0, 1_200, 1_280);
  assert.equal(heard([torn]), '7');
});

test('no tone of the network is a key, nor one that is too short, far off pitch, or alone', () => {
  const both = (low: number, high: number) => {
    const other = tone(high, 8_000, 1_000, 0.25);
    return tone(low, 8_000, 1_000, 0.25).map((sample, index) => sample + (other[index] ?? 0));
  };
  const tones = [both(350, 440), both(440, 480), both(480, 620), tone(425, 8_000, 1_000), tone(1_400, 8_000, 1_000)];
  assert.equal(heard(tones), '');
  assert.equal(heard([tone(697, 8_000, 1_000), tone(1_209, 8_000, 1_000)]), '');
  assert.equal(heard(all({ toneMs: 23 })), '');
  assert.equal(heard(all({ detune: 1.045 })), '');
  assert.equal(heard(all({ level: -50 })), '');
});

const { openTransport } = useRtp();

test('a call hears them where no events were agreed, until its keys come by INFO', async () => {
  for (const telephoneEventPayloadType of [null, 101]) {
    const [phone, agent] = [await openTransport(), await openTransport()];
    const agreed = (remotePort: number) =>
      negotiatedAudio({ remotePort, remoteRtcpPort: 0, codec: 'PCMU', payloadType: 0, telephoneEventPayloadType });
    phone.transport.connect(agreed(agent.port));
    agent.transport.connect(agreed(phone.port));
    phone.transport.start();
    agent.transport.start();
    const press = async (key: string) => {
      const samples = Int16Array.from([...pressed(key), ...new Int16Array(1_200)]);
      for (let at = 0; at + 160 <= samples.length; at += 160) {
        const before = agent.transport.stats().packetsReceived;
        phone.transport.send(samples.subarray(at, at + 160), 0);
        await until(() => agent.transport.stats().packetsReceived > before);
        agent.transport.pull(new Int16Array(160));
      }
    };
    await press('5');
    await press('#');
    if (telephoneEventPayloadType !== null) {
      assert.deepEqual(agent.digits, []);
      continue;
    }
    assert.deepEqual(agent.digits, ['5', '#']);
    assert.equal(agent.transport.isNewInfoDigit('#'), false, 'the same press');
    await press('8');
    assert.deepEqual(agent.digits, ['5', '#']);
    assert.equal(agent.transport.isNewInfoDigit('8'), true);
  }
});
