// Alert rules: kept by their tenant, fired once, over once, told once to each recipient, whatever happens in between.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { evaluateAlerts } from '../../../api/alerts/evaluate.ts';
import { AlertJob } from '../../../api/alerts/job.ts';
import { respond, startReceiver, trustTestAuthority } from '../../../bench/rig/service/receiver.ts';
import { ALERT_RULES_MAX } from '../../../db/domain/alerts/metrics.ts';
import { MINUTE_MS } from '../../../db/domain/hours/durations.ts';
import { putCost } from '../../../db/queries/costs/costs.ts';
import type { CallTable } from '../../../db/schema/call-columns.ts';
import { seedCall, setUpCampaign } from '../../support/api/resources.ts';
import { useFreshApi } from '../../support/api/use-api.ts';
import { tell } from '../notices/told.ts';

trustTestAuthority();

const api = useFreshApi({ config: { webhookAllowPrivate: true } });
let businessId: string;
let agentId: string;
beforeEach(async () => {
  api.mails.length = 0;
  const { business, agent } = await setUpCampaign(api, api.tenant);
  [businessId, agentId] = [business.id, agent.id];
});

const OWNER = { by: 'mail', to: 'owner@example.com' };
const FAILED = { name: 'Failed calls', metric: 'failed_share', comparison: 'above', value: 0.2, windowMinutes: 60 };

async function rule(change: object = {}): Promise<string> {
  const body = { ...FAILED, minimumCalls: 5, to: [OWNER], ...change };
  const { status, json, text } = await api.tenant.ask('POST', '/alert-rules', body);
  assert.equal(status, 201, text);
  return json.data.id;
}

async function calls(count: number, change: Partial<CallTable> = {}, tenant = api.tenant): Promise<void> {
  for (let each = 0; each < count; each++)
    await seedCall(api, tenant, {
      ...{ businessId, agentId, startedAt: api.clock.now - MINUTE_MS, answeredAt: api.clock.now - 50_000 },
      ...{ endedAt: api.clock.now, durationSeconds: 50, status: 'COMPLETED', outcome: 'completed', ...change },
    });
}
const failed = (count: number, tenant = api.tenant) =>
  calls(count, { status: 'FAILED', outcome: 'failed', endReason: 'network', answeredAt: null }, tenant);

/** A minute later the rules are looked at, and messages go out. */
async function later(ms = MINUTE_MS): Promise<void> {
  api.clock.advance(ms);
  await evaluateAlerts(api.context);
  await tell(api);
}
const stateOf = async (id: string) => (await api.tenant.ask('GET', `/alert-rules/${id}`)).json.data;
const firings = async (id: string) => (await api.tenant.ask('GET', `/alert-rules/${id}/firings`)).json.data;
const subjects = () => api.mails.map(({ subject }) => subject);

test('it fires once, is over once, and fires again', async () => {
  const id = await rule();
  await calls(7);
  await failed(3);
  await later();
  await later();
  assert.deepEqual(subjects(), ['Alert: Share of calls that failed · Failed calls']);
  const { text } = api.mails[0] ?? { text: '' };
  assert.match(
    text,
    /Figure: Share of calls that failed, 30% \(10 calls within 60 minutes\)\nTold when it is: more than 20%/,
  );
  assert.ok(text.includes(`/#/alerts/${id}`));
  assert.deepEqual([(await stateOf(id)).state, (await stateOf(id)).current], ['fires', 0.3]);
  // 3 of 16 are below the value, and not yet by its tenth.
  await calls(6);
  await later();
  assert.equal(api.mails.length, 1);
  await calls(4);
  await later();
  await later();
  assert.deepEqual(subjects()[1], 'Over: Share of calls that failed · Failed calls');
  assert.equal(api.mails.length, 2);
  await failed(6);
  await later();
  assert.equal(api.mails.length, 3);
  const history = await firings(id);
  assert.deepEqual(
    history.map(({ value, endedValue }) => [value, endedValue]),
    [
      [0.346154, null],
      [0.3, 0.15],
    ],
  );
});

test('too few calls fire nothing, and calls of others count for nothing', async () => {
  const id = await rule();
  await failed(4);
  await failed(20, api.other);
  await later();
  assert.deepEqual([(await stateOf(id)).state, (await stateOf(id)).current, api.mails.length], ['ok', null, 0]);
  await failed(1);
  await later();
  assert.equal(api.mails.length, 1);
});

test('a window in which nobody calls is told of, once a whole one has passed', async () => {
  const id = await rule({ metric: 'calls', comparison: 'below', value: 1 });
  await later(59 * MINUTE_MS);
  assert.equal(api.mails.length, 0);
  await later();
  assert.deepEqual(subjects(), ['Alert: Calls · Failed calls']);
  await calls(1);
  await later();
  assert.equal((await stateOf(id)).state, 'ok');
});

