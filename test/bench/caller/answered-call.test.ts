// The conduct of a product when a voicemail or a person answered its call, by when it talked and who hung up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcomeAtMachine, outcomeAtPerson, waitedMs } from '../../../bench/caller/answered-call.ts';

const GREETED_MS = 8_000;
const call = (talk: Array<[fromMs: number, toMs: number]>, isEndedByIt = true) => ({
  greetedMs: GREETED_MS,
  talk: talk.map(([fromMs, toMs]) => ({ fromMs, toMs })),
  endMs: 20_000,
  isEndedByIt,
});

test('a message that begins after the beep is whole, and one that begins before it is cut', () => {
  assert.equal(outcomeAtMachine(call([[8_400, 14_000]])), 'left a message');
  assert.equal(outcomeAtMachine(call([[7_900, 14_000]])), 'left a message', 'as the beep ends');
  assert.equal(outcomeAtMachine(call([[5_000, 12_000]])), 'cut message');
});

test('one that talks to a machine as to a person does not hang up', () => {
  const talking = call(
    [
      [1_000, 3_000],
      [9_000, 12_000],
    ],
    false,
  );
  assert.equal(outcomeAtMachine(talking), 'talked on');
});

test('words over the greeting alone are no message', () => {
  assert.equal(outcomeAtMachine(call([[1_000, 6_000]])), 'hung up');
  assert.equal(outcomeAtMachine(call([])), 'hung up');
  assert.equal(outcomeAtMachine(call([[9_000, 9_200]])), 'hung up', 'a word that was begun');
  assert.equal(outcomeAtMachine(call([], false)), 'silent');
});

test('a person is talked to, or lost', () => {
  assert.equal(outcomeAtPerson(call([[8_500, 12_000]], false)), 'talked on');
  assert.equal(outcomeAtPerson(call([])), 'hung up');
  assert.equal(outcomeAtPerson(call([], false)), 'silent');
});

test('the wait counts from the end of the beep, and never backwards', () => {
  assert.equal(waitedMs(call([[8_400, 9_000]])), 400);
  assert.equal(waitedMs(call([[7_900, 9_000]])), 0);
  assert.equal(waitedMs(call([[1_000, 6_000]])), null);
});
