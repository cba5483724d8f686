// The bodies that the pages of a campaign send.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localTime } from '../../../api/dashboard/app/format.ts';

Object.assign(globalThis, {
  location: { hash: '' },
  addEventListener: () => undefined,
  localStorage: { getItem: () => null, setItem: () => undefined, removeItem: () => undefined },
});
const { campaignBodyOf, NEW_CAMPAIGN } = await import('../../../api/dashboard/app/pages/campaigns/campaign-form.ts');

test('an emptied limit is its default, an emptied text none, an empty zone that of the called number', () => {
  const window = { ...NEW_CAMPAIGN.window, timezone: '' };
  assert.deepEqual(campaignBodyOf({ maxAttempts: null, instructions: '', window }), {
    maxAttempts: 3,
    instructions: null,
    callingWindow: { ...NEW_CAMPAIGN.window, timezone: null },
  });
});

test('a time of the form is a moment, and back', () => {
  const { scheduledAt } = campaignBodyOf({ scheduledAt: '2030-07-01T10:30' });
  assert.equal(localTime(scheduledAt ?? ''), '2030-07-01T10:30');
  assert.deepEqual(campaignBodyOf({ scheduledAt: '' }), { scheduledAt: null });
});
