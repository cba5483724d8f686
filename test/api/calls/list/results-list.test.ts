// Lists of calls by what was found of them: scores, dispositions and values of outputs, alone, together and with the
// other filters, in each order, over pages; and what is wrong in such a question.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Papa from 'papaparse';
import type { CallFilter } from '../../../../db/queries/calls/list/counts.ts';
import { type CallOrder, judgedPage } from '../../../../db/queries/calls/list/judged-pages.ts';
import { storeAnalysis } from '../../../../db/queries/results/analysis.ts';
import type { CallTable } from '../../../../db/schema/call-columns.ts';
import { seedCall, setUpCampaign } from '../../../support/api/resources.ts';
import { useApi } from '../../../support/api/use-api.ts';

const FIRST = Date.UTC(2026, 8, 1);
type Judged = CallTable & { data: Record<string, unknown> };
const calls: Judged[] = [];
let campaignId = '';

async function judge(call: CallTable, data: Record<string, unknown>, score: number | null): Promise<Judged> {
  const disposition = (data.disposition as string | undefined) ?? null;
  const analysis = { data, reasons: {}, criteria: {}, by: 'model' as const, analysedAt: '2026-09-01T00:00:00.000Z' };
  const { id: callId, accountId } = call;
  await storeAnalysis(api.context.db, { callId, accountId, analysis, score, disposition, nowMs: api.clock.now });
  return { ...call, score, disposition, data };
}

const api = useApi({}, async () => {
  const { business, campaign } = await setUpCampaign(api, api.tenant);
  campaignId = campaign.id;
  const output = (name: string) => ({ name, schema: {}, description: name });
  const outputs = ['topic', 'guests', 'vip', 'disposition', 'list'].map(output);
  await api.tenant.ask('PATCH', `/businesses/${business.id}`, { outputs });
  for (let i = 0; i < 240; i++) {
    const call = await seedCall(api, api.tenant, {
      // Several begin in the same millisecond.
      startedAt: FIRST + Math.floor(i / 3) * 60_000,
      direction: i % 2 ? 'inbound' : 'outbound',
      campaignId: i % 4 ? campaign.id : 'cmp_other',
      fromNumber: `+1415555010${i % 4}`,
      toNumber: `+1415555010${(i + 1) % 4}`,
    });
    if (i % 5 === 0) calls.push({ ...call, data: {} });
    else {
      const data = {
        topic: ['hours', 'prices', 'größe 你好'][i % 3],
        guests: i % 7,
        vip: i % 11 === 0,
        list: [1],
        disposition: i % 2 ? 'booked' : 'lost',
      };
      calls.push(await judge(call, data, i % 6 === 0 ? null : (i % 9) / 8));
    }
  }
  await judge(await seedCall(api, api.other, {}), { topic: 'hours', disposition: 'booked' }, 1);
});

const newest = (a: Judged, b: Judged) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1);

async function expectList(query: string, matches: (call: Judged) => boolean, order = newest) {
  const wanted = calls.filter(matches).sort(order);
  const got: string[] = [];
  for (let page = 1; ; page++) {
    const answer = await api.tenant.ask('GET', `/calls?${query}&page=${page}&limit=37`);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.json.pagination.total, wanted.length, query);
    got.push(...answer.json.data.map(({ id }: { id: string }) => id));
    if (!answer.json.pagination.hasNext) break;
  }
  assert.deepEqual(
    got,
    wanted.map(({ id }) => id),
    query,
  );
}

const scored = ({ score }: Judged): boolean => score !== null;

test('by a range of scores, newest first', async () => {
  await expectList('minScore=0.5', (call) => (call.score ?? -1) >= 0.5);
  await expectList('maxScore=0.5', (call) => scored(call) && (call.score ?? 2) <= 0.5);
  await expectList('minScore=0.25&maxScore=0.75', ({ score }) => score !== null && score >= 0.25 && score <= 0.75);
  await expectList('minScore=0&maxScore=0', ({ score }) => score === 0);
});

test('by disposition, and with the other filters', async () => {
  await expectList('disposition=booked', ({ disposition }) => disposition === 'booked');
  await expectList('disposition=nobody', () => false);
  await expectList(
    `disposition=lost&minScore=0.3&campaignId=${campaignId}&startDate=2026-09-01T00:20:00Z`,
    (call) =>
      call.disposition === 'lost' &&
      (call.score ?? -1) >= 0.3 &&
      call.campaignId === campaignId &&
      call.startedAt >= FIRST + 20 * 60_000,
  );
});

test('by the number of the other side, whoever called', async () => {
  const isWith = (number: string) => (call: Judged) =>
    (call.direction === 'inbound' ? call.fromNumber : call.toNumber) === number;
  await expectList('number=%2B14155550101', isWith('+14155550101'));
  await expectList('number=+14155550103', isWith('+14155550103'));
  await expectList(
    'number=%2B14155550101&direction=inbound&minScore=0.5&output.topic=hours',
    (call) =>
      isWith('+14155550101')(call) &&
      call.direction === 'inbound' &&
      (call.score ?? -1) >= 0.5 &&
      call.data.topic === 'hours',
  );
  await expectList('number=%2B1415555010', () => false);
});

