// The part of a short utterance by which its words are judged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tone } from '../../../../bench/rig/conversation/tones.ts';
import { joinSamples } from '../../../../media/frame.ts';
import { withoutMargins } from '../../../../models/stt/soundswallower/word-check.ts';
import { silence } from '../../../support/models/sounds.ts';

const sound = tone([440], 400, 8_000, 8_000);
const ms = (samples: Int16Array): number => samples.length / 8;

test('however much silence surrounds a word, it is judged with the same little of it', () => {
  for (const [beforeMs, afterMs] of [
    [250, 400],
    [700, 130],
  ] as const)
    assert.equal(ms(withoutMargins(joinSamples([silence(beforeMs), sound, silence(afterMs)]))), 640);
});

test('what is cut off closely, or has no sound, stays as it is', () => {
  assert.equal(ms(withoutMargins(sound)), 400);
  assert.equal(ms(withoutMargins(silence(300))), 300);
});
