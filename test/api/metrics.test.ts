import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startMetricsServer } from '../../api/metrics/server.ts';
import { startApi } from '../../bench/rig/api/api.ts';
import { eventually } from '../../bench/rig/eventually.ts';
import { engineRow } from '../../bench/rig/rows/table-rows.ts';
import { createEngineMetrics, createHistogram, observe } from '../../db/shared/metrics.ts';
import { emit } from '../support/api/delivery.ts';
import { addTrunk } from '../support/api/resources.ts';

const idle = {
  delivered: 7,
  failed: 2,
  inFlight: 1,
  leading: true,
  lagSeconds: createHistogram([0.1, 1]),
};

/** Name and labels to value; also proves that each line is one of the text format. */
function parse(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('# HELP ') || line.startsWith('# TYPE ')) continue;
    const match = /^([a-z_]+(?:\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\})?) (\S+)$/.exec(line);
    assert.ok(match?.[1] && match[2], line);
    samples.set(match[1], Number(match[2]));
  }
  return samples;
}

async function openMetrics(t: TestContext) {
  const api = await startApi();
  const server = await startMetricsServer(api.context, { host: '127.0.0.1', port: 0, delivery: () => idle });
  t.after(async () => {
    await server.close();
    await api.close();
  });
  const url = `http://127.0.0.1:${server.port}`;
  return { api, url, read: async () => parse(await (await fetch(`${url}/metrics`)).text()) };
}

test('metrics tell of the engine’s snapshot and of delivery, on a port of their own', async (t) => {
  const { api, read } = await openMetrics(t);

  const before = await read();
  assert.equal(before.get('voice_engine_up'), 0);
  assert.equal(before.has('voice_calls_active{direction="inbound"}'), false);
  assert.equal(before.get('voice_webhook_deliveries_total{result="success"}'), 7);

  const metrics = createEngineMetrics();
  metrics.activeCalls.inbound = 3;
  metrics.endedCalls.COMPLETED = 11;
  metrics.queueDepths = { stt: 4 };
  metrics.llmRequests = { spoken: 6, discarded: 2 };
  metrics.llmFallbackRequests = 1;
  metrics.turns = 9;
  metrics.failedTurns = { receptionist: 2, nobody: 1 };
  metrics.llmTokens = { prompt: 4_000, cached: 3_000, completion: 90, discarded: 1_010 };
  observe(metrics.turnStageSeconds.model, 0.24);
  observe(metrics.yieldSeconds, 0.07);
  for (const value of [0.04, 0.3, 0.3, 9]) observe(metrics.turnLatencySeconds, value);
  metrics.turnEnds = { judged: 5, late: 2, failed: 0 };
  observe(metrics.turnEndSeconds, 0.05);
  const row = engineRow(api.clock.now, { activeCalls: 3, metrics: JSON.stringify(metrics) });
  await api.context.db.insertInto('engines').values(row).execute();
  const after = await read();
  assert.equal(after.get('voice_engine_up'), 1);
  assert.equal(after.get('voice_engines{state="up"}'), 1);
  assert.equal(after.get('voice_calls_max'), row.maxCalls);
  assert.equal(after.get('voice_calls_active{direction="inbound"}'), 3);
  assert.equal(after.get('voice_calls_ended_total{status="COMPLETED"}'), 11);
  assert.equal(after.get('voice_queue_depth{queue="stt"}'), 4);
  assert.equal(after.get('voice_llm_requests_total{reply="discarded"}'), 2);
  assert.equal(after.get('voice_llm_discarded_share'), 0.25);
  assert.equal(after.get('voice_llm_fallback_requests_total'), 1);
  assert.equal(after.get('voice_turns_total'), 9);
  assert.equal(after.get('voice_turns_failed_total{answer="receptionist"}'), 2);
  assert.equal(after.get('voice_turns_failed_total{answer="nobody"}'), 1);
  assert.equal(after.get('voice_llm_tokens_total{kind="cached"}'), 3_000);
  assert.equal(after.get('voice_turn_latency_seconds_bucket{le="0.05"}'), 1);
  assert.equal(after.get('voice_turn_stage_seconds_bucket{stage="model",le="0.2"}'), 0);
  assert.equal(after.get('voice_turn_stage_seconds_bucket{stage="model",le="0.3"}'), 1);
  assert.equal(after.get('voice_turn_stage_seconds_count{stage="turn-end"}'), 0);
  assert.equal(after.get('voice_yield_seconds_bucket{le="0.08"}'), 1);
  assert.equal(after.get('voice_turn_latency_seconds_bucket{le="0.35"}'), 3);
  assert.equal(after.get('voice_turn_latency_seconds_bucket{le="+Inf"}'), 4);
  assert.equal(after.get('voice_turn_latency_seconds_count'), 4);
  assert.equal(after.get('voice_turn_latency_seconds_sum'), 9.64);
  assert.equal(after.get('voice_turn_ends_total{outcome="late"}'), 2);
  assert.equal(after.get('voice_turn_end_seconds_bucket{le="0.06"}'), 1);
});

