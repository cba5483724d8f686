// The brake on toll fraud as clients and operators see it: outbound minutes of an hour and a day, an alarm that tells
// people, and a stop past which nobody is called.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { tellOfSpend } from '../../../api/spend/spend-alarms.ts';
import type { Tenant } from '../../../bench/rig/api/api.ts';
import { endCall, insertCall, markAnswered } from '../../../db/queries/calls/life.ts';
import { monthlyMinutes } from '../../../db/rules/minutes.ts';
import { answerTransferLeg, closeTransferLeg, countReferral, openTransferLeg } from '../../../db/rules/spend.ts';
import { newId } from '../../../db/shared/id.ts';
import { addTrunk, engineIs, type Setup, setUpCampaign } from '../../support/api/resources.ts';
import { useFreshApi } from '../../support/api/use-api.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const LATE_IN_THE_HOUR = Date.UTC(2026, 10, 18, 12, 55);

const api = useFreshApi({ nowMs: LATE_IN_THE_HOUR });
let set: Setup;
let trunkId: string;

beforeEach(async () => {
  set = await setUpCampaign(api, api.tenant);
  trunkId = await addTrunk(api);
  await api.context.db.updateTable('trunks').set({ maxConcurrentCalls: 100 }).execute();
  await engineIs(api, { maxCalls: 100 });
});

const place = (tenant = api.tenant, { campaign, number } = set) =>
  tenant.ask('POST', '/calls', {
    campaignId: campaign.id,
    toNumber: '+14155552671',
    fromPhoneNumberId: number.id,
  });
const limit = (spendLimits: object | null, tenant = api.tenant) =>
  api.admin.ask('PATCH', `/admin/accounts/${tenant.accountId}`, { spendLimits });
const limitAll = (spendLimits: object | null) => api.admin.ask('PATCH', '/admin/settings', { spendLimits });

/** A call as the engine writes it, up for so many minutes by now, and still up where it is not ended. */
async function called(
  minutes: number,
  { tenant = api.tenant, setup = set, direction = 'outbound', ends = true }: Partial<Call> = {},
): Promise<string> {
  const { db } = api.context;
  const id = newId('call');
  const answeredAtMs = api.clock.now - minutes * MINUTE;
  await insertCall(db, tenant.accountId, {
    id,
    businessId: setup.business.id,
    campaignId: setup.campaign.id,
    agentId: setup.agent.id,
    phoneNumberId: setup.number.id,
    contactId: null,
    direction,
    medium: 'sip',
    forwardedFrom: null,
    fromNumber: setup.number.phoneNumber,
    toNumber: '+14155552671',
    callerName: null,
    variables: '{}',
    metadata: '{}',
    trunkId,
    engineId: 'engine-1',
    nowMs: answeredAtMs,
  });
  await markAnswered(db, { callId: id, recordingPath: null, nowMs: answeredAtMs });
  if (ends) await end(id);
  return id;
}
interface Call {
  tenant: Tenant;
  setup: Setup;
  direction: 'inbound' | 'outbound';
  ends: boolean;
}

const end = (callId: string) =>
  endCall(api.context.db, {
    callId,
    status: 'COMPLETED',
    outcome: 'completed',
    endReason: 'caller_hangup',
    endedAtMs: api.clock.now,
    transcript: [],
    contact: null,
  });

const events = async (accountId = api.tenant.accountId) =>
  (
    await api.context.read
      .selectFrom('events')
      .select('data')
      .where('type', '=', 'account.spend_limit')
      .where('accountId', '=', accountId)
      .orderBy('createdAt')
      .orderBy('id')
      .execute()
  ).map(({ data }) => {
    const { scope, level, window, minutes, limitMinutes } = JSON.parse(data);
    return `${scope} ${level} ${window} ${minutes}/${limitMinutes}`;
  });

test('past the stop of an hour no call is placed before the next, and the refusal says what to change', async () => {
  assert.equal((await limit({ stopMinutesPerHour: 30 })).status, 200);
  await called(29);
  assert.equal((await place()).status, 201);
  await called(1);
  const refused = await place();
  assert.equal(refused.status, 429, refused.text);
  assert.equal(refused.json.code, 'SPEND_LIMIT_REACHED');
  assert.match(
    refused.json.error ?? '',
    /account's 30 outbound minutes of this hour.*stopMinutesPerHour.*\/admin\/accounts/,
  );
  assert.equal(refused.headers['retry-after'], String(5 * 60));
  await api.context.db.updateTable('calls').set({ endedAt: api.clock.now }).where('endedAt', 'is', null).execute();
  api.clock.now += 5 * MINUTE;
  await engineIs(api, { maxCalls: 100 });
  assert.equal((await place()).status, 201);
});

