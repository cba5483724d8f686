// In which order the dispatcher serves accounts and their subscriptions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lane } from '../../../api/delivery/lane.ts';
import { Turns } from '../../../api/delivery/turns.ts';

test('turns go round the accounts, and within an account round its lanes', () => {
  const turns = new Turns();
  for (const [webhookId, accountId] of [
    ['a1', 'a'],
    ['a2', 'a'],
    ['a3', 'a'],
    ['b1', 'b'],
    ['c1', 'c'],
  ] as const)
    turns.add(new Lane(webhookId, accountId, 0));
  assert.equal(turns.size, 5);
  const order: string[] = [];
  for (let n = 0; n < 9; n++) {
    const lane = turns.take();
    assert.ok(lane);
    order.push(lane.webhookId);
    // b has nothing more to send after its second.
    if (lane.webhookId !== 'b1' || order.filter((id) => id === 'b1').length < 2) turns.add(lane);
  }
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b1', 'c1', 'a3', 'c1', 'a1']);
  assert.equal(turns.size, 4);
});
