// Words and sentences, by synthetic voices, to the real recogniser: those that callers say to a business are believed,
// and a word outside of its grammar is not believed to be one of them. (`npm run bench -- words` says words by people.)
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

const SENTENCES = [
  'what are your opening hours',
  "what's your address",
  'is there parking',
  'how much is a filling',
  'are you open on sunday',
  'do you offer dental cleaning',
  "i'd like to book an appointment",
  'where are you located',
];
/** Amplitude of a noise some 30 dB below these voices. */
const LINE_NOISE = 190;

let stt: SoundswallowerStt;
before(async () => {
  // However busy the machine is.
  stt = await SoundswallowerStt.create(1, new SpareTime(Number.POSITIVE_INFINITY));
});
after(() => stt.close());

/** One of the voices speaks in the silence of a line that is not digital. */
const softNoise = (voiceId: string): number => (voiceId === 'flite-awb' ? 20 : 0);

/** How many of the words each voice says are understood, and as what. */
async function understood(words: readonly string[], noiseOf = softNoise): Promise<string[]> {
  const session = await stt.open({ callId: 'call', sampleRateHz: 8_000, vocabulary: VOCABULARY });
  await stt.prepared();
  const found: string[] = [];
  for (const voiceId of VOICES) {
    for (const word of words) {
      const clean = await say(word, { voiceId, leadMs: 250, tailMs: 500 });
      const audio = mix(clean, noise(500, noiseOf(voiceId)));
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

test('so are sentences on a line with noise', async () => {
  const found = await understood(SENTENCES, () => LINE_NOISE);
  const right = found.filter((each) => each.split(' > ')[0] === each.split(' > ')[1]);
  assert.ok(right.length >= SENTENCES.length * VOICES.length * 0.9, `${right.length}: ${found.join(', ')}`);
});

test('a word outside of the grammar is hardly ever understood as one of them', async () => {
  const found = await understood(OTHERS);
  assert.ok(found.length <= OTHERS.length * VOICES.length * 0.15, found.join(', '));
});

test('a digit that nobody asked for is not taken for the phrase that it rhymes with', async () => {
  const digits = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
  assert.deepEqual(await understood(digits), []);
});
