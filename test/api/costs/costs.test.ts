// Costs of calls: priced once, by what held when they began, seen by whom the installation shows it.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { priceUses } from '../../../api/costs/price-uses.ts';
import { trunkRow } from '../../../bench/rig/rows/table-rows.ts';
import { modelUse, type Use } from '../../../db/domain/cost/uses.ts';
import { endCall } from '../../../db/queries/calls/life.ts';
import { addUses } from '../../../db/queries/costs/uses.ts';
import { answerTransferLeg, closeTransferLeg, openTransferLeg } from '../../../db/rules/spend.ts';
import type { CallTable } from '../../../db/schema/call-columns.ts';
import { seedCall, setUpCampaign } from '../../support/api/resources.ts';
import { useFreshApi } from '../../support/api/use-api.ts';

const MINUTE_MS = 60_000;
const api = useFreshApi();
let ids: Pick<CallTable, 'businessId' | 'campaignId' | 'agentId'>;

beforeEach(async () => {
  const { business, agent, campaign } = await setUpCampaign(api, api.tenant);
  ids = { businessId: business.id, campaignId: campaign.id, agentId: agent.id };
  await api.context.db
    .insertInto('trunks')
    .values(trunkRow({ id: 'trk_1', createdAt: 0 }))
    .execute();
});

const price = async (body: object): Promise<string> => {
  const validFrom = new Date(api.clock.now - 60 * MINUTE_MS).toISOString();
  const whole = { currency: 'USD', validFrom, ...body };
  const { status, json, text } = await api.admin.ask('POST', '/admin/prices', whole);
  assert.equal(status, 201, text);
  return json.data.id;
};

const OUTBOUND = { kind: 'trunk', direction: 'outbound' } as const;
async function pricedAll(): Promise<void> {
  await price({
    kind: 'llm',
    model: 'gpt-4.1-mini',
    perMillionInput: '0.40',
    perMillionCached: '0.10',
    perMillionOutput: '1.60',
  });
  await price({ kind: 'stt', engine: 'deepgram', perMinute: '0.0043' });
  await price({ kind: 'tts', perThousandCharacters: '0.03' });
  await price({ ...OUTBOUND, prefix: '+49', perMinute: '0.012', connectionFee: '0.001', increment: '60/60' });
}

const USES: Use[] = [
  modelUse({
    ...{ kind: 'llm', engine: 'openai', model: 'gpt-4.1-mini', purpose: 'call', requests: 4 },
    ...{ inputTokens: 10_000, cachedTokens: 4_000, outputTokens: 500 },
  }),
  modelUse({ kind: 'stt', engine: 'deepgram', model: 'nova-3', purpose: 'call', ms: 30_000 }),
  modelUse({
    kind: 'tts',
    engine: 'elevenlabs',
    model: 'eleven_flash_v2_5',
    purpose: 'call',
    characters: 800,
    ms: 50_000,
  }),
];

/** A call of the tenant over trk_1 to Berlin, answered for 61 s, that ends now. */
async function called(uses: readonly Use[] = USES, change: Partial<CallTable> = {}): Promise<string> {
  const startedAt = api.clock.now - 70_000;
  const call = await seedCall(api, api.tenant, {
    ...{
      ...ids,
      direction: 'outbound',
      toNumber: '+4930901820',
      trunkId: 'trk_1',
      status: 'IN_PROGRESS',
      endedAt: null,
    },
    ...{ startedAt, answeredAt: api.clock.now - 61_000, outcome: null, endReason: null, ...change },
  });
  const end = { status: 'COMPLETED', outcome: 'completed', endReason: 'caller_hangup', contact: null } as const;
  await endCall(api.context.db, { ...end, callId: call.id, endedAtMs: api.clock.now, transcript: [], uses });
  return call.id;
}

const run = () => priceUses(api.context);
const costOf = async (id: string) => (await api.admin.ask('GET', `/admin/costs/${id}`)).json.data;
const show = (showCosts: boolean) => api.admin.ask('PATCH', '/admin/settings', { showCosts });

test('a whole call, computed by hand', async () => {
  await pricedAll();
  const id = await called();
  await run();
  const { cost, lines } = await costOf(id);
  assert.deepEqual(cost, {
    // 6,000 at 0.40, 4,000 cached at 0.10, 500 at 1.60 a million.
    llm: '0.0036',
    // Half a minute at 0.0043.
    stt: '0.00215',
    // 0.8 thousand at 0.03.
    tts: '0.024',
    // 61 s are two minutes at 0.012, and 0.001 for the connection.
    trunk: '0.025',
    total: '0.05475',
    ...{ currency: 'USD', estimated: false, partial: false },
  });
  assert.deepEqual(
    lines.map(({ kind, amount, billedSeconds }: Record<string, unknown>) => [kind, amount, billedSeconds]),
    [
      ['llm', '0.0036', null],
      ['stt', '0.00215', null],
      ['tts', '0.024', null],
      ['trunk', '0.025', 120],
    ],
  );
});

