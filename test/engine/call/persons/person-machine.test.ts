// Every way of asking one person to take a caller, and storms of events in any order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  askPerson,
  type PersonEffect,
  type PersonEvent,
  type PersonManner,
  type PersonState,
  stepPerson,
} from '../../../../engine/call/persons/person-machine.ts';
import { AUDIO } from '../stage-leg.ts';

const audio = { address: '127.0.0.1', port: 20_000 };
const KEY: PersonManner = { accept: 'key', extensionMs: null };
const VOICE: PersonManner = { ...KEY, accept: 'voice' };
const NONE: PersonManner = { ...KEY, accept: 'none' };
const EXTENSION: PersonManner = { ...KEY, extensionMs: 4_000 };

type Scripted = PersonEvent | 'time';

const opened: PersonEvent = { type: 'audio-opened', audio };
const answered: PersonEvent = { type: 'answered', audio: AUDIO };
const human: PersonEvent = { type: 'verdict', verdict: 'human' };
const machine: PersonEvent = { type: 'verdict', verdict: 'machine' };
const heard: PersonEvent = { type: 'heard' };
const hungUp: PersonEvent = { type: 'ended', result: 'failed' };
const key = (digit: string): PersonEvent => ({ type: 'key', digit });
const said = (kind: 'yes' | 'no' | 'question' | 'other', text: string = kind, rest = ''): PersonEvent => ({
  type: 'said',
  meaning: { kind, text, rest },
});
const told = [opened, answered, human] as const;
const asked = [...told, heard] as const;

/** `time`: the newest timer is up. */
function play(manner: PersonManner, script: readonly Scripted[]): { state: PersonState; effects: PersonEffect[] } {
  let [state, effects] = askPerson(manner);
  for (const next of script) {
    const event: PersonEvent = next === 'time' ? { type: 'timer', serial: state.serial } : next;
    const [after, more] = stepPerson(state, event);
    state = after;
    effects = [...effects, ...more];
  }
  return { state, effects };
}

const named = (effect: PersonEffect): string => {
  if (effect.type === 'say') return effect.what;
  if (effect.type === 'say-answer') return `answer:${effect.text}`;
  if (effect.type === 'result') return [effect.result, effect.accepted, effect.message].filter(Boolean).join(':');
  return effect.type;
};
/** Without timers. */
const shown = (effects: readonly PersonEffect[]): string =>
  effects
    .filter(({ type }) => type !== 'arm-timer')
    .map(named)
    .join(' ');

const BEGUN = 'open-audio dial connect begin';
const OVER = 'hang-up close-audio';

