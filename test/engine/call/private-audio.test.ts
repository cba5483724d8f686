// Which parts of a recording are silenced, by the transcript as it is kept.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TranscriptEntry } from '../../../db/records/resources.ts';
import { privateParts } from '../../../engine/call/private-audio.ts';

const RULES = { kinds: ['card', 'phone'], language: 'en-US', country: 'US', names: [] } as const;
const CARD = 'it is 4111 1111 1111 1111';
type Said = [speaker: TranscriptEntry['speaker'], timestamp: number, text: string, line?: 'person'];

const parts = (said: Said[], cutsMs: number[] = []) =>
  privateParts(
    said.map(([speaker, timestamp, text, line]) => ({ speaker, timestamp, text, ...(line ? { line } : {}) })),
    RULES,
    cutsMs,
  ).map(({ fromMs, toMs, channel }) => [fromMs, toMs, channel]);

test('the caller’s channel is silent from just before the utterance to their next one', () => {
  const said: Said[] = [
    ['agent', 0, 'Hello.'],
    ['caller', 2_000, CARD],
    ['agent', 9_000, 'Thank you.'],
    ['caller', 12_000, 'Bye.'],
  ];
  assert.deepEqual(parts(said), [[1_700, 12_000, 0]]);
});

test('so is one that has been redacted already, and the last one to the end', () => {
  assert.deepEqual(parts([['caller', 100, 'card [card]']]), [[0, null, 0]]);
});

test('what the agent repeats is silent on its own channel, and on the line that may send it back', () => {
  const said: Said[] = [
    ['agent', 5_000, 'so it is [card]'],
    ['caller', 9_000, 'yes'],
    ['agent', 11_000, 'Good.'],
  ];
  assert.deepEqual(parts(said), [
    [4_700, 11_000, 1],
    [4_700, 9_000, 0],
  ]);
});

test('neither a whisper nor a word of somebody else ends it', () => {
  const said: Said[] = [
    ['caller', 1_000, CARD],
    ['person', 3_000, 'offer him the discount', 'person'],
    ['person', 4_000, 'mm-hm'],
    ['caller', 9_000, 'that is it'],
  ];
  assert.deepEqual(parts(said), [[700, 9_000, 0]]);
});

test('what was being said when an engine was lost has no entry, and is silent', () => {
  const said: Said[] = [
    ['agent', 1_000, 'Your card, please.'],
    ['agent', 9_000, 'I lost you.'],
  ];
  assert.deepEqual(parts(said, [8_000, Number.POSITIVE_INFINITY]), [
    [1_000, 8_000, 0],
    [9_000, null, 0],
  ]);
});

test('kinds that are not wanted, and prices, stay', () => {
  assert.deepEqual(parts([['caller', 0, 'I paid 1,250 dollars [iban]']]), []);
});

test('entries that came late are put in their order', () => {
  const said: Said[] = [
    ['caller', 9_000, 'Thanks.'],
    ['caller', 2_000, '[card]'],
  ];
  assert.deepEqual(parts(said), [[1_700, 9_000, 0]]);
});
