// Evals from the routes to their results: the agent of a call answers in writing, by the built-in receptionist or by a
// model, and does nothing to the world.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import { pino } from 'pino';
import { eventually } from '../../../bench/rig/eventually.ts';
import { transact } from '../../../db/scope.ts';
import { type OperationName, operations } from '../../../db/writing/operations.ts';
import { TenantTools } from '../../../engine/call/own-tools.ts';
import { createCallStore } from '../../../engine/call/store.ts';
import { systemClock } from '../../../engine/clock.ts';
import { createRunEval } from '../../../engine/test-runs/eval.ts';
import { TestRuns } from '../../../engine/test-runs/test-runs.ts';
import type { DialogueModel, DialogueRequest } from '../../../models/llm/llm.ts';
import { Receptionist } from '../../../models/llm/receptionist/receptionist.ts';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();
let ids: { agentId: string; businessId: string };
let campaignId: string;
let suiteId: string;
const engines: TestRuns[] = [];

beforeEach(async () => {
  const { business, campaign, agent } = await setUpCampaign(api, api.tenant);
  ids = { businessId: business.id, agentId: agent.id };
  campaignId = campaign.id;
  await api.tenant.ask('PATCH', `/businesses/${business.id}`, {
    timezone: 'Europe/Berlin',
    hours: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day) => ({
      day,
      open: '09:00',
      close: '17:00',
    })) as never,
    services: [{ name: 'Cleaning', duration: 30, price: 80 }],
    faqs: [{ question: 'Do you have parking?', answer: 'Yes, there is free parking behind the house.' }],
    transferNumber: '+12125550100',
  });
  suiteId = (await api.tenant.ask('POST', '/test-suites', { name: 'Basics', ...ids })).json.data.id;
});
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.stop();
});

const run = (name: OperationName, args: unknown) =>
  transact(api.context.db, null, (trx) => (operations[name] as (...all: unknown[]) => Promise<unknown>)(trx, args));

function engine(model: DialogueModel = new Receptionist()): void {
  const log = pino({ level: 'silent' });
  const { db: read, secretKey } = api.context;
  const runs = new TestRuns({
    read,
    writer: { run: run as never },
    engineId: 'engine_1',
    clock: systemClock,
    log,
    outage: { explains: () => false },
    runners: {
      eval: createRunEval({
        ...{ read, model, log, clock: systemClock, llmTimeoutMs: 8_000, voices: () => [], judgeModel: null },
        tools: new TenantTools({ secretKey, allowPrivate: true, log }),
        store: createCallStore(read, null),
      }),
      simulation: null,
    },
  });
  engines.push(runs);
  runs.start();
}

/** Runs one case; what came of it. */
async function evaluate(definition: object, model?: DialogueModel) {
  const added = await api.tenant.ask('POST', `/test-suites/${suiteId}/cases`, { name: 'Case', definition } as never);
  assert.equal(added.status, 201, added.text);
  const { data } = (await api.tenant.ask('POST', `/test-suites/${suiteId}/runs`)).json;
  engine(model);
  await eventually(async () => (await api.tenant.ask('GET', `/test-runs/${data.id}`)).json.data.endedAt !== null);
  const [result] = (await api.tenant.ask('GET', `/test-runs/${data.id}/results`)).json.data;
  assert.ok(result);
  return result;
}

const rows = async (table: 'calls' | 'appointments' | 'events' | 'turnMinutes') =>
  (await api.context.db.selectFrom(table).selectAll().execute()).length;

/** A model that answers each request by the next of these. */
function scripted(...answers: Array<string | { name: string; arguments: Record<string, unknown> } | Error>) {
  const requests: DialogueRequest[] = [];
  const model = {
    name: 'script',
    complete: null,
    async *reply(request: DialogueRequest) {
      requests.push(request);
      const answer = answers.shift() ?? 'Anything else?';
      if (answer instanceof Error) throw answer;
      if (typeof answer === 'string') yield { type: 'text', text: answer };
      else yield { type: 'tool-call', id: `call-${requests.length}`, ...answer };
    },
  } as unknown as DialogueModel;
  return { model, requests };
}

const MONDAY = '2026-05-04T08:00:00+02:00';

test('the built-in receptionist answers as in a call, and what is wrong is found', async () => {
  const result = await evaluate({
    turns: [
      { say: 'What are your opening hours?', checks: [{ said: 'monday' }, { said: 'closed on sundays' }] },
      { say: 'Do you have parking?', checks: [{ said: 'free parking' }] },
    ],
    checks: [{ notSaid: 'appointment is booked' }, { language: 'en' }, { noTool: '*' }],
  });
  assert.equal(result.status, 'FAILED', JSON.stringify(result));
  assert.deepEqual(
    result.checks.map(({ turn, passed }) => [turn, passed]),
    [
      [0, true],
      [0, false],
      [1, true],
      [null, true],
      [null, true],
      [null, true],
    ],
  );
  assert.deepEqual(
    result.transcript.map(({ role, turn }) => [role, turn]),
    [
      ['agent', null],
      ['caller', 0],
      ['agent', 0],
      ['caller', 1],
      ['agent', 1],
    ],
  );
  assert.match(result.transcript[0]?.text ?? '', /help/i);
});

