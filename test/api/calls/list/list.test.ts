// Lists of calls: every filter, the dates, the totals that are kept, deep pages, and the hand-written JSON.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantRange } from '../../../../api/calls/list/filters.ts';
import { INSTANT_PATTERN } from '../../../../api/frame/instants.ts';
import { callResource } from '../../../../db/records/call-record.ts';
import type { AppointmentTable } from '../../../../db/schema/businesses.ts';
import type { CallTable } from '../../../../db/schema/call-columns.ts';
import { newId } from '../../../../db/shared/id.ts';
import { seedCall } from '../../../support/api/resources.ts';
import { useApi } from '../../../support/api/use-api.ts';

const DAY = 86_400_000;
const FIRST = Date.UTC(2026, 8, 1);
const CALLS = 700;

const calls: CallTable[] = [];

/** The same numbers every run. */
function seeded(seed: number): () => number {
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
}

const api = useApi({}, async () => {
  const random = seeded(7);
  const pick = <T>(...values: T[]): T => values[Math.floor(random() * values.length)] as T;
  for (let i = 0; i < CALLS; i++) {
    const startedAt = FIRST + Math.floor(random() * 20) * DAY + Math.floor(random() * DAY);
    calls.push(
      await seedCall(api, api.tenant, {
        startedAt,
        status: pick('COMPLETED', 'COMPLETED', 'FAILED', 'VOICEMAIL'),
        direction: pick('inbound', 'outbound'),
        outcome: pick('completed', 'transferred', 'hung_up', null),
        sentiment: pick('positive', 'neutral', 'negative', null),
        businessId: pick('biz_1', 'biz_2'),
        campaignId: pick('cmp_1', 'cmp_2', 'cmp_3'),
        agentId: pick('agt_1', 'agt_2'),
        phoneNumberId: pick('pn_1', 'pn_2', null),
      }),
    );
  }
  await seedCall(api, api.other, { campaignId: 'cmp_1', startedAt: FIRST });
  calls.sort((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1));
});

const idsOf = (answer: { json: { data: { id: string }[] } }) => answer.json.data.map(({ id }) => id);

async function expectList(query: string, matches: (call: CallTable) => boolean, page = 1, limit = 20) {
  const wanted = calls.filter(matches);
  const answer = await api.tenant.ask('GET', `/calls?${query}&page=${page}&limit=${limit}`);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(
    idsOf(answer),
    wanted.slice((page - 1) * limit, page * limit).map(({ id }) => id),
    `${query} page ${page}`,
  );
  assert.equal(answer.json.pagination.total, wanted.length, query);
}

test('each filter alone gives its calls, newest first, and their exact total', async () => {
  await expectList('', () => true);
  await expectList('status=FAILED', (call) => call.status === 'FAILED');
  await expectList('status=RINGING', (call) => call.status === 'RINGING');
  await expectList('direction=outbound', (call) => call.direction === 'outbound');
  await expectList('outcome=hung_up', (call) => call.outcome === 'hung_up');
  await expectList('sentiment=negative', (call) => call.sentiment === 'negative');
  await expectList('businessId=biz_2', (call) => call.businessId === 'biz_2');
  await expectList('campaignId=cmp_3', (call) => call.campaignId === 'cmp_3');
  await expectList('agentId=agt_2', (call) => call.agentId === 'agt_2');
  await expectList('phoneNumberId=pn_2', (call) => call.phoneNumberId === 'pn_2');
  await expectList('campaignId=cmp_none', () => false);
});

test('filters together give the calls that match all of them', async () => {
  await expectList(
    'status=COMPLETED&direction=inbound&outcome=transferred',
    (call) => call.status === 'COMPLETED' && call.direction === 'inbound' && call.outcome === 'transferred',
  );
  await expectList(
    'campaignId=cmp_2&sentiment=positive&startDate=2026-09-05',
    (call) => call.campaignId === 'cmp_2' && call.sentiment === 'positive' && call.startedAt >= Date.UTC(2026, 8, 5),
    2,
    10,
  );
  await expectList('status=RINGING&agentId=agt_1', () => false);
});

test('a date is that whole day in UTC; both ends are inclusive', async () => {
  const from = Date.UTC(2026, 8, 4);
  const to = Date.UTC(2026, 8, 10);
  const between = (call: CallTable) => call.startedAt >= from && call.startedAt < to + DAY;
  await expectList('startDate=2026-09-04&endDate=2026-09-10', between);
  await expectList(
    'startDate=2026-09-04&endDate=2026-09-10&status=COMPLETED',
    (call) => between(call) && call.status === 'COMPLETED',
  );
  await expectList(
    'startDate=2026-09-04&endDate=2026-09-10&campaignId=cmp_1',
    (call) => between(call) && call.campaignId === 'cmp_1',
  );
  const exact = calls[100] as CallTable;
  const at = encodeURIComponent(new Date(exact.startedAt).toISOString());
  await expectList(`startDate=${at}&endDate=${at}`, (call) => call.startedAt === exact.startedAt);
});

