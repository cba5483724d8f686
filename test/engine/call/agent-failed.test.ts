// A call's row after its agent failed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallOutcome } from '../../../db/domain/calls/ends.ts';
import type { DialogueChunk } from '../../../models/llm/llm.ts';
import { CallStage, type CallStageOptions, type Script } from './stage.ts';

const text = (words: string): DialogueChunk => ({ type: 'text', text: words });
const MESSAGE = { business: { dialogueFallback: 'message', transferNumber: null } } as const;
const UNKNOWN = 'is my brother there already';

/** A call in which the caller says this, and hangs up. */
async function played(options: CallStageOptions, ...says: string[]): Promise<Record<string, unknown>> {
  const stage = await new CallStage(options).start(6_000);
  for (const words of says) {
    await stage.says(words, 15_000);
  }
  await stage.hangsUp();
  const [end] = stage.of('endCall');
  assert.ok(end);
  assert.equal(stage.ended[0]?.outcome, end.outcome, 'the log and the contact agree with the row');
  return end;
}

/** Fails in these turns, counted from 1. */
const failsIn = (...turns: number[]): Script => {
  let turn = 0;
  return () => (turns.includes(++turn) ? 'fails' : [text('We open at nine.')]);
};

const cases: Array<
  [
    name: string,
    options: CallStageOptions,
    says: string[],
    outcome: CallOutcome,
    tagged: boolean,
    fallbacks: Array<[to: string, count: number]>,
  ]
> = [
  ['nothing fails', {}, ['when do you open'], 'completed', false, []],
  [
    'nobody answers the only turn',
    { ...MESSAGE, model: failsIn(1) },
    ['when do you open'],
    'agent_failed',
    false,
    [['message', 1]],
  ],
  [
    'a later turn is answered',
    { ...MESSAGE, model: failsIn(1) },
    ['when do you open', 'hello?'],
    'completed',
    true,
    [['message', 1]],
  ],
  [
    'a later turn is not',
    { ...MESSAGE, model: failsIn(2) },
    ['when do you open', 'hello?'],
    'agent_failed',
    false,
    [['message', 1]],
  ],
  [
    'the agent gives up',
    { ...MESSAGE, model: failsIn(1, 2) },
    ['when do you open', 'hello?'],
    'agent_failed',
    false,
    [['message', 2]],
  ],
  [
    'the receptionist answers',
    { model: failsIn(1, 2) },
    ['when do you open', 'what is your address'],
    'completed',
    true,
    [['receptionist', 2]],
  ],
  ['the receptionist cannot', { model: failsIn(1) }, [UNKNOWN], 'agent_failed', false, [['receptionist', 1]]],
  [
    'a person takes over',
    { model: failsIn(1, 2), referStatus: 200 },
    [UNKNOWN, 'he has a red jacket'],
    'transferred',
    true,
    [
      ['receptionist', 1],
      ['message', 1],
    ],
  ],
];
for (const [name, options, says, outcome, isTagged, fallbacks] of cases) {
  test(`${name}: ${outcome}${isTagged ? ', with a tag' : ''}`, async () => {
    const end = await played(options, ...says);
    assert.equal(end.outcome, outcome);
    assert.equal((end.tags as string[]).includes('agent_failed'), isTagged);
    assert.deepEqual(
      end.fallbacks,
      fallbacks.map(([to, count]) => ({ model: 'llm', from: 'script', to, count, reason: 'LLM_UNAVAILABLE' })),
    );
  });
}

test('the recogniser fails, and the caller hangs up: agent_failed, not that nobody spoke', async () => {
  const stage = await new CallStage().start(6_000);
  await stage.saysUnheard(6_000);
  await stage.hangsUp();
  assert.equal(stage.of('endCall')[0]?.outcome, 'agent_failed');
});

test('the waits of a call: how many turns, and the longest until its answer', async () => {
  const stage = await new CallStage().start(6_000);
  for (const [epoch, ms] of [
    [2, 2_100],
    [2, 7_400],
    [3, 2_200],
  ] as const)
    await stage.reports({ type: 'wait-timed', callId: 'call_1', epoch, ms });
  await stage.hangsUp();
  assert.deepEqual(stage.of('endCall')[0]?.waits, { count: 2, longestMs: 7_400 });
});

test('a turn that the recogniser did not hear is its own, in the count and on the call', async () => {
  const stage = await new CallStage({ ...MESSAGE, model: failsIn(2) }).start(6_000);
  await stage.saysUnheard(8_000);
  assert.deepEqual(
    stage.of('countTurn').map(({ isFailed, isUnheard }) => [isFailed, isUnheard]),
    [[true, true]],
  );
  await stage.hangsUp();
  assert.deepEqual(stage.of('endCall')[0]?.fallbacks, [{ model: 'stt', from: 'recogniser', to: 'message', count: 1 }]);
});

test('each turn is counted as it ends, while the call still runs', async () => {
  const stage = await new CallStage({ ...MESSAGE, model: failsIn(2) }).start(6_000);
  await stage.says('when do you open', 8_000);
  await stage.says('and on sunday', 8_000);
  assert.deepEqual(
    stage.of('countTurn').map(({ accountId, isFailed }) => [accountId, isFailed]),
    [
      ['acc_1', false],
      ['acc_1', true],
    ],
  );
  await stage.hangsUp();
});
