// The claim of an attempt asks everything once more: what may have changed since the plan stops it, and says why.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { dialForecast, dialForecastByDestination, readDialling } from '../../../db/queries/dialling/due.ts';
import { openCallsOfTrunks, writeTrunkState } from '../../../db/queries/trunks/trunk-states.ts';
import type { PlannedClaim } from '../../../db/rules/dial-claims.ts';
import { countBeginning, countReferral } from '../../../db/rules/spend.ts';
import type { CampaignTable } from '../../../db/schema/campaigns.ts';
import { failClaimed } from '../../../engine/campaign/dialler.ts';
import { DAY, Stage } from '../../engine/campaign/stage.ts';

const START = Date.UTC(2026, 10, 18, 17);
const NUMBER = '+12125550100';

let stage: Stage;
let account: string;
let trunkId: string;
let campaign: CampaignTable;
let contactId: string;
let serial = 0;

beforeEach(async () => {
  stage = new Stage({ startMs: START, seed: 1 });
  account = await stage.tables.account({ plan: 'STARTER' });
  trunkId = await stage.tables.trunk({ maxConcurrentCalls: 2, callsPerSecond: 10 });
  campaign = await stage.tables.campaign(account, { maxConcurrentCalls: 2 });
  contactId = (await stage.tables.contacts(campaign, [NUMBER]))[0] ?? '';
});
afterEach(() => stage.close());

async function claim(changes: Partial<PlannedClaim> = {}, maxCalls = 100): Promise<string | null | undefined> {
  const [number] = await stage.db
    .selectFrom('phoneNumbers')
    .select('id')
    .where('campaignId', '=', campaign.id)
    .execute();
  const planned = await contact(changes.contactId ?? contactId);
  const attempt: PlannedClaim = {
    engineId: 'eng_1',
    isOwn: true,
    callId: `call_${++serial}`,
    contactId,
    toNumber: planned.phoneNumber,
    campaignId: campaign.id,
    accountId: campaign.accountId,
    phoneNumberId: number?.id ?? 'pn_none',
    trunkId,
    trunkMaxCalls: 2,
    callingWindow: campaign.callingWindow,
    ...changes,
  };
  const [answer] = await stage.run('claimAttempts', {
    nowMs: stage.nowMs,
    maxCalls,
    attempts: [attempt],
  });
  return answer?.refusal;
}

test('a number that has changed since the plan is not dialled by it', async () => {
  assert.equal(await claim({ toNumber: '+12025550999' }), 'not_due');
  assert.equal((await contact()).status, 'PENDING');
});

