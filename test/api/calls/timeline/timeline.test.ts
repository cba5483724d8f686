// The timeline of a call: with the call itself, not in lists, and as a picture.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timelineSvg } from '../../../../api/calls/timeline/timeline-svg.ts';
import type { CallTimeline, TurnTiming } from '../../../../db/domain/calls/timeline.ts';
import { eraseCalls } from '../../../../db/queries/calls/ended/erasure.ts';
import { addTimeline, findTimeline } from '../../../../db/queries/calls/ended/timelines.ts';
import { seedCall } from '../../../support/api/resources.ts';
import { useApi } from '../../../support/api/use-api.ts';

const api = useApi();

const latency = { turns: 1, p50Ms: 640, p95Ms: 640, yields: { count: 1, p50Ms: 80, p95Ms: 80 } };

const turnAt = (speechEndAtMs: number): TurnTiming => ({
  speechEndAtMs,
  recognisedAtMs: speechEndAtMs + 150,
  askedAtMs: speechEndAtMs + 150,
  turnEndAtMs: speechEndAtMs + 500,
  firstTokenAtMs: speechEndAtMs + 400,
  firstClauseAtMs: speechEndAtMs + 450,
  firstAudioAtMs: speechEndAtMs + 550,
  firstPacketAtMs: speechEndAtMs + 560,
  guessed: true,
  gapMs: 640,
  measuredOn: 'recording',
  unrecordedMs: 40,
});

const timeline: CallTimeline = {
  turns: [turnAt(5_000)],
  bargeIns: [
    {
      onsetAtMs: 8_000,
      yieldingAtMs: 8_040,
      silentAtMs: 8_080,
      yieldMs: 80,
      measuredOn: 'line',
      unrecordedMs: 40,
    },
  ],
  toolCalls: [
    {
      startedAtMs: 5_410,
      tookMs: 30,
      name: 'schedule_appointment',
      arguments: { startsAt: '2026-11-23T10:00:00Z', name: 'Ada' },
      result: { ok: false, error: 'taken' },
      outcome: 'refused',
    },
  ],
  speech: { caller: [[3_000, 5_040]], agent: [[5_640, 8_080]] },
};

async function timedCall(): Promise<string> {
  const { id, accountId } = await seedCall(api, api.tenant, { latency: JSON.stringify(latency) });
  await addTimeline(api.context.db, accountId, { callId: id, timeline });
  return id;
}

test('a call shows its turns, interruptions and tool calls, a list only the summary', async () => {
  const id = await timedCall();
  const { turns, bargeIns } = timeline;
  const one = await api.tenant.ask('GET', `/calls/${id}`);
  assert.deepEqual(one.json.data.latency, { ...latency, timeline: turns, bargeIns });
  assert.deepEqual(one.json.data.toolCalls, timeline.toolCalls);
  const list = await api.tenant.ask('GET', '/calls');
  assert.deepEqual(list.json.data[0]?.latency, latency);
  assert.equal('toolCalls' in (list.json.data[0] ?? {}), false);
  const { id: untimed } = await seedCall(api, api.tenant, {});
  const other = await api.tenant.ask('GET', `/calls/${untimed}`);
  assert.equal(other.json.data.latency, null);
  assert.equal('toolCalls' in other.json.data, false);
});

test('a timeline that an earlier release wrote has no tool calls', async () => {
  const { id, accountId } = await seedCall(api, api.tenant, { latency: JSON.stringify(latency) });
  const { toolCalls: _, ...before } = timeline;
  await addTimeline(api.context.db, accountId, { callId: id, timeline: before });
  assert.equal('toolCalls' in (await api.tenant.ask('GET', `/calls/${id}`)).json.data, false);
});