const ways: Array<[name: string, manner: PersonManner, script: readonly Scripted[], effects: string]> = [
  ['takes the call by key', KEY, [...asked, key('1')], `${BEGUN} opening accepted:key`],
  ['takes it before the end of the briefing', KEY, [...told, key('1')], `${BEGUN} opening accepted:key`],
  ['a key with the answer is no decision', KEY, [opened, answered, key('1'), human], `${BEGUN} opening`],
  ['a key before the answer is none', KEY, [opened, key('1'), answered, human], `${BEGUN} opening`],
  ['other keys decide nothing', KEY, [...asked, key('5'), key('#')], `${BEGUN} opening`],
  ['a word is no key', KEY, [...asked, said('yes')], `${BEGUN} opening question`],
  ['takes it by a word', VOICE, [...asked, said('yes')], `${BEGUN} opening accepted:voice`],
  ['takes it by key where a word is asked for', VOICE, [...asked, key('1')], `${BEGUN} opening accepted:key`],
  ['is not asked', NONE, asked, `${BEGUN} opening accepted:none`],
  ['is not asked, and declines', NONE, [...told, said('no')], `${BEGUN} opening ask-message`],
  ['no audio', KEY, [{ type: 'audio-failed' }], 'open-audio close-audio failed'],
  ['busy', KEY, [opened, { type: 'ended', result: 'busy' }], `open-audio dial ${OVER} busy`],
  ['nobody picks up', KEY, [opened, { type: 'ended', result: 'no_answer' }], `open-audio dial ${OVER} no_answer`],
  ['a machine', KEY, [opened, answered, machine], `${BEGUN} ${OVER} machine`],
  ['a machine that was taken for a person', NONE, [...told, machine], `${BEGUN} opening ${OVER} machine`],
  ['a machine after the caller was put through', KEY, [...asked, key('1'), machine], `${BEGUN} opening accepted:key`],
  [
    'a service that screens calls is briefed where somebody must decide',
    KEY,
    [opened, answered, { type: 'verdict', verdict: 'screening' }],
    `${BEGUN} opening`,
  ],
  [
    'and takes nobody where not',
    NONE,
    [opened, answered, { type: 'verdict', verdict: 'screening' }],
    `${BEGUN} ${OVER} machine`,
  ],
  ['a detector that never decides', KEY, [opened, answered, 'time', heard, key('1')], `${BEGUN} opening accepted:key`],
  [
    'declines without a message',
    KEY,
    [...asked, key('2'), heard, 'time'],
    `${BEGUN} opening ask-message ${OVER} declined`,
  ],
  [
    'declines by key and says what to tell',
    KEY,
    [...asked, key('2'), heard, said('other', 'I call back at four'), heard],
    `${BEGUN} opening ask-message noted ${OVER} declined:I call back at four`,
  ],
  [
    'declines with the message in one sentence',
    VOICE,
    [...asked, said('no', 'no, tell them I am out', 'tell them I am out'), heard],
    `${BEGUN} opening noted ${OVER} declined:tell them I am out`,
  ],
  ['declines twice', VOICE, [...asked, said('no'), said('no')], `${BEGUN} opening ask-message ${OVER} declined`],
  ['declines and hangs up', KEY, [...asked, key('2'), hungUp], `${BEGUN} opening ask-message ${OVER} declined`],
  [
    'hangs up on the thanks for a message',
    KEY,
    [...asked, key('2'), said('other', 'call tomorrow'), hungUp],
    `${BEGUN} opening ask-message noted ${OVER} declined:call tomorrow`,
  ],
  ['hangs up before a word', KEY, [opened, answered, hungUp], `${BEGUN} ${OVER} hung_up`],
  ['hangs up in the briefing', KEY, [...told, hungUp], `${BEGUN} opening ${OVER} hung_up`],
  ['hangs up instead of deciding', KEY, [...asked, hungUp], `${BEGUN} opening ${OVER} hung_up`],
  [
    'hangs up while their question is looked up',
    KEY,
    [...asked, said('question'), hungUp],
    `${BEGUN} opening find-answer ${OVER} hung_up`,
  ],
  ['says nothing', KEY, [...asked, 'time', heard, 'time'], `${BEGUN} opening question ${OVER} silent`],
  [
    'says nothing of use',
    VOICE,
    [...asked, said('other', 'hm'), 'time', heard, said('other'), 'time'],
    `${BEGUN} opening question ${OVER} silent`,
  ],
  [
    'asks one question',
    KEY,
    [...asked, said('question', 'who is it'), { type: 'answer', text: 'A patient.' }, heard, key('1')],
    `${BEGUN} opening find-answer answer:A patient. accepted:key`,
  ],
  [
    'asks what nobody knows in time',
    KEY,
    [...asked, said('question'), 'time'],
    `${BEGUN} opening find-answer answer:null`,
  ],
  [
    'asks a second question',
    KEY,
    [...asked, said('question'), { type: 'answer', text: 'x' }, heard, said('question')],
    `${BEGUN} opening find-answer answer:x question`,
  ],
  [
    'does not wait for the answer',
    KEY,
    [...asked, said('question'), key('1'), { type: 'answer', text: 'x' }],
    `${BEGUN} opening find-answer accepted:key`,
  ],
  [
    'is called by an extension',
    EXTENSION,
    [opened, answered, machine, 'time', said('other'), heard, key('1')],
    `${BEGUN} send-extension opening accepted:key`,
  ],
  [
    'an extension where nobody speaks',
    EXTENSION,
    [opened, answered, 'time', 'time'],
    `${BEGUN} send-extension ${OVER} no_answer`,
  ],
  ['a key at an extension decides nothing', EXTENSION, [opened, answered, key('1')], `${BEGUN} send-extension`],
  ['answers twice', KEY, [opened, answered, answered, human, heard, key('1')], `${BEGUN} opening accepted:key`],
  [
    'is let go while it rings, and answers then',
    KEY,
    [opened, { type: 'withdrawn' }, answered],
    `open-audio dial ${OVER} withdrawn hang-up`,
  ],
  [
    'is let go in the briefing',
    KEY,
    [...told, { type: 'withdrawn' }, key('1'), said('yes')],
    `${BEGUN} opening ${OVER} withdrawn`,
  ],
  ['hangs up after both were joined', KEY, [...asked, key('1'), hungUp], `${BEGUN} opening accepted:key ${OVER} gone`],
  [
    'their audio fails after both were joined',
    KEY,
    [...asked, key('1'), { type: 'audio-failed' }],
    `${BEGUN} opening accepted:key ${OVER} gone`,
  ],
];

