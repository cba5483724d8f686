// The trace of a call through the OpenTelemetry Collector: it decodes what it is sent by its own schema, and sends what
// it has understood on to us, by its own exporter. Prints the trace; not part of `npm test`.
//
//   COLLECTOR=/path/to/otelcol node supervise.mjs run test/nightly/strangers/collector.ts
//
// Any build of it will do that has the receiver `otlp` and the exporter `otlphttp`.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { reservePort } from '../../../bench/rig/network/reserved-port.ts';
import { Rest } from '../../../bench/rig/service/rest.ts';
import { type Service, startService } from '../../../bench/rig/service/service.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { renderSpeech } from '../../../engine/test-runs/caller/speech.ts';
import { greeted, say } from '../../support/conversation.ts';
import { expect, runTrial, saw, type TrialPart } from '../trial.ts';

const COLLECTOR = [process.env.COLLECTOR, '/usr/bin/otelcol', '/usr/bin/otelcol-contrib'].find(
  (path) => path !== undefined && existsSync(path),
);
const missing = COLLECTOR === undefined && 'the OpenTelemetry Collector is not installed (COLLECTOR=/path/to/otelcol)';

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: string; boolValue?: boolean; doubleValue?: number };
}

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: Attribute[];
}

interface House {
  service: Service;
  rest: Rest;
  spans: Span[];
}

const parts: Array<TrialPart<House>> = [{ name: 'call', missing, run: callTraced }];

/** Takes what the collector sends on. */
async function sink(spans: Span[]): Promise<Server> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: Array<{ scopeSpans: Array<{ spans: Span[] }> }>;
    };
    for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function startCollector(program: string, port: number, sinkPort: number): ChildProcess {
  const path = join(temporaryFolder('voice-collector'), 'collector.yaml');
  const configuration = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    exporters: { otlphttp: { endpoint: `http://127.0.0.1:${sinkPort}`, encoding: 'json', compression: 'none' } },
    service: {
      telemetry: { metrics: { level: 'none' } },
      pipelines: { traces: { receivers: ['otlp'], exporters: ['otlphttp'] } },
    },
  };
  // JSON is YAML.
  writeFileSync(path, JSON.stringify(configuration));
  return spawn(program, [`--config=${path}`], { stdio: ['ignore', 'ignore', 'inherit'] });
}

const attributeOf = ({ attributes = [] }: Span, wanted: string): unknown => {
  const value = attributes.find(({ key }) => key === wanted)?.value ?? {};
  return Object.values(value)[0];
};

async function callTraced({ service, rest, spans }: House): Promise<void> {
  const { caller } = await greeted(service);
  await say(caller, await renderSpeech('What are your opening hours?', 'flite-slt'));
  await caller.hangUp();
  const [call] = await rest.must('GET', '/calls');
  await rest.eventually('the trace at the collector', async () => spans.length > 0, 60);
  const [root, ...more] = spans.filter(({ parentSpanId = '' }) => parentSpanId === '');
  expect(root !== undefined && more.length === 0, 'not one span without a parent');
  if (root === undefined) return;
  for (const span of spans) {
    const [from, to] = [BigInt(span.startTimeUnixNano), BigInt(span.endTimeUnixNano)];
    const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
    const begins = Number(from - BigInt(root.startTimeUnixNano)) / 1e6;
    saw(
      `${parent === undefined ? '' : parent === root ? '  ' : '    '}${span.name} at ${begins} ms, ${Number(to - from) / 1e6} ms`,
    );
    expect(/^[0-9a-f]{32}$/.test(span.traceId) && span.traceId === root.traceId, 'spans of several traces');
    expect(/^[0-9a-f]{16}$/.test(span.spanId), 'an id that is none');
    expect(span === root || parent !== undefined, `${span.name} has a parent that was not sent`);
    expect(
      from >= BigInt(root.startTimeUnixNano) && to <= BigInt(root.endTimeUnixNano),
      `${span.name} is not within the call`,
    );
    expect(parent === undefined || from >= BigInt(parent.startTimeUnixNano), `${span.name} begins before its parent`);
  }
  const wallMs = Number(BigInt(root.startTimeUnixNano) / 1_000_000n);
  expect(wallMs === Date.parse(call?.startedAt ?? ''), 'the trace begins at another time than the call');
  for (const [span, key, expected] of [
    [root, 'gen_ai.operation.name', 'invoke_agent'],
    [root, 'gen_ai.conversation.id', call?.id],
    [root, 'gen_ai.agent.id', call?.agentId],
    [spans.find(({ name }) => name.startsWith('chat')), 'gen_ai.operation.name', 'chat'],
  ] as const)
    expect(span !== undefined && attributeOf(span, key) === expected, `${key} is not ${expected}`);
  const turn = spans.find(({ name }) => name === 'turn');
  expect(
    turn !== undefined && /opening hours/i.test(String(attributeOf(turn, 'gen_ai.input.messages'))),
    'no words of the caller',
  );
}

if (COLLECTOR === undefined) saw(`skip: ${missing}`);
else {
  saw(execFileSync(COLLECTOR, ['--version'], { encoding: 'utf8' }).trim());
  const spans: Span[] = [];
  const taker = await sink(spans);
  const port = await reservePort();
  const collector = startCollector(COLLECTOR, port, (taker.address() as AddressInfo).port);
  const service = await startService({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
  });
  try {
    const house = { service, rest: new Rest(service), spans };
    process.exitCode = (await runTrial(parts, house, process.argv[2])) === 0 ? 0 : 1;
  } finally {
    await service.stop();
    collector.kill();
    taker.close();
  }
}