test('times cut the days at both ends, and the total stays exact', async () => {
  const random = seeded(11);
  for (let i = 0; i < 40; i++) {
    const from = FIRST + Math.floor(random() * 20 * DAY);
    const to = from + Math.floor(random() * (i % 4 === 0 ? DAY : 10 * DAY));
    const dates = `startDate=${new Date(from).toISOString()}&endDate=${new Date(to).toISOString()}`;
    const within = (call: CallTable) => call.startedAt >= from && call.startedAt <= to;
    await expectList(dates, within);
    await expectList(`${dates}&status=COMPLETED`, (call) => within(call) && call.status === 'COMPLETED');
  }
});

test('every page of a list is the slice it should be, also deep ones and those past the end', async () => {
  for (const limit of [7, 20, 100]) {
    for (let page = 1; page <= Math.ceil(CALLS / limit) + 1; page++) await expectList('', () => true, page, limit);
  }
  for (const query of ['status=COMPLETED', 'startDate=2026-09-03T05:00:00Z&endDate=2026-09-19T17:30:00Z']) {
    const matches = (call: CallTable) =>
      query.startsWith('status')
        ? call.status === 'COMPLETED'
        : call.startedAt >= Date.UTC(2026, 8, 3, 5) && call.startedAt <= Date.UTC(2026, 8, 19, 17, 30);
    for (let page = 1; page <= 101; page++) await expectList(query, matches, page, 7);
  }
  const past = await api.tenant.ask('GET', '/calls?page=1000000000&limit=100');
  assert.equal(past.status, 200);
  assert.deepEqual(past.json.data, []);
});

test('wrong filters are 422 on the field', async () => {
  const cases: Array<[string, string]> = [
    ['status=DONE', 'status'],
    ['direction=sideways', 'direction'],
    ['sentiment=happy', 'sentiment'],
    ['startDate=yesterday', 'startDate'],
    ['startDate=2026-02-30', 'startDate'],
    ['endDate=2026-13-01T00:00:00Z', 'endDate'],
    ['startDate=2026-09-02&endDate=2026-09-01', 'endDate'],
    ['startDate=2026-09-02T10:00:00Z&endDate=2026-09-02T09:59:59.999Z', 'endDate'],
    ['page=0', 'page'],
    ['page=1.5', 'page'],
    ['limit=101', 'limit'],
    ['limit=x', 'limit'],
  ];
  for (const [query, field] of cases) {
    const answer = await api.tenant.ask('GET', `/calls?${query}`);
    assert.equal(answer.status, 422, query);
    assert.deepEqual(
      answer.json.errors?.map((error) => error.field),
      [field],
      query,
    );
  }
});

test('ISO-8601 texts mean what they say', () => {
  assert.deepEqual(instantRange('2026-09-01'), { fromMs: FIRST, toMs: FIRST + DAY - 1 });
  const at = (ms: number) => ({ fromMs: ms, toMs: ms });
  assert.deepEqual(instantRange('2026-09-01T00:00:00.001Z'), at(FIRST + 1));
  assert.deepEqual(instantRange('2026-09-01T02:00+02:00'), at(FIRST));
  assert.deepEqual(instantRange('2026-09-01T02:00:00 0200'), at(FIRST));
  assert.deepEqual(instantRange('2026-09-01T00:00'), at(FIRST));
  for (const text of ['', '2026', '2026-9-1', '2026-09-31', '2026-09-01T25:00Z', '2026-09-01T00:00Q', 'now']) {
    assert.equal(instantRange(text), null, text);
  }
});

test('the document says what a bound of time looks like, as it is read', () => {
  const pattern = new RegExp(INSTANT_PATTERN);
  const day = '2026-09-01';
  const times = ['00:00', '23:59:59', '24:00', '24:00:00', '25:00', '00:60', '00:00:60', '1:00', '10:00:00.123456789'];
  const zones = ['', 'Z', 'z', '+02', '+02:00', ' 0200', '-23:59', '+24:00', '+0260', 'Q'];
  const texts = times.flatMap((time) => ['T', 't', ' '].flatMap((at) => zones.map((zone) => day + at + time + zone)));
  for (const text of [...texts, day, '2026-13-01', '2026-00-10', '2026-12-32', '2026-12-00', '10:00', `${day}T`])
    assert.equal(pattern.test(text), instantRange(text) !== null, text);
});