for (const [name, manner, script, effects] of ways) {
  test(`a person: ${name}`, () => assert.equal(shown(play(manner, script).effects), effects));
}

test('a timer that was replaced changes nothing', () => {
  const { state } = play(KEY, asked);
  const [same, effects] = stepPerson(state, { type: 'timer', serial: state.serial - 1 });
  assert.deepEqual([same, effects], [state, []]);
});

test('a message is as long as somebody would pass on', () => {
  const { effects } = play(VOICE, [...asked, said('no', 'no', 'word '.repeat(500)), heard]);
  const result = effects.find((effect) => effect.type === 'result');
  assert.equal(result?.type === 'result' ? result.message?.length : 0, 300);
});

const anyEvent: fc.Arbitrary<Scripted> = fc.oneof(
  fc.constantFrom<Scripted>(opened, answered, heard, 'time', 'time', { type: 'audio-failed' }, { type: 'withdrawn' }),
  fc.constantFrom<Scripted>(hungUp, { type: 'ended', result: 'busy' }, { type: 'audio-changed', audio: AUDIO }),
  fc
    .constantFrom('human', 'machine', 'machine-beep', 'screening', 'uncertain')
    .map((verdict): PersonEvent => ({ type: 'verdict', verdict: verdict as 'human' })),
  fc.constantFrom('0', '1', '2', '#').map(key),
  fc.constantFrom('yes', 'no', 'question', 'other').map((kind) => said(kind as 'yes')),
  fc.constantFrom('x', null).map((text): PersonEvent => ({ type: 'answer', text })),
);

test('in a storm a person has one result, and no line stays', () => {
  const manner = fc.constantFrom(KEY, VOICE, NONE, EXTENSION);
  fc.assert(
    fc.property(manner, fc.array(anyEvent, { maxLength: 40 }), (how, script) => {
      const { effects, state } = play(how, [...script, { type: 'withdrawn' }]);
      const count = (type: PersonEffect['type']): number => effects.filter((effect) => effect.type === type).length;
      assert.equal(state.phase, 'over');
      assert.equal(count('open-audio'), 1);
      assert.equal(count('close-audio'), 1);
      assert.ok(count('dial') <= count('hang-up'));
      const results = effects.filter((effect) => effect.type === 'result');
      const wasJoined = results[0]?.type === 'result' && results[0].result === 'accepted';
      assert.ok(results.length === 1 || (wasJoined && results.length <= 2), JSON.stringify(results));
    }),
    { numRuns: 5_000, seed: 20_261_126 },
  );
});

test('whoever says nothing is let go after two minutes at the longest', () => {
  for (const manner of [KEY, VOICE, EXTENSION]) {
    let [state] = askPerson(manner);
    let waited = 0;
    for (const event of [opened, answered] as const) {
      const [next, effects] = stepPerson(state, event);
      state = next;
      for (const effect of effects) if (effect.type === 'arm-timer') waited += effect.delayMs;
    }
    for (let n = 0; n < 10 && state.phase !== 'over'; n++) {
      const [next, effects] = stepPerson(state, { type: 'timer', serial: state.serial });
      state = next;
      for (const effect of effects) if (effect.type === 'arm-timer') waited += effect.delayMs;
    }
    assert.equal(state.phase, 'over');
    assert.ok(waited <= 150_000, `${waited}`);
  }
});
