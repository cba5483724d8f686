// Owners are told what happened: once, in full or as a digest, in time, and of nothing that was erased.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../../../db/domain/hours/durations.ts';
import { addEvent } from '../../../db/outbox.ts';
import { fanOut, removeOldEvents } from '../../../db/queries/webhooks/events.ts';
import { bookAppointment } from '../../../db/rules/booking.ts';
import { newId } from '../../../db/shared/id.ts';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useFreshApi } from '../../support/api/use-api.ts';
import { ended, log, MISSED, tell } from './told.ts';

const OWNER = 'owner@example.com';
const api = useFreshApi();
let businessId: string;
let agentId: string;
let campaignId: string;

const rule = (change: object = {}) => ({ on: 'call_ended', by: 'mail', to: OWNER, ...change });

async function telling(...notify: object[]): Promise<void> {
  const { status, text } = await api.tenant.ask('PATCH', `/businesses/${businessId}`, { notify } as object);
  assert.equal(status, 200, text);
}

beforeEach(async () => {
  const { business, agent, campaign } = await setUpCampaign(api, api.tenant);
  [businessId, agentId, campaignId] = [business.id, agent.id, campaign.id];
  await telling(rule());
});

test('one call is one full mail: who, when, how long, how it ended, summary, and where to see it', async () => {
  const call = await ended(api, businessId, { callerName: 'Ada Lovelace', durationSeconds: 95 });
  await tell(api);
  await tell(api);
  assert.equal(api.mails.length, 1);
  const { to, subject, text, language } = api.mails[0] ?? { text: '' };
  assert.deepEqual([to, language], [OWNER, 'en']);
  assert.equal(subject, 'Call from Ada Lovelace, +14155552671 · Bright Dental');
  assert.match(text, /^From: Ada Lovelace, \+14155552671\nWhen: Nov 18, 2026, 6:59.AM\nLength: 1 min 35 s\n/);
  assert.match(text, /How it ended: talked to the end\nSummary: Asked for the opening hours\.\n/);
  assert.ok(text.includes(`\n\n${api.context.publicUrl()}/#/calls/${call.id}\n\n`), text);
  const [message] = await log(api, businessId);
  const { on, by, to: shown, notices, status, isTest } = message ?? {};
  assert.deepEqual(
    { on, by, shown, notices, status, isTest },
    { on: ['call_ended'], by: 'mail', shown: 'o…r@example.com', notices: 1, status: 'sent', isTest: false },
  );
});

test('each rule is about its own calls', async () => {
  const kinds = ['call_missed', 'agent_failed', 'callback', 'results', 'appointment'];
  await telling(
    rule({ to: 'ended@example.com', filter: 'not_transferred' }),
    ...kinds.map((on) => rule({ on, to: `${on}@example.com` })),
  );
  const told = async () => {
    await tell(api);
    return api.mails.splice(0).map(({ to }) => to.split('@')[0]);
  };
  await ended(api, businessId);
  assert.deepEqual(await told(), ['ended']);
  await ended(api, businessId, { outcome: 'transferred' });
  assert.deepEqual(await told(), []);
  await ended(api, businessId, MISSED);
  assert.deepEqual(await told(), ['call_missed']);
  await ended(api, businessId, { ...MISSED, direction: 'outbound' });
  assert.deepEqual(await told(), []);
  await ended(api, businessId, { outcome: 'agent_failed' });
  assert.deepEqual((await told()).sort(), ['agent_failed', 'ended']);
  const { id } = await ended(api, businessId, MISSED);
  await told();
  await promise(id);
  await ended(api, businessId, { id: newId('call'), ...MISSED, direction: 'outbound' });
  assert.deepEqual(await told(), [], 'a call back is told of at the end of the call that promised it');
});

async function promise(inCallId: string): Promise<void> {
  const [fromNumber, toNumber] = ['+14155550123', '+14155552671'];
  await api.context.db
    .insertInto('scheduledCalls')
    .values({
      ...{ id: newId('call'), accountId: api.tenant.accountId, businessId, campaignId, agentId, phoneNumberId: 'pn_1' },
      ...{ fromNumber, toNumber, variables: null, metadata: null, requestedBy: 'agent', inCallId },
      ...{
        scheduledAt: api.clock.now + HOUR_MS,
        nextTryAt: api.clock.now + HOUR_MS,
        reason: 'Wants a price',
        problem: null,
      },
      createdAt: api.clock.now,
    })
    .execute();
}

test('a promised call back stands in the mail, once for a recipient with two rules', async () => {
  await telling(rule(), rule({ on: 'callback' }));
  const id = newId('call');
  await promise(id);
  await ended(api, businessId, { id });
  await tell(api);
  assert.equal(api.mails.length, 1);
  assert.match(api.mails[0]?.subject ?? '', /^To be called back: /);
  assert.match(api.mails[0]?.text ?? '', /Call back promised for: Nov 18, 2026, 8:00.AM, Wants a price\n/);
  assert.deepEqual((await log(api, businessId))[0]?.on.sort(), ['call_ended', 'callback']);
});

