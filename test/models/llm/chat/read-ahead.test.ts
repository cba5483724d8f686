// While a phone rings, a model's server near by reads the call's instructions, so that its first answer begins at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialogueRequest } from '../../../../bench/rig/conversation/dialogue-request.ts';
import { comesToRest, eventually } from '../../../../bench/rig/eventually.ts';
import { isNearby } from '../../../../db/shared/net/address-rules.ts';
import { ChatServer } from '../../../../models/llm/chat/chat-server.ts';
import { OpenAiDialogue } from '../../../../models/llm/chat/openai.ts';
import type { DialogueModel } from '../../../../models/llm/llm.ts';
import { DialogueWithFallback } from '../../../../models/llm/model-with-fallback.ts';
import { type FakeAnswer, FakeOpenAi } from '../../../support/models/fake-openai.ts';

const TIMEOUTS = { chunkTimeoutMs: 5_000, replyTimeoutMs: 60_000 };
const YES: FakeAnswer = { type: 'text', pieces: ['Yes.'] };
/** A call that begins: nobody has said anything. */
const briefing = () => dialogueRequest({ messages: [] });

async function served(answer: FakeAnswer = YES) {
  const fake = await FakeOpenAi.start([answer]);
  const model = new OpenAiDialogue({ apiKey: null, baseUrl: fake.baseUrl, model: 'small', ...TIMEOUTS });
  const turn = async () => {
    for await (const chunk of model.reply(dialogueRequest(), new AbortController().signal)) assert.ok(chunk);
  };
  const ring = async () => {
    model.warm(briefing);
    await comesToRest();
  };
  return { fake, model, turn, ring };
}

test('the instructions are read while it rings, as the first turn has them, for one token', async () => {
  const { fake, turn, ring } = await served();
  await ring();
  await eventually(() => fake.readAhead.length === 1);
  await turn();
  const [ahead, first] = [fake.readAhead[0]?.body, fake.requests[0]?.body];
  assert.equal(first?.messages?.[0]?.role, 'system');
  assert.deepEqual(ahead?.messages?.[0], first?.messages?.[0]);
  assert.deepEqual(ahead?.tools, first?.tools);
  assert.equal(ahead?.model, first?.model);
  assert.equal(ahead?.max_tokens, 1);
  await fake.stop();
});

test('what a server has just read is not sent again; after another text it is', async () => {
  const { fake, model, turn, ring } = await served();
  await ring();
  await ring();
  await turn();
  await ring();
  assert.equal(fake.readAhead.length, 1);
  await model
    .complete({ system: 'Sum up.', user: 'A call.', json: false }, new AbortController().signal)
    .catch(() => '');
  await ring();
  await eventually(() => fake.readAhead.length === 2);
  await fake.stop();
});

test('the first reply of any call ends the reading', async () => {
  const { fake, turn, ring } = await served();
  fake.readsSlowly = true;
  await ring();
  await eventually(() => fake.readAhead.length === 1);
  await turn();
  await eventually(() => fake.aborted === 1);
  assert.equal(fake.requests.length, 1);
  await fake.stop();
});

test('nothing is read ahead while a caller waits for a reply', async () => {
  const { fake, model, ring } = await served({ type: 'stall', pieces: ['One '] });
  const controller = new AbortController();
  const reply = model.reply(dialogueRequest({ agentName: 'Kim' }), controller.signal)[Symbol.asyncIterator]();
  await reply.next();
  await ring();
  assert.equal(fake.readAhead.length, 0);
  await reply.return?.();
  await ring();
  await eventually(() => fake.readAhead.length === 1);
  controller.abort();
  await fake.stop();
});

test('a call without instructions to read only connects', async () => {
  const { fake, model } = await served();
  model.warm();
  await eventually(() => fake.asked.length === 1);
  await comesToRest();
  assert.equal(fake.readAhead.length, 0);
  await fake.stop();
});

test('a server is near by its address or name; a vendor, who asks a fee for each token, is not', () => {
  for (const host of ['127.0.0.1', '::1', 'localhost', '10.1.2.3', '192.168.0.7', '172.18.0.2', 'fd00::5', 'ollama'])
    assert.ok(isNearby(host), host);
  for (const host of ['host.docker.internal', 'nas.local', 'gpu.home.arpa', '100.64.0.9', '169.254.1.1'])
    assert.ok(isNearby(host), host);
  for (const host of ['api.openai.com', '8.8.8.8', '2001:4860:4860::8888', 'local.example.com', 'internal.de'])
    assert.ok(!isNearby(host), host);
  assert.equal(new ChatServer({ apiKey: null, baseUrl: null }).isNear, false);
  assert.equal(new ChatServer({ apiKey: null, baseUrl: 'http://[::1]:8080/v1' }).isNear, true);
});

test('the second model reads them too while the first is down, without the agent’s own model', async () => {
  const read: Array<[string, string | null | undefined]> = [];
  const fails = (): AsyncIterable<never> => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('down')) }),
  });
  const modelNamed = (name: string): DialogueModel => ({
    name,
    complete: null,
    reply: name === 'first' ? fails : () => (async function* () {})(),
    warm: (ask) => void read.push([name, ask?.().model]),
  });
  const model = new DialogueWithFallback(modelNamed('first'), modelNamed('second'));
  const own = () => dialogueRequest({ model: 'own' });
  model.warm(own);
  assert.deepEqual(read.splice(0), [['first', 'own']]);
  for (let turn = 0; turn < 10; turn++)
    for await (const chunk of model.reply(dialogueRequest(), new AbortController().signal)) assert.ok(chunk);
  model.warm(own);
  assert.deepEqual(read, [
    ['first', 'own'],
    ['second', null],
  ]);
});
