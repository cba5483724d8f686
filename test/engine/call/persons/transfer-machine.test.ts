// Every path of a transfer, and storms of events in any order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  startTransfer,
  stepTransfer,
  type TransferEffect,
  type TransferEvent,
} from '../../../../engine/call/persons/transfer-machine.ts';
import { AUDIO } from '../stage-leg.ts';

const audio = { address: '127.0.0.1', port: 20_000 };

function play(canRefer: boolean, events: readonly TransferEvent[]): { phase: string; effects: TransferEffect[] } {
  let [state, effects] = startTransfer(canRefer);
  for (const event of events) {
    const [next, more] = stepTransfer(state, event);
    state = next;
    effects = [...effects, ...more];
  }
  return { phase: state.phase, effects };
}

const types = (effects: readonly TransferEffect[]): string[] =>
  effects.map((effect) => (effect.type === 'report' ? effect.outcome : effect.type));

const called: TransferEvent[] = [{ type: 'audio-opened', audio }];
const answered: TransferEvent[] = [...called, { type: 'person-answered', audio: AUDIO }];
const bridged: TransferEvent[] = [...answered, { type: 'announcement-heard' }];

const ways: Array<[name: string, canRefer: boolean, events: TransferEvent[], phase: string, effects: string]> = [
  [
    'the peer connects the caller',
    true,
    [
      { type: 'refer-progress', status: 100 },
      { type: 'refer-progress', status: 200 },
    ],
    'done',
    'arm-timer refer accepted cancel-timer referred',
  ],
  [
    'the peer refuses REFER',
    true,
    [{ type: 'refer-progress', status: 405 }],
    'opening',
    'arm-timer refer cancel-timer open-audio',
  ],
  ['the peer never reports', true, [{ type: 'refer-timeout' }], 'opening', 'arm-timer refer cancel-timer open-audio'],
  ['a browser cannot be referred', false, [], 'opening', 'cancel-timer open-audio'],
  ['no audio for the person', false, [{ type: 'audio-failed' }], 'done', 'cancel-timer open-audio close-audio failed'],
  [
    'the person is busy',
    false,
    [...called, { type: 'person-ended' }],
    'done',
    'cancel-timer open-audio dial-person hang-up-person close-audio failed',
  ],
  [
    'the person hangs up on the announcement',
    false,
    [...answered, { type: 'person-ended' }],
    'done',
    'cancel-timer open-audio dial-person connect-person announce hang-up-person close-audio failed',
  ],
  [
    'both are joined until the person hangs up',
    false,
    [...bridged, { type: 'person-ended' }],
    'done',
    'cancel-timer open-audio dial-person connect-person announce bridge bridged unbridge hang-up-person close-audio report-person-gone',
  ],
  [
    'the caller hangs up while it rings',
    false,
    [...called, { type: 'abandoned' }, { type: 'person-answered', audio: AUDIO }],
    'done',
    'cancel-timer open-audio dial-person hang-up-person close-audio hang-up-person',
  ],
];

for (const [name, canRefer, events, phase, effects] of ways) {
  test(`a transfer: ${name}`, () => {
    const played = play(canRefer, events);
    assert.equal(types(played.effects).join(' '), effects);
    assert.equal(played.phase, phase);
  });
}

const anyEvent: fc.Arbitrary<TransferEvent> = fc.oneof(
  fc.constantFrom(100, 180, 200, 302, 405, 503).map((status): TransferEvent => ({ type: 'refer-progress', status })),
  fc.constantFrom<TransferEvent>(
    { type: 'refer-timeout' },
    { type: 'audio-opened', audio },
    { type: 'audio-failed' },
    { type: 'person-answered', audio: AUDIO },
    { type: 'person-audio-changed', audio: AUDIO },
    { type: 'person-ended' },
    { type: 'announcement-heard' },
  ),
);

test('in a storm a transfer reports one outcome and leaves no audio or bridge', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(anyEvent, { maxLength: 40 }), (canRefer, events) => {
      const { effects } = play(canRefer, [...events, { type: 'abandoned' }]);
      const count = (...names: string[]) => types(effects).filter((type) => names.includes(type)).length;
      assert.ok(count('referred', 'bridged', 'failed') <= 1);
      assert.equal(count('open-audio'), count('close-audio'));
      assert.equal(count('bridge'), count('unbridge'));
      assert.ok(count('dial-person') <= count('hang-up-person'));
      assert.ok(count('arm-timer') <= count('cancel-timer'));
    }),
    { numRuns: 3_000, seed: 20_261_122 },
  );
});
