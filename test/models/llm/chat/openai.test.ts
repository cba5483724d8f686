import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../../bench/rig/clock.ts';
import { dialogueRequest } from '../../../../bench/rig/conversation/dialogue-request.ts';
import { comesToRest, eventually } from '../../../../bench/rig/eventually.ts';
import { OpenAiDialogue } from '../../../../models/llm/chat/openai.ts';
import type { DialogueChunk, DialogueRequest, Message } from '../../../../models/llm/llm.ts';
import type { Timers } from '../../../../models/llm/timers.ts';
import { type FakeAnswer, FakeOpenAi, type FakeScript } from '../../../support/models/fake-openai.ts';

const TIMEOUTS = { chunkTimeoutMs: 5_000, replyTimeoutMs: 60_000 };

const request = (messages?: Message[]): DialogueRequest => dialogueRequest(messages === undefined ? {} : { messages });

/** Pauses that take their time on their own clock only. Deadlines, which are longer, never come. */
function pauses(): Timers & { tookMs: number } {
  const timers = {
    tookMs: 0,
    nowMs: () => timers.tookMs,
    after: (delayMs: number, fire: () => void) => {
      if (delayMs >= TIMEOUTS.chunkTimeoutMs) return () => undefined;
      timers.tookMs += delayMs;
      const soon = setImmediate(fire);
      return () => clearImmediate(soon);
    },
  };
  return timers;
}

async function ask(answers: FakeScript[], { signal = new AbortController().signal, req = request() } = {}) {
  const fake = await FakeOpenAi.start(answers);
  const { baseUrl } = fake;
  const timers = pauses();
  const model = new OpenAiDialogue({ apiKey: 'sk-test', baseUrl, model: 'small', timers, ...TIMEOUTS });
  const chunks: DialogueChunk[] = [];
  let error: { code?: string; message?: string } | null = null;
  try {
    for await (const chunk of model.reply(req, signal)) chunks.push(chunk);
  } catch (thrown) {
    error = thrown as { code?: string };
  }
  const text = chunks.map((chunk) => (chunk.type === 'text' ? chunk.text : '')).join('');
  const tools = chunks.filter((chunk) => chunk.type === 'tool-call');
  await fake.stop();
  return { chunks, text, tools, error, fake, baseUrl, pausedMs: timers.tookMs };
}

test('text is streamed piece by piece, with usage', async () => {
  const { chunks, error, fake } = await ask([
    { type: 'text', pieces: ['We are ', 'open.'], usage: { prompt: 50, completion: 4, cached: 32 } },
  ]);
  assert.equal(error, null);
  const [first] = chunks;
  const promptEstimate = first?.type === 'request' ? (first.promptEstimate ?? 0) : 0;
  assert.ok(promptEstimate > 100, 'reckoned by the length of the prompt');
  assert.deepEqual(chunks, [
    { type: 'request', byFallback: false, model: 'small', promptEstimate },
    { type: 'text', text: 'We are ' },
    { type: 'text', text: 'open.' },
    { type: 'usage', inputTokens: 50, outputTokens: 4, cachedTokens: 32, model: 'small', promptEstimate },
  ]);
  const [sent] = fake.requests;
  assert.equal(sent?.path, '/v1/chat/completions');
  assert.equal(sent?.authorization, 'Bearer sk-test');
  assert.equal(sent?.body.stream, true);
  assert.equal(sent?.body.model, 'small');
  const last = sent?.body.messages?.at(-1);
  assert.equal(last?.role, 'user');
  assert.match(String(last?.content), /\nhello\n/);
});

for (const style of ['pieces', 'whole', 'no-index'] as const) {
  test(`a tool call comes whole, streamed ${style}`, async () => {
    const { tools, text } = await ask([
      {
        type: 'tool',
        name: 'check_availability',
        arguments: '{"service":"cleaning","from":"2026-11-24"}',
        text: 'Let me see.',
        style,
      },
    ]);
    assert.equal(text, 'Let me see.');
    assert.deepEqual(tools, [
      {
        type: 'tool-call',
        id: 'call_1',
        name: 'check_availability',
        arguments: { service: 'cleaning', from: '2026-11-24' },
      },
    ]);
  });
}

test('a 500 is retried, and the answer after it is spoken', async () => {
  const { text, fake } = await ask([
    { type: 'status', status: 500 },
    { type: 'status', status: 502 },
    { type: 'status', status: 503 },
    { type: 'text', pieces: ['Here.'] },
  ]);
  assert.equal(text, 'Here.');
  assert.equal(fake.requests.length, 4);
});

