// A number given in groups: each is acknowledged while more of it is to come, and all of them are one turn.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TurnConfig } from '../../../engine/turn/machine.ts';
import { phrasesFor } from '../../../models/llm/phrases/languages.ts';
import { Stage } from './stage.ts';

const turnTexts = (stage: Stage): string[] => [...stage.referee.turns.values()];

const dictates = (groups: readonly string[], config: Partial<TurnConfig> = {}, pauseMs = 1_300): Stage => {
  const stage = new Stage({
    partials: true,
    thinkMs: 0,
    sttMs: 0,
    config: { endpointing: 'adaptive', groupAcknowledgement: 'word', ...config },
  }).answered();
  stage.at(3_000, { type: 'expects', expects: 'digits', digitCount: null });
  for (const [index, group] of groups.entries()) stage.says(4_000 + index * (700 + pauseMs), 700, group);
  return stage.run(20_000);
};

/** From the end of the group before it, ms. */
function delays(stage: Stage, groups: number, pauseMs = 1_300): number[] {
  const ends = Array.from({ length: groups }, (_, index) => 4_700 + index * (700 + pauseMs));
  const times = stage.effects.filter(({ effect }) => effect.type === 'acknowledge').map(({ atMs }) => atMs);
  return times.map((atMs) => atMs - (ends.findLast((end) => end <= atMs) ?? Number.NaN));
}

test('each group is acknowledged within 0.9 s, and the groups are one turn', () => {
  const stage = dictates(['three one eight', 'oh four eight two', 'nine nine']);
  const heard = delays(stage, 3);
  assert.equal(heard.length, 3);
  assert.ok(
    heard.every((ms) => ms >= 600 && ms <= 900),
    heard.join(' '),
  );
  assert.deepEqual(turnTexts(stage), ['three one eight oh four eight two nine nine']);
  assert.equal(stage.of('barge-in').length, 0);
});

test('a spelling is acknowledged, a sentence is not', () => {
  assert.equal(dictates(['t u r', 'n v']).of('acknowledge').length, 2);
  assert.equal(dictates(['my card number is']).of('acknowledge').length, 0);
  assert.equal(dictates(['i do not know']).of('acknowledge').length, 0);
});

test('who goes on within a breath hears nothing, and a number with its last digit is answered', () => {
  assert.equal(dictates(['three one eight', 'oh four eight two'], {}, 500).of('acknowledge').length, 1);
  const whole = new Stage({
    partials: true,
    thinkMs: 0,
    sttMs: 0,
    config: { groupAcknowledgement: 'word' },
  }).answered();
  whole.at(3_000, { type: 'expects', expects: 'digits', digitCount: 4 }).says(4_000, 900, 'four seven one one');
  assert.equal(whole.run(9_000).of('acknowledge').length, 0);
});

test('the group is repeated, or nothing is said, where the business wants it', () => {
  const repeated = dictates(['three one eight', 'oh four'], { groupAcknowledgement: 'repeat' });
  assert.deepEqual(
    repeated.of('acknowledge').map(({ text }) => text),
    ['three one eight', 'oh four'],
  );
  assert.equal(dictates(['three one eight'], { groupAcknowledgement: 'none' }).of('acknowledge').length, 0);
});

for (const [language, first, second] of [
  ['de-DE', 'drei eins acht', 'null vier'],
  ['fr-FR', 'trois un huit', 'zéro quatre'],
  ['es-ES', 'tres uno ocho', 'cero cuatro'],
  ['it-IT', 'tre uno otto', 'zero quattro'],
  ['nl-NL', 'drie een acht', 'nul vier'],
  ['pt-PT', 'três um oito', 'zero quatro'],
] as const) {
  test(`groups are acknowledged in ${language}`, () => {
    const stage = dictates([first, second], { language });
    assert.equal(stage.of('acknowledge').length, 2);
    assert.deepEqual(turnTexts(stage), [`${first} ${second}`]);
    assert.match(phrasesFor(language).call.groupHeard, /^\p{L}+\.$/u);
  });
}
