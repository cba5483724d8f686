// Whether the sound of a short utterance is that of its words, told from the paths of two decodings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  evidenceOf,
  likelihoodOf,
  type Path,
  type ScoredPhone,
} from '../../../../models/stt/soundswallower/evidence.ts';

/** Phones after each other from frame 20 on: [phone, frames, score a frame]. */
function path(...phones: ReadonlyArray<readonly [string, number, number]>): Path {
  let startFrame = 20;
  const placed = phones.map(([phone, frames, each]): ScoredPhone => {
    const made = { phone, startFrame, frames, score: each * frames };
    startFrame += frames;
    return made;
  });
  return { text: '', phones: placed };
}

const likelihood = (words: Path, free: Path): number => {
  const evidence = evidenceOf(words, free);
  assert.ok(evidence);
  return likelihoodOf(evidence);
};

/** 0.5 s of sound, taken for three phones. */
const FREE = path(['T', 14, -40], ['AA', 24, -38], ['P', 12, -40]);

test('words whose phones explain the sound as well as any phones do are likely', () => {
  assert.ok(likelihood(path(['S', 12, -42], ['T', 8, -42], ['AA', 20, -39], ['P', 10, -41]), FREE) > 0.7);
});

test('words that are forced on the sound are not', () => {
  assert.ok(likelihood(path(['G', 12, -65], ['EH', 8, -70], ['D', 30, -68]), FREE) < 0.35);
});

test('words that need some phones shorter than people speak them are not, though the rest fits', () => {
  const hasty = path(['G', 3, -42], ['OW', 3, -41], ['AH', 3, -42], ['HH', 3, -40], ['EH', 20, -40], ['D', 3, -41]);
  assert.ok(likelihood(hasty, FREE) < 0.35);
});

test('words without a place in the sound have no evidence', () => {
  assert.equal(evidenceOf({ text: '', phones: [] }, FREE), null);
});