test('the picture of a call: for its account alone, without scripts, under the policy of every answer', async () => {
  const id = await timedCall();
  const picture = await api.tenant.ask('GET', `/calls/${id}/timeline.svg`);
  assert.equal(picture.status, 200);
  assert.match(String(picture.headers['content-type']), /^image\/svg\+xml/);
  const call = await api.tenant.ask('GET', `/calls/${id}`);
  assert.equal(picture.headers['content-security-policy'], call.headers['content-security-policy']);
  for (const text of ['640 ms', 'yield 80 ms', 'recogniser: 150 ms', 'silence before the voice: 80 ms']) {
    assert.ok(picture.text.includes(text), text);
  }
  assert.doesNotMatch(picture.text, /<script|style=|href| on[a-z]+=/);
  assert.equal((await api.other.ask('GET', `/calls/${id}/timeline.svg`)).status, 404);
  assert.equal((await api.inject({ method: 'GET', url: `/api/v1/calls/${id}/timeline.svg` })).status, 401);
  const running = await seedCall(api, api.tenant, { status: 'IN_PROGRESS', endedAt: null });
  assert.equal((await api.tenant.ask('GET', `/calls/${running.id}/timeline.svg`)).status, 404);
  const silent = await seedCall(api, api.tenant, { transcript: '[]' });
  assert.equal((await api.tenant.ask('GET', `/calls/${silent.id}/timeline.svg`)).status, 200);
});

test('an erased call has no timeline', async () => {
  const id = await timedCall();
  const { accountId } = api.tenant;
  await eraseCalls(api.context.db, accountId, { callIds: [id], nowMs: api.clock.now });
  assert.equal(await findTimeline(api.context.db, accountId, id), null);
});

test('a hundred turns are drawn in rows, and words of the transcript only as spans', () => {
  const turns = Array.from({ length: 100 }, (_, i) => turnAt(5_000 + i * 8_000));
  const transcript = turns.map(({ speechEndAtMs }) => ({
    speaker: 'caller' as const,
    text: '<script>alert(1)</script>',
    timestamp: speechEndAtMs - 2_000,
  }));
  const input = { durationMs: 810_000, latency: { ...latency, turns: 100 }, transcript };
  const svg = timelineSvg({ ...input, timeline: { turns, bargeIns: [], speech: null } });
  assert.equal(svg.match(/>640 ms</g)?.length, 100);
  const rows = new Set([...svg.matchAll(/<text x="[\d.]+" y="(\d+)"[^>]*>640 ms</g)].map(([, y]) => y));
  assert.ok(rows.size >= 40, `${rows.size} rows`);
  assert.doesNotMatch(svg, /script|NaN|Infinity/);
  const short = timelineSvg({
    durationMs: 0,
    latency: null,
    transcript: [],
    timeline: { turns: [], bargeIns: [], speech: null },
  });
  assert.match(short, /no answered turn/);
});

test('the picture has the holes that a caller could hear, and none from before the answer', () => {
  const hole = (atMs: number) => ({ atMs, gapMs: 1_500, cause: 'crash' }) as const;
  const pictureOf = (...resumptions: Array<ReturnType<typeof hole>>): string =>
    timelineSvg({ durationMs: 10_000, latency: null, transcript: [], timeline: { ...timeline, resumptions } });
  assert.match(pictureOf(hole(0), hole(5_000)), /line back after 1500 ms/);
  assert.doesNotMatch(pictureOf(hole(0)), /line back|no line/);
});

test('a call shows whom it was to be handed to, and the picture too, with any name', async () => {
  const transfers: CallTimeline['transfers'] = [
    {
      destination: '<script>Kim & "Co"</script>',
      mode: 'brief',
      startedAtMs: 9_000,
      tookMs: 30_000,
      answeredAtMs: null,
      result: 'no_answer',
    },
  ];
  const { id } = await seedCall(api, api.tenant, { latency: JSON.stringify(latency) });
  await addTimeline(api.context.db, api.tenant.accountId, { callId: id, timeline: { ...timeline, transfers } });
  const { data } = (await api.tenant.ask('GET', `/calls/${id}`)).json;
  assert.deepEqual((data as { transfers?: unknown }).transfers, transfers);
  const picture = (await api.tenant.ask('GET', `/calls/${id}/timeline.svg`)).text;
  assert.match(picture, /Kim &#38; &#34;Co&#34;.*: no answer/);
  assert.doesNotMatch(picture, /<script/);
});