test('an appointment is told of while the call goes on, with its name and time', async () => {
  await telling(rule({ on: 'appointment' }));
  const startsAtMs = Date.UTC(2026, 10, 19, 15);
  const wish = { accountId: api.tenant.accountId, businessId, callId: newId('call'), service: 'Cleaning', startsAtMs };
  const who = { endsAtMs: startsAtMs + HOUR_MS, name: 'Ada', phone: '+14155552671', notes: null, nowMs: api.clock.now };
  await bookAppointment(api.context.db, { ...wish, ...who });
  await bookAppointment(api.context.db, {
    ...wish,
    ...who,
    callId: null,
    startsAtMs: startsAtMs + HOUR_MS,
    endsAtMs: startsAtMs + 2 * HOUR_MS,
  });
  await tell(api);
  assert.deepEqual(
    api.mails.map(({ subject }) => subject),
    ['New appointment: Ada, +14155552671 · Bright Dental'],
  );
  assert.match(api.mails[0]?.text ?? '', /Appointment: Nov 19, 2026, 10:00.AM, Cleaning, Ada\n/);
});

test('a call of which results are wanted waits for them, a minute at most', async () => {
  await api.tenant.ask('PATCH', `/businesses/${businessId}`, { criteria: [{ name: 'polite', question: 'Polite?' }] });
  await telling(rule(), rule({ on: 'results' }));
  const call = await ended(api, businessId);
  await tell(api);
  assert.equal(api.mails.length, 0);
  api.clock.advance(5_000);
  const data = {
    callId: call.id,
    data: { reason: 'hours' },
    reasons: {},
    criteria: { polite: true },
    by: 'model',
    analysedAt: '',
  };
  const event = {
    accountId: api.tenant.accountId,
    type: 'call.analysed',
    subjectId: call.id,
    nowMs: api.clock.now,
  } as const;
  await addEvent(api.context.db, { ...event, data });
  await tell(api);
  assert.equal(api.mails.length, 1);
  assert.match(api.mails[0]?.text ?? '', /reason: hours\npolite: yes\n/);
  await addEvent(api.context.db, { ...event, dedupe: 'again', data: { ...data, rerunId: 'rrn_1' } });
  await ended(api, businessId);
  await tell(api);
  assert.equal(api.mails.length, 1, 'a rerun is no news');
  api.clock.advance(MINUTE_MS);
  await tell(api);
  assert.equal(api.mails.length, 2, 'nothing was found');
});

test('hourly and daily are one message with a line for each call; quiet hours hold back', async () => {
  await telling(rule({ when: 'hourly' }), rule({ to: 'late@example.com', quiet: { from: '06:00', to: '09:00' } }));
  for (let i = 0; i < 3; i++) await ended(api, businessId, { callerName: `Caller ${'ABC'[i]}` });
  await tell(api);
  assert.equal(api.mails.length, 0, 'it is 07:00 in New York');
  api.clock.advance(HOUR_MS);
  await tell(api);
  assert.deepEqual(
    api.mails.map(({ to, subject }) => [to, subject]),
    [[OWNER, 'What happened on 3 calls · Bright Dental']],
  );
  const text = api.mails[0]?.text ?? '';
  assert.equal(
    text.match(/^Nov 18, 2026, .* · Caller [ABC], \+14155552671 · Asked for the opening hours\.$/gm)?.length,
    3,
  );
  assert.ok(text.includes(`/calls?businessId=${businessId}`), text);
  api.clock.advance(HOUR_MS);
  await tell(api);
  assert.deepEqual(
    api.mails.map(({ to }) => to),
    [OWNER, 'late@example.com'],
  );
});

test('a thousand calls in an hour are ten mails and one digest', async () => {
  for (let i = 0; i < 10; i++) {
    await ended(api, businessId);
    await tell(api);
    api.clock.advance(1_000);
  }
  assert.equal(api.mails.length, 10);
  for (let i = 0; i < 990; i++) await ended(api, businessId);
  await tell(api);
  api.clock.advance(30 * MINUTE_MS);
  await tell(api);
  assert.equal(api.mails.length, 10);
  api.clock.advance(30 * MINUTE_MS);
  await tell(api);
  assert.equal(api.mails.length, 11);
  const { subject, text } = api.mails[10] ?? { text: '' };
  assert.equal(subject, 'What happened on 990 calls · Bright Dental');
  assert.equal(text.match(/^Nov 18/gm)?.length, 100);
  assert.match(text, /And 890 more, in the list of calls:/);
  await ended(api, businessId);
  await tell(api);
  assert.equal(api.mails.length, 11, 'the flood goes on: one an hour');
});

