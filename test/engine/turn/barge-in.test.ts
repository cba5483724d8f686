import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interruptionNeed, isBackchannel, isSalutation, takesFloor } from '../../../engine/turn/barge-in.ts';

test("a business's sensitivity becomes thresholds of voice and words", () => {
  assert.equal(interruptionNeed(0), null);
  assert.deepEqual(interruptionNeed(0.5), { voicedMs: 350, words: 2, graceMs: 200 });
  assert.deepEqual(interruptionNeed(1), { voicedMs: 120, words: 1, graceMs: 0 });
  let last = Number.POSITIVE_INFINITY;
  for (let sensitivity = 0.05; sensitivity <= 1; sensitivity += 0.05) {
    const voicedMs = interruptionNeed(sensitivity)?.voicedMs ?? 0;
    assert.ok(voicedMs < last, 'the more sensitive, the sooner');
    last = voicedMs;
  }
});

for (const text of ['uh-huh', 'Mhm.', 'yeah', 'Okay, right.', 'yeah yeah okay']) {
  test(`"${text}" leaves the agent the floor`, () => {
    assert.ok(isBackchannel(text));
    assert.ok(!takesFloor({ voicedMs: 120, words: 1, graceMs: 0 }, 800, text));
  });
}

for (const text of ['stop', 'Wait, please', 'hold on', 'excuse me']) {
  test(`"${text}" takes it however short`, () => {
    assert.ok(takesFloor({ voicedMs: 900, words: 4, graceMs: 200 }, 100, text));
  });
}

test('words that only resemble a backchannel take the floor', () => {
  const need = { voicedMs: 350, words: 2, graceMs: 200 };
  assert.ok(takesFloor(need, 100, 'okay but when'));
  assert.ok(takesFloor(need, 2_000, 'yeah'), 'two seconds of "yeah" were misheard');
  assert.ok(!takesFloor(need, 100, ''));
  assert.ok(!isBackchannel(''));
});

test('a greeting is recognised as one', () => {
  assert.ok(isSalutation('Hello?'));
  assert.ok(isSalutation('hi good morning'));
  assert.ok(!isSalutation('hello are you open'));
});
