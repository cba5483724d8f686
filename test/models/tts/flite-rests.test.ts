// Rests between the words of the built-in voice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withRests } from '../../../models/tts/flite/rests.ts';

const RATE_HZ = 1_000;
/** A sample a millisecond; the rest in the middle lasts from 300 to 400. */
const PRINTED = 'pau:0.100 eh:0.200 s:0.300 pau:0.400 eh:0.500 n:0.600 pau:0.700';
const SAMPLES = Int16Array.from({ length: 700 }, (_, index) => index);

test('a rest between two words becomes as long as it must be, in its middle', () => {
  const rested = withRests(SAMPLES, PRINTED, RATE_HZ, 250);
  assert.deepEqual(
    rested,
    Int16Array.from([...SAMPLES.slice(0, 350), ...new Array(150).fill(0), ...SAMPLES.slice(350)]),
  );
});

test('a rest that is long enough stays, as do silence before and after', () => {
  assert.equal(withRests(SAMPLES, PRINTED, RATE_HZ, 100), SAMPLES);
  assert.equal(withRests(SAMPLES, '', RATE_HZ, 250), SAMPLES);
});