test('a stop of the day holds through its hours, and counts each hour that a call went through', async () => {
  await limit({ stopMinutesPerDay: 100 });
  await called(90);
  const hours = await api.context.read
    .selectFrom('accountHoursNow')
    .select('outboundSeconds')
    .where('accountId', '=', api.tenant.accountId)
    .orderBy('hour')
    .execute();
  assert.deepEqual(
    hours.map(({ outboundSeconds }) => outboundSeconds),
    [35 * 60, 55 * 60],
  );
  api.clock.now += 5 * HOUR;
  await engineIs(api, { maxCalls: 100 });
  assert.equal((await place()).status, 201);
  await called(10);
  const refused = await place();
  assert.equal(refused.json.code, 'SPEND_LIMIT_REACHED', refused.text);
  assert.match(refused.json.error ?? '', /of this day.*stopMinutesPerDay/);
});

test('calls under way count, and each asks for a minute more: a limit is not shared by all who ask at once', async () => {
  await limit({ stopMinutesPerHour: 10 });
  await called(7, { ends: false });
  const asked = await Promise.all(Array.from({ length: 8 }, () => place()));
  assert.deepEqual(asked.map(({ status }) => status).sort(), [201, 201, ...Array(6).fill(429)]);
});

test('inbound calls and browser calls cost nothing, a leg to which one is transferred does', async () => {
  await limit({ stopMinutesPerHour: 10 });
  const callId = await called(50, { direction: 'inbound', ends: false });
  assert.equal((await place()).status, 201);
  const { db } = api.context;
  const { accountId } = api.tenant;
  await openTransferLeg(db, { callId, accountId });
  await answerTransferLeg(db, { callId, nowMs: api.clock.now - 9 * MINUTE });
  assert.equal((await place()).json.code, 'SPEND_LIMIT_REACHED', 'while it is up');
  // The call's end is written first, then the leg's: it counts once.
  await end(callId);
  await closeTransferLeg(db, { callId, endedAtMs: api.clock.now + 5 * MINUTE });
  const { spend, minutes } = (await api.tenant.ask('GET', '/account')).json.data;
  assert.equal(Math.round(spend.hour.minutes), 9);
  assert.equal(minutes.used, 59);
  const web = await api.tenant.ask('POST', '/calls/web', { campaignId: set.campaign.id });
  assert.equal(web.status, 201, web.text);
});

test('of persons who rang at once each leg counts, whatever of them is left at the end of the call', async () => {
  await limit({ stopMinutesPerHour: 30 });
  const callId = await called(1, { direction: 'inbound', ends: false });
  const { db } = api.context;
  const { accountId } = api.tenant;
  for (const leg of [0, 1, 4]) await openTransferLeg(db, { callId, accountId, leg });
  await answerTransferLeg(db, { callId, leg: 1, nowMs: api.clock.now - 9 * MINUTE });
  await answerTransferLeg(db, { callId, leg: 4, nowMs: api.clock.now - 3 * MINUTE });
  await closeTransferLeg(db, { callId, leg: 0, endedAtMs: api.clock.now });
  await end(callId);
  assert.deepEqual(await db.selectFrom('transferLegs').selectAll().execute(), []);
  const { spend } = (await api.tenant.ask('GET', '/account')).json.data;
  assert.equal(Math.round(spend.hour.minutes), 12);
});

test('a transfer that the other side took over counts as ten minutes, of the month too', async () => {
  await limit({ stopMinutesPerHour: 10 });
  const used = (await monthlyMinutes(api.context.db, api.tenant.accountId, api.clock.now)).usedSeconds;
  await countReferral(api.context.db, { accountId: api.tenant.accountId, nowMs: api.clock.now });
  assert.equal((await place()).json.code, 'SPEND_LIMIT_REACHED');
  const after = (await monthlyMinutes(api.context.db, api.tenant.accountId, api.clock.now)).usedSeconds;
  assert.equal(after - used, 600);
});