test('a server that goes on failing is asked again for as long as the caller waits', async () => {
  const { error, pausedMs } = await ask([{ type: 'status', status: 503 }], {
    req: { ...request(), firstWordWithinMs: 3_000 },
  });
  assert.equal(error?.code, 'LLM_UNAVAILABLE');
  assert.ok(pausedMs > 1_500 && pausedMs < 3_000);
});

test('a wrong key is not retried', async () => {
  const { error, fake } = await ask([{ type: 'status', status: 401 }]);
  assert.equal(error?.code, 'LLM_REFUSED');
  assert.equal(fake.requests.length, 1);
});

test('a server that never answers is not asked twice: how long it may take, the caller decides', async () => {
  const patience = new AbortController();
  const hang = (): FakeAnswer => {
    setImmediate(() => patience.abort());
    return { type: 'hang' };
  };
  const { error, fake } = await ask([hang], { signal: patience.signal });
  assert.equal(error?.code, 'LLM_UNAVAILABLE');
  assert.equal(fake.requests.length, 1);
});

test('a stream that stalls after some words fails without repeating them', async () => {
  const fake = await FakeOpenAi.start([{ type: 'stall', pieces: ['One ', 'moment'] }]);
  const timers = new VirtualClock();
  const model = new OpenAiDialogue({ apiKey: null, baseUrl: fake.baseUrl, model: 'small', timers, ...TIMEOUTS });
  let text = '';
  let isOver = false;
  const failed = assert.rejects(
    async () => {
      for await (const chunk of model.reply(request(), new AbortController().signal))
        if (chunk.type === 'text') text += chunk.text;
    },
    { code: 'LLM_TIMEOUT' },
  );
  void failed.then(() => {
    isOver = true;
  });
  await eventually(() => text === 'One moment');
  timers.advance(TIMEOUTS.chunkTimeoutMs - 1);
  await comesToRest();
  assert.equal(isOver, false);
  timers.advance(1);
  await failed;
  assert.equal(text, 'One moment');
  assert.equal(fake.requests.length, 1);
  await fake.stop();
});

test('a stream that is cut in the middle fails without repeating it', async () => {
  const { error, text, fake } = await ask([{ type: 'cut', pieces: ['We are open from'] }]);
  assert.equal(error?.code, 'LLM_UNAVAILABLE');
  assert.equal(text, 'We are open from');
  assert.equal(fake.requests.length, 1);
});

test('a stream that is cut before its first word is retried', async () => {
  const { text } = await ask([
    { type: 'cut', pieces: [] },
    { type: 'text', pieces: ['Hello.'] },
  ]);
  assert.equal(text, 'Hello.');
});

const GARBAGE: Record<string, FakeAnswer> = {
  'HTML instead of a stream': { type: 'raw', body: '<html>Bad gateway</html>', contentType: 'text/html' },
  'broken JSON': { type: 'raw', body: 'data: {"choices":[{"delta":{"content":"x\n\n' },
  'an empty stream': { type: 'raw', body: '' },
  'chunks without choices': { type: 'raw', body: 'data: {}\n\ndata: {"choices":null}\n\ndata: [DONE]\n\n' },
  'an empty reply': { type: 'text', pieces: [] },
  'tool arguments that are no JSON': { type: 'tool', name: 'end_call', arguments: '{"reason": ' },
  'tool arguments that are no object': { type: 'tool', name: 'end_call', arguments: '[1,2]' },
};
for (const [name, answer] of Object.entries(GARBAGE)) {
  test(`${name}: a typed error after one retry`, async () => {
    const { error, text, tools, fake } = await ask([answer]);
    assert.equal(error?.code, 'LLM_GARBAGE');
    assert.equal(text, '');
    assert.deepEqual(tools, []);
    assert.equal(fake.requests.length, 2);
  });
}

test('unusual but usable chunks are used', async () => {
  const body = [
    'data: {"choices":[{"delta":{"role":"assistant","content":null}}]}',
    ': keep-alive',
    'data: {"choices":[{"delta":{"content":"Fine."},"finish_reason":null}]}',
    'data: {"choices":[{"finish_reason":"stop"}]}',
    'data: [DONE]',
  ].join('\n\n');
  const { text, error } = await ask([{ type: 'raw', body: `${body}\n\n` }]);
  assert.equal(error, null);
  assert.equal(text, 'Fine.');
});