test('a call is priced by what held when it began, and stays so', async () => {
  const first = await price({ ...OUTBOUND, prefix: '+49', perMinute: '0.01' });
  const call = await called([]);
  // Valid before the call's end, and after its beginning.
  const validFrom = new Date(api.clock.now - 30_000).toISOString();
  await price({ ...OUTBOUND, prefix: '+49', perMinute: '9', validFrom });
  await run();
  assert.equal((await costOf(call)).cost.total, '0.010167');
  api.clock.advance(10 * MINUTE_MS);
  const next = await called([]);
  await run();
  assert.equal((await costOf(next)).cost.total, '9.15');
  await api.admin.ask('DELETE', `/admin/prices/${first}`);
  await run();
  assert.equal((await costOf(call)).cost.total, '0.010167');
});

test('work after the call is added to it, and to its day, once', async () => {
  await pricedAll();
  await show(true);
  const id = await called();
  await run();
  const { accountId } = api.tenant;
  const summary = { ...USES[0], purpose: 'summary', isEstimated: true } as Use;
  await addUses(api.context.db, { accountId, subjectId: id, uses: [summary], nowMs: api.clock.now });
  await run();
  await run();
  const { cost, lines } = await costOf(id);
  assert.deepEqual([cost.llm, cost.total, cost.estimated], ['0.0072', '0.05835', true]);
  assert.equal(lines.length, 5);
  const { data } = (await api.tenant.ask('GET', '/costs')).json;
  assert.deepEqual(
    data.sums.map(({ calls, llm, total }: Record<string, unknown>) => [calls, llm, total]),
    [[1, '0.0072', '0.05835']],
  );
  const call = (await api.tenant.ask('GET', `/calls/${id}`)).json.data;
  assert.deepEqual(call.cost, cost);
});

test('without any price nothing is shown, and what was used is there all the same', async () => {
  await show(true);
  const id = await called();
  await run();
  assert.equal((await api.tenant.ask('GET', `/calls/${id}`)).json.data.cost, null);
  const { cost, lines } = await costOf(id);
  assert.deepEqual([cost.total, cost.currency, cost.partial, lines.length], [null, null, true, 4]);
});

test('a tenant sees costs where the installation shows them, and its own only; an ADMIN sees all', async () => {
  await pricedAll();
  const hidden = await called();
  await run();
  assert.equal((await api.tenant.ask('GET', `/calls/${hidden}`)).json.data.cost, null);
  for (const path of [`/calls/${hidden}/cost`, '/costs', '/costs/export'])
    assert.equal((await api.tenant.ask('GET', path)).status, 403, path);
  for (const path of ['/admin/costs', '/admin/costs/export', `/admin/costs/${hidden}`, '/admin/prices'])
    assert.equal((await api.tenant.ask('GET', path)).status, 403, path);
  await show(true);
  const shown = await called();
  await run();
  assert.equal((await api.tenant.ask('GET', `/calls/${shown}`)).json.data.cost?.total, '0.05475');
  assert.equal((await api.tenant.ask('GET', `/calls/${shown}/cost`)).json.data.cost.total, '0.05475');
  assert.equal((await api.other.ask('GET', `/calls/${shown}/cost`)).status, 404);
  assert.deepEqual((await api.other.ask('GET', '/costs')).json.data.sums, []);
  const all = (await api.admin.ask('GET', '/admin/costs?by=account')).json.data.sums;
  assert.deepEqual(
    all.map(({ group, calls, total }: Record<string, unknown>) => [group, calls, total]),
    [[api.tenant.accountId, 2, '0.1095']],
  );
});

