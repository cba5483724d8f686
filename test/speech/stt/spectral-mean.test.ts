// A decoder hears each utterance by a mean of its own: calls share decoders, and no call may hear worse for the others.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SoundswallowerStt } from '../../../models/stt/soundswallower/soundswallower.ts';
import { SpareTime } from '../../../models/stt/soundswallower/spare-time.ts';
import type { SttResult } from '../../../models/stt/stt.ts';
import { mix, noise, say } from '../../support/models/sounds.ts';

const VOCABULARY = {
  language: 'en-US',
  businessName: 'Bright Smile Dental',
  services: ['Filling'],
  questions: [],
  phrases: [],
};
const SENTENCES = [
  'what are your opening hours',
  'are you open on sunday',
  'how much is a filling',
  'where are you located',
];
/** Amplitude of a noise some 30 dB below these voices. */
const LINE_NOISE = 190;
/** A telephone that is 20 dB louder than the others. */
const LOUD_NOISE = 1_900;

let stt: SoundswallowerStt;
before(async () => {
  // However busy the machine is.
  stt = await SoundswallowerStt.create(1, new SpareTime(Number.POSITIVE_INFINITY));
});
after(() => stt.close());

async function heard(recogniser: SoundswallowerStt, audio: Int16Array): Promise<SttResult> {
  const session = await recogniser.open({ callId: 'call', sampleRateHz: 8_000, vocabulary: VOCABULARY });
  await recogniser.prepared();
  session.begin('anything');
  for (let at = 0; at < audio.length; at += 160) session.write(audio.subarray(at, at + 160));
  const result = await session.finish();
  session.close();
  return result;
}

const said = async (text: string, amplitude: number): Promise<Int16Array> =>
  mix(await say(text, { voiceId: 'flite-rms', leadMs: 250, tailMs: 400 }), noise(500, amplitude));

test('what a decoder heard in other calls changes nothing', async () => {
  const audio = await said('are you open on sunday', LINE_NOISE);
  const first = await heard(stt, audio);
  for (let call = 0; call < 4; call++) await heard(stt, await said('goodbye', LOUD_NOISE));
  const last = await heard(stt, audio);
  assert.deepEqual([first.text, last.text], ['are you open on sunday', 'are you open on sunday']);
  // The library begins its search among the sounds that it heard last.
  assert.ok(Math.abs(last.confidence - first.confidence) < 0.01, `${first.confidence}, then ${last.confidence}`);
});

test('a decoder that has heard nothing yet understands a line with noise', async () => {
  for (const text of SENTENCES) {
    const fresh = await SoundswallowerStt.create(1, new SpareTime(Number.POSITIVE_INFINITY));
    const { text: told, understood } = await heard(fresh, await said(text, LINE_NOISE));
    await fresh.close();
    assert.deepEqual({ told, understood }, { told: text, understood: true });
  }
});