test('an appointment is agreed on and booked nowhere', async () => {
  const before = await rows('events');
  const result = await evaluate({
    context: { now: MONDAY, callerName: 'Jamie Rivera' },
    turns: [
      { say: 'I would like an appointment for a cleaning.' },
      { say: 'Tomorrow at ten in the morning.' },
      { say: 'Yes, please.' },
      { say: 'Jamie Rivera.' },
      { say: 'Yes, that is right.' },
    ],
    checks: [{ tool: { name: 'schedule_appointment', arguments: { startsAt: '2026-05-05T10:00*' } } }],
  });
  assert.equal(result.status, 'PASSED', JSON.stringify(result.transcript, null, 1));
  assert.deepEqual([await rows('appointments'), await rows('calls'), await rows('turnMinutes')], [0, 0, 0]);
  assert.equal(await rows('events'), before);
});

test('a time that the case says is taken cannot be booked', async () => {
  const booked = [{ startsAt: '2026-05-05T10:00:00+02:00', endsAt: '2026-05-05T11:00:00+02:00' }];
  const turns = [{ say: 'Is a cleaning possible tomorrow at ten?' }];
  const wish = { name: 'schedule_appointment', arguments: { startsAt: '2026-05-05T10:00', service: 'Cleaning' } };
  const taken = await evaluate(
    { context: { now: MONDAY, booked }, turns, checks: [] },
    scripted(wish, 'That time is taken.').model,
  );
  const line = taken.transcript.find(({ role }) => role === 'tool');
  assert.deepEqual([line?.name, line?.ok], ['schedule_appointment', false]);
});

test('a tool is offered as in a call, answers as the case says, and is never asked', async () => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked++;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await eventually(() => server.listening);
  const { port } = server.address() as AddressInfo;
  try {
    const parameters = { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] };
    const made = await api.tenant.ask('POST', '/tools', {
      ...{ name: 'find_order', description: 'Finds an order.', url: 'https://shop.example/orders', parameters },
      assign: { state: 'state' },
    });
    // Should anything be asked, it would be this server.
    await api.context.db
      .updateTable('tools')
      .set({ url: `http://127.0.0.1:${port}/orders` })
      .execute();
    const toolIds = [made.json.data.id];
    await api.tenant.ask('PATCH', `/agents/${ids.agentId}`, { toolIds });
    const find = (number: string) => ({ name: 'find_order', arguments: { number } });
    const { model, requests } = scripted(find('4711'), 'It was shipped.', find('1'), 'I cannot find it.');
    const result = await evaluate(
      {
        tools: [{ name: 'find_order', when: { number: '47*' }, result: { state: 'shipped' } }],
        turns: [
          { say: 'Where is my order 4711?', checks: [{ said: 'shipped' }] },
          { say: 'And number 1?', checks: [{ tool: { name: 'find_order', arguments: { number: '1' } } }] },
        ],
        checks: [{ data: { state: 'shipped' } }],
      },
      model,
    );
    assert.equal(result.status, 'PASSED', JSON.stringify(result));
    const tool = requests[0]?.tools.find(({ name }) => name === 'find_order');
    assert.deepEqual(tool?.parameters, parameters);
    const lines = result.transcript.filter(({ role }) => role === 'tool');
    assert.deepEqual(
      lines.map(({ ok }) => ok),
      [true, false],
    );
    assert.match(JSON.stringify(lines[1]?.result), /no answer for find_order/);
    assert.equal(asked, 0);
  } finally {
    server.close();
  }
});

test('the prompt is the business’s and the campaign’s, the history is what the model sees', async () => {
  await api.tenant.ask('PATCH', `/campaigns/${campaignId}`, { instructions: 'Sell {{product}}.' });
  await api.tenant.ask('PATCH', `/businesses/${ids.businessId}`, { systemPrompt: 'Be brief.' });
  await api.tenant.ask('PATCH', `/test-suites/${suiteId}`, { campaignId });
  const { model, requests } = scripted('Of course.');
  const history = [
    { role: 'agent', text: 'Good morning.' },
    { role: 'caller', text: 'Hello.' },
    { role: 'agent', text: 'How can I help?' },
  ];
  const result = await evaluate(
    { history, context: { variables: { product: 'lamps' } }, turns: [{ say: 'A lamp, please.', hint: 'Which one?' }] },
    model,
  );
  const [request] = requests;
  assert.deepEqual(
    request?.messages.map((message) => ('text' in message ? [message.role, message.text] : [])),
    [...history.map(({ role, text }) => [role, text]), ['caller', 'A lamp, please.']],
  );
  assert.equal(request?.business.systemPrompt, 'Be brief.');
  assert.equal(request?.instructions, 'Sell {{product}}.');
  assert.deepEqual(request?.variables, { product: 'lamps' });
  assert.equal(result.transcript.at(-1)?.hint, 'Which one?');
});

