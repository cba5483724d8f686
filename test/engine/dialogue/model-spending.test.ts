// The tokens of a call by model: told, reckoned, and handed over to another process.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ModelSpending } from '../../../engine/dialogue/model-spending.ts';

const request = (model: string) => ({ type: 'request', byFallback: false, model, promptEstimate: 100 }) as const;
const usage = (model: string) =>
  ({ type: 'usage', model, promptEstimate: 100, inputTokens: 110, outputTokens: 7 }) as const;
const NAMELESS = { kind: 'llm', engine: 'module', model: null } as const;

test('each model has its own line, and a request that was cut off counts by its prompt', () => {
  const spending = new ModelSpending();
  spending.add(request('a'));
  spending.add(usage('a'));
  spending.add(request('a'));
  spending.add(request('b'));
  spending.add(usage('b'));
  const lines = spending
    .uses('openai', NAMELESS)
    .map((use) => [use.model, use.requests, use.inputTokens, use.isEstimated]);
  assert.deepEqual(lines, [
    ['a', 2, 210, true],
    ['b', 1, 110, undefined],
  ]);
});

test('another process goes on with it', () => {
  const before = new ModelSpending();
  before.add(request('a'));
  before.add(usage('a'));
  const after = new ModelSpending();
  after.goOn(JSON.parse(JSON.stringify(before.state)));
  after.add(request('a'));
  after.add(usage('a'));
  const [use] = after.uses('openai', NAMELESS);
  assert.deepEqual([use?.requests, use?.inputTokens, use?.outputTokens], [2, 220, 14]);
});

test('a model without a name is the engine’s, and of many models the first are known', () => {
  const spending = new ModelSpending();
  spending.add({ type: 'request', byFallback: false });
  for (let each = 0; each < 50; each++) spending.add(request(`m${each}`));
  const uses = spending.uses('openai', NAMELESS);
  assert.deepEqual([uses[0]?.engine, uses[0]?.model, uses.length], ['module', null, 20]);
});