test('while the database does not answer, the page says just that', async (t) => {
  const { api, read, url } = await openMetrics(t);
  assert.equal((await read()).get('voice_database_up'), 1);
  const { read: database } = api.context;
  api.context.read = new Proxy(database, {
    get: (target, name) => {
      if (name !== 'selectFrom' && name !== 'executeQuery') return Reflect.get(target, name);
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    },
  });
  try {
    assert.equal((await fetch(`${url}/metrics`)).status, 200);
    assert.deepEqual([...(await read())], [['voice_database_up', 0]]);
  } finally {
    api.context.read = database;
  }
});

test('metrics tell which trunks are up and registered; what is not known has no sample', async (t) => {
  const { api, read } = await openMetrics(t);
  const answers = await addTrunk(api, { healthState: 'up', registrationState: 'off' });
  const fails = await addTrunk(api, { healthState: 'down', registrationState: 'failed' });
  const isNew = await addTrunk(api, { healthState: 'unknown', registrationState: 'off' });
  await api.context.db.updateTable('trunks').set({ register: 1, name: 'main' }).where('id', '=', fails).execute();
  await api.context.db.updateTable('trunks').set({ name: 'main' }).execute();
  const samples = await read();
  const of = (metric: string, id: string) => samples.get(`${metric}{trunk="${id}",name="main"}`);
  assert.deepEqual(
    [answers, fails, isNew].map((id) => [of('voice_trunk_up', id), of('voice_trunk_registered', id)]),
    [
      [1, undefined],
      [0, 0],
      [undefined, undefined],
    ],
  );
});

test('metrics show what waits for delivery and for how long', async (t) => {
  const { api, url, read } = await openMetrics(t);
  await emit(api, api.tenant.accountId, 2, 'call.ended');
  const events = await api.context.db.selectFrom('events').selectAll().execute();
  for (const event of events) {
    await api.context.db
      .insertInto('webhookQueue')
      .values({
        webhookId: 'whk_1',
        eventSeq: event.seq,
        accountId: event.accountId,
        attempts: 0,
        nextAttemptAt: event.createdAt,
        createdAt: api.clock.now,
      })
      .execute();
  }
  api.clock.advance(12_000);
  const samples = await read();
  assert.equal(samples.get('voice_webhook_queue_depth'), 2);
  assert.equal(samples.get('voice_webhook_oldest_waiting_seconds'), 12);
  assert.equal((await fetch(`${url}/`)).status, 404);
  assert.equal((await fetch(`${url}/metrics`, { method: 'POST' })).status, 405);
});

test('metrics tell how full the disk is and how late timers fire', async (t) => {
  const { api, read } = await openMetrics(t);
  assert.equal((await read()).has('voice_disk_free_bytes'), api.context.probes.probed.disk !== null);
  await api.context.probes.sample();
  await eventually(() => api.context.probes.probed.disk !== null);
  const samples = await read();
  const [free = 0, size = 0] = [samples.get('voice_disk_free_bytes'), samples.get('voice_disk_size_bytes')];
  assert.ok(free > 0 && free <= size, `${free} of ${size}`);
  const [middle = -1, most = -1] = ['0.5', '1'].map((quantile) =>
    samples.get(`voice_event_loop_delay_seconds{process="api",quantile="${quantile}"}`),
  );
  assert.ok(middle >= 0 && most >= middle, `${middle}, ${most}`);
});
