// The tenant's own tools over real SIP: the caller asks, their system is asked, and the answer is spoken; also where
// the system is slow, wrong or gone, and where the engine dies between question and answer.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { type FakeMcpServer, startMcpServer } from '../../bench/rig/fakes/mcp-server.ts';
import { answerJson, startToolServer, type ToolQuestion, type ToolServer } from '../../bench/rig/fakes/tool-server.ts';
import { processesOf } from '../../bench/rig/service/engine-threads.ts';
import { Rest, saidBy } from '../../bench/rig/service/rest.ts';
import { type Service, startService } from '../../bench/rig/service/service.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { greetBriefly, greeted, say, type TestCaller } from '../support/conversation.ts';
import { leftovers } from '../support/leftovers.ts';
import { FakeOpenAi, type FakeRequest, type FakeScript } from '../support/models/fake-openai.ts';
import { nightly } from '../support/nightly.ts';

let system: ToolServer;
let model: FakeOpenAi;
let service: Service;
let rest: Rest;
let campaignId: string;
/** The system's answer to each question. */
let answer: (question: ToolQuestion, response: ServerResponse) => void;
/** The model's words. */
let script: FakeScript;
const question = await renderSpeech('What are your opening hours?', 'flite-slt');

before(async () => {
  system = await startToolServer((asked, response) => answer(asked, response));
  model = await FakeOpenAi.start([(request) => (typeof script === 'function' ? script(request) : script)]);
  service = await startService({
    LLM: 'openai',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'test-key',
    WEBHOOK_ALLOW_PRIVATE: '1',
  });
  rest = await new Rest(service).login();
  campaignId = (await rest.request('GET', '/campaigns')).body.data[0]?.id ?? '';
  await greetBriefly(rest);
});
after(async () => {
  await service?.stop();
  await Promise.all([model?.stop(), system?.close()]);
});

/** Gives the demo's campaign one tool. */
async function useTool(changes: Record<string, unknown> = {}): Promise<string> {
  const made = await rest.must('POST', '/tools', {
    name: `find_order_${system.questions.length}_${Date.now()}`,
    description: 'Finds the order of the caller.',
    url: `${system.origin}/orders`,
    headers: { Authorization: 'Bearer of-the-shop' },
    parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
    timeoutMs: 4_000,
    ...changes,
  });
  await rest.must('PATCH', `/campaigns/${campaignId}`, { toolIds: [made.id] });
  return made.name;
}

const hasResult = ({ body }: FakeRequest): boolean => body.messages?.at(-1)?.role === 'tool';
const lastResult = ({ body }: FakeRequest): string =>
  String(body.messages?.findLast(({ role }) => role === 'tool')?.content ?? '');

/** Calls the tool, and says what came of it. */
const asksOnce =
  (name: string): FakeScript =>
  (request) =>
    hasResult(request)
      ? {
          type: 'text',
          pieces: [/shipped/.test(lastResult(request)) ? 'It was shipped today.' : 'I could not find it.'],
        }
      : { type: 'tool', name, arguments: '{"number":"4711"}' };

async function ended({ caller, number }: TestCaller) {
  await caller.hangUp();
  const call = await rest.endedCall(number);
  return { call, record: await rest.must('GET', `/calls/${call.id}`) };
}

test('the system is asked once, with key and secret, and its answer is spoken', async () => {
  const name = await useTool({ sayWhile: 'I am looking that up.', assign: { state: 'state' } });
  script = asksOnce(name);
  answer = (_question, response) => setTimeout(() => answerJson(response, { state: 'shipped' }), 600);
  const from = system.questions.length;
  const talk = await greeted(service);
  await say(talk.caller, question);
  const { call, record } = await ended(talk);
  assert.match(saidBy(call, 'agent').join(' | '), /I am looking that up\. It was shipped today/);
  const [asked, ...more] = system.questions.slice(from);
  assert.deepEqual([asked?.method, asked?.url, asked?.body, more.length], ['POST', '/orders', { number: '4711' }, 0]);
  assert.equal(asked?.headers.authorization, 'Bearer of-the-shop');
  assert.match(String(asked?.headers['idempotency-key']), /^[\w-]{32}-1$/);
  const [run] = record.toolCalls ?? [];
  assert.deepEqual([run?.name, run?.arguments, run?.outcome], [name, { number: '4711' }, 'done']);
  assert.deepEqual(run?.result, { ok: true, status: 200, data: { state: 'shipped' } });
  assert.equal(record.variables?.state, 'shipped');
});

