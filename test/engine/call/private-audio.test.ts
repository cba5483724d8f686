// Which parts of a recording are silenced, by the transcript as it is kept.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TranscriptEntry } from '../../../db/resources.ts';
import { privateParts } from '../../../engine/call/private-audio.ts';

const RULES = { kinds: ['card', 'phone'], language: 'en-US', country: 'US', names: [] } as const;
const parts = (...said: Array<[speaker: TranscriptEntry['speaker'], timestamp: number, text: string]>) =>
  privateParts(
    said.map(([speaker, timestamp, text]) => ({ speaker, timestamp, text })),
    RULES,
  ).map(({ fromMs, toMs }) => [fromMs, toMs]);

test('an utterance is silent from just before it to the next one', () => {
  assert.deepEqual(
    parts(['agent', 0, 'Hello.'], ['caller', 2_000, 'it is 4111 1111 1111 1111'], ['agent', 9_000, 'Thank you.']),
    [[1_700, 9_000]],
  );
});

test('so is one that has been redacted already, and the last one to the end', () => {
  assert.deepEqual(parts(['caller', 100, 'card [card]'], ['agent', 5_000, 'so it is [card]']), [
    [0, 5_000],
    [4_700, null],
  ]);
});

test('words of an agent that was interrupted go on for a moment', () => {
  assert.deepEqual(parts(['agent', 1_000, 'Your number is [phone]'], ['caller', 3_000, 'yes']), [[700, 3_300]]);
});

test('kinds that are not wanted, and prices, stay', () => {
  assert.deepEqual(parts(['caller', 0, 'I paid 1,250 dollars [iban]'], ['agent', 2_000, 'At ten fifteen.']), []);
});

test('entries that came late are put in their order', () => {
  assert.deepEqual(parts(['agent', 9_000, 'Thanks.'], ['caller', 2_000, '[card]']), [[1_700, 9_000]]);
});
