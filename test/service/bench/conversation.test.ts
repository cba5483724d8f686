// The conversation bench from end to end: one scenario against a service of its own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TakePlayer } from '../../../bench/conversation/play.ts';
import { scoreTake } from '../../../bench/conversation/score.ts';
import { callerTurns, withScriptedService } from '../../../bench/conversation/service.ts';
import { parseScenario } from '../../../bench/rig/conversation/scenario-file.ts';

const ONE_QUESTION = `
about: one question
agent:
  replies: [We are open from nine.]
caller:
  - on: agent-stops
    after: 600
    say: When do you open?
`;

test('a scenario from end to end: one question, answered once, word for word', { timeout: 60_000 }, async () => {
  const scenario = parseScenario('one-question', ONE_QUESTION);
  await withScriptedService('typical', async (scripted) => {
    const player = new TakePlayer(scenario, 1, 1, scripted);
    await player.prepare();
    const take = await player.play();
    const turns = await callerTurns(scripted);
    const score = scoreTake(take, {
      wordDelayMs: null,
      speech: scripted.folder.speech(),
      script: scenario.replies.map(({ say }) => say),
      greeting: scripted.greeting,
      heardTurns: turns.get(take.number) ?? [],
      requests: scripted.folder.requests(),
    });
    assert.deepEqual(turns.get(take.number), ['When do you open?']);
    assert.deepEqual([score.failure, score.unexpected, score.unanswered], [null, [], 0]);
    assert.deepEqual([score.agentWordsLost, score.callerWordsLost, score.staleFrames], [0, 0, 0]);
    assert.equal(score.gapsMs.length, 1);
  });
});
