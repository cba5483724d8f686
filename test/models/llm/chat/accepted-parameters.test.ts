// Servers that refuse a parameter: the turn is not lost, and the next one is right from the start.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialogueRequest } from '../../../../bench/rig/conversation/dialogue-request.ts';
import { comesToRest, eventually } from '../../../../bench/rig/eventually.ts';
import createOpenAi, { OpenAiDialogue } from '../../../../models/llm/chat/openai.ts';
import { TRIAL_WORDS } from '../../../../models/llm/chat/server-trial.ts';
import type { DialogueRequest, ModelNotice } from '../../../../models/llm/llm.ts';
import {
  type FakeAnswer,
  FakeOpenAi,
  type FakeRequest,
  type FakeScript,
  refusal,
} from '../../../support/models/fake-openai.ts';

const REQUEST = dialogueRequest();

type Body = FakeRequest['body'];
const SAID: FakeAnswer = { type: 'text', pieces: ['We are open.'] };

/** Refuses what `fault` finds in a request. */
const refusing =
  (...faults: Array<(body: Body) => FakeAnswer | null>): FakeScript =>
  ({ body }) =>
    faults.map((fault) => fault(body)).find((answer) => answer !== null) ?? SAID;

const isTrial = ({ body }: FakeRequest): boolean => JSON.stringify(body.messages).includes(TRIAL_WORDS.slice(0, 20));

async function twoTurns(script: FakeScript) {
  const fake = await FakeOpenAi.start([script]);
  const options = { chunkTimeoutMs: 1_000, replyTimeoutMs: 2_000 };
  const notices: ModelNotice[] = [];
  const turn = async (): Promise<string> => {
    // A new object each time: what was learned belongs to the server and the model.
    const model = new OpenAiDialogue({ apiKey: null, baseUrl: fake.baseUrl, model: 'small', ...options });
    model.onNotice((notice) => notices.push(notice));
    let text = '';
    for await (const chunk of model.reply(REQUEST, new AbortController().signal))
      if (chunk.type === 'text') text += chunk.text;
    return text;
  };
  try {
    const first = await turn();
    const refused = fake.requests.filter((request) => !isTrial(request)).length - 1;
    await eventually(() => notices.length >= refused);
    const second = await turn();
    const bodies = fake.requests.filter((request) => !isTrial(request)).map(({ body }) => body);
    return { said: [first, second], refused, requests: bodies.length, last: bodies.at(-1) ?? {}, notices };
  } finally {
    await fake.stop();
  }
}

const WORDINGS: Record<string, { fault: (body: Body) => FakeAnswer | null; isRight: (body: Body) => boolean }> = {
  'max_tokens, as OpenAI words it': {
    fault: ({ max_tokens }) =>
      max_tokens === undefined
        ? null
        : refusal(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            'max_tokens',
          ),
    isRight: (body) => body.max_tokens === undefined && (body.max_completion_tokens ?? 0) >= 1_000,
  },
  'max_tokens, by a proxy that sends the message alone': {
    fault: ({ max_tokens }) =>
      max_tokens === undefined
        ? null
        : { type: 'status', status: 400, body: '{"message":"max_tokens is not allowed"}' },
    isRight: (body) => body.max_tokens === undefined && body.max_completion_tokens !== undefined,
  },
  'every limit of tokens': {
    fault: (body) =>
      body.max_tokens === undefined && body.max_completion_tokens === undefined
        ? null
        : refusal(`unknown field ${body.max_tokens === undefined ? 'max_completion_tokens' : 'max_tokens'}`),
    isRight: (body) => body.max_tokens === undefined && body.max_completion_tokens === undefined,
  },
  temperature: {
    fault: ({ temperature }) =>
      temperature === undefined
        ? null
        : refusal(
            "Unsupported value: 'temperature' does not support 0.4 with this model. Only the default (1) value is supported.",
            'temperature',
          ),
    isRight: (body) => body.temperature === undefined,
  },
  'stream_options, as FastAPI words it': {
    fault: (body) =>
      body.stream_options === undefined
        ? null
        : {
            type: 'status',
            status: 422,
            body: '{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted","input":{}}]}',
          },
    isRight: (body) => body.stream_options === undefined,
  },
  'tools, as Ollama words it': {
    fault: ({ tools }) =>
      tools === undefined ? null : refusal('registry.ollama.ai/library/gemma:2b does not support tools'),
    isRight: (body) => body.tools === undefined,
  },
  'tools, as vLLM words it': {
    fault: ({ tools }) =>
      tools === undefined
        ? null
        : {
            type: 'status',
            status: 400,
            body: '{"object":"error","message":"\\"auto\\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","param":null,"code":400}',
          },
    isRight: (body) => body.tools === undefined,
  },
  'tools, as llama.cpp words it': {
    fault: ({ tools }) => (tools === undefined ? null : refusal('tools param requires --jinja flag', undefined, 500)),
    isRight: (body) => body.tools === undefined,
  },
  'tools, as a router words it': {
    fault: ({ tools }) =>
      tools === undefined ? null : refusal('No endpoints found that support tool use.', undefined, 404),
    isRight: (body) => body.tools === undefined,
  },
  'a system message, as a chat template words it': {
    fault: ({ messages }) =>
      messages?.[0]?.role === 'system' ? refusal('Jinja Exception: System role not supported', undefined, 500) : null,
    isRight: (body) => body.messages?.[0]?.role === 'user',
  },
};

