// An alert rule as its form has it: shares are percents, and what is sent back unchanged changes nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AlertRule } from '../../../api/dashboard/app/api-types.ts';
import { alertBody, alertValues, freshAlert } from '../../../api/dashboard/app/pages/alerts/alert-form.ts';
import { formatAmount } from '../../../api/dashboard/app/pages/costs/cost-words.ts';

const RULE: AlertRule = {
  ...{ id: 'alr_1', name: 'Failed calls', metric: 'failed_share', comparison: 'above', value: 0.07, windowMinutes: 90 },
  ...{ minimumCalls: 10, isActive: true, businessId: null, campaignId: 'cmp_1', agentId: null },
  to: [{ by: 'slack', to: 'https://hooks.slack.com/…abcdefgh', isSigned: false }],
  ...{ quiet: null, timezone: 'UTC', state: 'ok', current: null, calls: 0, evaluatedAt: null },
  createdAt: '2026-11-18T12:00:00.000Z',
};

test('a share is written in percent, and is the same share again', () => {
  const values = alertValues(RULE);
  assert.equal(values.value, 7);
  const { value, windowMinutes, to, campaignId } = alertBody(values);
  assert.deepEqual({ value, windowMinutes, campaignId }, { value: 0.07, windowMinutes: 90, campaignId: 'cmp_1' });
  assert.deepEqual(to, [{ by: 'slack', to: 'https://hooks.slack.com/…abcdefgh' }]);
  assert.equal(alertBody({ ...values, metric: 'calls', value: 3 }).value, 3);
  assert.equal(alertBody(freshAlert()).value, 0.2);
});

test('a secret is sent only where one was typed, for a system', () => {
  const [recipient] = freshAlert().to;
  assert.ok(recipient);
  const of = (change: object) =>
    alertBody({ ...freshAlert(), to: [{ ...recipient, to: ' a@b.example ', ...change }] }).to[0];
  assert.deepEqual(of({ secret: 'sixteen characters' }), { by: 'mail', to: 'a@b.example' });
  assert.deepEqual(of({ by: 'webhook', secret: 'sixteen characters' }), {
    ...{ by: 'webhook', to: 'a@b.example', secret: 'sixteen characters' },
  });
});

test('a fraction of a cent is shown, a missing price is none', () => {
  assert.match(formatAmount('0.0043', 'USD'), /0[.,]0043/);
  assert.match(formatAmount('12.3', 'USD'), /12[.,]30/);
  assert.equal(formatAmount(null, 'USD'), '–');
});
