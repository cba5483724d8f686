// The settings that a call takes from its rows: how long the caller waits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentenceRequests, turnConfig } from '../../../engine/call/setup.ts';
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

test('the sentences of every call are made ahead as they will be asked for, in the agent’s language and voice', () => {
  const texts = (changes: Parameters<typeof setupOf>[0]) => sentenceRequests(setupOf(changes)).map(({ text }) => text);
  const english = texts({});
  for (const said of ['Yes?', 'Okay.', 'One moment, please.', 'Let me see.', 'Thank you for your call. Goodbye.'])
    assert.ok(
      english.some((text) => said.startsWith(text)),
      said,
    );
  assert.ok(english.includes('Could you say that again, please?'));
  const own = texts({ business: { fallbackMessage: 'We are closed for repairs.' } });
  assert.ok(own.includes('We are closed for repairs.') && !own.includes('Could you say that again, please?'));
  assert.ok(texts({ agent: { language: 'de-DE' } }).includes('Ja.'));
});