test('a connection that is reset before the answer is tried again at once', async () => {
  const { text, fake } = await ask([{ type: 'reset' }, { type: 'text', pieces: ['Hello.'] }]);
  assert.equal(text, 'Hello.');
  assert.equal(fake.requests.length, 2);
});

test('Retry-After is waited for, as often as the time allows; one that it does not allow is not', async () => {
  const busy = (seconds: string): FakeAnswer => ({ type: 'status', status: 429, headers: { 'retry-after': seconds } });
  const twice = await ask([busy('1'), busy('1'), { type: 'text', pieces: ['Here.'] }]);
  assert.equal(twice.text, 'Here.');
  assert.equal(twice.pausedMs, 2_000);
  const hasty = await ask([busy('0'), busy('0'), busy('0'), { type: 'text', pieces: ['Here.'] }]);
  assert.equal(hasty.text, 'Here.');
  assert.ok(hasty.pausedMs >= 1_000, 'not all at once');
  const long = await ask([busy('20')]);
  assert.equal(long.error?.code, 'LLM_UNAVAILABLE');
  assert.equal(long.fake.requests.length, 1);
});

test('a server that ignores the wish for a stream is understood', async () => {
  const { text, error } = await ask([{ type: 'whole', text: 'We are open.' }]);
  assert.equal(error, null);
  assert.equal(text, 'We are open.');
});

test('an error inside a stream is one, whatever its status was', async () => {
  const body = 'data: {"error":{"message":"overloaded","code":503}}\n\n';
  const { error, fake } = await ask([{ type: 'raw', body }], { req: { ...request(), firstWordWithinMs: 500 } });
  assert.equal(error?.code, 'LLM_UNAVAILABLE');
  assert.equal(fake.requests.length, 2);
});

test('calls without an id get one of their own', async () => {
  const call: FakeAnswer = { type: 'tool', name: 'opt_out', arguments: '{}', id: null };
  const [one, two] = [await ask([call]), await ask([call])];
  const ids = [...one.tools, ...two.tools].map((tool) => tool.type === 'tool-call' && tool.id);
  assert.equal(new Set(ids).size, 2);
  for (const id of ids) assert.match(String(id), /^[a-z0-9]{9}$/);
});

test('the next turn uses the connection of the one before', async () => {
  const fake = await FakeOpenAi.start([{ type: 'text', pieces: ['Yes.'] }]);
  const model = new OpenAiDialogue({ apiKey: null, baseUrl: fake.baseUrl, model: 'small', ...TIMEOUTS });
  for (let turn = 0; turn < 3; turn++) {
    for await (const chunk of model.reply(request(), new AbortController().signal)) assert.ok(chunk);
    await comesToRest();
  }
  assert.equal(fake.requests.length, 3);
  assert.equal(fake.connections, 1);
  await fake.stop();
});

test('a connection that was opened while it rang is the one of the first turn', async () => {
  const fake = await FakeOpenAi.start([{ type: 'text', pieces: ['Yes.'] }]);
  const model = new OpenAiDialogue({ apiKey: null, baseUrl: fake.baseUrl, model: 'small', ...TIMEOUTS });
  model.warm();
  await eventually(() => fake.asked.length === 1);
  await comesToRest();
  assert.equal(fake.connections, 1);
  for await (const chunk of model.reply(request(), new AbortController().signal)) if (chunk.type === 'text') break;
  assert.equal(fake.connections, 1);
  assert.deepEqual(fake.asked, ['/v1/models']);
  await fake.stop();
});

test('warming a server that is down or silent does nothing', async () => {
  const fake = await FakeOpenAi.start([{ type: 'hang' }], { models: {} });
  const { baseUrl } = fake;
  const model = new OpenAiDialogue({ apiKey: null, baseUrl, model: 'small', ...TIMEOUTS });
  model.warm();
  await fake.stop();
  model.warm();
  await comesToRest();
});

test('what is logged of a failure: status, place, type and code, and nothing of what was said', async () => {
  const body = JSON.stringify({
    error: { message: 'Incorrect key sk-test for "hello"', type: 'invalid_request_error', code: 'invalid_api_key' },
  });
  const { error, baseUrl } = await ask([{ type: 'status', status: 401, body }]);
  const details = (error as { details?: Record<string, unknown> }).details ?? {};
  assert.deepEqual(details, {
    url: `${new URL(baseUrl).host}/v1/chat/completions`,
    status: 401,
    vendorType: 'invalid_request_error',
    vendorCode: 'invalid_api_key',
  });
  assert.ok(!/sk-test|hello/.test(`${error?.message}${JSON.stringify(details)}`));
});