test('a tool beside the talk: the agent answers other questions meanwhile, and tells the result as a turn of its own', async () => {
  const name = await useTool({ mode: 'background', timeoutMs: 30_000 });
  let open: ServerResponse | null = null;
  answer = (_question, response) => {
    open = response;
  };
  script = (request) => {
    const last = request.body.messages?.at(-1);
    if (hasResult(request)) return { type: 'text', pieces: ['I have asked. What else?'] };
    if (String(last?.content).includes('has answered'))
      return { type: 'text', pieces: [/shipped/.test(lastResult(request)) ? 'Good news, it was shipped.' : 'Hm.'] };
    if (lastResult(request) === '') return { type: 'tool', name, arguments: '{"number":"4711"}' };
    return { type: 'text', pieces: ['We open at nine.'] };
  };
  const talk = await greeted(service);
  await say(talk.caller, question);
  await say(talk.caller, question);
  const answeredAt = talk.caller.frames.at(-1)?.atMs ?? 0;
  await rest.eventually('the system is asked', async () => open !== null);
  if (open) answerJson(open, { state: 'shipped' });
  await talk.caller.agentSound(answeredAt);
  await talk.caller.agentQuiet(900);
  const { call, record } = await ended(talk);
  const said = saidBy(call, 'agent');
  assert.match(said.at(-3) ?? '', /I have asked/);
  assert.match(said.at(-2) ?? '', /We open at nine/);
  assert.match(said.at(-1) ?? '', /Good news/);
  assert.deepEqual(
    record.toolCalls?.map(({ outcome }) => outcome),
    ['done'],
  );
});

