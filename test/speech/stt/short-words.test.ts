// Single words, by synthetic voices, to the real recogniser: those that callers say to a business are believed, and a
// word outside of its grammar is not believed to be one of them. (`npm run bench -- words` says words by people.)
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SoundswallowerStt } from '../../../models/stt/soundswallower/soundswallower.ts';
import { SpareTime } from '../../../models/stt/soundswallower/spare-time.ts';
import { mix, noise, say } from '../../support/models/sounds.ts';

const VOICES = ['flite-slt', 'flite-awb', 'flite-rms'];
const VOCABULARY = {
  language: 'en-US',
  businessName: 'Bright Smile Dental',
  services: ['Dental cleaning', 'Filling'],
  questions: ['Is there parking?'],
  phrases: [],
};
const KNOWN = [
  'yes',
  'no',
  'stop',
  'okay',
  'goodbye',
  'thank you',
  'of course',
  'hold on',
  'no thank you',
  "that's all",
];
const PHRASES = [
  'what are your hours',
  'are you open today',
  'no thank you goodbye',
  'have a good day',
  'yes please',
  "that's all thank you",
];
const OTHERS = [
  'bed',
  'marvin',
  'happy',
  'three',
  'five',
  'purple',
  'window',
  'eight',
  'kitchen',
  'monkey',
  'bird',
  'six',
];

let stt: SoundswallowerStt;
before(async () => {
  // However busy the machine is.
  stt = await SoundswallowerStt.create(1, new SpareTime(Number.POSITIVE_INFINITY));
});
after(() => stt.close());

/** How many of the words each voice says are understood, and as what. */
async function understood(words: readonly string[]): Promise<string[]> {
  const session = await stt.open({ callId: 'call', sampleRateHz: 8_000, vocabulary: VOCABULARY });
  await stt.prepared();
  const found: string[] = [];
  for (const voiceId of VOICES) {
    for (const word of words) {
      // Also in the silence of a digital line.
      const clean = await say(word, { voiceId, leadMs: 250, tailMs: 500 });
      const audio = voiceId === 'flite-awb' ? mix(clean, noise(500, 20)) : clean;
      session.begin('anything');
      for (let at = 0; at < audio.length; at += 160) session.write(audio.subarray(at, at + 160));
      const result = await session.finish();
      if (result.understood) found.push(`${word} > ${result.text}`);
    }
  }
  session.close();
  return found;
}

test('words that callers say to a business are understood', async () => {
  const found = await understood(KNOWN);
  const right = found.filter((each) => each.split(' > ')[0] === each.split(' > ')[1]);
  assert.ok(right.length >= KNOWN.length * VOICES.length * 0.8, `${right.length}: ${found.join(', ')}`);
});

test('so are phrases of two to four words', async () => {
  const found = await understood(PHRASES);
  const right = found.filter((each) => each.split(' > ')[0] === each.split(' > ')[1]);
  assert.ok(right.length >= PHRASES.length * VOICES.length * 0.8, `${right.length}: ${found.join(', ')}`);
});

test('a word outside of the grammar is hardly ever understood as one of them', async () => {
  const found = await understood(OTHERS);
  assert.ok(found.length <= OTHERS.length * VOICES.length * 0.15, found.join(', '));
});
