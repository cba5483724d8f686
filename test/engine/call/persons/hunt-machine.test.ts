// Looking for a person among several: rounds, who is first, who hangs up first at each moment; and storms of events.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type HuntEffect,
  type HuntEvent,
  type HuntState,
  startHunt,
  stepHunt,
  type Wanted,
} from '../../../../engine/call/persons/hunt-machine.ts';
import type { PersonEvent } from '../../../../engine/call/persons/person-machine.ts';
import { AUDIO } from '../stage-leg.ts';

const wanted = (name: string, change: Partial<Wanted> = {}): Wanted => ({
  name,
  mode: 'brief',
  manner: { accept: 'key', extensionMs: null },
  isReferable: false,
  ...change,
});
const [A, B, C] = [wanted('A'), wanted('B'), wanted('C')];
const BLIND = wanted('blind', {
  mode: 'blind',
  manner: { accept: 'none', extensionMs: null },
  isReferable: true,
});

const at = (index: number, ...events: PersonEvent[]): HuntEvent[] =>
  events.map((event) => ({ type: 'person', index, event }));
const opened: PersonEvent = { type: 'audio-opened', audio: { address: '127.0.0.1', port: 20_000 } };
const answered: PersonEvent[] = [opened, { type: 'answered', audio: AUDIO }, { type: 'verdict', verdict: 'human' }];
const one: PersonEvent = { type: 'key', digit: '1' };
const busy: PersonEvent = { type: 'ended', result: 'busy' };
const noAnswer: PersonEvent = { type: 'ended', result: 'no_answer' };
const ABANDONED: HuntEvent = { type: 'abandoned' };

function play(plan: Wanted[][], events: readonly HuntEvent[]): { state: HuntState; effects: HuntEffect[] } {
  let [state, effects] = startHunt(plan);
  for (const event of events) {
    const [next, more] = stepHunt(state, event);
    state = next;
    effects = [...effects, ...more];
  }
  return { state, effects };
}

function named(effect: HuntEffect): string[] {
  switch (effect.type) {
    case 'person':
      return ['dial', 'hang-up'].includes(effect.effect.type)
        ? [`${effect.effect.type} ${effect.round}${effect.index}`]
        : [];
    case 'tried':
      return [`${effect.result} ${effect.round}${effect.index}`];
    case 'bridge':
      return [`bridge ${effect.index}`];
    case 'hold-music':
      return [effect.isOn ? 'music' : 'no-music'];
    case 'report':
      return [effect.outcome];
    default:
      return [effect.type];
  }
}
const shown = (effects: readonly HuntEffect[]): string => effects.flatMap(named).join(', ');

const ways: Array<[name: string, plan: Wanted[][], events: HuntEvent[], effects: string]> = [
  ['nobody to call', [], [], 'no-music, failed'],
  ['one takes the call', [[A]], at(0, ...answered, one), 'music, dial 00, no-music, bridge 0, accepted 00, bridged'],
  [
    'the second round takes it',
    [[A], [B]],
    [...at(0, opened, noAnswer), ...at(0, ...answered, one)],
    'music, dial 00, hang-up 00, no_answer 00, music, dial 10, no-music, bridge 0, accepted 10, bridged',
  ],
  [
    'nobody of two rounds',
    [[A], [B]],
    [...at(0, opened, noAnswer), ...at(0, opened, busy)],
    'music, dial 00, hang-up 00, no_answer 00, music, dial 10, hang-up 10, busy 10, no-music, failed',
  ],
  [
    'two ring, the second takes it: the first is let go',
    [[A, B]],
    [...at(0, opened), ...at(1, ...answered, one)],
    'music, dial 00, dial 01, no-music, bridge 1, accepted 01, hang-up 00, withdrawn 00, bridged',
  ],
  [
    'two are briefed and press at once: the first has the caller',
    [[A, B]],
    [...at(0, ...answered), ...at(1, ...answered, one), ...at(0, one)],
    'music, dial 00, dial 01, no-music, bridge 1, accepted 01, hang-up 00, withdrawn 00, bridged',
  ],
  [
    'one of two is busy, the other one is waited for',
    [[A, B]],
    [...at(0, opened, busy), ...at(1, ...answered, one)],
    'music, dial 00, hang-up 00, busy 00, dial 01, no-music, bridge 1, accepted 01, bridged',
  ],
  [
    'a mere no leads to the next one',
    [[A], [B]],
    [...at(0, ...answered, { type: 'key', digit: '2' }, { type: 'key', digit: '2' }), ...at(0, opened)],
    'music, dial 00, hang-up 00, declined 00, music, dial 10',
  ],
  [
    'a message for the caller ends it, and whoever rings is let go',
    [[A, B], [C]],
    [
      ...at(1, opened),
      ...at(
        0,
        ...answered,
        { type: 'said', meaning: { kind: 'no', text: 'no later', rest: 'later today' } },
        { type: 'heard' },
      ),
    ],
    'music, dial 01, dial 00, hang-up 00, declined 00, hang-up 01, withdrawn 01, no-music, failed',
  ],
  [
    'the caller hangs up while it rings',
    [[A]],
    [...at(0, opened), ABANDONED],
    'music, dial 00, hang-up 00, withdrawn 00, no-music',
  ],
  [
    'the caller hangs up in the briefing',
    [[A]],
    [...at(0, ...answered), ABANDONED],
    'music, dial 00, hang-up 00, withdrawn 00, no-music',
  ],
  [
    'the caller hangs up after both were joined',
    [[A]],
    [...at(0, ...answered, one), ABANDONED],
    'music, dial 00, no-music, bridge 0, accepted 00, bridged, unbridge, hang-up 00',
  ],
  [
    'the person hangs up after both were joined',
    [[A]],
    at(0, ...answered, one, busy),
    'music, dial 00, no-music, bridge 0, accepted 00, bridged, unbridge, hang-up 00, report-person-gone',
  ],
  [
    'the caller’s side connects them',
    [[BLIND]],
    [
      { type: 'refer-progress', status: 100 },
      { type: 'refer-progress', status: 200 },
    ],
    'no-music, arm-refer, refer, accepted, cancel-refer, accepted 00, referred',
  ],
  [
    'it cannot, so we call them',
    [[BLIND]],
    [{ type: 'refer-progress', status: 405 }, ...at(0, opened)],
    'no-music, arm-refer, refer, cancel-refer, music, dial 00',
  ],
  [
    'it says nothing, so we call them',
    [[BLIND]],
    [{ type: 'refer-timeout' }, ...at(0, opened)],
    'no-music, arm-refer, refer, cancel-refer, music, dial 00',
  ],
  [
    'two of whom one is blind: we call both',
    [[BLIND, A]],
    [...at(0, opened), ...at(1, opened)],
    'music, dial 00, dial 01',
  ],
  [
    'the caller hangs up before the REFER is answered',
    [[BLIND]],
    [ABANDONED],
    'no-music, arm-refer, refer, cancel-refer, withdrawn 00',
  ],
  [
    'one who is let go and answers then hears nothing',
    [[A, B]],
    [...at(0, opened), ...at(1, ...answered, one), ...at(0, { type: 'answered', audio: AUDIO })],
    'music, dial 00, dial 01, no-music, bridge 1, accepted 01, hang-up 00, withdrawn 00, bridged, hang-up 00',
  ],
];

