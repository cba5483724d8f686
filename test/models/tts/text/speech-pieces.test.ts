import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitForSpeech } from '../../../../models/tts/text/speech-pieces.ts';

test('long text is cut at sentences and clauses, and nothing is lost', () => {
  const text =
    'Our cancellation policy is simple, you may cancel up to one day before your appointment, and after that we charge half ' +
    'of the price. It opens at 9 a.m. on Monday. Shall I go on?';
  const pieces = splitForSpeech(text);
  assert.ok(pieces.length >= 4, pieces.join(' / '));
  assert.equal(pieces.join(' '), text);
  assert.ok(pieces.every((piece) => piece.length <= 180));
  assert.ok(splitForSpeech('word '.repeat(200)).every((piece) => piece.length <= 180));
});

test('a short rest stays in its sentence, and a number in one piece', () => {
  const address = 'The mailing address is Post Office Box forty four ninety two, station C.';
  assert.deepEqual(splitForSpeech(address), [address]);
  const code = 'The number of the contract is zero zero zero, eight eight two, four one nine six, seven three one.';
  assert.deepEqual(splitForSpeech(code), [code]);
  const house = 'Please leave the parcel with our neighbour at one sixty four, Cumberland Street West in Ottawa.';
  assert.deepEqual(splitForSpeech(house), [house]);
});
