// A wrong URL, key or model is found at the start, with one line that names the variable.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import createOpenAi from '../../../../models/llm/chat/openai.ts';
import { FakeOpenAi, type FakeOptions } from '../../../support/models/fake-openai.ts';

const list = (...ids: string[]) => ({ status: 200, body: JSON.stringify({ data: ids.map((id) => ({ id })) }) });

async function linesFor(
  models: NonNullable<FakeOptions['models']>,
  { path = '/v1', model = 'small', key = 'sk-secret' }: { path?: string; model?: string; key?: string } = {},
): Promise<string[]> {
  const fake = await FakeOpenAi.start([{ type: 'hang' }], { models });
  const dialogue = await createOpenAi({
    OPENAI_BASE_URL: `${fake.origin}${path}`,
    OPENAI_API_KEY: key,
    OPENAI_MODEL: model,
  });
  const notices = (await dialogue.check?.()) ?? [];
  const { host } = new URL(fake.origin);
  await fake.stop();
  assert.equal(fake.requests.length, 0, 'no completion is asked for');
  for (const { level, text, details } of notices) {
    assert.equal(level, 'warn');
    assert.ok(!`${text}${JSON.stringify(details)}`.includes('sk-secret'), 'never the key');
  }
  return notices.map(({ text }) => text.replaceAll(host, 'HOST'));
}

test('a server that is there and knows the model: nothing to say', async () => {
  assert.deepEqual(await linesFor({ '/v1/models': list('other', 'small') }), []);
  assert.deepEqual(await linesFor({ '/v1/models': list('small:latest') }), [], 'as Ollama names it');
});

test('a key that is refused, or missing', async () => {
  const models = {
    '/v1/models': { status: 401, body: '{"error":{"message":"Incorrect API key provided: sk-secret"}}' },
  };
  assert.deepEqual(await linesFor(models), ['OPENAI_API_KEY: HOST/v1 refuses the key (HTTP 401)']);
  assert.deepEqual(await linesFor(models, { key: '' }), [
    'OPENAI_API_KEY: HOST/v1 wants a key, and none is set (HTTP 401)',
  ]);
});

test('a base URL that lacks /v1', async () => {
  assert.deepEqual(await linesFor({ '/v1/models': list('small') }, { path: '' }), [
    'OPENAI_BASE_URL: it lacks /v1: HOST/v1 answers, HOST does not',
  ]);
});

test('a base URL that leads elsewhere', async () => {
  assert.deepEqual(await linesFor({}, { path: '/v2' }), [
    'OPENAI_BASE_URL: HOST/v2/models is no list of models (HTTP 404), and most base URLs end in /v1',
  ]);
  assert.deepEqual(await linesFor({ '/v1/models': { status: 200, body: '<html>' } }), [
    'OPENAI_BASE_URL: HOST/v1/models is no list of models (HTTP 200)',
  ]);
});

test('a model that the server does not list', async () => {
  assert.deepEqual(await linesFor({ '/v1/models': list('a', 'b', 'c', 'd', 'e', 'f') }), [
    'OPENAI_MODEL: HOST/v1 does not list small, but a, b, c, d, e, …',
  ]);
});

test('a server that is not there, and a second one whose variables have other names', async () => {
  const fake = await FakeOpenAi.start([{ type: 'hang' }]);
  const { baseUrl, origin } = fake;
  await fake.stop();
  const dialogue = await createOpenAi({ OPENAI_BASE_URL: baseUrl, LLM_FALLBACK_BASE_URL: `${origin}/fallback` });
  const lines = (await dialogue.check?.())?.map(({ text }) => text.replaceAll(new URL(origin).host, 'HOST'));
  assert.deepEqual(lines, [
    'OPENAI_BASE_URL: HOST/v1 cannot be reached (ECONNREFUSED)',
    'LLM_FALLBACK_BASE_URL: HOST/fallback cannot be reached (ECONNREFUSED)',
  ]);
});