for (const [name, plan, events, effects] of ways) {
  test(`a hunt: ${name}`, () => assert.equal(shown(play(plan, events).effects), effects));
}

const personEvent: fc.Arbitrary<PersonEvent> = fc.oneof(
  fc.constantFrom<PersonEvent>(...answered, one, busy, noAnswer, { type: 'heard' }, { type: 'audio-failed' }),
  fc.constantFrom<PersonEvent>({ type: 'key', digit: '2' }, { type: 'verdict', verdict: 'machine' }),
  fc.nat(8).map((serial): PersonEvent => ({ type: 'timer', serial })),
  fc.constantFrom<PersonEvent>(
    { type: 'said', meaning: { kind: 'no', text: 'no', rest: 'call me later' } },
    { type: 'said', meaning: { kind: 'question', text: 'who is it?', rest: '' } },
    { type: 'answer', text: null },
  ),
);
const anyEvent: fc.Arbitrary<HuntEvent> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.tuple(fc.nat(3), personEvent).map(([index, event]): HuntEvent => ({ type: 'person', index, event })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(100, 200, 405).map((status): HuntEvent => ({ type: 'refer-progress', status })),
  },
  { weight: 1, arbitrary: fc.constant<HuntEvent>({ type: 'refer-timeout' }) },
);

test('in a storm a hunt reports one outcome, joins one person at most, and leaves nobody on a line', () => {
  const plan = fc.array(fc.array(fc.constantFrom(A, B, BLIND), { minLength: 1, maxLength: 3 }), { maxLength: 3 });
  fc.assert(
    fc.property(plan, fc.array(anyEvent, { maxLength: 60 }), (rounds, events) => {
      const { effects, state } = play(rounds, [...events, ABANDONED]);
      const ofPersons = (type: string): string[] =>
        effects.flatMap((each) =>
          each.type === 'person' && each.effect.type === type ? [`${each.round}${each.index}`] : [],
        );
      const count = (...names: string[]): number =>
        effects.flatMap(named).filter((name) => names.includes(name)).length;
      assert.equal(state.phase, 'done');
      assert.ok(count('referred', 'bridged', 'failed') <= 1);
      assert.deepEqual(ofPersons('open-audio').sort(), ofPersons('close-audio').sort());
      for (const dialled of ofPersons('dial')) assert.ok(ofPersons('hang-up').includes(dialled), dialled);
      assert.ok(effects.filter(({ type }) => type === 'bridge').length <= 1);
      assert.equal(effects.filter(({ type }) => type === 'bridge').length, count('unbridge'));
      assert.ok(count('arm-refer') <= count('cancel-refer'));
      const music = effects.flatMap((each) => (each.type === 'hold-music' ? [each.isOn] : []));
      assert.notEqual(music.at(-1), true, 'the music ends');
      const tried = effects.flatMap((each) => (each.type === 'tried' ? [`${each.round}${each.index}`] : []));
      assert.equal(new Set(tried).size, tried.length, 'each has one result');
    }),
    { numRuns: 5_000, seed: 20_261_126 },
  );
});
