// How the end of a call is told: its summary, and what to do about a call that did not come off.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adviceOf } from '../../../api/dashboard/app/calls/advice.ts';
import { summaryWords } from '../../../api/dashboard/app/calls/summary-words.ts';
import { endWords } from '../../../api/dashboard/app/calls/words.ts';
import { type CallFacts, ruleSummary } from '../../../engine/after-call/after-call.ts';

const CALL: CallFacts = {
  ...{ direction: 'inbound', status: 'COMPLETED', outcome: 'transferred', durationSeconds: 83, toolsUsed: ['opt_out'] },
  transcript: [{ speaker: 'caller', text: 'How much is a haircut, and when do you open?', timestamp: 0 }],
  appointments: [{ service: 'Haircut', startsAtText: '2026-03-02T10:00:00-05:00' }],
  ...{ wantsCallBack: true, failedTurns: 0 },
};
const told = (facts: Partial<CallFacts>) => summaryWords(ruleSummary({ ...CALL, ...facts }));

test('each sentence that the rules write of a call is known, and none stays in a tag’s or an outcome’s code', () => {
  assert.equal(
    told({}),
    'Inbound call of 1 min 23 s. It was about: opening hours, prices, no more calls wanted, call back wanted. ' +
      'Booked: Haircut, Monday 2 March at 10:00 (UTC-05:00). The caller was put through to a person. ' +
      'The caller asked to be called back. The person asked not to be called again.',
  );
  assert.equal(told({ status: 'FAILED', outcome: 'no_answer' }), 'The call was not answered: No answer.');
  assert.equal(told({ status: 'VOICEMAIL', outcome: 'voicemail_left' }), 'A machine answered; a message was left.');
  assert.equal(
    told({ transcript: [], outcome: 'agent_failed', appointments: [], wantsCallBack: false, toolsUsed: [] }),
    'Inbound call of 1 min 23 s. The caller said nothing. The agent failed, and the caller was left without an answer.',
  );
});

test('a summary of a model is shown as it was written', () => {
  const summary = 'The caller asked for the price of a haircut. It was told.';
  assert.equal(summaryWords({ summary }), summary);
  assert.equal(summaryWords({ summary: null }), null);
});

test('a call that the provider refused for its password was not failed by the network, and says who mends it', () => {
  const call = { status: 'FAILED', endReason: 'network', sipStatus: 407 } as const;
  assert.equal(endWords(call), 'The telephone provider did not put the call through');
  assert.match(adviceOf(call) ?? '', /user name and password of the trunk/);
  assert.match(adviceOf({ ...call, sipStatus: null }) ?? '', /Try again/);
  assert.equal(adviceOf({ status: 'COMPLETED', endReason: 'caller_hangup', sipStatus: 200 }), null);
});
