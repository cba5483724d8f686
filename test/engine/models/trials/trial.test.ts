// A test of settings says what answered, or what is wrong, in words for an operator and without the key.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { VirtualClock } from '../../../../bench/rig/clock.ts';
import { SpeechServer } from '../../../../bench/rig/fakes/speech-server.ts';
import { NO_MODEL_VALUES } from '../../../../db/domain/model-settings.ts';
import { TRIAL_CONTEXT, TRIAL_MS } from '../../../../db/domain/model-trial.ts';
import { seal } from '../../../../db/shared/secrets/secret-box.ts';
import { ModelTrials } from '../../../../engine/models/trials/trial.ts';
import { FakeOpenAi, type FakeScript } from '../../../support/models/fake-openai.ts';

const KEY = 'sk-typed-by-hand-7788';
const secretKey = randomBytes(32);

function stage() {
  const clock = new VirtualClock();
  const trials = new ModelTrials({ environment: {}, dataDir: '/nowhere', secretKey, clock });
  const run = (kind: string, values: object) =>
    trials.run(seal(secretKey, TRIAL_CONTEXT, JSON.stringify({ kind, values: { ...NO_MODEL_VALUES, ...values } })));
  return { clock, run };
}

async function ofModel(script: FakeScript, values: object = {}) {
  const model = await FakeOpenAi.start([script]);
  try {
    const { run } = stage();
    return await run('llm', { engine: 'openai', baseUrl: model.baseUrl, model: 'small', apiKey: KEY, ...values });
  } finally {
    await model.stop();
  }
}

test('a model that answers: its words, and when the first came', async () => {
  const { error, text, firstMs, fallback } = await ofModel({ type: 'text', pieces: ['At', ' nine.'] });
  assert.deepEqual([error, text, fallback], [null, 'At nine.', null]);
  assert.ok(firstMs !== null);
});

test('a wrong key is said, and not repeated', async () => {
  const body = JSON.stringify({ error: { message: `Incorrect API key provided: ${KEY}` } });
  const { error } = await ofModel({ type: 'status', status: 401, body });
  assert.match(error ?? '', /does not accept the key \(401\)/);
  assert.ok(!(error ?? '').includes(KEY));
});

test('the second model is tried by itself: a first that fails is not hidden by it', async () => {
  const second = await FakeOpenAi.start([{ type: 'text', pieces: ['Second.'] }]);
  const values = { fallbackBaseUrl: second.baseUrl, fallbackModel: 'small' };
  const { error, fallback } = await ofModel({ type: 'status', status: 404 }, values);
  await second.stop();
  assert.match(error ?? '', /no such path or model \(404\)/);
  assert.deepEqual([fallback?.error, fallback?.text], [null, 'Second.']);
});

test('a server that hangs costs a limited time', async () => {
  const model = await FakeOpenAi.start([{ type: 'hang' }]);
  const { clock, run } = stage();
  const trial = run('llm', { engine: 'openai', baseUrl: model.baseUrl, model: 'small' });
  while (model.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  clock.advance(TRIAL_MS);
  assert.match((await trial).error ?? '', /did not answer within 30 s/);
  await model.stop();
});

test('an engine that lacks a setting says which', async () => {
  const { run } = stage();
  const { error } = await run('stt', { engine: 'deepgram' });
  assert.match(error ?? '', /needs a key/);
});

test('more tests at a time than two are refused', async () => {
  const model = await FakeOpenAi.start([{ type: 'hang' }, { type: 'hang' }]);
  const { clock, run } = stage();
  const values = { engine: 'openai', baseUrl: model.baseUrl, model: 'small' };
  const two = [run('llm', values), run('llm', values)];
  await assert.rejects(run('llm', values), /too many tests/);
  while (model.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
  clock.advance(TRIAL_MS);
  await Promise.all(two);
  await model.stop();
});

test('a voice whose server refuses the key does not pass for the built-in one', async () => {
  const server = await new SpeechServer({ apiKey: 'another-key' }).start();
  const { run } = stage();
  const { error } = await run('tts', { engine: 'openai', baseUrl: `${server.origin}/v1`, apiKey: KEY });
  await server.stop();
  assert.match(error ?? '', /401/);
});

test('without a speech-to-speech model there is nothing to test', async () => {
  const { run } = stage();
  const { engine, error } = await run('speech-to-speech', {});
  assert.deepEqual([engine, error], ['cascade', 'no speech-to-speech model is chosen: there is nothing to test']);
});