for (const [name, { fault, isRight }] of Object.entries(WORDINGS)) {
  test(`refused: ${name}`, async () => {
    const { said, refused, requests, last, notices } = await twoTurns(refusing(fault));
    assert.deepEqual(said, ['We are open.', 'We are open.']);
    assert.ok(isRight(last), JSON.stringify(last));
    assert.equal(requests, refused + 2, 'the second turn is not refused');
    assert.equal(notices.length, refused, 'an operator learns of each, once');
  });
}

test('a server that refuses nearly everything, one thing at a time', async () => {
  const faults = [
    'max_tokens, as OpenAI words it',
    'temperature',
    'stream_options, as FastAPI words it',
    'tools, as Ollama words it',
  ];
  const { said, refused } = await twoTurns(refusing(...faults.map((name) => WORDINGS[name]?.fault ?? (() => null))));
  assert.deepEqual(said, ['We are open.', 'We are open.']);
  assert.equal(refused, 4);
});

const OTHER_FAULTS: Record<string, FakeAnswer> = {
  'a prompt that is too long': refusal(
    "'max_tokens' is too large: 400. This model's maximum context length is 2048 tokens and your request has 1900 input tokens.",
  ),
  'a fault of the messages': refusal(
    "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
  ),
  'an unknown model': refusal('The model `small` does not exist or you do not have access to it.', 'model', 404),
  'a wrong path': { type: 'status', status: 404, body: '{"detail":"Not Found"}' },
};
for (const [name, answer] of Object.entries(OTHER_FAULTS)) {
  test(`${name} teaches nothing: the same request would be refused again`, async () => {
    await assert.rejects(() => twoTurns(answer), { code: 'LLM_REFUSED' });
    await assert.rejects(
      () => twoTurns(({ body }) => (body.tools && body.temperature && body.max_tokens ? answer : SAID)),
      { code: 'LLM_REFUSED' },
    );
  });
}

test('two calls that are refused at the same time both go on', async () => {
  const fake = await FakeOpenAi.start([
    refusing(
      ...Object.values(WORDINGS)
        .slice(0, 1)
        .map(({ fault }) => fault),
    ),
  ]);
  const options = { chunkTimeoutMs: 1_000, replyTimeoutMs: 2_000 };
  const model = new OpenAiDialogue({ apiKey: null, baseUrl: fake.baseUrl, model: 'small', ...options });
  const turns = Array.from({ length: 5 }, async () => {
    let text = '';
    for await (const chunk of model.reply(REQUEST, new AbortController().signal))
      if (chunk.type === 'text') text += chunk.text;
    return text;
  });
  assert.deepEqual(await Promise.all(turns), Array(5).fill('We are open.'));
  await fake.stop();
});

test('a text task does without what the server refuses, too', async () => {
  const fake = await FakeOpenAi.start([
    ({ body }) => {
      if (body.response_format)
        return refusal("'response_format' of type 'json_object' is not supported with this model");
      if (body.messages?.[0]?.role === 'system') return refusal('System role not supported');
      return { type: 'whole', text: '{"ok":true}' };
    },
  ]);
  const options = { chunkTimeoutMs: 1_000, replyTimeoutMs: 2_000 };
  const model = new OpenAiDialogue({ apiKey: null, baseUrl: fake.baseUrl, model: 'small', ...options });
  const prompt = { system: 'You summarise.', user: 'The call.', json: true };
  assert.equal(await model.complete(prompt, new AbortController().signal), '{"ok":true}');
  assert.equal(fake.requests.at(-1)?.body.messages?.[0]?.content, 'You summarise.\n\nThe call.');
  await fake.stop();
});