test('a system that hangs, fails, redirects inwards, talks without end, or is gone: the talk goes on, and says so', async () => {
  const name = await useTool({ timeoutMs: 500 });
  const faults: Array<(response: ServerResponse) => void> = [
    () => undefined,
    (response) => answerJson(response, { error: 'down' }, 500),
    (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    (response) => response.end('x'.repeat(5_000_000)),
    (response) => response.end('{"state": '),
    (response) => response.destroy(),
  ];
  const from = system.questions.length;
  answer = (_question, response) => faults[system.questions.length - from - 1]?.(response);
  script = (request) =>
    hasResult(request)
      ? { type: 'text', pieces: ['I could not find it.'] }
      : { type: 'tool', name, arguments: '{"number":"4711"}', id: `t${request.body.messages?.length}` };
  const talk = await greeted(service);
  for (const _ of faults) await say(talk.caller, question);
  const { call, record } = await ended(talk);
  assert.equal(call.status, 'COMPLETED');
  assert.equal(saidBy(call, 'agent').filter((text) => /I could not find it/.test(text)).length, faults.length);
  assert.equal(system.questions.length - from, faults.length);
  const told = record.toolCalls?.map(({ result }) => (result as { error?: string }).error ?? 'data');
  assert.deepEqual(told, ['timeout', 'failed', 'failed', 'data', 'data', 'unreachable']);
});

test('the engine dies between question and answer: asked again, it is the same wish', async () => {
  const name = await useTool({ timeoutMs: 20_000 });
  script = asksOnce(name);
  const from = system.questions.length;
  const first = new Promise<void>((resolve) => {
    answer = (_question, response) => {
      if (system.questions.length - from === 1) return resolve();
      answerJson(response, { state: 'shipped' });
    };
  });
  const talk = await greeted(service);
  await talk.caller.call.speak(question);
  await first;
  const before = talk.caller.frames.length;
  process.kill(processesOf(service.process.pid ?? 0).engine, 'SIGKILL');
  await talk.caller.until('the line is back', () => talk.caller.frames.length > before + 10, 30_000);
  await talk.caller.agentSound(talk.caller.frames[before]?.atMs ?? 0);
  await talk.caller.agentQuiet(1_500);
  script = (request) =>
    /shipped/.test(lastResult(request))
      ? { type: 'text', pieces: ['It was shipped today.'] }
      : { type: 'tool', name, arguments: '{"number":"4711"}', id: `again${request.body.messages?.length}` };
  if (system.questions.length - from < 2) await say(talk.caller, question);
  const { call } = await ended(talk);
  const keys = system.questions.slice(from).map(({ headers }) => headers['idempotency-key']);
  assert.ok(keys.length >= 2, `${keys.length} questions`);
  assert.equal(new Set(keys).size, 1, keys.join());
  assert.match(saidBy(call, 'agent').join(' | '), /shipped today/);
});

test('an argument that is to be kept nowhere reaches the system and the model, and nothing else', async () => {
  const name = await useTool({
    method: 'GET',
    timeoutMs: 20_000,
    url: `${system.origin}/orders/{{number}}`,
    parameters: {
      type: 'object',
      properties: {
        number: { type: 'string' },
        pin: { type: 'string', writeOnly: true },
        card: { type: 'object', properties: { holder: { type: 'string' }, code: { type: 'string', writeOnly: true } } },
      },
    },
  });
  const given = { number: '4711', pin: 'PIN-of-Zenobia', card: { holder: 'Ada', code: 'CODE-of-Zenobia' } };
  const told: string[] = [];
  script = (request) => {
    if (hasResult(request)) {
      told.push(JSON.stringify(request.body.messages));
      return { type: 'text', pieces: ['It was shipped today.'] };
    }
    return { type: 'tool', name, arguments: JSON.stringify(given) };
  };
  // The system repeats what it got, once all files were read.
  let reply = (): void => undefined;
  answer = ({ url }, response) => {
    reply = () => answerJson(response, { state: 'shipped', note: `for ${url}`, pin: 'PIN-of-Zenobia' });
  };
  const from = system.questions.length;
  const talk = await greeted(service);
  const spoken = say(talk.caller, question);
  await rest.eventually('the system to be asked', async () => system.questions.length > from);
  const secrets = ['PIN-of-Zenobia', 'CODE-of-Zenobia'];
  // Files of the journal come and go meanwhile.
  const found = await rest.eventually('all files to be read', async () => {
    try {
      return { words: leftovers(service.dataDir, secrets) };
    } catch {
      return null;
    }
  });
  reply();
  assert.deepEqual(found.words, [], 'of the call under way what is on the disk is sealed');
  await spoken;
  const { record } = await ended(talk);
  assert.match(system.questions[from]?.url ?? '', /pin=PIN-of-Zenobia/);
  assert.ok(told.some((messages) => messages.includes('PIN-of-Zenobia') && messages.includes('CODE-of-Zenobia')));
  const [run] = record.toolCalls ?? [];
  assert.deepEqual(run?.arguments, { number: '4711', pin: '********', card: { holder: 'Ada', code: '********' } });
  const { data } = (run?.result ?? {}) as { data: { state: string; note: string; pin: string } };
  assert.deepEqual([data.state, data.pin], ['shipped', '********']);
  assert.match(data.note, /pin=\*{8}/);
  assert.deepEqual(leftovers(service.dataDir, secrets), []);
  assert.ok(!secrets.some((secret) => service.output().includes(secret)), 'nor in the log');
});

test('a tool that is taken away and deleted while a call has it: the call goes on with it, with its secret', async () => {
  const name = await useTool();
  const id = (await rest.must('GET', '/tools')).find((tool) => tool.name === name)?.id ?? '';
  script = asksOnce(name);
  answer = (_question, response) => answerJson(response, { state: 'shipped' });
  const from = system.questions.length;
  const talk = await greeted(service);
  assert.equal((await rest.request('DELETE', `/tools/${id}`)).status, 409, 'the campaign has it');
  await rest.must('PATCH', `/campaigns/${campaignId}`, { toolIds: [] });
  await rest.must('DELETE', `/tools/${id}`);
  await say(talk.caller, question);
  const { call, record } = await ended(talk);
  assert.match(saidBy(call, 'agent').at(-1) ?? '', /shipped today/);
  assert.equal(system.questions[from]?.headers.authorization, 'Bearer of-the-shop');
  assert.deepEqual(
    record.toolCalls?.map((run) => [run.name, run.outcome]),
    [[name, 'done']],
  );
});

test('a caller who hangs up while it runs: the record has the run, without an answer', async () => {
  const name = await useTool({ timeoutMs: 8_000 });
  script = asksOnce(name);
  const asked = new Promise<void>((resolve) => {
    answer = () => resolve();
  });
  const talk = await greeted(service);
  await talk.caller.call.speak(question);
  await asked;
  const { record } = await ended(talk);
  assert.deepEqual(
    record.toolCalls?.map(({ outcome }) => outcome),
    ['unanswered'],
  );
});

test('a server’s tools: one session a call, opened while it rings and ended with it; of its tools those that are let in', async (t) => {
  const inputSchema = { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] };
  const server = await startMcpServer({
    tools: ['order', 'refund'].map((name) => ({ name, description: `About the ${name}.`, inputSchema })),
    answer: () => ({ content: [{ type: 'text', text: '{"state": "shipped"}' }] }),
  });
  t.after(() => server.close());
  const made = await rest.must('POST', '/tools', {
    name: 'shop',
    description: 'The shop.',
    kind: 'mcp',
    url: server.url,
    only: ['order'],
  });
  await rest.must('PATCH', `/campaigns/${campaignId}`, { toolIds: [made.id] });
  const offered = new Set<string>();
  script = (request) => {
    for (const tool of (request.body.tools ?? []) as Array<{ function: { name: string } }>)
      offered.add(tool.function.name);
    const answer = asksOnce('shop_order');
    return typeof answer === 'function' ? answer(request) : answer;
  };
  const opened = server.opened.length;
  const talk = await greeted(service);
  // Before anything is asked; the greeting does not wait for it.
  await rest.eventually('the session is opened', async () => server.opened.length - opened === 1);
  await say(talk.caller, question);
  const { call, record } = await ended(talk);
  assert.match(saidBy(call, 'agent').at(-1) ?? '', /shipped today/);
  assert.deepEqual(
    [...offered].filter((name) => name.startsWith('shop_')),
    ['shop_order'],
  );
  assert.deepEqual(
    record.toolCalls?.map(({ name, outcome }) => [name, outcome]),
    [['shop_order', 'done']],
  );
  assert.deepEqual(
    server.calls.map(({ name, session }) => [name, session]),
    [['order', server.opened.at(-1)]],
  );
  await rest.eventually('the session is ended', async () => server.ended.includes(server.opened.at(-1) ?? ''));
});

