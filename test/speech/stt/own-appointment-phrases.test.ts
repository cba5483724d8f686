// A caller cancels or moves their appointment, and answers a call that reminds of it, in words that the built-in
// recogniser knows.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SoundswallowerStt } from '../../../models/stt/soundswallower/soundswallower.ts';
import { say } from '../../support/models/sounds.ts';

let stt: SoundswallowerStt;
before(async () => {
  stt = await SoundswallowerStt.create(1);
});
after(() => stt.close());

const SAID = [
  'cancel my appointment',
  'i need to cancel my appointment',
  'move my appointment to friday',
  'can i reschedule my appointment',
  "i can't make my appointment",
  'please cancel it',
  'move it to thursday',
];

for (const voiceId of ['flite-slt', 'flite-awb'])
  test(`a change of an appointment is understood from ${voiceId}`, async () => {
    const vocabulary = { language: 'en-US', businessName: 'Bright Smile Dental', services: ['Dental cleaning'] };
    const session = await stt.open({
      callId: 'call',
      sampleRateHz: 8_000,
      vocabulary: { ...vocabulary, questions: ['Is there parking?'], phrases: [] },
    });
    const heard: string[] = [];
    for (const text of [...SAID, "i'll be there"]) {
      session.begin('anything');
      const audio = await say(text, { voiceId });
      for (let at = 0; at < audio.length; at += 160) session.write(audio.subarray(at, at + 160));
      const result = await session.finish();
      heard.push(result.understood ? result.text : `not understood: ${result.text}`);
    }
    session.close();
    // A short word beside it changes nothing.
    assert.match(heard.pop() ?? '', /\bi('ll| will) be there\b/);
    assert.deepEqual(heard, SAID);
  });
