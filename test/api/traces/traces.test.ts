// Ended calls as traces: what is sent, what is not, and what a collector that is away gets.
import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, beforeEach, test } from 'node:test';
import { TraceJob } from '../../../api/traces/send.ts';
import { traceIdOf } from '../../../api/traces/spans.ts';
import { addEvent } from '../../../db/outbox.ts';
import { addTimeline } from '../../../db/queries/calls/ended/timelines.ts';
import { putCost } from '../../../db/queries/costs/costs.ts';
import type { CallTable } from '../../../db/schema/call-columns.ts';
import { seedCall } from '../../support/api/resources.ts';
import { useFreshApi } from '../../support/api/use-api.ts';

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Array<{ key: string; value: Record<string, unknown> }>;
  events: Array<{ name: string }>;
  status: { code?: number; message?: string };
}

/** Of the collector. */
const taken: Array<{ headers: IncomingHttpHeaders; url: string; spans: OtlpSpan[] }> = [];
let status = 200;
const collector = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString());
    if (status === 200)
      taken.push({ headers: request.headers, url: request.url ?? '', spans: resourceSpans[0].scopeSpans[0].spans });
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
});
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
after(() => collector.close());
const ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`;

const api = useFreshApi({
  environment: { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20key' },
});
beforeEach(async () => {
  taken.length = 0;
  status = 200;
  // The first run begins with what comes after it.
  await new TraceJob(api.context).run();
});

const TURN = {
  ...{ speechEndAtMs: 5_000, recognisedAtMs: 5_040, askedAtMs: 5_060, turnEndAtMs: 5_200, firstTokenAtMs: 5_260 },
  ...{ firstClauseAtMs: 5_300, firstAudioAtMs: 5_380, firstPacketAtMs: 5_400, guessed: true, gapMs: 410 },
  ...{ measuredOn: 'recording' as const, unrecordedMs: 10 },
};

async function ended(changes: Partial<CallTable> = {}): Promise<CallTable> {
  const startedAt = api.clock.now - 42_000;
  const row = await seedCall(api, api.tenant, {
    ...{ startedAt, answeredAt: startedAt + 2_000, endedAt: api.clock.now, fromNumber: '+14155552671' },
    transcript: JSON.stringify([
      { speaker: 'agent', text: 'Hello.', timestamp: 0 },
      { speaker: 'caller', text: 'What is an aubergine?', timestamp: 3_000 },
      { speaker: 'agent', text: 'A vegetable.', timestamp: 5_410 },
    ]),
    usage: JSON.stringify({
      promptTokens: 900,
      completionTokens: 40,
      cachedTokens: 0,
      requests: 2,
      fallbackRequests: 0,
    }),
    ...changes,
  });
  const { id: callId, accountId } = row;
  await addTimeline(api.context.db, accountId, {
    callId,
    timeline: {
      turns: [TURN],
      bargeIns: [],
      toolCalls: [
        ...[{ startedAtMs: 6_000, tookMs: 300, name: 'find_plant', arguments: { name: 'aubergine' }, result: 'found' }],
      ].map((tool) => ({ ...tool, outcome: 'refused' as const })),
      speech: null,
    },
  });
  await addEvent(api.context.db, {
    ...{ accountId, type: 'call.ended', subjectId: callId, data: {}, nowMs: api.clock.now },
  });
  return row;
}

const send = async () => {
  api.clock.advance(10_001);
  const job = new TraceJob(api.context);
  await job.run();
  return job;
};
const attribute = ({ attributes }: OtlpSpan, name: string) =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];

test('a call is one trace: its turns with their stages, its tools, and no private word', async () => {
  const call = await ended();
  await send();
  assert.equal(taken.length, 1);
  const [{ spans, headers, url } = { spans: [], headers: {} as IncomingHttpHeaders, url: '' }] = taken;
  assert.deepEqual([url, headers.authorization], ['/v1/traces', 'Bearer key']);
  assert.deepEqual(
    spans.map(({ name }) => name),
    ['call inbound', 'turn', 'speech_to_text', 'end of turn', 'chat', 'text_to_speech', 'execute_tool find_plant'],
  );
  const [root, turn, , , chat] = spans;
  assert.ok(root && turn && chat);
  for (const span of spans) {
    assert.equal(span.traceId, traceIdOf(call.id));
    assert.match(span.spanId, /^[0-9a-f]{16}$/);
    assert.equal(span.parentSpanId === undefined, span === root);
  }
  assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, spans.length);
  assert.equal(chat.parentSpanId, turn.spanId);
  assert.equal(turn.startTimeUnixNano, `${(call.answeredAt ?? 0) + 5_000}000000`);
  assert.deepEqual([attribute(turn, 'voice.gap_ms'), attribute(chat, 'voice.first_token_ms')], ['410', '200']);
  assert.deepEqual(
    [attribute(root, 'gen_ai.usage.input_tokens'), attribute(root, 'voice.rang_ms'), root.status],
    ['900', '2000', {}],
  );
  assert.deepEqual(spans.at(-1)?.status, { code: 2, message: 'refused' });
  assert.doesNotMatch(JSON.stringify(spans), /aubergine|vegetable|2671/);
});

test('what a call cost is on its span, and nothing where no price is known', async () => {
  const { id: subjectId, accountId, businessId, campaignId, agentId, startedAt } = await ended();
  const of = { subjectId, accountId, businessId, campaignId, agentId, beganAt: startedAt, lines: '[]' };
  const sums = { llm: 3_600, stt: null, tts: null, trunk: 25_000, total: 28_600, currency: 'USD' };
  await putCost(api.context.db, { ...of, ...sums, isEstimated: 0, isPartial: 0 });
  await ended();
  await send();
  const costs = taken[0]?.spans
    .filter(({ name }) => name === 'call inbound')
    .map((span) => ['llm', 'stt', 'trunk', 'total', 'currency'].map((part) => attribute(span, `voice.cost.${part}`)));
  assert.deepEqual(costs, [
    [0.0036, undefined, 0.025, 0.0286, 'USD'],
    [undefined, undefined, undefined, undefined, undefined],
  ]);
});

test('a model is named with the provider whose interface it has', async () => {
  const { config } = api.context;
  const { llm } = config;
  config.llm = { ...llm, kind: 'openai', model: 'some-model' } as typeof llm;
  try {
    await ended();
    await send();
    const [root, , , , chat] = taken[0]?.spans ?? [];
    assert.ok(root && chat);
    assert.equal(chat.name, 'chat some-model');
    for (const span of [root, chat])
      assert.deepEqual(
        [attribute(span, 'gen_ai.request.model'), attribute(span, 'gen_ai.provider.name')],
        ['some-model', 'openai'],
      );
  } finally {
    config.llm = llm;
  }
});

test('texts, numbers and arguments are sent where they are asked for', async () => {
  const { traces } = api.context.config;
  assert.ok(traces);
  traces.hasContent = true;
  try {
    await ended();
    await send();
    const spans = taken[0]?.spans ?? [];
    const [root, turn] = spans;
    assert.ok(root && turn);
    assert.match(String(attribute(turn, 'gen_ai.input.messages')), /"role":"user".*What is an aubergine\?/);
    assert.match(
      String(attribute(turn, 'gen_ai.output.messages')),
      /"role":"assistant".*A vegetable\..*"finish_reason":"stop"/,
    );
    assert.equal(attribute(root, 'voice.from'), '+14155552671');
  } finally {
    traces.hasContent = false;
  }
});

test('each call is sent once, some seconds after its end, and an erased one never', async () => {
  await ended();
  await new TraceJob(api.context).run();
  assert.equal(taken.length, 0, 'the recording’s times may still come');
  await send();
  await ended({ erasedAt: api.clock.now });
  await send();
  await send();
  assert.equal(taken.length, 1);
});

test('a collector that is away gets what it missed; what it refuses is dropped', async () => {
  await ended();
  status = 503;
  const job = await send();
  status = 200;
  await job.run();
  assert.equal(taken.length, 0, 'not at once');
  api.clock.advance(5_001);
  await job.run();
  assert.equal(taken.length, 1);
  await ended();
  status = 400;
  await send();
  status = 200;
  await send();
  assert.equal(taken.length, 1);
  assert.match(api.logs.join('\n'), /refused traces/);
});

test('what was before the first start with a collector is not sent', async () => {
  await api.context.db.deleteFrom('cursors').where('name', '=', 'traces').execute();
  await ended();
  await send();
  await send();
  assert.equal(taken.length, 0);
});
