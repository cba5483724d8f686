// `redaction` of a business: what it takes, and what the events of a call's end tell then.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endCall } from '../../../db/queries/calls/life.ts';
import { seedCall, setUpCampaign } from '../../support/api/resources.ts';
import { useFreshApi } from '../../support/api/use-api.ts';

const api = useFreshApi();
const CARD = 'it is 4111 1111 1111 1111';

test('a policy is set whole, its defaults filled in, and taken away by null', async () => {
  const { business } = await setUpCampaign(api, api.tenant);
  const patch = (redaction: unknown) => api.tenant.ask('PATCH', `/businesses/${business.id}`, { redaction });
  const set = await patch({ kinds: ['card', 'iban', 'card'] });
  assert.equal(set.status, 200, set.text);
  const policy = { kinds: ['card', 'iban'], transcript: true, webhooks: true, audio: false };
  assert.deepEqual(set.json.data.redaction, policy);
  const { data } = (await api.tenant.ask('GET', `/businesses/${business.id}`)).json;
  assert.deepEqual(data.redaction, policy);
  for (const [redaction, field] of [
    [{ kinds: [] }, 'redaction.kinds'],
    [{ kinds: ['face'] }, 'redaction.kinds[0]'],
    [{ kinds: ['card'], logs: true }, 'redaction.logs'],
    [{}, 'redaction.kinds'],
  ] as const) {
    const { status, json } = await patch(redaction);
    assert.deepEqual([status, json.errors?.[0]?.field], [422, field]);
  }
  assert.equal((await patch(null)).json.data.redaction, null);
});

test('events of the end leave out what the kept transcript has', async () => {
  const set = await setUpCampaign(api, api.tenant);
  const call = await seedCall(api, api.tenant, {
    ...{ campaignId: set.campaign.id, businessId: set.business.id },
    ...{ status: 'IN_PROGRESS', endedAt: null },
  });
  await endCall(api.context.db, {
    ...{ callId: call.id, status: 'COMPLETED', outcome: 'completed', endReason: 'caller_hangup' },
    endedAtMs: api.clock.now,
    transcript: [{ speaker: 'caller', text: CARD, timestamp: 900 }],
    summary: `The caller said: ${CARD}`,
    tags: [],
    contact: null,
    eventRedaction: { kinds: ['card'], language: 'en-US', country: 'US', names: [] },
  });
  const { data } = (await api.tenant.ask('GET', `/calls/${call.id}`)).json;
  assert.equal(data.transcript[0]?.text, CARD);
  const events = await api.context.read
    .selectFrom('events')
    .select('data')
    .where('subjectId', '=', call.id)
    .where('type', '=', 'call.ended')
    .execute();
  assert.deepEqual([events.length, events[0]?.data.includes('4111')], [1, false]);
  const told = JSON.parse(events[0]?.data ?? '{}');
  assert.deepEqual([told.transcript[0].text, told.summary], ['it is [card]', 'The caller said: it is [card]']);
});