/** Every character that JSON escapes, but U+0000, which is refused at the door, and some that it does not. */
const AWKWARD = `${Array.from({ length: 0x9f }, (_, code) => String.fromCharCode(code + 1)).join('')} \u2028 \ufeff é 😀 "appointments":[]`;

test('a page is, byte by byte, the records of its calls', async () => {
  const third = await api.newTenant();
  const rows = [
    await seedCall(api, third, {
      startedAt: FIRST + 7,
      callerName: AWKWARD,
      fromNumber: 'anonymous"',
      summary: AWKWARD,
      outcome: null,
      endReason: AWKWARD,
      sentiment: null,
      endedAt: null,
      phoneNumberId: null,
      tags: '["a","b"]',
      transcript: JSON.stringify([{ speaker: 'caller', text: AWKWARD, timestamp: 12 }]),
      variables: JSON.stringify({ appointments: AWKWARD }),
      latency: '{"turns":1,"p50Ms":10,"p95Ms":20}',
      usage: '{"promptTokens":null,"requests":2}',
      sipStatus: 486,
      q850Cause: 17,
      fallbacks: '[{"model":"tts","from":"openai","to":"flite","count":2}]',
    }),
    await seedCall(api, third, { startedAt: FIRST + 6, erasedAt: FIRST + 999, fromNumber: '', toNumber: '' }),
    await seedCall(api, third, { startedAt: FIRST, endedAt: FIRST + 59_999, medium: 'web' }),
    await seedCall(api, third, { startedAt: Date.UTC(1970, 0, 1), endedAt: 1 }),
  ];
  const appointments: AppointmentTable[] = [];
  for (const [callId, notes] of [
    [rows[0]?.id, AWKWARD],
    [rows[0]?.id, null],
    [rows[2]?.id, ''],
  ] as const) {
    const appointment: AppointmentTable = {
      id: newId('apt'),
      accountId: third.accountId,
      businessId: 'biz_1',
      callId: callId ?? null,
      service: 'Cleaning',
      startsAt: FIRST,
      endsAt: FIRST + 1,
      name: null,
      phone: null,
      phoneProved: 0,
      notes,
      status: 'booked',
      resource: null,
      sequence: 0,
      history: '[]',
      reference: null,
      conversationId: null,
      eraseAfter: null,
      reminderCallId: null,
      reminder: null,
      createdAt: FIRST,
    };
    await api.context.db.insertInto('appointments').values(appointment).execute();
    appointments.push(appointment);
  }
  const data = rows.map((row) =>
    callResource(
      row,
      appointments.filter(({ callId }) => callId === row.id),
    ),
  );
  const pagination = { page: 1, limit: 20, total: 4, totalPages: 1, hasNext: false, hasPrev: false };
  const answer = await third.ask('GET', '/calls');
  assert.equal(answer.text, JSON.stringify({ success: true, data, pagination }));
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(answer.headers['content-length'], String(Buffer.byteLength(answer.text)));
});

test('a list is identical to its calls read one by one, and never tells where a recording lies', async () => {
  const list = await api.tenant.ask('GET', '/calls?limit=5');
  for (const call of list.json.data) {
    const one = await api.tenant.ask('GET', `/calls/${call.id}`);
    assert.deepEqual(one.json.data, call);
    assert.equal('recordingUrl' in call || 'recordingPath' in call, false);
  }
});

test('totals follow calls that change and go', async () => {
  const { db } = api.context;
  const call = await seedCall(api, api.other, {
    status: 'RINGING',
    outcome: null,
    sentiment: null,
    endedAt: null,
    startedAt: FIRST + 5 * DAY,
  });
  const total = async (query: string) => (await api.other.ask('GET', `/calls?${query}`)).json.pagination.total;
  assert.equal(await total('status=RINGING'), 1);
  assert.equal(await total('status=RINGING&startDate=2026-09-06&endDate=2026-09-06'), 1);
  await db
    .updateTable('calls')
    .set({ status: 'COMPLETED', outcome: 'completed', startedAt: FIRST + 6 * DAY })
    .where('id', '=', call.id)
    .execute();
  assert.equal(await total('status=RINGING'), 0);
  assert.equal(await total('status=COMPLETED'), 2);
  assert.equal(await total('outcome=completed&startDate=2026-09-06&endDate=2026-09-06'), 0);
  assert.equal(await total('outcome=completed&startDate=2026-09-07&endDate=2026-09-07'), 1);
  await db.deleteFrom('calls').where('id', '=', call.id).execute();
  assert.equal(await total('status=COMPLETED'), 1);
  assert.equal(await total(''), 1);
});
