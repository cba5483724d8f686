// The conditions for a transfer's own call, like any other: a destination that is allowed, minutes, and places.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { VirtualClock } from '../../../../bench/rig/clock.ts';
import { eventually } from '../../../../bench/rig/eventually.ts';
import { countReferral, openTransferLeg } from '../../../../db/rules/spend.ts';
import { createTransferPermits } from '../../../../engine/call/persons/transfer-permits.ts';
import { createAdmission } from '../../../../engine/load/admission.ts';
import { addTrunk, seedCall, setUpCampaign } from '../../../support/api/resources.ts';
import { useFreshApi } from '../../../support/api/use-api.ts';

const api = useFreshApi();
let trunkId: string;
beforeEach(async () => {
  await setUpCampaign(api, api.tenant);
  trunkId = await addTrunk(api);
});

const permits = (maxCalls = 10, trunkCalls = 2, paceOf = () => 0) => {
  const admission = createAdmission(maxCalls);
  const clock = new VirtualClock(api.clock.now);
  const options = { read: api.context.read, maxCallsOf: () => trunkCalls, paceOf, clock };
  const places = {
    take: () => admission.admit('inbound'),
    adopt: () => admission.adopt(),
    leave: () => admission.release(),
  };
  const made = createTransferPermits({ ...options, places });
  /** A leg over the trunk; null: a softphone. */
  const takePlace = (trunk: string | null, book: () => Promise<unknown> = async () => undefined) =>
    made.place(target(trunk === null ? 'sip:desk' : '+14155552671'), book);
  return { admission, clock, takePlace, ...made };
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

test('legs that ring at once are judged one after the other: what the first may spend is booked before the second', async () => {
  const spendLimits = JSON.stringify({ stopMinutesPerHour: 2 });
  await api.context.db.updateTable('accounts').set({ spendLimits }).where('id', '=', api.tenant.accountId).execute();
  const { takePlace, admission } = permits(10, 10);
  const { id: callId, accountId } = await seedCall(api, api.tenant, { status: 'IN_PROGRESS', endedAt: null });
  const legs = await Promise.all(
    [0, 1, 2, 3, 4].map((leg) => takePlace(trunkId, () => openTransferLeg(api.context.db, { callId, accountId, leg }))),
  );
  const refused = legs.filter((leg) => typeof leg === 'string');
  assert.equal(refused.length, 3, JSON.stringify(legs));
  assert.match(refused[0] ?? '', /2 outbound minutes of this hour/);
  assert.equal(admission.active, 2);
});

test('a leg that cannot be booked has no place: the engine and the trunk have theirs back', async () => {
  const { takePlace, admission } = permits(1, 1);
  const isAway = () => Promise.reject(new Error('the database is away'));
  await assert.rejects(takePlace(trunkId, isAway), /the database is away/);
  assert.equal(admission.active, 0);
  assert.equal(typeof (await takePlace(trunkId)), 'function');
});

test('a leg waits for its turn on the trunk, and for the books no longer than they may take', async () => {
  const { takePlace, clock } = permits(10, 10, () => 700);
  const order: string[] = [];
  const leg = takePlace(trunkId, () => {
    order.push('booked');
    return new Promise(() => {});
  }).then(() => order.push('dialled'));
  const isWaiting = () => clock.pending === 1;
  await eventually(isWaiting);
  clock.advance(699);
  assert.ok(isWaiting());
  clock.advance(1);
  await eventually(isWaiting);
  assert.deepEqual(order, ['booked']);
  clock.advance(2_000);
  await leg;
  assert.deepEqual(order, ['booked', 'dialled']);
});
