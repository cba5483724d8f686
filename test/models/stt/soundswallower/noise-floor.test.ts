// The floor of noise under what the decoders hear.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NoiseFloor } from '../../../../models/stt/soundswallower/noise-floor.ts';
import { silence } from '../../../support/models/sounds.ts';

test('the zeros of a digital line are heard as a quiet line is, the same each time, and loud sound stays within 16 bits', () => {
  const quiet = new NoiseFloor().under(silence(200));
  assert.deepEqual(quiet, new NoiseFloor().under(silence(200)));
  const loudest = Math.max(...quiet.map(Math.abs));
  assert.ok(loudest > 4 && loudest <= 12, `${loudest}`);
  assert.ok(new NoiseFloor().under(new Int16Array(800).fill(32_767)).every((sample) => sample > 32_700));
});

test('it goes on from block to block, so that it has no pitch', () => {
  const floor = new NoiseFloor();
  const blocks = [floor.under(silence(60)), floor.under(silence(60))];
  assert.notDeepEqual(blocks[0], blocks[1]);
  assert.deepEqual(
    blocks.flatMap((block) => [...block]),
    [...new NoiseFloor().under(silence(120))],
  );
});