/** Whether the session of the call is, beside the one that read the catalogue. */
const isEnded = ({ calls, ended }: FakeMcpServer): boolean => ended.includes(calls[0]?.session ?? '');

/** A server whose tool answers when the test says so, given to the demo's campaign. */
async function slowServer(t: TestContext, name: string, onInterruption: 'cancel' | 'finish') {
  const server = await startMcpServer({
    tools: [{ name: 'order', inputSchema: { type: 'object', properties: { number: { type: 'string' } } } }],
    answer: () => null,
  });
  t.after(() => server.close());
  const made = await rest.must('POST', '/tools', {
    ...{ name, description: 'The shop.', kind: 'mcp', url: server.url, timeoutMs: 10_000, onInterruption },
  });
  await rest.must('PATCH', `/campaigns/${campaignId}`, { toolIds: [made.id] });
  return server;
}

test('a caller who speaks while a server’s tool runs: the server is told that it is given up, and the record says the same', async (t) => {
  const server = await slowServer(t, 'slow', 'cancel');
  const offered: string[] = [];
  script = (request) => {
    const tools = (request.body.tools ?? []) as Array<{ function: { name: string; description: string } }>;
    offered.push(
      ...tools.filter(({ function: { name } }) => name === 'slow_order').map((tool) => tool.function.description),
    );
    return server.cancelled.length > 0
      ? { type: 'text', pieces: ['Never mind then.'] }
      : { type: 'tool', name: 'slow_order', arguments: '{"number":"4711"}' };
  };
  const talk = await greeted(service);
  await talk.caller.call.speak(question);
  await rest.eventually('the server to be asked', async () => server.calls.length > 0);
  await talk.caller.call.speak(question);
  await rest.eventually('the server to be told', async () => server.cancelled.length > 0);
  await talk.caller.agentQuiet(1_500);
  const { record } = await ended(talk);
  const asked = server.calls.map(({ id }) => id);
  assert.deepEqual(server.cancelled, asked, 'each request is given up, once');
  assert.deepEqual(
    record.toolCalls?.map(({ name, result }) => [name, (result as { error?: string } | null)?.error]),
    asked.map(() => ['slow_order', 'cancelled']),
  );
  assert.match(offered[0] ?? '', /^The shop\. /, 'what the account says of the server stands first');
  await rest.eventually('the session is ended', async () => isEnded(server));
});

