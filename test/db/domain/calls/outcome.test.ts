// One table for calls that nobody answered: what the row, the contact and the trunk's breaker learn from each reason,
// whoever ends the call.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { END_REASONS, type EndReason } from '../../../../db/domain/calls/ends.ts';
import { endOf, type Progress, terminalOf, unserved } from '../../../../db/domain/calls/outcome.ts';

const TABLE: Record<EndReason, [outcome: string, isRetried: boolean, trunk: string | null]> = {
  busy: ['busy', true, 'worked'],
  no_answer: ['no_answer', true, 'worked'],
  declined: ['declined', false, 'worked'],
  unallocated: ['unallocated', false, 'worked'],
  network: ['failed', true, 'failed'],
  refused: ['failed', false, 'failed'],
  caller_hangup: ['hung_up', false, null],
  not_joined: ['not_joined', false, null],
  expired: ['expired', false, null],
  api: ['cancelled', false, null],
  do_not_call: ['cancelled', false, null],
  shutdown: ['cancelled', true, null],
  campaign_paused: ['cancelled', true, null],
  no_trunk: ['failed', true, null],
  capacity: ['failed', true, null],
  crash: ['failed', true, null],
  media_failure: ['failed', true, null],
  media_timeout: ['failed', false, null],
  model_failure: ['failed', false, null],
  agent_hangup: ['failed', false, null],
  max_duration: ['failed', false, null],
  idle: ['failed', false, null],
  transfer: ['failed', false, null],
  voicemail: ['failed', false, null],
};

for (const reason of END_REASONS) {
  const [outcome, isRetried, trunk] = TABLE[reason];
  test(`unanswered, ${reason}: ${outcome}${isRetried ? ', tried again' : ''}`, () => {
    assert.deepEqual(endOf(reason), { outcome, retryable: isRetried, trunk });
    const terminal = terminalOf(null, reason, 0);
    assert.deepEqual([terminal.status, terminal.outcome, terminal.retryable], ['FAILED', outcome, isRetried]);
    assert.equal(terminalOf(null, reason, 0, !isRetried).retryable, !isRetried, 'the refusal has the last word');
  });
}

test('whom the agent left without an answer: conversations only', () => {
  const transfer = { state: 'none', target: '' } as const;
  const progress: Progress = { answeredAtMs: 0, exchanges: 0, spoke: false, machine: 'none', transfer };
  const outcomeOf = (reason: EndReason, changes: Partial<Progress> = {}) =>
    unserved(terminalOf({ ...progress, ...changes }, reason, 1_000)).outcome;
  assert.equal(outcomeOf('caller_hangup'), 'agent_failed');
  assert.equal(outcomeOf('idle'), 'agent_failed');
  assert.equal(outcomeOf('agent_hangup', { exchanges: 1 }), 'agent_failed');
  assert.equal(outcomeOf('transfer'), 'transferred');
  assert.equal(outcomeOf('crash'), 'failed');
});
