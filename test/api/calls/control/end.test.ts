// How calls end that no engine has taken, and how a client ends a call.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expireCalls } from '../../../../api/calls/control/end.ts';
import { eventually } from '../../../../bench/rig/eventually.ts';
import { expireRequests } from '../../../../db/rules/engine-claims.ts';
import { usePlacing } from '../../../support/api/placing.ts';
import { engineIs, seedCall } from '../../../support/api/resources.ts';

const { api, set, place, eventsOf } = usePlacing();

test('a call that no engine takes ends FAILED after 30 s, with its events, and is never dialled', async () => {
  const { id } = (await place()).json.data;
  api.clock.advance(30_000);
  assert.equal(await expireCalls(api.context), 0, 'not a moment early');
  api.clock.advance(1);
  assert.equal(await expireCalls(api.context), 1);
  const call = (await api.tenant.ask('GET', `/calls/${id}`)).json.data;
  assert.equal(call.status, 'FAILED');
  assert.equal(call.endReason, 'expired');
  assert.equal(call.durationSeconds, 0);
  assert.notEqual(call.endedAt, null);
  assert.deepEqual(await eventsOf(id), ['call.started', 'call.ended', 'call.failed']);
  const request = await api.context.read.selectFrom('engineRequests').selectAll().executeTakeFirstOrThrow();
  assert.notEqual(request.doneAt, null);
  assert.equal(await expireCalls(api.context), 0);
  const event = await api.context.read
    .selectFrom('events')
    .selectAll()
    .where('type', '=', 'call.ended')
    .executeTakeFirstOrThrow();
  assert.deepEqual(JSON.parse(event.data), call);
});

test('a call that no engine takes ends alike, whichever process sees it first', async () => {
  const ends: unknown[] = [];
  for (const end of [
    () => expireCalls(api.context),
    () => api.context.db.transaction().execute((tx) => expireRequests(tx, { nowMs: api.clock.now, limit: 100 })),
  ]) {
    const dialled = (await place()).json.data.id;
    const web = (await api.tenant.ask('POST', '/calls/web', { campaignId: set.campaign.id })).json.data.call.id;
    api.clock.advance(61_000);
    await end();
    for (const id of [dialled, web]) {
      const { status, outcome, endReason } = (await api.tenant.ask('GET', `/calls/${id}`)).json.data;
      ends.push({ status, outcome, endReason, events: await eventsOf(id) });
    }
    // Both processes look all the time.
    assert.equal(await expireCalls(api.context), 0);
    await engineIs(api);
  }
  const dialled = {
    status: 'FAILED',
    outcome: 'expired',
    endReason: 'expired',
    events: ['call.started', 'call.ended', 'call.failed'],
  };
  const web = {
    status: 'FAILED',
    outcome: 'not_joined',
    endReason: 'not_joined',
    events: ['call.received', 'call.ended', 'call.failed'],
  };
  assert.deepEqual(ends, [dialled, web, dialled, web]);
});

test('a claimed call is not expired by the API', async () => {
  const { id } = (await place()).json.data;
  await api.context.db.updateTable('engineRequests').set({ claimedAt: api.clock.now, claimedBy: 'e' }).execute();
  api.clock.advance(60_000);
  assert.equal(await expireCalls(api.context), 0);
  assert.equal((await api.tenant.ask('GET', `/calls/${id}`)).json.data.status, 'RINGING');
});

test('ending a call that no engine has taken ends it there and then', async () => {
  const { id } = (await place()).json.data;
  const answer = await api.tenant.ask('POST', `/calls/${id}/end`);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.json.data.status, 'FAILED');
  assert.equal(answer.json.data.endReason, 'api');
  assert.deepEqual(await eventsOf(id), ['call.started', 'call.ended', 'call.failed']);
  assert.equal((await api.tenant.ask('POST', `/calls/${id}/end`)).status, 409);
});

/** Plays the engine: claims the request to end a call, and ends it. */
async function engineEnds(callId: string): Promise<void> {
  await eventually(async () => {
    const request = await api.context.db
      .selectFrom('engineRequests')
      .selectAll()
      .where('kind', '=', 'end-call')
      .where('callId', '=', callId)
      .executeTakeFirst();
    if (request !== undefined) {
      await api.context.db
        .updateTable('calls')
        .set({ status: 'COMPLETED', outcome: 'completed', endReason: 'api', endedAt: api.clock.now })
        .where('id', '=', callId)
        .execute();
    }
    return request;
  });
}

test('ending a running call waits for the engine and answers the ended call', async () => {
  const call = await seedCall(api, api.tenant, { status: 'IN_PROGRESS', endedAt: null, outcome: null });
  const [answer] = await Promise.all([api.tenant.ask('POST', `/calls/${call.id}/end`), engineEnds(call.id)]);
  assert.equal(answer.status, 200);
  assert.equal(answer.json.data.status, 'COMPLETED');
  assert.notEqual(answer.json.data.endedAt, null);
});

test('ending: a running call without an engine is 503, an ended one 409, a foreign one 404', async () => {
  await engineIs(api, { heartbeatAt: api.clock.now - 60_000 });
  const running = await seedCall(api, api.tenant, { status: 'IN_PROGRESS', endedAt: null });
  const answer = await api.tenant.ask('POST', `/calls/${running.id}/end`);
  assert.equal(answer.status, 503);
  assert.ok(Number(answer.headers['retry-after']) > 0);
  const ended = await seedCall(api, api.tenant);
  assert.equal((await api.tenant.ask('POST', `/calls/${ended.id}/end`)).status, 409);
  const foreign = await api.other.ask('POST', `/calls/${ended.id}/end`);
  assert.equal(foreign.status, 404);
  assert.equal(foreign.text, (await api.other.ask('POST', '/calls/call_none/end')).text);
});