for (const onInterruption of ['cancel', 'finish'] as const) {
  test(`a caller who hangs up while a server’s tool runs (${onInterruption})`, {
    skip: onInterruption !== 'cancel' && nightly,
  }, async (t) => {
    const server = await slowServer(t, `hung_${onInterruption}`, onInterruption);
    script = () => ({ type: 'tool', name: `hung_${onInterruption}_order`, arguments: '{"number":"4711"}' });
    const talk = await greeted(service);
    await talk.caller.call.speak(question);
    await rest.eventually('the server to be asked', async () => server.calls.length > 0);
    const { record } = await ended(talk);
    const isCancelled = onInterruption === 'cancel';
    if (!isCancelled) {
      assert.deepEqual([server.cancelled, isEnded(server)], [[], false], 'it may end what it was asked for');
      server.answerAll({ content: [{ type: 'text', text: '{"state": "shipped"}' }] });
    }
    await rest.eventually('the session is ended', async () => isEnded(server));
    const asked = server.calls.map(({ id }) => id);
    assert.deepEqual(server.cancelled, isCancelled ? asked : []);
    assert.deepEqual(
      record.toolCalls?.map(({ outcome }) => outcome),
      asked.map(() => (isCancelled ? 'refused' : 'unanswered')),
    );
  });
}

test('a server that is down costs the call nothing but the tool', async () => {
  const server = await startMcpServer({
    tools: [{ name: 'order', inputSchema: { type: 'object' } }],
    answer: () => null,
  });
  const made = await rest.must('POST', '/tools', { name: 'down', description: 'Down.', kind: 'mcp', url: server.url });
  await rest.must('PATCH', `/campaigns/${campaignId}`, { toolIds: [made.id] });
  await server.close();
  script = asksOnce('down_order');
  const talk = await greeted(service);
  await say(talk.caller, question);
  const { call, record } = await ended(talk);
  assert.match(saidBy(call, 'agent').at(-1) ?? '', /could not find it/);
  const { error } = (record.toolCalls?.[0]?.result ?? {}) as { error?: string };
  assert.equal(error, 'unreachable');
});

test('a card that is keyed in reaches the tool that wants it, and nothing else', async () => {
  const card = '4111111111111111';
  const name = await useTool({ parameters: { type: 'object', properties: { card: { type: 'string' } } } });
  answer = ({ body }, response) => answerJson(response, { paid: true, by: (body as { card: string }).card });
  script = (request) => {
    const last = request.body.messages?.at(-1);
    const reference = /secret:[\w-]{16}/.exec(lastResult(request))?.[0];
    if (String(last?.content).includes('has answered'))
      return { type: 'tool', id: 'call_2', name, arguments: JSON.stringify({ card: reference }) };
    if (hasResult(request))
      return { type: 'text', pieces: [/paid/.test(lastResult(request)) ? 'It is paid.' : 'Key it in, please.'] };
    return { type: 'tool', name: 'collect_digits', arguments: '{"what":"the card","isCard":true}' };
  };
  const [from, asked] = [system.questions.length, model.requests.length];
  const talk = await greeted(service);
  await say(talk.caller, question);
  talk.caller.call.press(`${card}#`);
  const pressedAt = performance.now();
  await rest.eventually('the system is asked', async () => system.questions.length > from);
  await talk.caller.agentSound(pressedAt);
  await talk.caller.agentQuiet(1_000);
  const { call, record } = await ended(talk);
  assert.match(saidBy(call, 'agent').join(' | '), /Key it in, please\..*It is paid/);
  assert.deepEqual(
    system.questions.slice(from).map(({ body }) => body),
    [{ card }],
  );
  assert.equal(JSON.stringify(model.requests.slice(asked)).includes('4111'), false, 'the model has seen none of it');
  assert.equal(JSON.stringify(record).includes('4111'), false);
  assert.match(JSON.stringify(record.toolCalls), /\[secret\]/, 'an answer that repeats it is kept without it');
  for (const file of readdirSync(service.dataDir, { recursive: true, encoding: 'utf8' })) {
    const path = join(service.dataDir, file);
    if (statSync(path, { throwIfNoEntry: false })?.isFile())
      assert.equal(readFileSync(path).includes(card), false, `${file} has it`);
  }
});