const contact = (id = contactId) =>
  stage.db.selectFrom('contacts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const change = (values: Partial<CampaignTable>) =>
  stage.db.updateTable('campaigns').set(values).where('id', '=', campaign.id).execute();

test('a contact whose number may not be called any more ends without an attempt', async () => {
  await stage.db
    .insertInto('settings')
    .values({
      name: 'destinations',
      value: JSON.stringify({ countries: [], prefixes: { allow: [], deny: ['+1212'] }, types: [] }),
    })
    .execute();
  assert.deepEqual(await dialForecastByDestination(stage.db, campaign, START), {
    willCall: 0,
    willSkip: { destination: 1 },
  });
  assert.equal(await claim(), 'destination');
  const row = await contact();
  assert.deepEqual([row.status, row.attempts], ['FAILED', 0]);
});

test('a claim makes the attempt count, and binds call, attempt and contact together', async () => {
  assert.equal(await claim({ callId: 'call_one' }), null);
  const row = await contact();
  assert.deepEqual([row.status, row.attempts, row.lastCallId], ['CALLING', 1, 'call_one']);
  const call = await stage.db.selectFrom('calls').selectAll().executeTakeFirstOrThrow();
  assert.deepEqual(
    [call.id, call.status, call.direction, call.toNumber, call.contactId, call.engineId, call.trunkId],
    ['call_one', 'RINGING', 'outbound', NUMBER, contactId, 'eng_1', trunkId],
  );
  const attempt = await stage.db.selectFrom('dialAttempts').selectAll().executeTakeFirstOrThrow();
  assert.deepEqual([attempt.callId, attempt.contactId, attempt.endedAt], ['call_one', contactId, null]);
  assert.equal(await claim(), 'not_due');
});

test('a campaign that was paused, or whose window was changed, dials nobody on an old plan', async () => {
  await change({ status: 'PAUSED' });
  assert.equal(await claim(), 'not_running');
  const callingWindow = JSON.stringify({ days: ['sunday'], start: '10:00', end: '11:00' });
  await change({ status: 'RUNNING', callingWindow });
  assert.equal(await claim(), 'not_running');
  assert.equal(await claim({ callingWindow }), null);
});

test('a number that was listed since is never called, and its contact is finished', async () => {
  await stage.tables.list(account, [NUMBER]);
  assert.equal(await claim(), 'do_not_call');
  const row = await contact();
  assert.deepEqual([row.status, row.attempts], ['DO_NOT_CALL', 0]);
});

test("another account's list does not matter", async () => {
  await stage.tables.list(await stage.tables.account(), [NUMBER]);
  assert.equal(await claim(), null);
});

test('a number that is on another call is asked about again later', async () => {
  const other = await stage.tables.campaign(account);
  const [same = ''] = await stage.tables.contacts(other, [NUMBER]);
  assert.equal(await claim(), null);
  const numbers = await stage.db.selectFrom('phoneNumbers').select('id').where('campaignId', '=', other.id).execute();
  const claimed = await claim({ contactId: same, campaignId: other.id, phoneNumberId: numbers[0]?.id ?? '' });
  assert.equal(claimed, 'number_busy');
  const row = await contact(same);
  assert.deepEqual([row.status, row.attempts, row.nextAttemptAt], ['PENDING', 0, START + 60_000]);
});

test('limits of campaign and trunk hold in the claim too', async () => {
  const ids = await stage.tables.contacts(campaign, ['+12125550101', '+12125550102']);
  assert.equal(await claim(), null);
  assert.equal(await claim({ contactId: ids[0] ?? '', trunkMaxCalls: 1 }), 'trunk_full');
  assert.equal(await claim({ contactId: ids[0] ?? '' }), null);
  assert.equal(await claim({ contactId: ids[1] ?? '' }), 'campaign_full');
});

test('an account takes its share of the places beside another that called lately', async () => {
  await change({ maxConcurrentCalls: 10 });
  const ids = await stage.tables.contacts(campaign, ['+12125550101', '+12125550102', '+12125550103']);
  const claimNext = (n: number) => claim({ contactId: ids[n] ?? '', trunkMaxCalls: 10 }, 6);
  await countBeginning(stage.db, await stage.tables.account(), START);
  for (const n of [0, 1]) assert.equal(await claimNext(n), null);
  assert.equal(await claim({ trunkMaxCalls: 10 }, 6), null);
  assert.equal(await claimNext(2), 'account_full');
  assert.equal((await contact(ids[2])).status, 'PENDING');
  assert.deepEqual([...(await readDialling(stage.db, START, 6)).accountRooms.values()], [0]);
});

test('past the stop of spend contacts wait', async () => {
  const spendLimits = JSON.stringify({ stopMinutesPerDay: 10 });
  await stage.db.updateTable('accounts').set({ spendLimits }).where('id', '=', account).execute();
  await countReferral(stage.db, { accountId: account, nowMs: START });
  assert.deepEqual(await dialForecast(stage.db, campaign, START), { willCall: 0, willSkip: { spend: 1 } });
  assert.equal(await claim(), 'spend');
  assert.equal((await contact()).status, 'PENDING');
  assert.equal((await readDialling(stage.db, START, 100)).campaigns[0]?.held, 'spend');
  const nextDay = START + DAY;
  assert.equal((await readDialling(stage.db, nextDay, 100)).campaigns[0]?.held, null);
});

test('used-up minutes make contacts wait, unless overage is allowed', async () => {
  await stage.db
    .insertInto('accountUsage')
    .values({ accountId: account, month: '2026-11', seconds: 500 * 60 })
    .execute();
  assert.deepEqual(await dialForecast(stage.db, campaign, START), { willCall: 0, willSkip: { minutes: 1 } });
  assert.equal(await claim(), 'minutes');
  assert.equal((await contact()).status, 'PENDING');
  assert.equal((await readDialling(stage.db, START, 100)).campaigns[0]?.held, 'minutes');
  await stage.db.updateTable('accounts').set({ overageEnabled: 1 }).where('id', '=', account).execute();
  assert.equal(await claim(), null);
});

test('a contact whose attempts were used up by a lowered limit fails', async () => {
  await stage.db.updateTable('contacts').set({ attempts: 2 }).where('id', '=', contactId).execute();
  await change({ maxAttempts: 2 });
  assert.equal(await claim(), 'attempts_used');
  assert.equal((await contact()).status, 'FAILED');
});

test('a number that was taken away or set inactive calls nobody', async () => {
  await stage.db.updateTable('phoneNumbers').set({ isActive: 0 }).where('campaignId', '=', campaign.id).execute();
  assert.equal(await claim(), 'number_gone');
  assert.deepEqual(await dialForecast(stage.db, campaign, START), { willCall: 0, willSkip: { numbers: 1 } });
});

test('contacts wait while the trunks of all numbers are down, and a start says so; a backup carries them', async () => {
  const down = {
    trunkId,
    registrationState: 'off' as const,
    registrationExpiresAt: null,
    healthState: 'down' as const,
    healthCheckedAt: START,
    lastError: 'no answer',
    lastErrorAt: START,
    updatedAt: START,
  };
  await writeTrunkState(stage.db, down);
  assert.deepEqual(await dialForecast(stage.db, campaign, START), { willCall: 0, willSkip: { trunk_down: 1 } });
  const backup = await stage.tables.trunk({ maxConcurrentCalls: 2, callsPerSecond: 10 });
  await stage.db.updateTable('trunks').set({ backupTrunkId: backup }).where('id', '=', trunkId).execute();
  assert.deepEqual(await dialForecast(stage.db, campaign, START), { willCall: 1, willSkip: {} });
  await writeTrunkState(stage.db, { ...down, trunkId: backup });
  assert.deepEqual(await dialForecast(stage.db, campaign, START), { willCall: 0, willSkip: { trunk_down: 1 } });
  await writeTrunkState(stage.db, { ...down, healthState: 'up', lastError: null, lastErrorAt: null });
  assert.deepEqual(await dialForecast(stage.db, campaign, START), { willCall: 1, willSkip: {} });
});

test('without a trunk a campaign with somebody to call fails, others go on', async () => {
  const idle = await stage.tables.campaign(account);
  await stage.db.updateTable('trunks').set({ deletedAt: START }).execute();
  assert.deepEqual(await dialForecast(stage.db, campaign, START), { willCall: 0, willSkip: { no_trunk: 1 } });
  const settled = await stage.run('settleCampaigns', { nowMs: START });
  assert.deepEqual(settled, { started: [], completed: [], failed: [campaign.id] });
  const row = await stage.db.selectFrom('campaigns').select('status').where('id', '=', idle.id).executeTakeFirst();
  assert.equal(row?.status, 'RUNNING');
});

test('scheduled campaigns start at their time, campaigns without contacts never complete', async () => {
  const scheduled = await stage.tables.campaign(account, {
    status: 'SCHEDULED',
    scheduledAt: START + DAY,
    startedAt: null,
  });
  assert.equal((await readDialling(stage.db, START, 100)).nextStartAt, START + DAY);
  assert.deepEqual((await stage.run('settleCampaigns', { nowMs: START + DAY - 1 })).started, []);
  assert.deepEqual((await stage.run('settleCampaigns', { nowMs: START + DAY })).started, [scheduled.id]);
  assert.deepEqual((await stage.run('settleCampaigns', { nowMs: START + DAY })).completed, []);
});

test('a campaign completes only when the last of its calls has ended', async () => {
  assert.equal(await claim({ callId: 'call_last' }), null);
  // A contact who asks not to be called again is finished while the call goes on.
  const wish = { accountId: account, phoneNumber: NUMBER, callId: 'call_last', source: 'call', reason: null } as const;
  await stage.run('optOut', { ...wish, nowMs: START });
  assert.deepEqual((await stage.run('settleCampaigns', { nowMs: START })).completed, []);
  await stage.run('endCall', {
    callId: 'call_last',
    status: 'COMPLETED',
    outcome: 'completed',
    endReason: 'caller_hangup',
    endedAtMs: START + 1_000,
    sentiment: null,
    summary: null,
    tags: [],
    transcript: [],
    latency: null,
    usage: null,
    recordingPath: null,
    contact: { status: 'COMPLETED', nextAttemptAt: null },
  });
  assert.deepEqual((await stage.run('settleCampaigns', { nowMs: START + 1_000 })).completed, [campaign.id]);
  assert.equal((await contact()).status, 'DO_NOT_CALL');
});

test("a trunk's calls under way are counted from the calls themselves", async () => {
  assert.equal((await openCallsOfTrunks(stage.db, [trunkId])).get(trunkId), undefined);
  assert.equal(await claim(), null);
  assert.equal((await openCallsOfTrunks(stage.db, [trunkId])).get(trunkId), 1);
});

test('a claimed call that a stop of the service keeps from being dialled is cancelled', async () => {
  await claim({ callId: 'call_one' });
  const answer = { callId: 'call_one', contactId, endReason: 'shutdown', nowMs: START } as const;
  await failClaimed({ read: stage.db, writer: { runDurably: stage.run.bind(stage) } }, answer);
  const call = await stage.db.selectFrom('calls').selectAll().where('id', '=', 'call_one').executeTakeFirstOrThrow();
  assert.deepEqual([call.status, call.outcome, call.endReason], ['FAILED', 'cancelled', 'shutdown']);
  assert.equal((await contact()).status, 'PENDING');
});

test('a call that is never dialled ends FAILED once; its contact is due again at once, or as its rules say', async () => {
  await claim({ callId: 'call_one' });
  const end = { callId: 'call_one', endReason: 'capacity', nowMs: START + 1_000 } as const;
  assert.equal(await stage.run('endUndialledCall', end), true);
  assert.equal(await stage.run('endUndialledCall', { ...end, endReason: 'no_trunk' }), false);
  const call = await stage.db.selectFrom('calls').selectAll().where('id', '=', 'call_one').executeTakeFirstOrThrow();
  assert.deepEqual([call.status, call.outcome, call.endReason], ['FAILED', 'failed', 'capacity']);
  assert.deepEqual([call.endedAt, call.durationSeconds, call.transcript], [START + 1_000, 0, '[]']);
  const events = await stage.db.selectFrom('events').select('type').orderBy('seq').execute();
  assert.deepEqual(
    events.map(({ type }) => type),
    ['call.started', 'call.ended', 'call.failed'],
  );
  const again = await contact();
  assert.deepEqual([again.status, again.nextAttemptAt], ['PENDING', START + 1_000]);
  stage.nowMs = START + 1_000;
  await claim({ callId: 'call_two' });
  const later = { status: 'PENDING', nextAttemptAt: START + DAY } as const;
  await stage.run('endUndialledCall', { ...end, callId: 'call_two', contact: later });
  assert.equal((await contact()).nextAttemptAt, START + DAY);
});
