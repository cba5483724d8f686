// When the words of a decoder count as understood.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judged } from '../../../../models/stt/soundswallower/judgement.ts';

const SHORT = 8_000;
const LONG = 40_000;

/** How the words are judged, and whether their phones were measured. */
function judge(text: string, confidence: number, utterance: Partial<Parameters<typeof judged>[1]> = {}) {
  let isMeasured = false;
  const result = judged(
    { text, confidence },
    {
      ...{ expects: 'anything', voicedMs: 300, samples: LONG },
      ...utterance,
      likelihood: () => {
        isMeasured = true;
        return utterance.likelihood?.() ?? null;
      },
    },
  );
  return { understood: result.understood, confidence: result.confidence, isMeasured };
}

test('a sound without a voice is not understood, however sure the decoder is, and nothing is measured', () => {
  assert.deepEqual(judge('bye', 0.99, { voicedMs: 40, samples: SHORT }), {
    ...{ understood: false, confidence: 0.99, isMeasured: false },
  });
});

test('a phrase needs the confidence of what was asked, a long sentence more', () => {
  assert.equal(judge('what are your hours', 0.82).understood, true);
  assert.equal(judge('what are your hours', 0.8).understood, false);
  assert.equal(judge('next tuesday', 0.78, { expects: 'date' }).understood, true);
  assert.equal(judge('can i make an appointment for next tuesday', 0.82).understood, false);
  assert.equal(judge('can i make an appointment for next tuesday', 0.85).understood, true);
});

test('after a question for yes or no, another answer is not more likely than ever', () => {
  assert.equal(judge('yes please', 0.74, { expects: 'yes-no' }).understood, true);
  assert.equal(judge('next tuesday', 0.74, { expects: 'yes-no' }).understood, false);
});

test('a word or two are measured by their phones, and an unlikely one is doubted with that likelihood', () => {
  const short = { samples: SHORT };
  assert.deepEqual(judge('hello', 0.9, { ...short, likelihood: () => 0.9 }), {
    ...{ understood: true, confidence: 0.9, isMeasured: true },
  });
  assert.deepEqual(judge('hello', 0.9, { ...short, likelihood: () => 0.2 }), {
    ...{ understood: false, confidence: 0.2, isMeasured: true },
  });
  assert.equal(judge('hello', 0.9, short).understood, true, 'where no time is left, the confidence decides');
  assert.equal(judge('next tuesday', 0.9, { ...short, expects: 'date' }).isMeasured, false, 'the agent repeats a date');
});