test('sums by day, agent, campaign and business, as a table too', async () => {
  await pricedAll();
  await show(true);
  await called();
  await called([]);
  await run();
  for (const by of ['day', 'agent', 'campaign', 'business']) {
    const { sums } = (await api.tenant.ask('GET', `/costs?by=${by}`)).json.data;
    assert.deepEqual([sums.length, sums[0]?.calls, sums[0]?.total], [1, 2, '0.07975'], by);
    if (by !== 'day') assert.equal(typeof sums[0]?.name, 'string');
  }
  const { sums } = (await api.tenant.ask('GET', '/costs?agentId=agt_none')).json.data;
  assert.deepEqual(sums, []);
  const { text } = await api.tenant.ask('GET', '/costs/export?by=day');
  assert.match(text, /^group,name,currency,calls,partialCalls,llm,stt,tts,trunk,total\r\n\d{4}-\d\d-\d\d,,USD,2,0,/);
  assert.equal((await api.tenant.ask('GET', '/costs?from=2026-02-02&to=2026-01-01')).status, 422);
  assert.equal((await api.tenant.ask('GET', '/costs?from=2020-02-02&to=2026-01-01')).status, 422);
});

test('a transfer is a leg of its own, charged once, also where the call’s end closes it', async () => {
  await pricedAll();
  const { accountId } = api.tenant;
  const legs = { trunkId: 'trk_1', number: '+4940111' };
  const startedAt = api.clock.now - 200_000;
  const open = { ...ids, direction: 'inbound', trunkId: 'trk_1', status: 'IN_PROGRESS', endedAt: null } as const;
  const call = await seedCall(api, api.tenant, { ...open, startedAt, answeredAt: startedAt, outcome: null });
  const { db } = api.context;
  const of = { callId: call.id };
  await openTransferLeg(db, { ...of, accountId, ...legs });
  await answerTransferLeg(db, { ...of, nowMs: startedAt + 10_000 });
  await closeTransferLeg(db, { ...of, endedAtMs: startedAt + 40_000 });
  // Another person, who rings only; and one with whom the caller talks until the end.
  await openTransferLeg(db, { ...of, accountId, ...legs, leg: 1 });
  await openTransferLeg(db, { ...of, accountId, ...legs, leg: 2 });
  await answerTransferLeg(db, { ...of, leg: 2, nowMs: startedAt + 50_000 });
  const end = { status: 'COMPLETED', outcome: 'transferred', endReason: 'transfer', contact: null } as const;
  await endCall(db, { ...end, ...of, endedAtMs: startedAt + 180_000, transcript: [] });
  await closeTransferLeg(db, { ...of, leg: 2, endedAtMs: startedAt + 190_000 });
  await run();
  const { cost, lines } = await costOf(call.id);
  assert.deepEqual(
    lines.map(({ purpose, seconds, billedSeconds, amount }) => [purpose, seconds, billedSeconds, amount]).sort(),
    [
      // Inbound minutes have no price here.
      ['call', 180, null, null],
      ['transfer', 130, 180, '0.037'],
      ['transfer', 30, 60, '0.013'],
    ],
  );
  assert.deepEqual([cost.trunk, cost.partial], ['0.05', true]);
});

test('an answer in a chat is priced by what held when it was given, and answers of one model are one line', async () => {
  await pricedAll();
  const { campaignId } = ids;
  const conversation = await api.tenant.ask('POST', '/conversations', { campaignId });
  const subjectId = conversation.json.data.id;
  const answered = () =>
    addUses(api.context.db, {
      ...{ accountId: api.tenant.accountId, subjectId, nowMs: api.clock.now },
      uses: USES.slice(0, 1),
    });
  await answered();
  await answered();
  await run();
  const dearer = { perMillionInput: '0.80', perMillionCached: '0.20', perMillionOutput: '3.20' };
  api.clock.advance(MINUTE_MS);
  await price({ kind: 'llm', model: 'gpt-4.1-mini', ...dearer, validFrom: new Date(api.clock.now).toISOString() });
  await answered();
  await run();
  const { cost, lines } = await costOf(subjectId);
  assert.deepEqual(
    lines.map(({ requests, amount }) => [requests, amount]),
    [
      [8, '0.0072'],
      [4, '0.0072'],
    ],
  );
  assert.deepEqual([cost.total, cost.partial], ['0.0144', false]);
  const [sum] = (await api.admin.ask('GET', '/admin/costs?by=campaign')).json.data.sums;
  assert.deepEqual([sum?.group, sum?.calls, sum?.total], [campaignId, 1, '0.0144']);
});

test('the number that a leg went to is not kept once it is priced', async () => {
  await pricedAll();
  const id = await called();
  await run();
  assert.deepEqual(await api.context.db.selectFrom('callUses').selectAll().execute(), []);
  const row = await api.context.db.selectFrom('costs').selectAll().where('subjectId', '=', id).executeTakeFirst();
  assert.ok(!JSON.stringify(row).includes('4930901820'));
});
