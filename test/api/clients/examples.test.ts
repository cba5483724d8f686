// The examples that plug in: what they ask for is in the document, their parts fit, and their code verifies webhooks.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { parse } from 'yaml';
import { messageBody } from '../../../api/delivery/message.ts';
import { sampleData } from '../../../api/delivery/samples.ts';
import { createSecret, digestSecret, signedHeaders } from '../../../api/delivery/signature.ts';

const read = (path: string): string => readFileSync(new URL(`../../../docs/${path}`, import.meta.url), 'utf8');
const document = JSON.parse(read('openapi.json')) as {
  paths: Record<string, Record<string, { requestBody?: unknown }>>;
};

/** A method and an address with ids or templates in it. */
function isOperation(method: string, url: string): boolean {
  const path = url.replace(/^=?https:\/\/phone\.example\.com/, '').replace(/\{\{.*?\}\}/g, 'ID');
  return Object.entries(document.paths).some(
    ([template, methods]) =>
      methods[method.toLowerCase()] !== undefined &&
      new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
}

const PLACE_CALL = ['campaignId', 'fromPhoneNumberId', 'toNumber'];

test('Home Assistant: the commands are operations, and their bodies JSON with what is required', () => {
  const text = read('examples/home-assistant/configuration.yaml');
  const secret = { tag: '!secret', resolve: (name: string) => name };
  const { rest_command: commands, automation } = parse(text, { customTags: [secret] });
  for (const { url, method, payload } of Object.values<Record<string, string>>(commands)) {
    assert.ok(isOperation(method ?? '', url ?? ''), url);
    const body = JSON.parse((payload ?? '').replace(/\{\{.*?\}\}/g, '"x"'));
    assert.deepEqual(Object.keys(body).slice(0, 3), PLACE_CALL);
  }
  assert.equal(automation.length, 2);
  assert.match(JSON.stringify(automation), /"action":"rest_command.voice_call"/);
});

interface Workflow {
  nodes: Array<{ name: string; type: string; parameters: Record<string, string> }>;
  connections: Record<string, { main: Array<Array<{ node: string }>> }>;
}
const workflow = JSON.parse(read('examples/n8n/workflow.json')) as Workflow;

test('n8n: its requests are operations, and every node is reached', () => {
  const { nodes, connections } = workflow;
  const requests = nodes.filter(({ type }) => type === 'n8n-nodes-base.httpRequest');
  assert.equal(requests.length, 2);
  for (const { parameters } of requests)
    assert.ok(isOperation(parameters.method ?? '', parameters.url ?? ''), parameters.url);
  assert.deepEqual(Object.keys(JSON.parse(requests[1]?.parameters.jsonBody ?? '{}')), PLACE_CALL);
  const names = nodes.map(({ name }) => name);
  const reached = Object.values(connections).flatMap(({ main }) => main.flat().map(({ node }) => node));
  for (const name of [...reached, ...Object.keys(connections)]) assert.ok(names.includes(name), name);
  const begins = /webhook|manualTrigger/;
  for (const { name, type } of nodes) assert.ok(reached.includes(name) || begins.test(type), name);
});

test('n8n: its code takes what the service signed, and nothing else', async () => {
  const { jsCode = '' } = workflow.nodes.find(({ name }) => name === 'Verify')?.parameters ?? {};
  const AsyncFunction = (async () => {}).constructor as new (
    ...args: string[]
  ) => (...given: unknown[]) => Promise<Array<{ json: { isValid: boolean; event: { type: string } | null } }>>;
  const code = new AsyncFunction('require', '$input', '$env', jsCode);
  const secret = createSecret();
  const verify = async (body: string, signed = body, nowMs = Date.now(), known = secret) => {
    const headers = signedHeaders(digestSecret(secret), 'evt_1', signed, nowMs);
    const helpers = { getBinaryDataBuffer: async () => Buffer.from(body) };
    const [item] = await code.call(
      { helpers },
      createRequire(import.meta.url),
      { first: () => ({ json: { headers } }) },
      { VOICE_WEBHOOK_SECRET: known },
    );
    return item?.json;
  };
  const data = JSON.stringify({ ...sampleData('call.ended', 0), callerName: 'Zoë' });
  const body = messageBody({ id: 'evt_1', type: 'call.ended', createdAtMs: 0, data });
  const probe = '{"type":"webhook.probe"}';
  const [made, early] = [await verify(probe, probe, Date.now(), ''), await verify(body, body, Date.now(), '')];
  assert.deepEqual([made?.isValid, early?.isValid], [true, false], 'without a secret the first probe alone');
  const taken = await verify(body);
  assert.deepEqual([taken?.isValid, taken?.event?.type], [true, 'call.ended']);
  for (const refused of [await verify(`${body} `, body), await verify(body, body, Date.now() - 600_000)])
    assert.deepEqual(refused, { isValid: false, event: null });
});
