// The silence behind a caller's words, which is decoded only where the caller goes on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QuietEnd } from '../../../../models/stt/soundswallower/quiet-end.ts';

const BLOCK = 480;
const word = (): Int16Array => new Int16Array(BLOCK).fill(8_000);
const silence = (): Int16Array => new Int16Array(BLOCK).fill(4);
const taken = (end: QuietEnd, blocks: Int16Array[]): number[] => blocks.map((block) => end.take(block)?.length ?? 0);

test('after 300 ms of silence behind words nothing more of it is decoded', () => {
  const end = new QuietEnd();
  assert.deepEqual(taken(end, [word(), ...Array.from({ length: 7 }, silence)]), [...Array(6).fill(BLOCK), 0, 0]);
});

test('where the caller goes on, the decoder gets the whole sound, in order', () => {
  const end = new QuietEnd();
  const blocks = [word(), ...Array.from({ length: 9 }, silence), word()];
  const heard = blocks.flatMap((block) => [...(end.take(block) ?? [])]);
  assert.deepEqual(
    heard,
    blocks.flatMap((block) => [...block]),
  );
});

test('silence before the first word is decoded, and that of a noisy line', () => {
  const end = new QuietEnd();
  assert.deepEqual(taken(end, Array.from({ length: 8 }, silence)), Array(8).fill(BLOCK));
  const noise = (): Int16Array => new Int16Array(BLOCK).fill(200);
  end.reset();
  assert.deepEqual(taken(end, [word(), ...Array.from({ length: 8 }, noise)]), Array(9).fill(BLOCK));
});

test('the silence before is that of the former utterance no more', () => {
  const end = new QuietEnd();
  taken(end, [word(), ...Array.from({ length: 9 }, silence)]);
  end.reset();
  assert.deepEqual(taken(end, [silence(), word()]), [BLOCK, BLOCK]);
});

test('once the crowd is over, what was kept back is decoded with the next block', () => {
  const end = new QuietEnd();
  taken(end, [word(), ...Array.from({ length: 7 }, silence)]);
  assert.equal(end.sound(silence()).length, 3 * BLOCK);
});