const namesOf = (tools: readonly unknown[] = []): string[] =>
  tools.map((tool) => (tool as { function: { name: string } }).function.name);

/** Says what the model answers, turn by turn; `later` moves the clock of its trials. */
async function conversation(script: FakeScript) {
  const fake = await FakeOpenAi.start([script]);
  let nowMs = 0;
  const timers = { nowMs: () => nowMs, after: () => () => {} };
  const options = { chunkTimeoutMs: 1_000, replyTimeoutMs: 2_000, timers };
  const model = new OpenAiDialogue({ apiKey: null, baseUrl: fake.baseUrl, model: 'small', ...options });
  const notices: ModelNotice[] = [];
  model.onNotice((notice) => notices.push(notice));
  return {
    fake,
    model,
    notices,
    later: (ms: number) => {
      nowMs += ms;
    },
    /** Names of the tools of the request that was answered. */
    turn: async (request: DialogueRequest): Promise<string[]> => {
      for await (const _ of model.reply(request, new AbortController().signal));
      const last = fake.requests.findLast((each) => !isTrial(each));
      return namesOf(last?.body.tools);
    },
    trials: () => fake.requests.filter(isTrial).length,
  };
}

test('a tenant’s tool that is refused takes the tools from its own turns, and from nobody else’s', async (t) => {
  const { fake, notices, turn, trials } = await conversation(({ body }) =>
    namesOf(body.tools).includes('unknown_order')
      ? refusal("Invalid schema for function 'unknown_order': array without items", 'tools[1].function.parameters')
      : SAID,
  );
  t.after(() => fake.stop());
  const tool = { name: 'unknown_order', description: '', parameters: { type: 'array' } };
  const mallory = dialogueRequest({ tools: [...REQUEST.tools, tool] });
  const usual = REQUEST.tools.map(({ name }) => name);
  assert.deepEqual(await turn(mallory), []);
  await eventually(() => trials() === 1);
  await comesToRest();
  assert.deepEqual(await turn(REQUEST), usual);
  assert.deepEqual(await turn(mallory), []);
  assert.deepEqual(await turn(REQUEST), usual);
  assert.deepEqual(notices, []);
  assert.equal(trials(), 1, 'it is not tried again at once');
});

test('a parameter that is accepted meanwhile is sent again after some minutes', async (t) => {
  let hasTools = false;
  const { fake, notices, turn, later, trials } = await conversation(({ body }) =>
    body.tools && !hasTools ? refusal('this model does not support tools') : SAID,
  );
  t.after(() => fake.stop());
  await turn(REQUEST);
  await eventually(() => notices.length === 1);
  assert.deepEqual([await turn(REQUEST), trials()], [[], 2]);
  hasTools = true;
  later(11 * 60_000);
  await turn(REQUEST);
  await eventually(() => trials() === 3);
  await comesToRest();
  assert.deepEqual(
    await turn(REQUEST),
    REQUEST.tools.map(({ name }) => name),
  );
});

test('an operator sees what a server was found to refuse, since when, until it is forgotten', async (t) => {
  const { fake, model, notices, turn, later } = await conversation(({ body }) =>
    body.tools ? refusal('this model does not support tools') : SAID,
  );
  t.after(() => fake.stop());
  assert.deepEqual(model.learned(), []);
  await turn(REQUEST);
  await eventually(() => notices.length === 1);
  later(90_000);
  const server = new URL(fake.baseUrl);
  assert.deepEqual(
    model.learned().map(({ ageMs, ...what }) => ({ ...what, seconds: Math.floor(ageMs / 1_000) })),
    [{ server: `${server.host}${server.pathname}`, model: 'small', refused: ['tools'], seconds: 90 }],
  );
  model.forget();
  assert.deepEqual(model.learned(), []);
});

test('settings that are entered again forget what was learned of their server', async (t) => {
  const { fake, notices, turn, trials } = await conversation(({ body }) =>
    body.tools ? refusal('this model does not support tools') : SAID,
  );
  t.after(() => fake.stop());
  await turn(REQUEST);
  await eventually(() => notices.length === 1);
  const asked = fake.requests.length;
  await turn(REQUEST);
  assert.equal(fake.requests.length, asked + 1, 'it is known');
  await createOpenAi({ OPENAI_BASE_URL: fake.baseUrl, OPENAI_MODEL: 'small' });
  await turn(REQUEST);
  await eventually(() => trials() > 2);
});