test('a call that is erased before its digest is not in it, and none is sent of erased calls alone', async () => {
  await telling(rule({ when: 'hourly' }), rule({ to: 'daily@example.com', when: 'daily' }));
  const gone = await ended(api, businessId, { callerName: 'Ada Gone' });
  await ended(api, businessId, { callerName: 'Eve Stays' });
  await tell(api);
  const rows = JSON.stringify([
    await api.context.read.selectFrom('notices').selectAll().execute(),
    await api.context.read.selectFrom('noticeMessages').selectAll().execute(),
  ]);
  assert.ok(!/Ada|Eve|4155552671|opening/.test(rows), 'ids alone wait');
  assert.equal((await api.tenant.ask('DELETE', `/calls/${gone.id}`)).status, 200);
  api.clock.advance(HOUR_MS);
  await tell(api);
  assert.equal(api.mails.length, 1);
  assert.doesNotMatch(JSON.stringify(api.mails), /Ada/);
  assert.match(api.mails[0]?.text ?? '', /Eve Stays/);
});

test('what a stranger calls itself makes no header, no link and no mark-up', async () => {
  const callerName = 'Eve\r\nBcc: all@example.com <b>https://evil.example/x</b> <!channel>';
  await ended(api, businessId, { callerName, summary: 'Said:\nhttps://evil.example/y\n\n123456\n<script>' });
  await tell(api);
  const { subject = '', text = '' } = api.mails[0] ?? {};
  assert.equal(
    subject,
    'Call from Eve Bcc all example com b https evil example x b channel, +14155552671 · Bright Dental',
  );
  assert.match(text, /^Summary: Said: https:\/\/evil\.example\/y 123456 <script>$/m);
});

test('a rule of links says that there was a call, and nothing of its caller', async () => {
  await telling(rule({ on: 'call_missed' }), rule({ detail: 'link' }));
  const call = await ended(api, businessId, { callerName: 'Ada Lovelace' });
  await tell(api);
  const { subject = '', text = '' } = api.mails[0] ?? {};
  assert.equal(subject, 'Call from somebody · Bright Dental');
  assert.match(text, /^When: .*\nLength: 30 s\nHow it ended: talked to the end\n\n/);
  assert.ok(text.includes(`/#/calls/${call.id}\n`));
  await ended(api, businessId, { callerName: 'Eve' });
  await ended(api, businessId, { callerName: 'Bob' });
  await tell(api);
  assert.doesNotMatch(JSON.stringify(api.mails), /Ada|Eve|Bob|4155552671|opening/);
});

test('a rule that is taken out tells nobody any more, not even what was waiting', async () => {
  await telling(rule({ when: 'hourly' }));
  await ended(api, businessId);
  await tell(api);
  await telling();
  api.clock.advance(HOUR_MS);
  await tell(api);
  assert.equal(api.mails.length, 0);
  assert.deepEqual(await api.context.read.selectFrom('notices').selectAll().execute(), []);
});

test('the mail is in the language of its reader, else of the agent', async () => {
  await telling(rule({ to: api.tenant.email }), rule());
  const { db } = api.context;
  await db.updateTable('agents').set({ language: 'it-IT' }).where('id', '=', agentId).execute();
  await db.updateTable('users').set({ language: 'de' }).where('id', '=', api.tenant.userId).execute();
  await ended(api, businessId);
  await tell(api);
  const subjects = api.mails.map(
    ({ to, language, subject }) => `${to === OWNER ? 'owner' : 'user'} ${language} ${subject.split(' ')[0]}`,
  );
  assert.deepEqual(subjects.sort(), ['owner it Chiamata', 'user de Anruf']);
});

test('two APIs that take turns tell once, and what came before a rule is no news', async () => {
  await telling();
  await ended(api, businessId);
  await tell(api);
  await telling(rule());
  await ended(api, businessId);
  await Promise.all([tell(api), tell(api)]);
  await tell(api);
  assert.equal(api.mails.length, 1);
});

test('events stay until notices are made of them', async () => {
  await ended(api, businessId);
  const { db } = api.context;
  await fanOut(db, 1_000_000, api.clock.now);
  assert.equal(await removeOldEvents(db, api.clock.now + HOUR_MS, 100), 0);
  await tell(api);
  assert.ok((await removeOldEvents(db, api.clock.now + HOUR_MS, 100)) > 0);
});

test('no other account sees or tries the notices of a business', async () => {
  const path = `/businesses/${businessId}/notices`;
  assert.equal((await api.other.ask('GET', path)).status, 404);
  assert.equal((await api.other.ask('POST', `${path}/test`, { index: 0 })).status, 404);
});

test('an example arrives at once and says that it is one', async () => {
  const tried = (index: number) => api.tenant.ask('POST', `/businesses/${businessId}/notices/test`, { index });
  const { status, json, text } = await tried(0);
  assert.equal(status, 200, text);
  assert.deepEqual([json.data.status, json.data.isTest], ['sent', true]);
  assert.match(api.mails[0]?.text ?? '', /^This is an example: nobody has called\.\nFrom: /);
  assert.equal((await tried(1)).status, 422);
  for (let i = 0; i < 9; i++) await tried(0);
  assert.equal((await tried(0)).status, 429, 'nobody is flooded with examples');
});
