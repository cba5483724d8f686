// The caller goes on after the agent has begun to answer: both halves are one turn, answered once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stage } from './stage.ts';

const turnTexts = (stage: Stage): string[] => [...stage.referee.turns.values()];
const NOTHING = { text: '', confidence: 0, understood: false };

/** A half sentence that sounds whole, and what the caller says 800 ms later, while the agent has begun to answer. */
const goesOn = (second: string, { partials = true, afterMs = 800, voicedMs = 700 } = {}): Stage =>
  new Stage({ partials, thinkMs: 0, sttMs: 0, speakMs: 4_000, config: { endpointing: 'adaptive' } })
    .answered()
    .says(4_000, 1_000, 'i lost my debit card')
    .says(5_000 + afterMs, voicedMs, second)
    .run(12_000);

for (const partials of [true, false]) {
  const recogniser = partials ? 'words come while they are spoken' : 'words come at the end';
  test(`who goes on over the first words of the answer is told as one turn (${recogniser})`, () => {
    const stage = goesOn('can you send me a new one', { partials });
    assert.deepEqual(turnTexts(stage), ['i lost my debit card can you send me a new one']);
    const [first, second] = stage.of('open-playout').slice(-2);
    assert.ok(
      stage.of('drop-reply').some(({ epoch }) => epoch === first?.epoch),
      'the false start is withdrawn',
    );
    assert.ok(second !== undefined && second.epoch > (first?.epoch ?? 0), 'and the whole turn is answered');
    assert.equal(stage.of('barge-in').length, 0, 'the caller has interrupted nothing');
  });
}

for (const partials of [true, false]) {
  test(`who goes on in the moment in which the agent begins is told as one turn (${partials ? 'words' : 'sound'} first)`, () => {
    const alone = new Stage({ partials, thinkMs: 0, sttMs: 0, speakMs: 4_000, config: { endpointing: 'adaptive' } })
      .answered()
      .says(4_000, 1_000, 'i lost my debit card')
      .run(9_000);
    const opensAfterMs = (alone.when('open-playout', 4_500) ?? Number.NaN) - 5_000;
    // The voice is found some 40 ms after its first sound.
    const stage = goesOn('can you send me a new one', { partials, afterMs: opensAfterMs - 20 });
    assert.deepEqual(turnTexts(stage), ['i lost my debit card can you send me a new one']);
    const silentAtMs = stage.when('pause-playout', 5_000) ?? stage.when('drop-reply', 5_000) ?? Number.NaN;
    assert.ok(silentAtMs - 5_000 - opensAfterMs <= 250, `silent after ${silentAtMs - 5_000 - opensAfterMs} ms`);
  });
}

test('a caller who went on once is given more time for the next turns, and less of it with each', () => {
  const said = 'i would like a haircut';
  const ends = [26_000, 36_000, 46_000];
  const stage = ends.reduce(
    (each, atMs) => each.says(atMs - 1_000, 1_000, said),
    new Stage({ partials: true, thinkMs: 0, sttMs: 0, speakMs: 2_000, config: { endpointing: 'adaptive' } })
      .answered()
      .says(4_000, 1_000, said)
      .says(10_000, 1_000, said)
      .says(16_000, 1_000, 'i lost my debit card')
      .says(17_800, 700, 'can you send me a new one'),
  );
  stage.run(56_000);
  const gapAfter = (atMs: number): number => (stage.when('open-playout', atMs) ?? Number.NaN) - atMs;
  const [before, ...later] = [11_000, ...ends].map(gapAfter);
  assert.ok((later[0] ?? 0) >= (before ?? 0) + 100, `${before} ms, then ${later} ms`);
  assert.ok((later[0] ?? 0) > (later[1] ?? 0) && (later[1] ?? 0) > (later[2] ?? 0), `${later} ms`);
});

test('the agent falls silent at the first sound, before a word is known', () => {
  const stage = goesOn('can you send me a new one', { partials: false });
  const silentAtMs = stage.when('pause-playout', 5_000) ?? Number.NaN;
  assert.ok(silentAtMs - 5_800 <= 250, `silent after ${silentAtMs - 5_800} ms`);
});

test('a cough over the first words of the answer takes nothing back', () => {
  const stage = new Stage({ partials: true, thinkMs: 0, sttMs: 0, speakMs: 4_000 })
    .answered()
    .says(4_000, 1_000, 'i lost my debit card')
    .says(6_000, 120, NOTHING)
    .run(12_000);
  assert.deepEqual(turnTexts(stage), ['i lost my debit card']);
  assert.equal(stage.of('drop-reply').length, 0);
});

for (const words of ['no wait', 'stop', 'sorry i meant my passport']) {
  test(`"${words}" is said to the agent: an interruption`, () => {
    const stage = goesOn(words);
    assert.equal(stage.of('barge-in').length, 1);
    assert.equal(turnTexts(stage)[0], 'i lost my debit card');
  });
}

test('later it is an interruption, whatever is said', () => {
  const stage = goesOn('can you send me a new one', { afterMs: 2_500 });
  assert.equal(stage.of('barge-in').length, 1);
  assert.deepEqual(turnTexts(stage), ['i lost my debit card', 'can you send me a new one']);
});

test('a caller who goes on over every answer gets one in the end', () => {
  const stage = new Stage({ partials: true, thinkMs: 0, sttMs: 0, speakMs: 3_000 }).answered();
  for (let index = 0; index < 8; index++)
    stage.says(4_000 + index * 2_000, 700, `and my ${index} question is about it`);
  stage.run(40_000);
  assert.ok(turnTexts(stage).length >= 2);
  assert.ok(turnTexts(stage).length < 8);
});

test('where the model keeps the history itself, who goes on interrupts', () => {
  const stage = new Stage({ partials: true, thinkMs: 0, sttMs: 0, speakMs: 4_000, config: { keepsHeardReplies: true } })
    .answered()
    .says(4_000, 1_000, 'i lost my debit card')
    .says(6_000, 700, 'can you send me a new one')
    .run(12_000);
  assert.deepEqual(turnTexts(stage), ['i lost my debit card', 'can you send me a new one']);
  assert.equal(stage.of('barge-in').length, 1);
});
