// A look-up before the call, over real SIP: what the business's own system says of a caller changes the call, and one
// that is late or broken changes nothing.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { answerJson, startToolServer, type ToolQuestion, type ToolServer } from '../../bench/rig/fakes/tool-server.ts';
import { Rest, saidBy } from '../../bench/rig/service/rest.ts';
import { type Service, startService } from '../../bench/rig/service/service.ts';
import { greeted, testCaller } from '../support/conversation.ts';

let system: ToolServer;
let service: Service;
let rest: Rest;
let business: { id: string };
let answer: (question: ToolQuestion, response: ServerResponse) => void;

before(async () => {
  system = await startToolServer((question, response) => answer(question, response));
  service = await startService({ WEBHOOK_ALLOW_PRIVATE: '1', LLM: 'receptionist' });
  rest = await new Rest(service).login();
  const campaign = (await rest.request('GET', '/campaigns')).body.data[0];
  business = { id: campaign?.businessId ?? '' };
  await rest.must('PATCH', `/campaigns/${campaign?.id}`, {
    greetingTemplate: 'Hello {{customer}}, {{agentName}} here.',
  });
  const headers = { Authorization: 'Bearer of-the-crm' };
  const lookup = { url: `${system.origin}/who`, headers, timeoutMs: 700 };
  const changed = await rest.must('PATCH', `/businesses/${business.id}`, { lookup });
  assert.deepEqual(changed.lookup, { url: lookup.url, timeoutMs: 700, headerNames: ['Authorization'] });
});
after(async () => {
  await service?.stop();
  await system?.close();
});

async function greetingOf(t: { diagnostic(text: string): void }) {
  const { caller, number } = await greeted(service);
  await caller.hangUp();
  const call = await rest.endedCall(number);
  const record = await rest.must('GET', `/calls/${call.id}`);
  const [run] = record.toolCalls ?? [];
  t.diagnostic(`looked up in ${run?.tookMs} ms`);
  return { call, record, greeting: saidBy(call, 'agent')[0] ?? '', run };
}

test('its variables are said, its agent answers, and the record has both', async (t) => {
  const agent = await rest.must('POST', '/agents', { name: 'Vera', voiceId: 'flite-slt' });
  answer = (_question, response) =>
    answerJson(response, {
      variables: { customer: 'Ada Lovelace', tier: 2 },
      agentId: agent.id,
      campaignId: 'cmp_none',
    });
  const { call, greeting, run, record } = await greetingOf(t);
  assert.equal(greeting, 'Hello Ada Lovelace, Vera here.');
  assert.deepEqual(record.variables, { customer: 'Ada Lovelace', tier: '2' });
  assert.equal(record.agentId, agent.id);
  assert.deepEqual([run?.name, run?.outcome], ['lookup', 'done']);
  const asked = system.questions.at(-1);
  assert.equal(asked?.headers.authorization, 'Bearer of-the-crm');
  const { callId, direction, fromNumber } = (asked?.body ?? {}) as Record<string, string>;
  assert.deepEqual([callId, direction, fromNumber], [call.id, 'inbound', call.fromNumber]);
});

test('late, broken or gone: the call goes on without, and says so', async (t) => {
  for (const fault of [
    () => undefined,
    (_: ToolQuestion, response: ServerResponse) => response.writeHead(500).end(),
    (_: ToolQuestion, response: ServerResponse) => response.end('[1, 2'),
  ]) {
    answer = fault;
    const { greeting, run } = await greetingOf(t);
    assert.equal(greeting, 'Hello, Sam here.');
    assert.deepEqual([run?.name, run?.outcome], ['lookup', 'refused']);
  }
});

test('a caller whom it refuses is declined, and stands in the list of refused calls', async () => {
  answer = (_question, response) => answerJson(response, { reject: 'blocked' });
  const { caller, number } = testCaller(service);
  await assert.rejects(caller.answered(), /603/);
  const refused = await rest.eventually('the refusal is listed', async () => {
    const { data } = (await rest.request('GET', '/admin/refused-calls')).body;
    return data.find(({ callerNumber }) => callerNumber === number) ?? null;
  });
  assert.deepEqual([refused.reason, refused.sipStatus], ['look_up', 603]);
});

test('a business without one asks nobody', async (t) => {
  await rest.must('PATCH', `/businesses/${business.id}`, { lookup: null });
  const before = system.questions.length;
  const { greeting, record } = await greetingOf(t);
  assert.equal(greeting, 'Hello, Sam here.');
  assert.deepEqual([record.toolCalls ?? [], system.questions.length - before], [[], 0]);
});
