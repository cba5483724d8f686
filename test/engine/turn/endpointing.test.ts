import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoint } from '../../../engine/turn/endpointing.ts';
import type { Expectation } from '../../../models/stt/stt.ts';

const cases: Array<[expects: Expectation, text: string, delayMs: number]> = [
  // Ordinary sentences: exactly the business's threshold.
  ['anything', 'what are your opening hours', 600],
  ['anything', 'I would like to book a haircut.', 600],
  ['anything', '', 600],
  ['anything', 'yes', 600],
  ['name', 'my name is ann miller', 600],
  ['service', 'a haircut', 600],
  // Expected answers.
  ['yes-no', 'yes', 300],
  ['yes-no', 'No, thank you.', 300],
  ['yes-no', "that's right", 300],
  ['yes-no', 'no i would rather come on friday', 600],
  // In mid-thought.
  ['anything', 'i would like a haircut and', 1_200],
  ['anything', 'can i come on', 1_200],
  ['anything', 'well um', 1_200],
  ['anything', 'is that where i was going to?', 600],
  // Dictation.
  ['digits', '', 1_500],
  ['digits', 'five five five', 1_500],
  ['digits', '555 0100', 1_500],
  ['digits', '212 555 0100', 600],
  ['digits', "i don't know", 600],
  ['spelling', 'm i l l', 1_500],
  ['spelling', 'm i l l e r done', 600],
  ['email', 'ann at', 1_500],
  ['email', 'ann at clinic', 1_500],
  ['email', 'ann at clinic dot com', 600],
  ['email', 'ann@clinic.com', 600],
  // Dates and times.
  ['date', 'next', 1_200],
  ['date', 'on june', 1_200],
  ['date', 'june the fifth', 600],
  ['date', 'june 5', 600],
  ['date', 'tuesday', 600],
  ['date-time', 'tuesday', 1_200],
  ['date-time', 'tuesday at ten', 600],
  ['time', 'half', 1_200],
  ['time', 'ten thirty', 600],
];
for (const [expects, text, delayMs] of cases) {
  test(`after "${text}" (${expects}) the silence is ${delayMs} ms`, () => {
    assert.equal(endpoint(text, expects, 600).delayMs, delayMs);
  });
}

test("no rule shortens a slow business's threshold too far or waits without end", () => {
  for (const [expects, text] of cases) {
    const { delayMs } = endpoint(text, expects, 3_000);
    assert.ok(delayMs >= (expects === 'yes-no' ? 1_500 : 3_000) && delayMs <= 4_000, `${text}: ${delayMs}`);
  }
});
