// Which call an engine is taken to have died of, and when nobody goes on any more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { Continuation } from '../../../engine/call/going-on/continuation.ts';
import type { Pulses } from '../../../engine/journal/journal.ts';
import { examineDeath, isCrashLoop, unlessPoison } from '../../../engine/succession/crash-loop.ts';

const log = pino({ level: 'silent' });
const call = (id: string, suspicions = 0) => ({ call: { id }, suspicions }) as Continuation;

/** Of a process that lived for so long with its calls. */
const livedFor = (ms: number, pulses: Partial<Pulses> = {}): Pulses => ({
  beganAtMs: 1_000,
  deaths: 0,
  active: 'call_busy',
  shards: [{ atMs: 1_000 + ms, calls: [] }],
  ...pulses,
});

test('the call that an error came from is suspected, however long the process has lived', () => {
  assert.deepEqual(examineDeath(livedFor(3_600_000), 'call_named'), { suspect: 'call_named', deaths: 0 });
});

test('a process that dies soon after it went on died of the call that it was busy with', () => {
  assert.deepEqual(examineDeath(livedFor(2_000), null), { suspect: 'call_busy', deaths: 1 });
});

test('of a process that lived on, of one that handed its calls over, or of a first one nothing is suspected', () => {
  for (const pulses of [
    livedFor(8_000),
    livedFor(2_000, { handedOver: true }),
    livedFor(2_000, { beganAtMs: 0 }),
    null,
  ])
    assert.deepEqual(examineDeath(pulses, null), { suspect: null, deaths: 0 });
});

test('after four such deaths in a row nobody goes on', () => {
  const after = (deaths: number) => isCrashLoop(examineDeath(livedFor(2_000, { deaths }), null));
  assert.deepEqual([after(2), after(3)], [false, true]);
});

test('the suspected call goes on once, with its suspicion, and is ended the second time; others go on as they were', () => {
  const death = { suspect: 'call_1', deaths: 1 };
  assert.deepEqual(unlessPoison(call('call_1'), death, log)?.suspicions, 1);
  assert.equal(unlessPoison(call('call_1', 1), death, log), null);
  assert.deepEqual(unlessPoison(call('call_2', 1), death, log), call('call_2', 1));
});
