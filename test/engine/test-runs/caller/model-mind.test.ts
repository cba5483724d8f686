// A model that plays a caller: what it is told, what its answers become, and when it hangs up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../../bench/rig/clock.ts';
import { ModelMind } from '../../../../engine/test-runs/caller/model-mind.ts';
import type { TextTask } from '../../../../models/llm/llm.ts';

const { signal } = new AbortController();

function minded(answers: readonly string[]) {
  const tasks: TextTask[] = [];
  const complete = async (task: TextTask) => answers[tasks.push(task) - 1] ?? '';
  const deps = { model: { complete }, name: 'actor', clock: new VirtualClock() };
  const wish = { goal: 'Book a cleaning.', facts: { name: 'Sarah Johnson' } };
  return { mind: new ModelMind(deps, wish, 'de-DE'), tasks };
}

test('it is told goal, facts, language and what was said, and its words are said', async () => {
  const { mind, tasks } = minded([
    '{"say": "I would like a cleaning.", "hangUp": false}',
    '```json\n{"say":"Sarah"}\n```',
  ]);
  const step = await mind.next('Hello, how can I help?', signal);
  assert.deepEqual(step, { type: 'say', text: 'I would like a cleaning.', cue: null, isLast: false });
  mind.took('Hello, how can I help?', step);
  const second = await mind.next('Your name?', signal);
  assert.equal(second.type === 'say' && second.text, 'Sarah');
  const [first, next] = tasks;
  assert.equal(first?.model, 'actor');
  assert.match(first?.user ?? '', /de-DE[\s\S]*Book a cleaning\.[\s\S]*name: Sarah Johnson[\s\S]*agent: Hello/);
  assert.match(next?.user ?? '', /agent: Hello[^\n]*\nyou: I would like a cleaning\.\nagent: Your name\?$/);
});

test('an answer that was not taken was never said', async () => {
  const { mind, tasks } = minded(['{"say": "One."}', '{"say": "Two."}']);
  await mind.next('Wait,', signal);
  await mind.next('Wait, please. Now?', signal);
  assert.doesNotMatch(tasks[1]?.user ?? '', /One\./);
});

test('after its goodbye it hangs up, and one that says nothing waits', async () => {
  const { mind, tasks } = minded(['{"say": ""}', '{"say": "Goodbye.", "hangUp": true}']);
  assert.equal((await mind.next('One moment.', signal)).type, 'wait');
  mind.took('Anything else?', await mind.next('Anything else?', signal));
  assert.equal((await mind.next('Goodbye.', signal)).type, 'hang-up');
  assert.equal(tasks.length, 2, 'nobody is asked for it');
});

test('an answer that is no sentence ends the test, without repeating it', async () => {
  const { mind } = minded(['My number is 4711']);
  await assert.rejects(mind.next('Hello?', signal), (error: Error) => {
    assert.match(error.message, /something else than a sentence/);
    assert.doesNotMatch(error.message, /4711/);
    return true;
  });
});

test('a conversation that does not end is ended', async () => {
  const { mind } = minded(Array.from({ length: 50 }, () => '{"say": "And?"}'));
  let said = 0;
  for (let turn = 0; turn < 50; turn++) {
    const step = await mind.next('Well.', signal);
    if (step.type === 'hang-up') break;
    mind.took('Well.', step);
    said++;
  }
  assert.equal(said, 40);
});