test('of one agent, business or campaign alone', async () => {
  await rule({ agentId });
  await failed(6);
  await later();
  assert.equal(api.mails.length, 1);
  await rule({ agentId, businessId, name: 'Both' });
  await calls(30, { agentId: 'agt_another' });
  await later();
  assert.equal(api.mails.length, 2);
});

test('the other figures are counted in the database', async () => {
  await calls(3, { latency: JSON.stringify({ turns: 2, p50Ms: 900, p95Ms: 1_000 }), outcome: 'transferred' });
  await calls(1, { latency: JSON.stringify({ turns: 2, p50Ms: 2_500, p95Ms: 3_000 }), outcome: 'agent_failed' });
  await calls(1, { durationSeconds: 12, endReason: 'caller_hangup' });
  await calls(5, {
    direction: 'outbound',
    status: 'FAILED',
    endReason: 'refused',
    answeredAt: null,
    durationSeconds: 60,
  });
  const ids: Record<string, string> = {};
  for (const metric of [
    ...['calls', 'transferred_share', 'early_hangup_share', 'answer_gap_p95_ms', 'cost', 'outbound_minutes'],
    ...['agent_failures', 'carrier_refusals'],
  ])
    ids[metric] = await rule({ metric, value: metric.endsWith('share') ? 1 : 1_000_000, minimumCalls: 1 });
  await later();
  const current: Record<string, unknown> = {};
  for (const [metric, id] of Object.entries(ids)) current[metric] = (await stateOf(id)).current;
  assert.deepEqual(current, {
    ...{ calls: 10, transferred_share: 0.6, early_hangup_share: 0.2, answer_gap_p95_ms: 2_500, cost: 0 },
    ...{ outbound_minutes: 5, agent_failures: 1, carrier_refusals: 5 },
  });
});

test('an account that is not shown costs learns nothing of them', async () => {
  const id = await rule({ metric: 'cost', value: 0.5 });
  const { accountId } = api.tenant;
  const sums = { llm: null, stt: null, tts: null, trunk: 2_000_000, total: 2_000_000 };
  await putCost(api.context.db, {
    ...{
      subjectId: 'call_1',
      accountId,
      businessId,
      campaignId: 'cmp_1',
      agentId,
      beganAt: api.clock.now,
      lines: '[]',
    },
    ...{ currency: 'USD', isEstimated: 0, isPartial: 0, ...sums },
  });
  await later();
  assert.deepEqual([(await stateOf(id)).current, api.mails.length], [0, 0]);
  await api.admin.ask('PATCH', '/admin/settings', { showCosts: true });
  await later();
  assert.deepEqual([(await stateOf(id)).current, api.mails.length], [2, 1]);
});

test('in quiet hours nothing is sent; at their end both news are one message', async () => {
  // 12:00 UTC.
  const quiet = { from: '11:00', to: '14:00' };
  const id = await rule({ quiet, timezone: 'UTC' });
  await failed(6);
  await later();
  assert.deepEqual([(await stateOf(id)).state, api.mails.length], ['fires', 0]);
  await calls(40);
  await later();
  assert.deepEqual([(await stateOf(id)).state, api.mails.length], ['ok', 0]);
  await later(119 * MINUTE_MS);
  assert.equal(api.mails.length, 1);
  assert.match(
    api.mails[0]?.text ?? '',
    /Alert: Share of calls that failed[^\n]*\n[^\n]*Over: Share of calls that failed/,
  );
});

test('a process that dies after it has fired, before anything was sent, is told for by the next one, once', async () => {
  const id = await rule({ to: [OWNER, { by: 'mail', to: 'second@example.com' }] });
  await failed(6);
  api.clock.advance(MINUTE_MS);
  await evaluateAlerts(api.context);
  // Another process, which finds the rule looked at.
  await evaluateAlerts(api.context);
  assert.equal(api.mails.length, 0);
  await tell(api);
  await tell(api);
  assert.deepEqual(api.mails.map(({ to }) => to).sort(), ['owner@example.com', 'second@example.com']);
  assert.equal((await firings(id)).length, 1);
});

test('a receiver that is down is asked again, and costs the other recipients nothing', async () => {
  const receiver = await startReceiver();
  receiver.behave('/alerts', respond(503));
  const hook = { by: 'webhook', to: receiver.url('/alerts'), secret: 'a secret of sixteen' };
  const id = await rule({ to: [hook, OWNER] });
  await failed(6);
  await later();
  assert.equal(api.mails.length, 1);
  const log = async () => (await api.tenant.ask('GET', `/alert-rules/${id}/notices`)).json.data;
  assert.deepEqual((await log()).map(({ by, status, attempts }) => [by, status, attempts]).sort(), [
    ['mail', 'sent', 0],
    ['webhook', 'waiting', 1],
  ]);
  receiver.behave('/alerts', respond(200));
  await later(11_000);
  const webhook = (await log()).find(({ by }) => by === 'webhook');
  assert.equal(webhook?.status, 'sent');
  const { data } = JSON.parse(receiver.received.at(-1)?.body ?? '{}');
  assert.deepEqual([data.notices[0].alert.value, data.notices[0].alert.ruleId], [1, id]);
  await receiver.close();
});

