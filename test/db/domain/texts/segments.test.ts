// The segments that a carrier charges for, by the alphabet that a text needs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText, segmentsOf, TEXT_CHARACTERS_MAX } from '../../../../db/domain/texts/segments.ts';

test('a text has as many segments as its alphabet and length need', () => {
  assert.equal(segmentsOf(''), 1);
  assert.equal(segmentsOf('a'.repeat(160)), 1);
  assert.equal(segmentsOf('a'.repeat(161)), 2);
  assert.equal(segmentsOf('€'.repeat(80)), 1);
  assert.equal(segmentsOf('€'.repeat(81)), 2);
  assert.equal(segmentsOf('я'.repeat(70)), 1);
  assert.equal(segmentsOf('я'.repeat(71)), 2);
});

test('typographic marks do not make a text dearer, and none is longer than carriers take', () => {
  assert.equal(plainText('“It’s open – come…”'), '"It\'s open - come..."');
  assert.equal(plainText('a'.repeat(2_000)).length, TEXT_CHARACTERS_MAX);
});
