// The last days of an account at a glance, from totals that triggers keep.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTurn } from '../../../db/queries/calls/running/turn-minutes.ts';
import { engineIs, seedCall } from '../../support/api/resources.ts';
import { useApi } from '../../support/api/use-api.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 8, 10, 12);
const api = useApi({ nowMs: NOW });

const latency = (p50Ms: number, turns = 2) => JSON.stringify({ turns, p50Ms, p95Ms: p50Ms });
const overview = async (query = '') => {
  const answer = await api.tenant.ask('GET', `/account/overview${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json.data;
};

test('without a call everything is zero or null, and every day is there', async () => {
  const { days, ...all } = await overview();
  assert.deepEqual(all, {
    live: 0,
    maxCalls: null,
    calls: 0,
    inbound: 0,
    outbound: 0,
    running: 0,
    completed: 0,
    failed: 0,
    voicemails: 0,
    answered: 0,
    answerRate: null,
    minutes: 0,
    responseGap: null,
    lastHour: { turns: 0, failed: 0, unheard: 0, share: null },
    timezone: 'UTC',
    failures: [],
  });
  assert.equal(days.length, 7);
  assert.equal(days[0]?.day, '2026-09-04');
  assert.equal(days[6]?.day, '2026-09-10');
});

test('it says how many calls at a time the installation carries, while it runs', async () => {
  await engineIs(api, { heartbeatAt: api.clock.now, maxCalls: 20, activeCalls: 7 });
  assert.equal((await overview()).maxCalls, 20);
  await engineIs(api, { heartbeatAt: api.clock.now, state: 'stopped' });
  assert.equal((await overview()).maxCalls, null);
});

test('calls count on the UTC day that they began, through their whole life', async () => {
  const failed = {
    status: 'FAILED',
    outcome: 'busy',
    endReason: 'busy',
    answeredAt: null,
    durationSeconds: 0,
  } as const;
  await seedCall(api, api.tenant, { startedAt: NOW - DAY, durationSeconds: 90, latency: latency(651) });
  await seedCall(api, api.tenant, { startedAt: NOW - DAY, direction: 'outbound', latency: latency(1_009) });
  await seedCall(api, api.tenant, { startedAt: NOW, direction: 'outbound', ...failed });
  await seedCall(api, api.tenant, { startedAt: NOW - 20 * DAY, ...failed });
  await seedCall(api, api.other, { startedAt: NOW, ...failed });
  const running = await seedCall(api, api.tenant, {
    startedAt: NOW,
    status: 'IN_PROGRESS',
    outcome: null,
    endReason: null,
    endedAt: null,
    durationSeconds: 0,
  });

  const before = await overview();
  assert.deepEqual(
    [before.live, before.running, before.calls, before.completed, before.failed, before.answered],
    [1, 1, 4, 2, 1, 2],
  );
  assert.equal(before.answerRate, 0.6667);
  assert.equal(before.minutes, 2);
  assert.deepEqual(before.failures, [{ reason: 'busy', calls: 1 }]);
  assert.deepEqual(before.responseGap, { calls: 2, p50Ms: 660, p95Ms: 1_000, p99Ms: 1_000 });
  const [yesterday, today] = before.days.slice(-2);
  assert.ok(yesterday && today);
  assert.deepEqual([yesterday.inbound, yesterday.outbound, yesterday.minutes], [1, 1, 2]);
  assert.deepEqual([today.calls, today.failed, today.responseGap], [2, 1, null]);

  await api.context.db
    .updateTable('calls')
    .set({ status: 'VOICEMAIL', endedAt: NOW + 30_000, durationSeconds: 30, endReason: 'voicemail' })
    .where('id', '=', running.id)
    .execute();
  await api.context.db
    .updateTable('calls')
    .set({ latency: latency(400) })
    .where('id', '=', running.id)
    .execute();
  const later = await overview('?days=1');
  assert.deepEqual([later.live, later.running, later.calls, later.voicemails, later.answered], [0, 0, 2, 1, 1]);
  assert.equal(later.answerRate, 0.5);
  assert.deepEqual(later.responseGap, { calls: 1, p50Ms: 400, p95Ms: 400, p99Ms: 400 });

  await api.context.db.deleteFrom('calls').where('id', '=', running.id).execute();
  const afterwards = await overview('?days=1');
  assert.deepEqual([afterwards.calls, afterwards.voicemails, afterwards.responseGap], [1, 0, null]);
  assert.equal((await overview('?days=90')).failed, 2);
});

test('a call without an answered turn has no gap', async () => {
  const { responseGap: before } = await overview('?days=90');
  await seedCall(api, api.tenant, { startedAt: NOW, latency: latency(0, 0) });
  assert.deepEqual((await overview('?days=90')).responseGap, before);
});

test('1 to 90 days can be asked for', async () => {
  for (const days of ['0', '91', 'x']) {
    const { status, json } = await api.tenant.ask('GET', `/account/overview?days=${days}`);
    assert.equal(status, 422);
    assert.equal(json.errors?.[0]?.field, 'days');
  }
});

test('turns of the last hour, and those in which the model failed: of this account, and no older ones', async () => {
  const { db } = api.context;
  const count = (accountId: string, isFailed: boolean, minutesAgo: number) =>
    countTurn(db, { accountId, isFailed, nowMs: NOW - minutesAgo * 60_000 });
  await count(api.tenant.accountId, true, 75);
  await count(api.tenant.accountId, true, 59);
  for (const isFailed of [false, false, true]) await count(api.tenant.accountId, isFailed, 0);
  await count(api.other.accountId, true, 0);
  assert.deepEqual((await overview()).lastHour, { turns: 4, failed: 2, unheard: 0, share: 0.5 });
  const status = await api.admin.ask('GET', '/admin/status');
  assert.deepEqual(status.json.data.lastHour, { turns: 5, failed: 3, unheard: 0, share: 0.6 });
  const kept = await db.selectFrom('turnMinutes').select('minute').execute();
  assert.equal(kept.length, 3, 'what is older than an hour is gone');
});

test('of a zone they count on its days, wherever its clocks stand', async () => {
  const of = { durationSeconds: 60, latency: latency(651) };
  // 23:30 on the 8th and 00:30 on the 9th in Berlin, both on the 8th in UTC; both on the 9th in Nepal.
  await seedCall(api, api.other, { startedAt: Date.UTC(2026, 8, 8, 21, 30), ...of });
  await seedCall(api, api.other, { startedAt: Date.UTC(2026, 8, 8, 22, 30), ...of, latency: latency(1_009) });
  const on = async (timezone: string) => {
    const path = `/account/overview?days=3&timezone=${encodeURIComponent(timezone)}` as const;
    const { days, ...all } = (await api.other.ask('GET', path)).json.data;
    return [
      all.timezone,
      days.map(({ day, calls, minutes, responseGap }) => [day, calls, minutes, responseGap?.p50Ms]),
    ];
  };
  assert.deepEqual(await on('Europe/Berlin'), [
    'Europe/Berlin',
    [
      ['2026-09-08', 1, 1, 660],
      ['2026-09-09', 1, 1, 1_000],
      ['2026-09-10', 1, 0, undefined],
    ],
  ]);
  assert.deepEqual((await on('Asia/Kathmandu'))[1]?.[1], ['2026-09-09', 2, 2, 660]);
  assert.deepEqual((await on('UTC'))[1]?.[0], ['2026-09-08', 2, 2, 660]);
  const wrong = await api.other.ask('GET', '/account/overview?timezone=Berlin');
  assert.equal(wrong.json.errors?.[0]?.field, 'timezone');
});