test('the words of a refusal are logged, shortened, where they repeat nothing of the conversation', async () => {
  const detailsOf = async (message: string, status = 400) => {
    const { error } = await ask([{ type: 'status', status, body: JSON.stringify({ error: { message } }) }]);
    return (error as { details?: Record<string, unknown> }).details ?? {};
  };
  const words = "The model 'small-2' does not exist or you do not have access to it.";
  assert.equal((await detailsOf(words, 404)).vendorMessage, words);
  assert.equal((await detailsOf('x'.repeat(900))).vendorMessage, 'x'.repeat(200));
  assert.equal(
    (await detailsOf('Incorrect API key provided: sk-abcd*****wxyz')).vendorMessage,
    'Incorrect API key provided: [key]',
  );
  assert.equal((await detailsOf('your prompt "hello" is flagged')).vendorMessage, undefined);
  assert.equal((await detailsOf('flagged: You are Robin, the friendly')).vendorMessage, undefined);
});

test('an aborted reply stops the stream at the server', async () => {
  const fake = await FakeOpenAi.start([{ type: 'stall', pieces: ['One ', 'moment, ', 'please'] }]);
  const model = new OpenAiDialogue({ apiKey: null, baseUrl: fake.baseUrl, model: 'small', ...TIMEOUTS });
  const controller = new AbortController();
  let words = 0;
  await assert.rejects(
    async () => {
      for await (const chunk of model.reply(request(), controller.signal))
        if (chunk.type === 'text' && ++words === 3) controller.abort();
    },
    { code: 'LLM_UNAVAILABLE' },
  );
  await eventually(() => fake.aborted === 1);
  assert.equal(fake.requests.length, 1);
  await fake.stop();
});

test('a reader who leaves the reply also ends the stream', async () => {
  const fake = await FakeOpenAi.start([{ type: 'stall', pieces: ['a', 'b'] }]);
  const model = new OpenAiDialogue({ apiKey: null, baseUrl: fake.baseUrl, model: 'small', ...TIMEOUTS });
  for await (const chunk of model.reply(request(), new AbortController().signal)) {
    if (chunk.type === 'text') break;
  }
  await eventually(() => fake.aborted === 1);
  await fake.stop();
});

test('a runaway reply is cut', async () => {
  const { text } = await ask([{ type: 'text', pieces: Array.from({ length: 300 }, () => 'x'.repeat(100)) }]);
  assert.ok(text.length >= 4_000 && text.length < 4_200, `${text.length}`);
});

test('a reply that goes round in a circle ends there', async () => {
  const round = ['I am happy to help ', 'you with your hair. ', 'Thank you so much. ', 'What can I do for you? '];
  const { text, error, fake } = await ask([{ type: 'text', pieces: Array.from({ length: 10 }, () => round).flat() }]);
  assert.equal(error, null);
  assert.equal(text.match(/I am happy to help/g)?.length, 2);
  assert.equal(fake.requests.length, 1, 'it is whole, and not asked for again');
});

test('a short sentence, or one that is said a second time, ends no reply', async () => {
  const said =
    'Yes. Yes. Yes. That is at nine on Monday. Ask for Ana at the desk. That is at nine on Monday. Thank you. Thank you.';
  const { text } = await ask([{ type: 'text', pieces: said.split(/(?<= )/) }]);
  assert.equal(text, said);
});

test('a text task may be another model’s than that of the calls', async () => {
  const fake = await FakeOpenAi.start([{ type: 'whole', text: 'yes' }]);
  const model = new OpenAiDialogue({ apiKey: 'k', baseUrl: fake.baseUrl, model: 'small', ...TIMEOUTS });
  await model.complete({ system: 's', user: 'u', json: false, model: 'large' }, new AbortController().signal);
  assert.equal(fake.requests.at(-1)?.body.model, 'large');
  await fake.stop();
});

test('a text task returns the whole answer, as JSON on request', async () => {
  const fake = await FakeOpenAi.start([
    { type: 'status', status: 500 },
    { type: 'whole', text: '{"ok":true}' },
  ]);
  const model = new OpenAiDialogue({ apiKey: 'k', baseUrl: fake.baseUrl, model: 'small', ...TIMEOUTS });
  const answer = await model.complete({ system: 's', user: 'u', json: true }, new AbortController().signal);
  assert.equal(answer, '{"ok":true}');
  assert.deepEqual(fake.requests.at(-1)?.body.response_format, { type: 'json_object' });
  await fake.stop();
});
