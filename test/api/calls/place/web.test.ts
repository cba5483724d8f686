// Calls of a browser: their token, the campaigns that take them, and the end of one that nobody joined.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { expireCalls } from '../../../../api/calls/control/end.ts';
import { usePlacing } from '../../../support/api/placing.ts';

const { api, set, campaignIs, eventsOf } = usePlacing();

test('a browser call: its token is random and kept only as a digest', async () => {
  const answer = await api.tenant.ask('POST', '/calls/web', { campaignId: set.campaign.id });
  assert.equal(answer.status, 201, answer.text);
  const { call, socketUrl } = answer.json.data;
  assert.equal(call.direction, 'inbound');
  assert.equal(call.fromNumber, 'web');
  assert.equal(call.toNumber, set.number.phoneNumber);
  assert.equal(call.phoneNumberId, null);
  const url = new URL(socketUrl);
  assert.equal(`${url.protocol}//${url.host}${url.pathname}`, `ws://127.0.0.1:8081/calls/${call.id}`);
  const token = url.searchParams.get('token') ?? '';
  assert.ok(token.length >= 40);
  const request = await api.context.read.selectFrom('engineRequests').selectAll().executeTakeFirstOrThrow();
  assert.equal(request.kind, 'web-call');
  assert.equal(JSON.parse(request.payload).tokenHash, createHash('sha256').update(token).digest('hex'));
  assert.equal(request.payload.includes(token), false);
  assert.equal(api.logs.join('\n').includes(token), false);
  assert.deepEqual(await eventsOf(call.id), ['call.received']);
  api.clock.advance(60_001);
  await expireCalls(api.context);
  const after = (await api.tenant.ask('GET', `/calls/${call.id}`)).json.data;
  assert.equal(after.status, 'FAILED');
  assert.equal(after.endReason, 'not_joined');
  assert.deepEqual(await eventsOf(call.id), ['call.received', 'call.ended', 'call.failed']);
});

test('browser calls: a paused campaign is 429, a failed one 409, an unknown one 422', async () => {
  const web = (campaignId: string) => api.tenant.ask('POST', '/calls/web', { campaignId });
  await campaignIs('PAUSED');
  assert.equal((await web(set.campaign.id)).status, 429);
  await campaignIs('FAILED');
  assert.equal((await web(set.campaign.id)).status, 409);
  await campaignIs('COMPLETED');
  assert.equal((await web(set.campaign.id)).status, 201);
  assert.equal((await web('cmp_none')).status, 422);
});