test('by the value of an output, whatever its type and its letters', async () => {
  await expectList('output.topic=hours', ({ data }) => data.topic === 'hours');
  await expectList(`output.topic=${encodeURIComponent('größe 你好')}`, ({ data }) => data.topic === 'größe 你好');
  await expectList('output.guests=4', ({ data }) => data.guests === 4);
  await expectList('output.vip=true', ({ data }) => data.vip === true);
  await expectList('output.topic=hour', () => false);
  await expectList('output.list=1', () => false);
  await expectList(
    'output.topic=hours&output.guests=2&direction=inbound&maxScore=0.9',
    (call) =>
      call.data.topic === 'hours' && call.data.guests === 2 && call.direction === 'inbound' && (call.score ?? 2) <= 0.9,
  );
});

test('best and worst first, and oldest first', async () => {
  const best = (a: Judged, b: Judged) => (b.score ?? 0) - (a.score ?? 0) || newest(a, b);
  await expectList('sort=-score', scored, best);
  await expectList('sort=score', scored, (a, b) => -best(a, b));
  await expectList(
    `sort=-score&campaignId=${campaignId}&output.topic=prices`,
    (call) => scored(call) && call.campaignId === campaignId && call.data.topic === 'prices',
    best,
  );
  await expectList('sort=-score&maxScore=0.5', (call) => scored(call) && (call.score ?? 2) <= 0.5, best);
  await expectList(
    'sort=startedAt',
    () => true,
    (a, b) => -newest(a, b),
  );
  await expectList(
    'sort=startedAt&direction=inbound',
    ({ direction }) => direction === 'inbound',
    (a, b) => -newest(a, b),
  );
  await expectList('sort=-startedAt', () => true);
});

test('values that many calls have are found by the same rules as rare ones', async () => {
  const filters: Array<[CallFilter, CallOrder]> = [
    [{ campaignId, minScore: 0.3 }, '-startedAt'],
    [{ campaignId, disposition: 'booked', outputs: { topic: 'hours' } }, '-score'],
    [{ direction: 'inbound', maxScore: 0.7, outputs: { topic: 'hours' } }, 'score'],
    [{ disposition: 'lost', minScore: 0.2, fromMs: FIRST + 600_000, toMs: FIRST + 3_000_000 }, '-startedAt'],
  ];
  for (const [filter, order] of filters) {
    const [few, many] = await Promise.all(
      [20_000, -1].map((rare) =>
        judgedPage(api.context.db, api.tenant.accountId, filter, { order, offset: 2, limit: 50, rare }),
      ),
    );
    assert.ok(few && few.length > 5, JSON.stringify(filter));
    assert.deepEqual(many, few, JSON.stringify(filter));
  }
});

test('the calls of a campaign and the table take the same filters', async () => {
  const wanted = calls.filter((call) => call.campaignId === campaignId && call.data.topic === 'hours').sort(newest);
  const answer = await api.tenant.ask('GET', `/campaigns/${campaignId}/calls?output.topic=hours&limit=100`);
  assert.deepEqual(
    answer.json.data.map(({ id }: { id: string }) => id),
    wanted.map(({ id }) => id),
  );
  const query = `minScore=0.2&disposition=booked&output.topic=hours&output.vip=false`;
  const table = await api.tenant.ask('GET', `/calls/export?${query}`);
  assert.equal(table.status, 200, table.text);
  assert.deepEqual(
    Papa.parse<{ id: string }>(table.text.trim(), { header: true }).data.map(({ id }) => id),
    calls
      .filter(
        (call) =>
          (call.score ?? -1) >= 0.2 &&
          call.disposition === 'booked' &&
          call.data.topic === 'hours' &&
          call.data.vip === false,
      )
      .sort(newest)
      .map(({ id }) => id),
  );
});

test('what is wrong is named', async () => {
  const cases: Array<[query: string, field: string]> = [
    ['minScore=2', 'minScore'],
    ['minScore=x', 'minScore'],
    ['minScore=0.5&maxScore=0.4', 'maxScore'],
    ['disposition=', 'disposition'],
    ['sort=name', 'sort'],
    ['output.colour=red', 'output.colour'],
    ['output.=red', 'output.'],
    ['output.topic=a&output.topic=b', 'output.topic'],
    ['output.topic=a&output.guests=1&output.vip=1&output.disposition=1&output.list=1&output.a=1', 'output.a'],
    ['outputs.topic=a', 'outputs.topic'],
    ['minScor=1', 'minScor'],
  ];
  for (const path of ['/calls', '/calls/export']) {
    for (const [query, field] of cases) {
      if (query.startsWith('sort') && path !== '/calls') continue;
      const answer = await api.tenant.ask('GET', `${path}?${query}`);
      assert.equal(answer.status, 422, `${query}: ${answer.text}`);
      assert.deepEqual(
        answer.json.errors?.map((error: { field: string }) => error.field),
        [field],
        answer.text,
      );
    }
  }
});

test('an output that was renamed is still found, a call that was erased is not', async () => {
  const call = await judge(
    await seedCall(api, api.tenant, { startedAt: FIRST - 1 }),
    { former: 'x', disposition: 'odd' },
    1,
  );
  assert.equal((await api.tenant.ask('GET', '/calls?output.former=x')).json.pagination.total, 1);
  assert.equal((await api.tenant.ask('DELETE', `/calls/${call.id}`)).status, 200);
  assert.equal((await api.tenant.ask('GET', '/calls?output.former=x')).status, 422);
  assert.equal((await api.tenant.ask('GET', '/calls?disposition=odd')).json.pagination.total, 0);
  const rows = await api.context.db.selectFrom('callOutputs').select('value').where('callId', '=', call.id).execute();
  assert.deepEqual(rows, []);
});
