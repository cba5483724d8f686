import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import { type HysteresisState, SILENT, stepHysteresis } from '../../../models/vad/hysteresis.ts';

test('one window raises suspicion, the next confirms it, three silent ones end it where speech ended', () => {
  const heard = run([0.1, 0.9, 0.9, 0.4, 0.2, 0.9, 0.1, 0.1, 0.1, 0.1]);
  assert.deepEqual(heard, [
    { type: 'speech-suspected', onsetSample: 256 },
    { type: 'speech-started', onsetSample: 256 },
    { type: 'speech-stopped', onsetSample: 256, lastSpeechSample: 6 * 256 },
  ]);
});

test('a single loud window raises suspicion that is then denied', () => {
  assert.deepEqual(run([0.9, 0.1]), [
    { type: 'speech-suspected', onsetSample: 0 },
    { type: 'speech-denied', onsetSample: 0 },
  ]);
});

test('over any probabilities, starts and stops alternate and positions never run backwards', () => {
  const random = seededRandom(11);
  const found = run(Array.from({ length: 5_000 }, random));
  let speaking = false;
  let position = 0;
  for (const event of found) {
    if (event.type === 'speech-started') {
      assert.equal(speaking, false);
      speaking = true;
    }
    if (event.type === 'speech-stopped') {
      assert.equal(speaking, true);
      speaking = false;
      assert.ok(event.lastSpeechSample > event.onsetSample);
    }
    assert.ok(event.onsetSample >= position);
    if (event.type !== 'speech-stopped') position = event.onsetSample;
  }
  assert.ok(found.length > 100);
});

function run(scores: readonly number[]) {
  let state: HysteresisState = SILENT;
  return scores.flatMap((probability, index) => {
    const [next, found] = stepHysteresis(state, { probability, endSample: (index + 1) * 256 });
    state = next;
    return found;
  });
}
