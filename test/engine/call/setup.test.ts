// The settings that a call takes from its rows: how long the caller waits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { turnConfig } from '../../../engine/call/setup.ts';
import { setupOf } from './stage-setup.ts';

const recogniser = { patienceMs: 1_500, blockMs: 60, hearsWords: false };

test('how long a reply may take depends on the service and the agent, and not on the silence that ends a turn', () => {
  const within = (changes: Parameters<typeof setupOf>[0], serviceMs = 8_000): number =>
    turnConfig(setupOf(changes), false, recogniser, serviceMs).replyDeadlineMs;
  const usual = within({});
  assert.ok(usual > 8_000, 'a first word that comes in time is still to be said');
  for (const silenceThresholdMs of [100, 10_000]) assert.equal(within({ business: { silenceThresholdMs } }), usual);
  assert.equal(within({}, 20_000), usual + 12_000);
  assert.equal(within({ agent: { conversation: '{"modelTimeoutMs": 3000}' } }, 20_000), usual - 5_000);
});