test('the limit of the installation counts all accounts, and refuses each', async () => {
  await limitAll({ stopMinutesPerHour: 20 });
  const setup = await setUpCampaign(api, api.other);
  await called(12);
  await called(12, { tenant: api.other, setup });
  for (const refused of [await place(), await place(api.other, setup)]) {
    assert.equal(refused.json.code, 'SPEND_LIMIT_REACHED', refused.text);
    assert.match(refused.json.error ?? '', /installation's 20 outbound minutes.*PATCH \/admin\/settings/);
  }
  await limitAll(null);
  assert.equal((await place()).status, 201);
});

test('the dialler lets contacts wait, and the preflight says so', async () => {
  await limit({ stopMinutesPerHour: 0 });
  const path = `/campaigns/${set.campaign.id}`;
  await api.tenant.ask('POST', `${path}/contacts`, { contacts: [{ phoneNumber: '+14155552671' }] });
  const started = await api.tenant.ask('POST', `${path}/start`);
  assert.deepEqual((started.json.data as { preflight: object }).preflight, { willCall: 0, willSkip: { spend: 1 } });
});

test('an alarm tells the ADMINs and the users of the account once an hour, and calls go on', async () => {
  await limit({ alarmMinutesPerHour: 20, alarmMinutesPerDay: 1_000 });
  await called(19);
  await tellOfSpend(api.context);
  assert.deepEqual([await events(), api.mails.length], [[], 0]);
  await called(3);
  for (let n = 0; n < 3; n++) await tellOfSpend(api.context);
  assert.deepEqual(await events(), ['account alarm hour 22/20']);
  assert.deepEqual(api.mails.map(({ to }) => to).sort(), [api.admin.email, api.tenant.email].sort());
  assert.match(api.mails[0]?.text ?? '', /spent 22 minutes of outbound calls.*\n\nCalls go on/s);
  assert.equal((await place()).status, 201);
  await api.context.db.updateTable('calls').set({ endedAt: api.clock.now }).where('endedAt', 'is', null).execute();
  api.clock.now += HOUR;
  await called(21, { ends: false });
  await tellOfSpend(api.context);
  assert.deepEqual(await events(), ['account alarm hour 22/20', 'account alarm hour 21/20']);
});

test('the mail of a limit is in the language of each reader', async () => {
  const { db } = api.context;
  await db.updateTable('users').set({ language: 'de' }).where('id', '=', api.tenant.userId).execute();
  await limit({ stopMinutesPerHour: 20 });
  await called(21);
  await tellOfSpend(api.context);
  const mailTo = (email: string) => api.mails.find(({ to }) => to === email);
  assert.equal(mailTo(api.tenant.email)?.subject, 'Ausgehende Anrufe sind gestoppt: Ausgabengrenze');
  assert.match(mailTo(api.tenant.email)?.text ?? '', /diese Stunde: 21 Minuten \(Konto .+\)\. Der Stopp steht bei 20/);
  assert.equal(mailTo(api.admin.email)?.subject, 'Outbound calls are stopped: limit of spend');
});

test('a stop tells too, and the status of the installation shows it while it lasts', async () => {
  await limit({ stopMinutesPerHour: 20 });
  await called(21);
  await tellOfSpend(api.context);
  assert.deepEqual(await events(), ['account stop hour 21/20']);
  await api.context.probes.sample();
  const shown = async () =>
    (await api.admin.ask('GET', '/admin/status')).json.data.checks
      .filter(({ name }) => name === 'spend')
      .map(({ state, message }) => [state, message]);
  assert.deepEqual(await shown(), [['warning', '21 outbound minutes in this hour, stop at 20: calls are refused']]);
  api.clock.now += HOUR;
  await api.context.probes.sample();
  assert.deepEqual(await shown(), []);
});

test('the installation’s alarm reaches the webhooks of its ADMINs’ accounts', async () => {
  await limitAll({ alarmMinutesPerDay: 5 });
  await called(6);
  await tellOfSpend(api.context);
  assert.deepEqual(await events(api.admin.accountId), ['installation alarm day 6/5']);
  assert.deepEqual(
    api.mails.map(({ to }) => to),
    [api.admin.email],
  );
});

test('without a setting a plan of so many minutes has shares of them, and one without limit has none', async () => {
  const spendOf = async (tenant: Tenant) => {
    const { hour, day } = (await tenant.ask('GET', '/account')).json.data.spend;
    return [hour.alarm, day.alarm, hour.stop, day.stop];
  };
  assert.deepEqual(await spendOf(await api.newTenant({ plan: 'STARTER' })), [50, 125, null, 500]);
  assert.deepEqual(await spendOf(await api.newTenant({ plan: 'ENTERPRISE' })), [null, null, null, null]);
  await limit({ alarmMinutesPerHour: 7 });
  await limit({ stopMinutesPerHour: 9 });
  assert.deepEqual(await spendOf(api.tenant), [7, 125, 9, 500]);
  const { spendLimits } = (await limit({ alarmMinutesPerHour: null })).json.data;
  assert.deepEqual(spendLimits, {
    alarmMinutesPerHour: null,
    alarmMinutesPerDay: null,
    stopMinutesPerHour: 9,
    stopMinutesPerDay: null,
  });
  assert.deepEqual((await limit(null)).json.data.spendLimits.stopMinutesPerHour, null);
});

test('limits are an ADMIN’s, and are whole minutes', async () => {
  const own = await api.tenant.ask('PATCH', '/account', { spendLimits: { stopMinutesPerHour: 1_000 } });
  assert.equal(own.json.data.spendLimits.stopMinutesPerHour, null, 'nobody changes their own');
  for (const [spendLimits, field] of [
    [{ stopMinutesPerHour: -1 }, 'spendLimits.stopMinutesPerHour'],
    [{ alarmMinutesPerDay: 1.5 }, 'spendLimits.alarmMinutesPerDay'],
    [{ stopMinutes: 5 }, 'spendLimits.stopMinutes'],
  ] as const) {
    const answer = await limit(spendLimits);
    assert.equal(answer.status, 422, answer.text);
    assert.equal(answer.json.errors?.[0]?.field, field);
  }
});