test('a transfer ends the conversation, calls nobody, and turns after it are not said', async () => {
  const { model } = scripted({ name: 'transfer_call', arguments: { reason: 'A person' } }, 'I connect you.');
  const result = await evaluate(
    {
      turns: [{ say: 'A person, please.' }, { say: 'Hello?', checks: [{ said: 'hello' }] }],
      checks: [{ transferredTo: '+12125550100' }],
    },
    model,
  );
  assert.deepEqual(
    result.checks.map(({ turn, passed, found }) => [turn, passed, found]),
    [
      [1, false, 'the conversation had ended before'],
      [null, true, '+12125550100'],
    ],
  );
  assert.equal(result.transcript.at(-1)?.role, 'note');
});

test('a goodbye of the agent ends it', async () => {
  const bye = scripted({ name: 'end_call', arguments: {} }, 'Goodbye.');
  const ended = await evaluate({ turns: [{ say: 'Bye.' }], checks: [{ endedBy: 'agent' }] }, bye.model);
  assert.equal(ended.status, 'PASSED', JSON.stringify(ended));
});

test('a model that fails makes an error, not a failure', async () => {
  const broken = Object.assign(new Error('down'), { code: 'LLM_HTTP' });
  const { model } = scripted(broken, broken, broken, broken);
  const result = await evaluate({ turns: [{ say: 'Hello?', checks: [{ said: 'hello' }] }] }, model);
  assert.deepEqual([result.status, result.checks.length], ['ERROR', 0]);
  assert.match(result.error ?? '', /model failed \(LLM_/);
});

test('the caller changes the language, and the check sees it', async () => {
  await api.tenant.ask('PATCH', `/agents/${ids.agentId}`, { additionalLanguages: ['de-DE'] });
  const result = await evaluate({
    turns: [{ say: 'Can we speak German?', checks: [{ language: 'de' }] }],
    checks: [{ language: 'de' }],
  });
  assert.equal(result.status, 'PASSED', JSON.stringify(result));
});

/** Answers a question about the conversation by the next of these votes. */
function judging(...votes: unknown[]) {
  const asked: Array<{ user: string; model?: string }> = [];
  const complete = async (task: { user: string; model?: string }) => {
    asked.push(task);
    return JSON.stringify({ answer: votes.shift() });
  };
  return { model: { ...scripted('You are welcome.').model, complete } as DialogueModel, asked };
}

const JUDGED = { turns: [{ say: 'Thank you.' }], checks: [{ judge: { question: 'Is it polite?' } }] };

test('a judge is asked three times, and what it is not sure of has not passed', async () => {
  await api.tenant.ask('PATCH', `/test-suites/${suiteId}`, { judge: 'large' });
  const { model, asked } = judging(true, false, true);
  const result = await evaluate(JUDGED, model);
  assert.deepEqual(
    [result.status, result.checks[0]?.votes, result.checks[0]?.found],
    ['FAILED', [true, false, true], '2 of 3 answers are yes'],
  );
  assert.deepEqual(new Set(asked.map((task) => task.model)), new Set(['large']));
  assert.match(asked[0]?.user ?? '', /Is it polite\?[\s\S]*caller: Thank you\.[\s\S]*agent: You are welcome\./);
});

test('a judge that says yes three times has passed it', async () => {
  await api.tenant.ask('PATCH', `/test-suites/${suiteId}`, { judge: 'large' });
  assert.equal((await evaluate(JUDGED, judging(true, true, true).model)).status, 'PASSED');
});

test('without a judge there is no verdict', async () => {
  const without = await evaluate(JUDGED, judging(true, true, true).model);
  assert.equal(without.status, 'ERROR');
  assert.match(without.error ?? '', /no judge/);
});

test('an answer of the judge that is neither yes nor no is an error', async () => {
  await api.tenant.ask('PATCH', `/test-suites/${suiteId}`, { judge: 'large' });
  const result = await evaluate(JUDGED, judging('maybe').model);
  assert.deepEqual([result.status, result.error], ['ERROR', 'The judge answered something else than yes or no.']);
});
