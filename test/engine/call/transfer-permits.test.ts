// What a transfer's own call needs, like any other: a destination that is allowed, minutes, and places.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { countReferral } from '../../../db/rules/spend.ts';
import { createTransferPermits } from '../../../engine/call/transfer-permits.ts';
import { createAdmission } from '../../../engine/load/admission.ts';
import { addTrunk, seedCall, setUpCampaign } from '../../support/api/resources.ts';
import { useFreshApi } from '../../support/api/use-api.ts';

const api = useFreshApi();
let trunkId: string;
beforeEach(async () => {
  await setUpCampaign(api, api.tenant);
  trunkId = await addTrunk(api);
});

const permits = (maxCalls = 10, trunkCalls = 2) => {
  const admission = createAdmission(maxCalls);
  const options = { read: api.context.read, maxCallsOf: () => trunkCalls, nowMs: () => api.clock.now };
  const places = {
    take: () => admission.admit('inbound'),
    adopt: () => admission.adopt(),
    leave: () => admission.release(),
  };
  return { admission, ...createTransferPermits({ ...options, places }) };
};
const target = (number: string, accountId = api.tenant.accountId) => ({
  accountId,
  trunkIds: [trunkId],
  target: number,
});

test('the destination is judged as that of any call; a softphone of the house is none', async () => {
  const { obstacle } = permits();
  assert.equal(await obstacle(target('+14155552671')), null);
  assert.match((await obstacle(target('+19002345678'))) ?? '', /premium rate/);
  assert.match((await obstacle(target('+4915112345678'))) ?? '', /not DE/);
  assert.equal(await obstacle(target('sip:desk')), null);
});

test('without minutes nobody is called, though the inbound call goes on', async () => {
  const starter = await api.newTenant({ plan: 'STARTER' });
  await seedCall(api, starter, {
    status: 'IN_PROGRESS',
    endedAt: null,
    answeredAt: api.clock.now - 500 * 60_000,
  });
  const { obstacle } = permits();
  assert.match((await obstacle(target('+14155552671', starter.accountId))) ?? '', /minutes/);
  assert.equal(await obstacle(target('sip:desk', starter.accountId)), null);
});

test('past the stop of spend nobody is called; a softphone of the house costs nothing', async () => {
  const spendLimits = JSON.stringify({ stopMinutesPerHour: 10 });
  await api.context.db.updateTable('accounts').set({ spendLimits }).where('id', '=', api.tenant.accountId).execute();
  await countReferral(api.context.db, { accountId: api.tenant.accountId, nowMs: api.clock.now });
  const { obstacle } = permits();
  assert.match((await obstacle(target('+14155552671'))) ?? '', /account's 10 outbound minutes of this hour/);
  assert.equal(await obstacle(target('+14155552671', api.other.accountId)), null);
  assert.equal(await obstacle(target('sip:desk')), null);
});

test("a person's leg takes a place of the engine and one of the trunk, and gives both back once", async () => {
  const { takePlace, admission } = permits();
  await seedCall(api, api.tenant, { status: 'IN_PROGRESS', endedAt: null, trunkId });
  const first = await takePlace(trunkId);
  assert.equal(typeof first, 'function');
  assert.equal(admission.active, 1);
  assert.match(String(await takePlace(trunkId)), /all 2 calls that the trunk can hold/);
  assert.equal(typeof (await takePlace(null)), 'function', 'a softphone needs no trunk');
  if (typeof first === 'function') {
    first();
    first();
  }
  assert.equal(admission.active, 1);
  assert.equal(typeof (await takePlace(trunkId)), 'function');
});

test('the place of a leg that another process has dialled is taken though there is no room, and given back', async () => {
  const { takePlace, adoptPlace, admission } = permits(1, 1);
  admission.admit('inbound');
  const leave = adoptPlace(trunkId);
  assert.equal(admission.active, 2);
  assert.match(String(await takePlace(trunkId)), /all 1 calls that the trunk can hold/);
  leave();
  leave();
  assert.equal(admission.active, 1);
});

test('a full engine calls nobody', async () => {
  const { takePlace, admission } = permits(1);
  admission.admit('inbound');
  assert.match(String(await takePlace(null)), /places of the engine/);
});