test('the job counts on a thread of its own, and finds the same', async () => {
  const id = await rule();
  await failed(6);
  api.clock.advance(MINUTE_MS);
  const job = new AlertJob(api.context);
  await job.run();
  await job.stop();
  assert.deepEqual([(await stateOf(id)).state, (await stateOf(id)).current], ['fires', 1]);
  // One that is stopped while it counts ends, and another process goes on.
  api.clock.advance(MINUTE_MS);
  const stopped = new AlertJob(api.context);
  const running = stopped.run();
  await stopped.stop();
  await running;
});

test('an example is sent at once, by the recipient’s channel', async () => {
  const id = await rule();
  const { status, json } = await api.tenant.ask('POST', `/alert-rules/${id}/test`, { index: 0 });
  assert.deepEqual([status, json.data.on, json.data.isTest, json.data.status], [200, ['alert'], true, 'sent']);
  assert.match(api.mails[0]?.text ?? '', /This is an example/);
  assert.equal((await api.tenant.ask('POST', `/alert-rules/${id}/test`, { index: 1 })).status, 422);
  assert.deepEqual(await firings(id), []);
});

test('a rule that watches something else begins anew; one that is off is not looked at; a deleted one tells nobody', async () => {
  const id = await rule();
  await failed(6);
  await later();
  await api.tenant.ask('PATCH', `/alert-rules/${id}`, { value: 0.5 });
  assert.equal((await stateOf(id)).state, 'ok');
  assert.notEqual((await firings(id))[0]?.endedAt, null);
  await later();
  assert.equal(api.mails.length, 2);
  await api.tenant.ask('PATCH', `/alert-rules/${id}`, { isActive: false });
  await later();
  assert.equal((await stateOf(id)).evaluatedAt, null);
  await api.tenant.ask('PATCH', `/alert-rules/${id}`, { isActive: true });
  api.clock.advance(MINUTE_MS);
  await evaluateAlerts(api.context);
  assert.equal((await api.tenant.ask('DELETE', `/alert-rules/${id}`)).status, 200);
  await tell(api);
  assert.equal(api.mails.length, 2);
  assert.equal((await api.tenant.ask('GET', `/alert-rules/${id}`)).status, 404);
});

test('addresses are secrets, sent back they stay, and faults name their field', async () => {
  const hook = 'https://hooks.slack.com/services/T0/B0/secretsecret';
  const id = await rule({ to: [{ by: 'slack', to: hook }] });
  const [shown] = (await stateOf(id)).to;
  assert.match(shown?.to ?? '', /^https:\/\/hooks\.slack\.com\/…[\w-]{8}$/);
  const { json } = await api.tenant.ask('PATCH', `/alert-rules/${id}`, { to: [shown, OWNER], quiet: null });
  assert.equal(json.data.to[0]?.to, shown?.to);
  const stored = await api.context.db.selectFrom('alertRules').selectAll().executeTakeFirstOrThrow();
  assert.ok(!JSON.stringify(stored).includes('secretsecret'));
  for (const [body, field] of [
    [{ value: 2 }, 'value'],
    [{ to: [{ by: 'mail', to: 'nobody' }] }, 'to[0].to'],
    [{ to: [{ by: 'sms', to: '+14155550123' }] }, 'businessId'],
    [{ businessId: 'biz_none' }, 'businessId'],
    [{ timezone: 'Mars/Base' }, 'timezone'],
    [{ windowMinutes: 4 }, 'windowMinutes'],
    [{ to: [] }, 'to'],
  ] as const) {
    const answer = await api.tenant.ask('PATCH', `/alert-rules/${id}`, body);
    const errors = (answer.json as { errors?: Array<{ field: string }> }).errors ?? [];
    assert.deepEqual([answer.status, errors.map((error) => error.field)], [422, [field]], JSON.stringify(body));
  }
});

test('rules are their tenant’s, and not more than fifty', async () => {
  const id = await rule();
  for (const [method, path, body] of [
    ['GET', `/alert-rules/${id}`, undefined],
    ['PATCH', `/alert-rules/${id}`, { value: 0.1 }],
    ['DELETE', `/alert-rules/${id}`, undefined],
    ['GET', `/alert-rules/${id}/firings`, undefined],
    ['GET', `/alert-rules/${id}/notices`, undefined],
    ['POST', `/alert-rules/${id}/test`, { index: 0 }],
  ] as const)
    assert.equal((await api.other.ask(method, path, body)).status, 404, `${method} ${path}`);
  assert.equal((await api.other.ask('GET', '/alert-rules')).json.pagination.total, 0);
  for (let count = 1; count < ALERT_RULES_MAX; count++) await rule();
  const answer = await api.tenant.ask('POST', '/alert-rules', { ...FAILED, to: [OWNER] });
  assert.deepEqual([answer.status, (answer.json as { code?: string }).code], [409, 'ALERT_RULES_LIMIT']);
});
